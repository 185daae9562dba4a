package mail_test

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events/pass"
	"posthorn/mail"
)

// opened reads the pass of a mail's only link to a kind of page.
func (h *house) opened(t *testing.T, text, page string) pass.Facts {
	t.Helper()
	m := regexp.MustCompile(`/` + page + `/([A-Za-z0-9_-]+)`).FindStringSubmatch(text)
	require.NotNil(t, m, text)
	f, err := h.composer.Passes.(mail.SignedPasses).Maker.Read(m[1], h.now())
	require.NoError(t, err)
	return f
}

func TestAFreshLinkIsMailedToItsPersonOnceATime(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "pl"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	post := mail.Post{Outbox: h.outbox}
	for range 3 {
		require.NoError(t, post.Link(context.Background(), ana, table))
	}
	require.Equal(t, []string{"link Ana"}, h.letters(table, mail.KindLink), "asked for again soon, it is the same mail")
	p := parts(t, h.compose(table, mail.KindLink, ana))
	require.Contains(t, p.Text, "Nowy link do twojego miejsca")
	f := h.opened(t, p.Text, "p")
	require.Equal(t, pass.Seat, f.Purpose)
	require.Equal(t, ana, f.Person)
	require.Equal(t, table, f.Stream)
	require.Equal(t, noon.Add(24*time.Hour).Unix(), f.Expires.Unix(), "good for a day")
	require.Equal(t, uint64(noon.UnixMilli()), f.Since, "among the letters it is as old as the wish for it")
	require.NotContains(t, p.Text, "/u/", "what was asked for is not switched off")
}

func TestALinkUsedElsewhereIsToldWithAPressToWithdraw(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	post := mail.Post{Outbox: h.outbox}
	require.NoError(t, post.Used(context.Background(), ana, table, "link", "Firefox, Android"))
	require.NoError(t, post.Used(context.Background(), ana, table, "network", "Chrome\r\nBcc: eve@example.org"))
	require.Equal(t, []string{"used Ana"}, h.letters(table, mail.KindUsed), "once a week at most")
	p := parts(t, h.compose(table, mail.KindUsed, ana))
	require.Contains(t, p.Text, "pressed in a second browser, Firefox, Android.")
	require.Contains(t, strings.Join(strings.Fields(p.Text), " "),
		"Chrome Bcc: eve@example.org acted for you from a network")
	f := h.opened(t, p.Text, "w")
	require.Equal(t, pass.Facts{Purpose: pass.Withdraw, Person: ana, At: f.At}, f)
}
