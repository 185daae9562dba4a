package mail_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/mail/reply"
)

const answerable = "From: games@example.org\nReply-To: <games+token@example.org>\nMessage-Id: " +
	"<one@example.org>\nSubject: Carcassonne:\n =?utf-8?q?_Zo=C3=AB?=\nContent-Type: text/plain\n\nYour turn.\n"

// answering sends what somebody typed into the mailbox's form.
func (b *box) answering(id, host, text string) *httptest.ResponseRecorder {
	r := local(httptest.NewRequest("POST", "/mailbox/"+id+"/answer",
		strings.NewReader(url.Values{"text": {text}}.Encode())))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Host = host
	w := httptest.NewRecorder()
	b.page.ServeHTTP(w, r)
	return w
}

func TestMailboxMailsAreAnsweredWhereAnswersAreTaken(t *testing.T) {
	b := openBox(t, t.TempDir())
	require.NoError(t, b.put("ana@example.org", answerable))
	m := b.Messages()[0]
	// A house that takes no answers offers no form.
	require.NotContains(t, b.get("/mailbox/"+m.ID).Body.String(), "/answer")
	require.Equal(t, 404, b.get("/mailbox/"+m.ID+"/answer").Code)
	require.Equal(t, 404, b.answering(m.ID, "127.0.0.1:8080", "b").Code)
	// given one that does
	var got []string
	var fails error
	b.Answered(func(_ context.Context, to, from string, raw []byte) error {
		got = append(got, to, from, string(raw))
		return fails
	})
	require.Contains(t, b.get("/mailbox/"+m.ID).Body.String(), `href="/mailbox/`+m.ID+`/answer"`)
	form := b.get("/mailbox/" + m.ID + "/answer")
	require.Contains(t, form.Body.String(), `<form method="post">`)
	require.Contains(t, form.Body.String(), "Your turn.")
	require.Contains(t, form.Header().Get("Content-Security-Policy"), "form-action 'self'")
	require.Empty(t, got, "looking sends nothing")
	// when it is answered
	w := b.answering(m.ID, "127.0.0.1:8080", "b\r\nsay żółw = turtle, "+strings.Repeat("slow ", 40)+"\n\n> quoted")
	require.Equal(t, 303, w.Code)
	require.Equal(t, "/mailbox?sent=1&to=ana%40example.org", w.Header().Get("Location"))
	require.Contains(t, b.get(w.Header().Get("Location")).Body.String(), "Your reply was sent.")
	// then the house gets a mail from her, as from a mail program
	require.Len(t, got, 3)
	require.Equal(t, []string{"games+token@example.org", "ana@example.org"}, got[:2])
	head, err := reply.ReadHead([]byte(got[2]))
	require.NoError(t, err)
	require.Equal(t, []string{"ana@example.org"}, head.From())
	require.NotEmpty(t, head.MessageID())
	require.Empty(t, head.Automatic("ana@example.org"))
	require.Contains(t, got[2], "In-Reply-To: <one@example.org>\r\n")
	require.Contains(t, got[2], "Subject: =?utf-8?q?Re:_Carcassonne:_Zo=C3=AB?=\r\n")
	for line := range strings.SplitSeq(got[2], "\r\n") {
		require.NotContains(t, line, "\n")
		require.LessOrEqual(t, len(line), 78)
	}
	lines := head.Lines()
	require.Equal(t, "b", lines[0])
	require.True(t, strings.HasPrefix(lines[1], "say żółw = turtle"), lines[1])
	// and it takes nothing from a foreign page, nor too much, and says what failed
	require.Equal(t, 404, b.answering(m.ID, "evil.example", "b").Code)
	require.Equal(t, 413, b.answering(m.ID, "localhost", strings.Repeat("x", 20<<10)).Code)
	require.Len(t, got, 3)
	fails = errors.New("no")
	w = b.answering(m.ID, "[::1]:8080", "b")
	require.Equal(t, 500, w.Code)
	require.Contains(t, w.Body.String(), "could not be accepted")
	require.NoError(t, b.put("ana@example.org", "Subject: no answer\n\nNews.\n"))
	require.NotContains(t, b.get("/mailbox/"+b.Messages()[0].ID).Body.String(), "/answer")
	require.Equal(t, 404, b.answering(b.Messages()[0].ID, "localhost", "b").Code)
	// A mail that names no address for answers is answered to its sender's.
	fails, got = nil, nil
	require.NoError(t, b.put("ana@example.org", "From: posthorn@example.org\nSubject: Sign in\n\nPress.\n"))
	require.Equal(t, 303, b.answering(b.Messages()[0].ID, "localhost", "yes").Code)
	require.Equal(t, "posthorn@example.org", got[0])
}
