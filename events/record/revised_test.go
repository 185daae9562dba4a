package record_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/carcassonne"
	"posthorn/domain/carcassonne/state"
	"posthorn/events/desktest"
	"posthorn/events/record"
)

// revised is Carcassonne as a later program may have it: a move's event has a new revision, to which the earlier one
// is upcast.
type revised struct {
	domain.Rulebook
	writes bool // writes the revision; otherwise it only reads it
}

func (r revised) Codec() domain.Codec {
	c := r.Rulebook.Codec()
	types := slices.Clone(c.Types)
	for i, t := range types {
		if t.Name == state.EventPlayed {
			types[i].Upcast = func(e domain.Event) domain.Event {
				e.Type = "played.v3"
				return e
			}
			t.Name, t.CountedAs = "played.v3", "played.v4"
			types = append(types, t)
		}
	}
	return domain.Codec{Types: types}
}

func (r revised) Decide(s domain.State, seat domain.Seat, m domain.Move, luck *domain.Luck) (domain.Event, error) {
	e, err := r.Rulebook.Decide(s, seat, m, luck)
	if r.writes && err == nil {
		e.Type = "played.v3"
	}
	return e, err
}

// Given a record with events of two revisions, then both the program that writes the later one and one that only
// reads it prove the record, and find a change in either revision where it is: to a member, a type, or with a member
// that the revision lacks.
func TestARevisedEventIsJudgedAsWhatItIsUpcastTo(t *testing.T) {
	h := desktest.New(t)
	table := h.Starts("carcassonne", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	h.Random(table, rand.New(rand.NewPCG(1, 2)), 6)
	h.Ends(table)
	h.Follows(table)
	file := exportOf(t, h, table)
	mixed := func(change func(g *forgery)) []byte {
		g := forgers(t, file, desktest.Keys(t))
		for n := range g.Events {
			if e := &g.Events[n]; e.Type == "carcassonne.played.v2" && n%2 == 0 {
				e.Type = "carcassonne.played.v4"
			}
		}
		change(g)
		return g.written(t)
	}
	of := func(typ string) func(*record.Event) bool {
		return func(e *record.Event) bool { return strings.HasSuffix(e.Type, typ) }
	}
	read := func(file []byte) *record.File {
		f, err := record.Read(bytes.NewReader(file))
		require.NoError(t, err)
		return f
	}
	knows := func(writes bool) func(string) (domain.Rulebook, bool) {
		return func(string) (domain.Rulebook, bool) { return revised{carcassonne.Rulebook, writes}, true }
	}
	for _, writes := range []bool{false, true} {
		proves := func(file []byte) error {
			_, err := record.Verify(read(file), knows(writes))
			return err
		}
		require.NoError(t, proves(mixed(func(*forgery) {})))
		for _, typ := range []string{"played.v2", "played.v4"} {
			for what, change := range map[string]func(e *record.Event){
				"no turn": func(e *record.Event) { edit(e, sub("body", set("turn", 360))) },
				"the same person again": func(e *record.Event) {
					edit(e, sub("body", func(m map[string]any) { m["next_by"] = m["by"] }))
				},
				"one member more": func(e *record.Event) { edit(e, sub("body", set("weather", "fair"))) },
				"without a member": func(e *record.Event) {
					edit(e, sub("body", func(m map[string]any) { delete(m, "tile") }))
				},
				"counted, in a type that is not": func(e *record.Event) {
					e.Type = map[string]string{"carcassonne.played.v2": "carcassonne.played.v1",
						"carcassonne.played.v4": "carcassonne.played.v3"}[e.Type]
				},
			} {
				var altered *record.Event
				err := proves(mixed(func(g *forgery) {
					altered = g.move(t, 0, of(typ))
					change(altered)
				}))
				var fault *record.Fault
				require.ErrorAs(t, err, &fault, "%s %s", typ, what)
				require.Equal(t, altered.Version, fault.Version, "%s %s: %v", typ, what, err)
			}
			r, err := record.Verify(read(mixed(func(g *forgery) {
				e := g.move(t, 0, of(typ))
				e.Type = strings.Replace(e.Type, "v", "v1", 1)
			})), knows(writes))
			require.NoError(t, err, "a type that is not known is no fault")
			require.Contains(t, strings.Join(r.Skipped, "\n"), "are not known here")
		}
	}
}
