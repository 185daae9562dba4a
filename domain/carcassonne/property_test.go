package carcassonne

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
	"posthorn/domain/codec"
)

// long multiplies the work of the property tests: POSTHORN_LONG=1 runs them at full length.
func long(short, full int) int {
	if os.Getenv("POSTHORN_LONG") == "1" {
		return full
	}
	return short
}

func TestEveryMoveIsScoredAsTheSlowScorerDoes(t *testing.T) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			for seed := range uint64(long(2, 50)) {
				p := newPlayout(t, v.o, v.seats, seed+1)
				slow := slowFrom(p.state().View())
				for !p.over() {
					list := p.legal()
					m := list[p.below(len(list))]
					e := p.play(m)
					turn := m.(state.Move)
					turn.Order = 0
					slow.play(e, turn.Follower == table.Recall)
					s := p.state()
					require.Equal(t, slow.scores, s.View().Scores, "seed %d after %d tiles", seed+1, s.NTiles)
					require.Equal(t, slow.final(), Rulebook.Standing(s, domain.Referee).Final, "seed %d after %d tiles",
						seed+1, s.NTiles)
					require.ElementsMatch(t, slow.figures, slowFrom(s.View()).figures)
				}
			}
		})
	}
}

func TestLegalIsWhatTheSlowRulesAllow(t *testing.T) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			for seed := range uint64(long(2, 20)) {
				p := newPlayout(t, v.o, v.seats, seed+100)
				slow := slowFrom(p.state().View())
				for !p.over() {
					list := p.legal()
					seen := map[state.Move]bool{}
					for _, m := range list {
						turn := m.(state.Move)
						turn.Order = 0
						seen[turn] = true
					}
					var got []state.Move
					for m := range seen {
						got = append(got, m)
					}
					require.ElementsMatch(t, slow.legal(p.state().View()), got)
					m := list[p.below(len(list))]
					turn := m.(state.Move)
					turn.Order = 0
					slow.play(p.play(m), turn.Follower == table.Recall)
				}
			}
		})
	}
}

func TestFoldingTheEncodedEventsGivesTheLiveState(t *testing.T) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			p := newPlayout(t, v.o, v.seats, 7)
			folded := domain.NewLine(Rulebook, domain.NewThrowaway(0))
			types := Rulebook.Codec()
			start := domain.Event{Type: state.EventSetUp, Body: &state.SetUp{View: *p.state().View()}}
			fold := func(e *domain.Event) {
				public, _, err := types.Encode(e)
				require.NoError(t, err)
				back, err := types.Decode(e.Type, public, nil)
				require.NoError(t, err)
				require.Equal(t, e.Body, back.Body)
				byReflection, err := json.Marshal(e.Body)
				require.NoError(t, err)
				atOnce, err := codec.Marshal(e.Body)
				require.NoError(t, err)
				require.Equal(t, string(byReflection), string(atOnce))
				folded.Apply(&back)
			}
			fold(&start)
			for !p.over() {
				list := p.legal()
				e, _, err := p.line.Decide(p.line.Awaited()[0].Seat, list[p.below(len(list))])
				require.NoError(t, err)
				p.line.Apply(&e)
				fold(&e)
				require.Equal(t, p.state(), folded.State)
			}
		})
	}
}

func TestATurnIsReadStraightThroughOrByReflectionAlike(t *testing.T) {
	for _, v := range variants {
		p := newPlayout(t, v.o, v.seats, 21)
		for !p.over() {
			e := p.random()
			text, err := codec.Marshal(e)
			require.NoError(t, err)
			var read state.Played
			require.True(t, codec.Read(text, &read), "%s", text)
			require.Equal(t, *e, read)
			byReflection, err := json.MarshalIndent(e, "", " ")
			require.NoError(t, err)
			var again state.Played
			require.NoError(t, json.Unmarshal(byReflection, &again))
			require.Equal(t, *e, again)
		}
	}
	require.Error(t, json.Unmarshal([]byte(`{"by":"A","tile":"Z9"}`), new(state.Played)))
}
