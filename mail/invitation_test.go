package mail_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/pass"
	"posthorn/mail"
)

func TestAnInvitationSaysWhoAsksAndCommitsToItsChance(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.open("tiny", ana, "", append(invited(ana, bo), domain.TablePlace{Kind: domain.SeatOpen})...)
	p := parts(t, h.compose(table, mail.KindInvitation, bo))
	text := strings.ReplaceAll(p.Text, "\r", "")

	require.True(t, strings.HasPrefix(text, "Ana invites you to a game of Tiny\n"), text)
	require.Contains(t, text, "At the table: Ana, Bo. Pace: ", "open seats are nobody")
	require.Contains(t, flat(text), "Seat B is kept for you")
	require.Contains(t, text, "The seat is kept until Saturday, 5 December, 12:00 (UTC).",
		"two weeks from noon on 21 November")

	// The button leads Bo to the seat, and to no other.
	_, rest, ok := strings.Cut(text, "See the table and answer:\nhttps://games.example.org/p/")
	require.True(t, ok, text)
	token, _, _ := strings.Cut(rest, "\n")
	facts, err := h.composer.Passes.(mail.SignedPasses).Maker.Read(token, noon)
	require.NoError(t, err)
	require.Equal(t, []any{pass.Join, bo, table, domain.Seat(1)},
		[]any{facts.Purpose, facts.Person, facts.Stream, facts.Seat})

	// The commitment is the digest of the seed that the table's first event seals.
	first, err := h.Desk.Log().Load(h.Ctx, table, 0, 1)
	require.NoError(t, err)
	require.Contains(t, text, "The commitment to this table's luck; keep it:\n"+first[0].Parts[0].Digest.String()+"\n")
}

func TestTheOpenerIsToldThatAnInvitationRanOut(t *testing.T) {
	now := noon
	h := open(t, func() time.Time { return now })
	ana, bo := h.curious("Ana", "en"), h.curious("Bo", "en")
	table := h.open("tiny", ana, "", invited(ana, bo)...)
	h.notify()
	out := &post{}
	require.NoError(t, h.send(out))
	until := h.Sees(table).Table.AskedUntil(1, bo)
	now = until
	_, err := h.Desk.DoCaused(h.Ctx, events.Clock, table, events.Because("x"),
		desk.Expire{Seat: 1, Person: bo, Until: until})
	require.NoError(t, err)
	h.notify()
	require.Equal(t, []string{"news Ana"}, h.letters(table, mail.KindNews), "and nobody else is")
	p := parts(t, h.compose(table, mail.KindNews, ana))
	require.Contains(t, p.Text, "The invitation of Bo to seat B was not answered in time.")
}

func TestAnInvitationSentAgainReplacesTheMailThatWaits(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.open("tiny", ana, "", invited(ana, bo)...)
	h.notify()
	out := &post{}
	require.NoError(t, h.send(out))
	again := func() {
		h.do(ana, table, desk.Invite{Seat: 1, Person: bo})
		h.notify()
	}
	doing := func() (mail.State, string) {
		l, back, ok, err := h.outbox.Invitation(h.Ctx, table, bo)
		require.NoError(t, err)
		require.True(t, ok)
		return l.State, string(back.Kind)
	}
	// given a server that takes nothing, and an opener who sends the invitation again, twice
	again()
	away := &post{fails: []error{errors.New("nobody there")}}
	require.NoError(t, h.send(away))
	again()
	h.makeDue()
	state, _ := doing()
	require.Equal(t, mail.StateNew, state)
	// when it is back, one mail goes out besides the first one
	require.NoError(t, h.send(out))
	got := out.taken()
	require.Len(t, got, 2)
	require.NotEqual(t, messageID(t, got[0].message), messageID(t, got[1].message))
	state, back := doing()
	require.Equal(t, mail.StateSent, state)
	require.Empty(t, back)
	// and a withheld invitation takes nothing away
	require.NoError(t, h.outbox.Withhold(h.Ctx, bo))
	again()
	require.NoError(t, h.send(out))
	require.Len(t, out.taken(), 2)
	state, _ = doing()
	require.Equal(t, mail.StateDropped, state)
	_, _, ok, err := h.outbox.Invitation(h.Ctx, table, ana)
	require.NoError(t, err)
	require.False(t, ok, "the opener is not mailed")
}

// Given somebody who opens a table with words to those invited, then these stand in the invitation and its subject, in
// each language, and an invitation waits a moment for them and no longer.
func TestAnInvitationCarriesItsOpenersWords(t *testing.T) {
	c := &clock{t: noon}
	h := open(t, c.now)
	h.notifier.Patience = time.Minute
	ana, bo, cid := h.person("Ana", "en"), h.person("Bo", "en"), h.person("Cid", "pl")
	table := h.open("tiny", ana, "", invited(ana, bo, cid)...)
	out := &post{}
	h.notify()
	require.NoError(t, h.send(out))
	require.Empty(t, out.taken(), "the opener may still be writing")
	words := "Rainy Sunday rematch? You still owe me.\nNo hurry."
	h.do(ana, table, desk.Say{Written: desk.Written{Text: []byte("sealed " + words)}})
	h.notify()
	require.NoError(t, h.send(out))
	mails := map[string]mail.Parts{}
	for _, s := range out.taken() {
		mails[s.to] = parts(t, mail.Message{Raw: []byte(s.message)})
	}
	require.Len(t, mails, 2)
	p := mails["bo@example.org"]
	require.Equal(t, "Ana invites you to Tiny: “Rainy Sunday rematch?”", p.Subject)
	require.Contains(t, flat(p.Text), "“Rainy Sunday rematch? You still owe me. No hurry.”")
	require.Equal(t, 1, strings.Count(flat(p.Text), "You still owe me"), "and not among the news as well")
	require.Equal(t, "Ana zaprasza do gry: Tiny – „Rainy Sunday rematch?”", mails["cid@example.org"].Subject)

	silent := h.open("tiny", ana, "", invited(ana, bo)...)
	h.notify()
	require.NoError(t, h.send(out))
	require.Len(t, out.taken(), 2)
	c.t = c.t.Add(4 * time.Second)
	require.NoError(t, h.send(out))
	require.Len(t, out.taken(), 3, "without words it goes all the same")
	require.Equal(t, []string{"invitation Bo"}, h.letters(silent, mail.KindInvitation))
}
