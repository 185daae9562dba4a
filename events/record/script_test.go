package record_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/script"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/record"
)

// points matches the points that the log has with an event of play, for the position after it.
var points = regexp.MustCompile(`"points":\[[-0-9,]*\],`)

// A record is written as a script, and the script replays each event of its main line to the byte.
func TestARecordIsAScriptOfItsMainLine(t *testing.T) {
	for n, c := range []struct {
		game  string
		seats int
		fresh bool
	}{{"carcassonne", 2, false}, {"catan", 3, true}, {"catan", 3, false}, {"rivals", 2, false}} {
		t.Run(fmt.Sprint(c.game, c.fresh), func(t *testing.T) {
			log := events.Log(memory.New())
			if !c.fresh {
				log = olderLog{log} // else all draws come from one key
			}
			x := &exhibition{House: desktest.Over(t, log, desktest.Clock()), rnd: rand.New(rand.NewPCG(7, uint64(n))),
				game: exhibitedGames[0]}
			x.game.name = c.game
			table := x.starts(variant{seats: c.seats}, nil)
			x.Random(table, x.rnd, 18)
			x.goesBack(table, 6, c.fresh)
			x.Random(table, x.rnd, 9)
			x.goesBack(table, map[bool]uint64{true: 12, false: 3}[c.fresh], false)
			x.ends(x.House, table, 6)
			f, err := record.Read(bytes.NewReader(exportOf(t, x.House, table)))
			require.NoError(t, err)
			text, err := record.Script(f, desktest.Named)
			require.NoError(t, err)
			require.Regexp(t, "(?m)^luck [a-z-]+ [0-9]+ [0-9a-f]{64}$", string(text), "what came again after a rewind")

			look := x.Sees(table)
			all, err := x.Log().Load(t.Context(), look.LineName, 0, 0)
			require.NoError(t, err)
			var moves []string
			for _, r := range all {
				if bytes.Contains(r.Data, []byte(`"move":`)) {
					moves = append(moves, points.ReplaceAllString(string(r.Data), ""))
				}
			}
			s, err := script.Parse(text, desktest.Named)
			require.NoError(t, err)
			var played []string
			for r, err := range s.Play(nil) {
				require.NoError(t, err)
				require.NoError(t, r.Err, "%s: %s", r.Name, r.Text)
				public, _, err := s.Rulebook.Codec().Encode(r.Event)
				require.NoError(t, err)
				played = append(played, string(public))
			}
			require.Equal(t, moves, played)
		})
	}
}

func TestWhatCannotBeAScriptSaysWhy(t *testing.T) {
	h := newHouse(t, 1)
	table := h.open(nil)
	h.play(table, 3)
	f, err := record.Read(bytes.NewReader(h.export(table, domain.Spectator)))
	require.NoError(t, err)
	_, err = record.Script(f, desktest.Named)
	require.ErrorIs(t, err, record.ErrScript)
	require.ErrorContains(t, err, "once the table has ended")
	f.Events[1].Hash[0] ^= 1
	_, err = record.Script(f, desktest.Named)
	require.ErrorAs(t, err, new(*record.Fault))
	for _, text := range []string{"luck 00", "luck dice 1", "luck dice x " + strings.Repeat("0", 64),
		"luck dice 1 " + strings.Repeat("0", 64), "seed 1\nluck " + strings.Repeat("0", 64)} {
		_, err := script.Parse([]byte("game carcassonne\nseat A\nseat B\n"+text+"\n"), desktest.Named)
		require.Error(t, err, text)
	}
}
