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
	const rivalsCards = "3615da32d39736312bb1a7d6aef3caf72753223e54c0d6930b45b8d0aa44061c"
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
		{"carcassonne", 2, 2000, domain.Choices{"river": "on", "abbot": "on"},
			"ed8e991012b63755bb69a982e3d80649c3fc39c52e70f1b393d8958409c14038", ""},
		{"catan", 4, 500, nil, "f1f65ce3d01364aae60c10007df6ca8966c8da2e2946712dd9d5885eec4e1614", ""},
		{"catan", 2, 200, nil, "f6f4bc6de60bf5f9b06ab0191ad73e0f59409708a36c4d8ffa735ee424535501", ""},
		{"rivals", 2, 300, domain.Choices{"play": "duel"},
			"e95402f30f865b052fbf3b16bc41ad2b0b1d96cbc6bc4bedda89421ff98c9710", rivalsCards},
		{"rivals", 2, 300, domain.Choices{"play": "gold"},
			"40156f85639ffb9bbf63f157c85d9451ea06f528db35319f1c939b842b9153fc", rivalsCards},
	} {
		t.Run(fmt.Sprint(c.game, c.seats, c.choices), func(t *testing.T) {
			t.Parallel()
			rb, ok := Named(c.game)
			require.True(t, ok)
			choices, err := domain.Complete(rb, c.choices)
			require.NoError(t, err)
			player := simulate.NewPlayer(simulate.Config{Rulebook: rb, Choices: choices, Seats: c.seats, Seed: 7,
				Cap: simulate.DefaultCap, Events: true})
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
				t.Logf("THE CARDS ARE OTHERS than those of this digest: nothing is compared; the "+
					"games played come to %s", tally.Digest())
				return
			}
			require.Equal(t, c.digest, tally.Digest())
		})
	}
}
