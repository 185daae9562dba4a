package rivals

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rivals/table"
)

// Given two games that differ only in what somebody does not know, when that is redealt with the same luck, then both
// deals are the same. The luck of a branch is revealed at its end: a deal that depended on how the cards really lay
// would give that away for a game still in progress.
func TestADealTellsNothingOfHowTheCardsLay(t *testing.T) {
	for _, play := range table.PlayNames {
		t.Run(play, func(t *testing.T) {
			choices, err := domain.Complete(Rulebook, domain.Choices{"play": play})
			require.NoError(t, err)
			line := domain.NewLine(Rulebook, domain.NewThrowaway(3))
			e, _, err := line.Setup(domain.Game{Choices: choices, Seats: 2})
			require.NoError(t, err)
			line.Apply(&e)
			for _, viewer := range []domain.Viewer{domain.Spectator, 0, 1} {
				var deals []domain.Event
				for seed := range uint64(3) {
					one := Rulebook.Blind(line.State, viewer, domain.NewThrowaway(seed).Begin())
					state := Rulebook.Clone(line.State)
					Rulebook.Evolve(state, &one)
					require.NotEqual(t, Rulebook.View(line.State, domain.Referee), Rulebook.View(state, domain.Referee))
					deals = append(deals, Rulebook.Blind(state, viewer, domain.NewThrowaway(99).Begin()))
				}
				require.Equal(t, deals[0], deals[1], "viewer %d", viewer)
				require.Equal(t, deals[0], deals[2], "viewer %d", viewer)
			}
		})
	}
}
