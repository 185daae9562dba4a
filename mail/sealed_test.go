package mail_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/mail"
)

// Given a branch of a game that is still running, when the branch ends, then the mail about its end shows each person
// only what they may know: its secrets open once the game has ended.
func TestTheEndOfASealedBranchIsMailedWithoutSecrets(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	game := h.started("tiny", "", ana, bo)
	look := h.Sees(game)
	ans, err := h.Desk.Open(h.Ctx, desktest.By(ana), events.NewCommandID(),
		desk.NewTable{Rulebook: "tiny", Places: invited(ana, bo), Pace: "weekly",
			Branch: &domain.Branch{Table: game.String(), Line: look.LineName.String(), Version: look.LineHead.Version,
				Kind: "game"}})
	require.NoError(t, err)
	for _, id := range []domain.PersonID{ana, bo} {
		h.join(id, ans.Table)
	}
	ends := func(table events.Name) {
		h.proposeEnd(ana, table)
		h.agree(bo, table)
	}
	ends(ans.Table)
	require.True(t, h.Sees(ans.Table).Table.Sealed())
	h.notify()
	var pictures []string
	for seat, id := range []domain.PersonID{ana, bo} {
		m := parts(t, h.compose(ans.Table, mail.KindOver, id))
		require.Equal(t, 1, strings.Count(m.Text, "[?]"), m.Text)
		require.Contains(t, m.Text, domain.Seat(1-seat).Letter()+" [?]", "the other's card")
		require.Len(t, m.Pictures, 1)
		for _, png := range m.Pictures {
			pictures = append(pictures, string(png))
		}
	}
	require.NotEqual(t, pictures[0], pictures[1], "each shows one's own card, and not the other's")
}
