package rulebooks

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rivals/table"
	"posthorn/domain/simulate"
)

// TestSimulationsPlayTheSameGames checks the digests of `posthorn simulate --seed 7`, over every event of every game,
// public and hidden. They change with the rules, the order of legal moves, what draws luck, or a codec; nothing else
// may change them. Those of the Rivals hold for the cards that existed then: one more card deals other games.
//
// Under the race detector, where a game costs nine times as much, the test plays a tenth of them side by side, for the
// detector's sake: make test also plays all of them without it.
func TestSimulationsPlayTheSameGames(t *testing.T) {
	const rivalsCards = "99e3b7b674f6818ebefa800669c13ea78f058968028e92dea3ffb3a2a24d80c9"
	text, err := json.Marshal(table.Table.Cards)
	require.NoError(t, err)
	cards := fmt.Sprintf("%x", sha256.Sum256(text))
	for _, c := range []struct {
		game         string
		seats, games int
		choices      domain.Choices
		digest       string
		cards        string // whose games these are
	}{
		{"carcassonne", 2, 2000, nil, "d3b8e8968be7ff62e2c13287fbfdbeff7b490e03901923937ff8d1237a0524e0", ""},
		{"carcassonne", 2, 2000, domain.Choices{"river": "on", "abbot": "on"}, "ed8e991012b63755bb69a982e3d80649c3fc39c52e70f1b393d8958409c14038", ""},
		{"catan", 4, 500, nil, "f1f65ce3d01364aae60c10007df6ca8966c8da2e2946712dd9d5885eec4e1614", ""},
		{"catan", 2, 200, nil, "f6f4bc6de60bf5f9b06ab0191ad73e0f59409708a36c4d8ffa735ee424535501", ""},
		{"rivals", 2, 300, domain.Choices{"play": "duel"}, "6974dd11ed17cf9305428ecb81f479a2db4eb66459f886deaec6d28d42a2bedc", rivalsCards},
		{"rivals", 2, 300, domain.Choices{"play": "gold"}, "19fba3ea7ede3afb562f2fbea13af73c954a2f42a2e1083c9de15452aa539509", rivalsCards},
	} {
		t.Run(fmt.Sprint(c.game, c.seats, c.choices), func(t *testing.T) {
			t.Parallel()
			rb, ok := Named(c.game)
			require.True(t, ok)
			choices, err := domain.Complete(rb, c.choices)
			require.NoError(t, err)
			player := simulate.NewPlayer(simulate.Config{Rulebook: rb, Choices: choices, Seats: c.seats, Seed: 7, Cap: simulate.DefaultCap, Events: true})
			tally := simulate.NewTally()
			games := c.games
			if Watched {
				games /= 10
			}
			for i := range games {
				g, err := player.Play(i)
				require.NoError(t, err)
				tally.Add(g)
			}
			require.Zero(t, tally.Refused)
			require.Zero(t, tally.Unfinished)
			if Watched {
				return
			}
			if c.cards != "" && c.cards != cards {
				t.Logf("THE CARDS ARE OTHERS than those of this digest: nothing is compared; the games played come to %s", tally.Digest())
				return
			}
			require.Equal(t, c.digest, tally.Digest())
		})
	}
}
