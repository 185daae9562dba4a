package main

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
)

// Somebody who tries the program on one machine plays by answering a mail, without a mail server.
func TestTheSampleGameIsPlayedByAnswersInTheMailbox(t *testing.T) {
	t.Parallel()
	p := posthorntest.Start(t, posthorntest.Binary(t), "127.0.0.1:0", "run", "--data", t.TempDir(), "--pause", "1ms")
	id := p.NextMail(0)
	text := p.Get("/mailbox/" + id + "/text")
	require.Contains(t, text, "Or reply to this email")
	move := regexp.MustCompile(`such as:\s+- (.+?)\s+– plays that move`).FindStringSubmatch(text)
	require.NotNil(t, move, text)
	require.Contains(t, p.Get("/mailbox/"+id), "/mailbox/"+id+"/answer")
	res, err := http.PostForm(p.Base+"/mailbox/"+id+"/answer", url.Values{"text": {move[1]}})
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, 200, res.StatusCode)
	played := func() bool {
		for _, id := range p.Mails() {
			if strings.HasPrefix(p.Get("/mailbox/"+id+"/text"), "Played: ") {
				return true
			}
		}
		return false
	}
	for deadline := time.Now().Add(posthorntest.Patient); !played(); time.Sleep(20 * time.Millisecond) {
		require.True(t, time.Now().Before(deadline), "no answer to the answer: %s", p.Log)
	}
}
