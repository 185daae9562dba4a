package mail_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/mail"
)

// Whoever a mail was passed on to can send a complaint about it, too. So who is said to have complained is told at once
// what was stopped, with the link to go on; then no complaint about the mails from before stops them again.
func TestWhoIsSaidToHaveComplainedIsTold(t *testing.T) {
	h, c, ana, d, from := mailed(t, 3)
	wants := func() bool {
		p, err := h.people.Person(h.Ctx, ana)
		require.NoError(t, err)
		return p.Wants(string(mail.KindTurn))
	}
	complains := func(address string) (told []string) {
		t.Helper()
		c.advance(time.Minute)
		require.NoError(t, d.Handle(h.Ctx, address, "abuse@isp.example.net", came(t, "complaint")))
		out := &post{}
		require.NoError(t, h.send(out))
		for _, sent := range out.taken() {
			require.Equal(t, "ana@example.org", sent.to)
			told = append(told, parts(t, mail.Message{Raw: []byte(sent.message)}).Text)
		}
		return told
	}
	told := complains(from[0])
	require.False(t, wants())
	require.Len(t, told, 1)
	require.Contains(t, told[0], "when it is my turn")
	f := h.opened(t, told[0], "u")
	require.Equal(t, pass.Facts{Purpose: pass.Unsubscribe, Person: ana, Kind: string(mail.KindTurn), At: f.At}, f)
	require.Empty(t, complains(from[1]), "told once, however many are called junk")

	require.NoError(t, h.people.SetMails(h.Ctx, ana, string(mail.KindTurn), true))
	require.Empty(t, complains(from[2]))
	require.True(t, wants(), "it was sent before")
	require.NoError(t, h.outbox.Reached(h.Ctx, ana, "ana@example.org"))
	require.Empty(t, complains(from[2]), "also once she has signed in")
	require.True(t, wants())
	h.join(ana, h.open("tiny", ana, `{"roller":"A","chosen":["","keep"]}`, append(invited(ana), standIn)...))
	h.notify()
	s, out := h.sender(nil), &post{}
	s.Transport, s.Return = out, d.Address
	require.NoError(t, s.Flush(h.Ctx))
	all := out.taken()
	require.Len(t, complains(all[len(all)-1].from), 1)
	require.False(t, wants(), "this one was sent since")
}

// A complaint about a digest stops all that it bundles, and so says the letter.
func TestWhoIsSaidToWantNoDigestIsTold(t *testing.T) {
	h, c, ana, _, sends, complains := complained(t)
	require.NoError(t, h.people.SetRhythm(h.Ctx, ana, people.Rhythm{Every: 1}))
	for range 2 {
		h.join(ana, h.open("tiny", ana, `{"roller":"A","chosen":["","keep"]}`, append(invited(ana), standIn)...))
	}
	c.advance(2 * time.Hour)
	require.Equal(t, 1, sends())
	complains()
	require.Equal(t, 1, sends())
}
