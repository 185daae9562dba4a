package mail_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
	"posthorn/mail"
)

// What people would want to know is in their next mail, or in one of its own.

func TestWhatPeopleSaidIsInTheNextMailOnce(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.curious("Ana", "en"), h.curious("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.do(ana, table, desk.Say{Written: desk.Written{Text: []byte("sealed Back on Sunday")}})
	h.do(bo, table, desk.Say{Written: desk.Written{Text: []byte("sealed Fine with me")}})
	h.notify()
	out := &post{}
	require.NoError(t, h.send(out))
	p := parts(t, mail.Message{Raw: []byte(out.taken()[1].message)})
	require.Contains(t, p.Text, "Chat and news since your last email\r\n - Ana wrote: Back on Sunday")
	require.NotContains(t, p.Text, "Fine with me", "what one said oneself is no news")
	require.Contains(t, p.HTML, "Back on Sunday")
	h.play(table, 0, "keep")
	h.play(table, 1, "keep")
	h.play(table, 0, "roll")
	h.notify()
	require.NoError(t, h.send(out))
	last := out.taken()[len(out.taken())-1]
	require.Equal(t, "bo@example.org", last.to)
	require.NotContains(t, parts(t, mail.Message{Raw: []byte(last.message)}).Text, "Back on Sunday", "and told once")
}

func TestWhoIsNotAskedHearsOfTheStartAndResignations(t *testing.T) {
	h := newHouse(t)
	ana, bo, cid := h.curious("Ana", "en"), h.curious("Bo", "en"), h.curious("Cid", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo, cid)
	h.notify()
	out := &post{}
	require.NoError(t, h.send(out))
	require.Len(t, out.taken(), 3, "all three choose, and are told in those mails that the game began")
	h.do(cid, table, desk.Resign{Seat: 2})
	h.notify()
	require.NoError(t, h.send(out))
	require.Len(t, out.taken(), 5)
	p := parts(t, h.compose(table, mail.KindNews, bo))
	require.Contains(t, p.Text, "Cid")
	require.Contains(t, p.Text, "A: Ana\r\nB: Bo (you)\r\n", "who is who")
	require.Contains(t, p.HTML, "A: Ana · B: Bo (you)")
}

func TestNewsThatAnotherMailHasToldHasNoMailOfItsOwn(t *testing.T) {
	h := newHouse(t)
	h.notifier.Patience = time.Minute
	ana, bo, cid := h.curious("Ana", "en"), h.curious("Bo", "en"), h.curious("Cid", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo, cid)
	h.notify()
	require.NoError(t, h.send(&post{}))
	h.play(table, 2, "keep")
	h.do(cid, table, desk.Resign{Seat: 2})
	h.notify()
	h.play(table, 0, "keep") // Bo's choice brings up the roll, and Ana hears of it
	h.play(table, 1, "keep")
	h.notify()
	got := &post{}
	require.NoError(t, h.send(got))
	require.Contains(t, got.taken()[0].message, "Cid")
	h.makeDue()
	require.NoError(t, h.send(got))
	var to []string
	for _, s := range got.taken() {
		to = append(to, s.to)
	}
	require.Equal(t, []string{"ana@example.org", "bo@example.org"}, to, "Ana's mail about the roll has told it")
}

func TestTheOpenerHearsThatSomebodyDeclined(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.curious("Ana", "en"), h.curious("Bo", "en")
	table := h.open("tiny", ana, "", invited(ana, bo)...)
	h.do(bo, table, desk.Decline{Seat: 1, Person: bo})
	h.notify()
	require.Equal(t, []string{"news Ana"}, h.letters(table, mail.KindNews))
	p := parts(t, h.compose(table, mail.KindNews, ana))
	require.Contains(t, p.Text, "Bo")
}

func TestAProposalsMailSaysWhyAndWhatItWouldUndo(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.curious("Ana", "en"), h.curious("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.play(table, 0, "keep")
	h.play(table, 1, "peek A")
	h.do(ana, table, desk.ProposeRewind{To: 1, Written: desk.Written{Text: []byte("sealed I meant to swap")}})
	p := parts(t, h.compose(table, mail.KindConsent, bo))
	require.Contains(t, p.Text, "Their reason: “I meant to swap”")
	require.Contains(t, p.Text, "What this undoes, the latest first")
	require.Regexp(t, `(?s)latest first\r\n - Bo .*\r\n - Ana kept`, p.Text)
}

func TestABranchSaysThatItIsOne(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.curious("Ana", "en"), h.curious("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.play(table, 0, "keep")
	branch := h.Starts("tiny", h.BranchOf(table, 1, "game"), invited(ana, bo)...)
	p := parts(t, h.compose(branch, mail.KindTurn, bo))
	require.Contains(t, p.Text, "This table is a branch: it goes on from move 1 of another game.")
	require.Contains(t, p.Header.Get("Subject"), "Tiny (branch) with Ana", "and so does the list of mails")
	p = parts(t, h.compose(table, mail.KindTurn, bo))
	require.NotContains(t, p.Header.Get("Subject"), "branch")
}

// The headline of a news mail is what happened last, however long it waited: the game's beginning is no news once
// people play.
func TestNewsAreHeadedByWhatHappenedLast(t *testing.T) {
	h := newHouse(t)
	ana, bo, jo := h.curious("Ana", "en"), h.curious("Bo", "en"), h.curious("Jo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo, jo)
	h.notify()
	require.Contains(t, h.letters(table, mail.KindNews), "news Bo")
	headed := func(text string) {
		t.Helper()
		p := parts(t, h.compose(table, mail.KindNews, bo))
		require.True(t, strings.HasPrefix(p.Text, text), p.Text)
		require.NotContains(t, p.Text, "Look back", "it is not over")
	}
	headed("The game began.")
	h.play(table, 0, "keep")
	headed("Ana kept")
	require.NotContains(t, parts(t, h.compose(table, mail.KindNews, bo)).Text, "The game began.")
	require.NotContains(t, parts(t, h.compose(table, mail.KindTurn, bo)).Text, "The game began.")
	h.do(jo, table, desk.Resign{Seat: 2})
	headed("Jo resigned; a stand-in plays seat C on.")
}

func TestTheBeginningIsNoNewsToWhoHasPlayed(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.curious("Ana", "en"), h.curious("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.notify()
	h.play(table, 0, "keep")
	_, err := h.composer.Compose(h.Ctx, h.letter(table, mail.KindNews, ana))
	require.ErrorContains(t, err, "told")
}

// A table that has not begun has nothing to look back at.
func TestNewsOfATableThatHasNotBegunLeadToIt(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.curious("Ana", "en"), h.curious("Bo", "en")
	table := h.open("tiny", ana, "", invited(ana, bo)...)
	h.do(bo, table, desk.Decline{Seat: 1, Person: bo})
	h.notify()
	text := parts(t, h.compose(table, mail.KindNews, ana)).Text
	require.Contains(t, text, "Look at the table:")
	require.NotContains(t, text, "Look back")
}

// Where a resignation ends the game, nobody is told that a stand-in plays on.
func TestAResignationThatEndsTheGameNamesNoStandIn(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "pt-BR"), h.person("Bo", "pt-BR")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.notify()
	out := &post{}
	require.NoError(t, h.send(out))
	h.do(ana, table, desk.Resign{Seat: 0})
	h.Follows(table)
	h.notify()
	require.NoError(t, h.send(out))
	mails := out.taken()
	text := flat(parts(t, mail.Message{Raw: []byte(mails[len(mails)-1].message)}).Text)
	require.Contains(t, text, "Ana desistiu.")
	require.NotContains(t, text, "computador continua")
}
