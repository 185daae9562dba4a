package carcassonne

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// TestLegalEqualsDecideOverAllConceivableMoves tries, in positions sampled from games of all variants, every turn
// that the notation can express within one place of the board. What Decide accepts, in canonical form, must be
// exactly what Legal lists.
func TestLegalEqualsDecideOverAllConceivableMoves(t *testing.T) {
	each := long(2, 20) // for each of ten variants
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			for i := range each {
				p := newPlayout(t, v.o, v.seats, uint64(i+300))
				for range p.below(60) {
					if !p.over() {
						p.random()
					}
				}
				if !p.over() {
					require.Equal(t, listedTurns(p), acceptedTurns(t, p), "position %d", i)
				}
			}
		})
	}
}

func listedTurns(p *playout) map[state.Move]bool {
	set := map[state.Move]bool{}
	for _, m := range p.legal() {
		turn := m.(state.Move)
		turn.Order = 0
		set[turn] = true
	}
	return set
}

func acceptedTurns(t *testing.T, p *playout) map[state.Move]bool {
	t.Helper()
	set := map[state.Move]bool{}
	seat := p.line.Awaited()[0].Seat
	for mv := range conceivable(p.line.State, seat) {
		m := mv.(state.Move)
		e, err := Rulebook.Decide(p.line.State, seat, m, domain.NewThrowaway(1).Begin())
		switch refusal, refused := domain.AsRefusal(err); {
		case refused && refusal.Code == "order-needed":
			set[p.canonical(m)] = true
		case refused:
		default:
			require.NoError(t, err)
			if b := e.Body.(*state.Played); b.Placed != nil {
				m.Follower = table.Put(b.Placed.Abbot, b.Placed.On)
			}
			set[m] = true
		}
	}
	return set
}

// canonical names the part that a turn claims by its first edge.
func (p *playout) canonical(m state.Move) state.Move {
	s := p.state()
	sh := &table.Shapes[s.Current]
	r := &sh.Turned[m.Quarter]
	if place, abbot, ok := m.Follower.Place(); ok && place.Kind != table.Cloister && place.Kind != table.Garden {
		m.Follower = table.Put(abbot, sh.Place(r, int(sh.Part(r, place))))
	}
	return m
}
