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
	"posthorn/events"
	"posthorn/events/people"
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
	d = &bounce.Door{Address: mail.NewReturnAddress("games@games.example.org", h.keys), Outbox: h.outbox,
		People: h.people, Log: slog.New(slog.DiscardHandler)}
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

func TestALetterHasAReturnAddressThatCannotBeForged(t *testing.T) {
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
	for _, a := range []string{"", "games@games.example.org", "games+b.@games.example.org",
		"games+b.aaaa@games.example.org", "games+x@games.example.org"} {
		require.False(t, d.Takes(a), a)
		require.NoError(t, d.Handle(t.Context(), a, "", came(t, "postfix")))
	}
}

func TestBouncesAreCountedUntilSomebodyIsUnreachable(t *testing.T) {
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
	require.NoError(t, h.outbox.Reached(h.Ctx, ana, "ana@example.org"))
	require.Empty(t, h.unreachable())
}

func TestAFullMailboxCountsLessAndWhatIsAgainstUsNot(t *testing.T) {
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
			no = append(no, &mail.Verdict{
				Step: c.step, Answer: &smtp.SMTPError{Code: c.code, EnhancedCode: c.status,
					Message: "<ana@example.org> no"}})
		}
		require.NoError(t, h.send(&post{fails: no}))
		require.Equal(t, c.reaches, len(h.unreachable()) == 0, fmt.Sprint(c))
	}
}

func TestABounceOfALostQueueIsNotTakenForAnothers(t *testing.T) {
	h, _, _, d, from := mailed(t, 2)
	require.NoError(t, h.outbox.Exec(h.Ctx, `UPDATE outbox SET message_id = 'another@games.example.org'`))
	for _, a := range from {
		require.NoError(t, d.Handle(h.Ctx, a, "", came(t, "postfix")))
	}
	require.Empty(t, h.unreachable())
}

// complained returns a house, Ana and a table of hers, and a way to send what is due and have the reader of the last
// mail complain about it.
func complained(t *testing.T) (
	h *house, c *clock, ana domain.PersonID, table events.Name, sends func() int, complains func(),
) {
	t.Helper()
	c = &clock{noon}
	h = open(t, c.now)
	ana = h.person("Ana", "en")
	table = h.open("tiny", ana, `{"roller":"A","chosen":["","keep"]}`, append(invited(ana), standIn)...)
	h.join(ana, table)
	out := &post{}
	d := &bounce.Door{Address: mail.NewReturnAddress("games@games.example.org", h.keys), Outbox: h.outbox,
		People: h.people, Log: slog.New(slog.DiscardHandler)}
	s := h.sender(out)
	s.Return = d.Address
	sends = func() int {
		before := len(out.taken())
		h.notify()
		require.NoError(t, s.Flush(h.Ctx))
		return len(out.taken()) - before
	}
	complains = func() {
		all := out.taken()
		require.NoError(t, d.Handle(h.Ctx, all[len(all)-1].from, "abuse@isp.example.net", came(t, "complaint")))
	}
	sends()
	return h, c, ana, table, sends, complains
}

// A mail that nobody can switch off is not sent again for 30 days, or until its reader signs in.
func TestAComplaintCountsWhateverItIsAbout(t *testing.T) {
	for name, asks := range map[string]func(h *house, ana domain.PersonID, table events.Name) error{
		"a fresh link": func(h *house, ana domain.PersonID, table events.Name) error {
			return mail.Post{Outbox: h.outbox}.Link(h.Ctx, ana, table)
		},
		"a link used": func(h *house, ana domain.PersonID, table events.Name) error {
			return mail.Post{Outbox: h.outbox}.Used(h.Ctx, ana, table, "link", "Firefox")
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, c, ana, table, sends, complains := complained(t)
			again := func() int {
				c.advance(7*24*time.Hour + time.Hour)
				require.NoError(t, asks(h, ana, table))
				return sends()
			}
			require.Equal(t, 1, again())
			require.Equal(t, 1, again())
			complains()
			require.Zero(t, again())
			require.NoError(t, h.outbox.Reached(h.Ctx, ana, "ana@example.org"))
			require.Equal(t, 1, again())
			complains()
			require.Zero(t, again())
			c.advance(29 * 24 * time.Hour)
			require.Equal(t, 1, again())
			p, err := h.people.Person(h.Ctx, ana)
			require.NoError(t, err)
			require.True(t, p.Wants(string(mail.KindTurn)), "it says nothing about other mails")
		})
	}
}

// Somebody may have typed another's address again and again; but its owner must be able to sign in.
func TestAfterAComplaintASignInIsMailedOnceADay(t *testing.T) {
	h, c, _, _, sends, complains := complained(t)
	asks := func(address string) int {
		c.advance(time.Hour)
		require.NoError(t, mail.Post{Outbox: h.outbox}.SignIn(h.Ctx, address, c.t.String(), "en", ""))
		return sends()
	}
	require.Equal(t, 1, asks("cid@example.org"))
	require.Equal(t, 1, asks("cid@example.org"))
	complains()
	require.Zero(t, asks("cid@example.org"))
	require.Zero(t, asks("CID@example.org"), "it is the same mailbox")
	require.Equal(t, 1, asks("bo@example.org"))
	c.advance(24 * time.Hour)
	require.Equal(t, 1, asks("cid@example.org"))
	require.Zero(t, asks("cid@example.org"))
	c.advance(30 * 24 * time.Hour)
	require.Equal(t, []int{1, 1}, []int{asks("cid@example.org"), asks("cid@example.org")})
}

func TestAComplaintAboutADigestIsAboutAllThatItBundles(t *testing.T) {
	h, c, ana, _, sends, complains := complained(t)
	require.NoError(t, h.people.SetRhythm(h.Ctx, ana, people.Rhythm{Every: 1}))
	for range 2 {
		h.join(ana, h.open("tiny", ana, `{"roller":"A","chosen":["","keep"]}`, append(invited(ana), standIn)...))
	}
	c.advance(2 * time.Hour)
	require.Equal(t, 1, sends())
	complains()
	p, err := h.people.Person(h.Ctx, ana)
	require.NoError(t, err)
	require.Equal(t, []string{people.AllMails, string(mail.KindNews)}, p.MailsOff)
}

// As by the invitation's own link: whoever never signed in is not invited again, whatever becomes of what is known of
// them.
func TestAComplaintAboutAnInvitationIsOfItsAddress(t *testing.T) {
	h, _, ana, _, sends, complains := complained(t)
	bo := h.person("Bo", "en")
	h.open("tiny", ana, "", invited(ana, bo)...)
	require.Equal(t, 1, sends())
	complains()
	quiet, err := h.people.Suppressed(h.Ctx, "bo@example.org")
	require.NoError(t, err)
	require.True(t, quiet)
}
