package mail_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/pass"
	"posthorn/mail"
)

// linked returns what the link under a label in a mail's text part lets its reader do.
func (h *house) linked(text, label string) pass.Facts {
	h.T.Helper()
	_, rest, ok := strings.Cut(flat(text), label+": https://games.example.org/p/")
	require.True(h.T, ok, text)
	token, _, _ := strings.Cut(rest, " ")
	facts, err := h.composer.Passes.(mail.SignedPasses).Maker.Read(token, noon)
	require.NoError(h.T, err)
	return facts
}

// Somebody who is asked for a move and an answer at once gets a mail headed by the move. It also shows the proposal,
// with a link of its own.
func TestATurnsMailIsHeadedByTheTurnAndShowsAProposal(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.play(table, 0, "keep")
	h.proposeRewind(ana, table, 1)
	p := parts(t, h.compose(table, mail.KindTurn, bo))
	text := strings.ReplaceAll(p.Text, "\r", "")
	require.True(t, strings.HasPrefix(text, "Your turn: "), text)
	require.Equal(t, 1, strings.Count(flat(text), "Ana asks to take the game back to move 1."), text)
	require.Contains(t, flat(text), "If you play first, the proposal is dropped.")
	require.Equal(t, pass.Play, h.linked(text, "Look at the board and play").Purpose)
	got := h.linked(text, "Answer the proposal")
	require.Equal(t, []any{pass.Answer, bo, table, h.Sees(table).Table.Proposal.Since},
		[]any{got.Purpose, got.Person, got.Stream, got.Since})
	require.Contains(t, p.HTML, ">Answer the proposal</a>")
}

// Somebody with nothing to answer about it reads what is proposed, and gets no link.
func TestWhoHasProposedIsAskedForNoAnswer(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.play(table, 0, "keep")
	h.proposeRewind(bo, table, 1)
	text := flat(parts(t, h.compose(table, mail.KindTurn, bo)).Text)
	require.Contains(t, text, "Bo asks to take the game back to move 1.")
	require.NotContains(t, text, "Answer the proposal")
}

// News mailed while something is proposed says what is proposed and by whom.
func TestNewsWhileSomethingIsProposedSaysWhatAndByWhom(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.curious("Ana", "en"), h.curious("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.play(table, 0, "keep")
	h.proposeRewind(ana, table, 1)
	h.notify()
	require.Contains(t, h.letters(table, mail.KindNews), "news Bo")
	text := parts(t, h.compose(table, mail.KindNews, bo)).Text
	require.Equal(t, 1, strings.Count(flat(text), "Ana asks to take the game back to move 1."), text)
	require.Equal(t, pass.Answer, h.linked(text, "Answer the proposal").Purpose)
}
