package mail_test

import (
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/mail"
	"posthorn/mail/bounce"
)

// mailed returns a house that has sent Ana a turn mail about each of some tables, each from its own return address. It
// also returns those addresses.
func mailed(t *testing.T, tables int) (h *house, c *clock, ana domain.PersonID, d *bounce.Door, from []string) {
	t.Helper()
	c = &clock{noon}
	h = open(t, c.now)
	ana = h.person("Ana", "en")
	for range tables {
		h.join(ana, h.open("tiny", ana, `{"roller":"A","chosen":["","keep"]}`, append(invited(ana), standIn)...))
	}
	h.notify()
	require.NoError(t, h.outbox.Exec(h.Ctx, `DELETE FROM outbox WHERE kind <> 'turn'`))
	d = &bounce.Door{Address: mail.NewReturnAddress("games@games.example.org", h.keys), Outbox: h.outbox, People: h.people, Log: slog.New(slog.DiscardHandler)}
	out := &post{}
	s := h.sender(out)
	s.Return = d.Address
	require.NoError(t, s.Flush(h.Ctx))
	for _, sent := range out.taken() {
		from = append(from, sent.from)
		require.NotContains(t, sent.message, sent.from, "the mail itself does not name it")
	}
	require.Len(t, from, tables)
	return h, c, ana, d, from
}

func came(t *testing.T, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile("bounce/testdata/" + name + ".eml")
	require.NoError(t, err)
	return raw
}

func (h *house) unreachable() []mail.Reach {
	h.T.Helper()
	r, err := h.outbox.Unreachable(h.Ctx)
	require.NoError(h.T, err)
	return r
}

func TestALetterIsSentFromAnAddressOfItsOwnThatNobodyCanMakeUp(t *testing.T) {
	_, _, _, d, from := mailed(t, 2)
	require.NotEqual(t, from[0], from[1])
	for _, a := range from {
		require.True(t, d.Takes(a))
		require.True(t, d.Takes(strings.ToUpper(a)), "servers change the case")
		local, _, _ := strings.Cut(a, "@")
		require.LessOrEqual(t, len(local), 64)
		for i := range local { // change each character
			other := byte('a')
			if a[i] == other {
				other = 'b'
			}
			require.False(t, d.Takes(a[:i]+string(other)+a[i+1:]), "%d", i)
		}
		require.False(t, d.Takes(strings.Replace(a, "@games.example.org", "@example.net", 1)))
		require.False(t, d.Takes(strings.Replace(a, "@", "a@", 1)))
	}
	for _, a := range []string{"", "games@games.example.org", "games+b.@games.example.org", "games+b.aaaa@games.example.org", "games+x@games.example.org"} {
		require.False(t, d.Takes(a), a)
		require.NoError(t, d.Handle(t.Context(), a, "", came(t, "postfix")))
	}
}

func TestBouncesAreScoredToTheirPersonUntilTheyAreUnreachable(t *testing.T) {
	h, c, ana, d, from := mailed(t, 3)
	// a bounce that comes twice counts once, and a delay or a vacation does not count
	for _, name := range []string{"delayed", "vacation", "postfix", "postfix"} {
		require.NoError(t, d.Handle(h.Ctx, from[0], "", came(t, name)))
	}
	require.Empty(t, h.unreachable())
	c.advance(time.Hour)
	require.NoError(t, d.Handle(h.Ctx, from[1], "", came(t, "qmail")))
	got := h.unreachable()
	require.Len(t, got, 1)
	require.Equal(t, ana, got[0].Person)
	require.Equal(t, noon.UnixMilli(), got[0].Since.UnixMilli())
	require.Contains(t, got[0].Why, "no mailbox")
	require.Equal(t, "5.1.1", got[0].Status)
	require.NotContains(t, got[0].Why, "ana@")
	// it is forgotten after a while, and when the address proves to work
	c.advance(30*24*time.Hour - time.Minute)
	require.Empty(t, h.unreachable(), "the first one is 30 days old")
	require.NoError(t, d.Handle(h.Ctx, from[2], "", came(t, "postfix")))
	require.Len(t, h.unreachable(), 1)
	require.NoError(t, h.outbox.Reached(h.Ctx, ana))
	require.Empty(t, h.unreachable())
}

func TestAFullMailboxCountsLessAndWhatIsAgainstUsNotAtAll(t *testing.T) {
	h, _, _, d, from := mailed(t, 6)
	for i, name := range []string{"policy", "policy", "global", "expired", "wordless"} {
		require.NoError(t, d.Handle(h.Ctx, from[i], "", came(t, name)))
		require.Empty(t, h.unreachable(), name)
	}
	require.NoError(t, d.Handle(h.Ctx, from[5], "", came(t, "global")))
	require.Len(t, h.unreachable(), 1)
}

func TestWhoComplainsGetsNoMoreOfThatKind(t *testing.T) {
	h, _, ana, d, from := mailed(t, 1)
	require.NoError(t, d.Handle(h.Ctx, from[0], "abuse@isp.example.net", came(t, "complaint")))
	p, err := h.people.Person(h.Ctx, ana)
	require.NoError(t, err)
	require.False(t, p.Wants(string(mail.KindTurn)))
	require.True(t, p.Wants(string(mail.KindOver)))
}

func TestARecipientRefusedAtOnceCountsAsABounce(t *testing.T) {
	for _, c := range []struct {
		code    int
		status  smtp.EnhancedCode
		step    string
		reaches bool
	}{
		{550, smtp.EnhancedCode{5, 1, 1}, "recipient", false},
		{550, smtp.EnhancedCode{}, "recipient", false},
		{554, smtp.EnhancedCode{5, 7, 1}, "recipient", true},
		{554, smtp.EnhancedCode{5, 6, 0}, "message", true},
	} {
		h := newHouse(t)
		ana := h.person("Ana", "en")
		for range 2 {
			h.join(ana, h.open("tiny", ana, `{"roller":"A","chosen":["","keep"]}`, append(invited(ana), standIn)...))
		}
		h.notify()
		var no []error
		for range h.waits() {
			no = append(no, &mail.Verdict{Step: c.step, Answer: &smtp.SMTPError{Code: c.code, EnhancedCode: c.status, Message: "<ana@example.org> no"}})
		}
		require.NoError(t, h.send(&post{fails: no}))
		require.Equal(t, c.reaches, len(h.unreachable()) == 0, fmt.Sprint(c))
	}
}

func TestABounceOfALostQueueIsNotTakenForAnotherLetters(t *testing.T) {
	h, _, _, d, from := mailed(t, 2)
	require.NoError(t, h.outbox.Exec(h.Ctx, `UPDATE outbox SET message_id = 'another@games.example.org'`))
	for _, a := range from {
		require.NoError(t, d.Handle(h.Ctx, a, "", came(t, "postfix")))
	}
	require.Empty(t, h.unreachable())
}
