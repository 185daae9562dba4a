package carcassonne

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// TestLegalEqualsDecideOverAllConceivableMoves tries, in positions sampled from games of all
// variants, every turn that can be said within a place of the board: what Decide accepts, in
// its canonical form, is what Legal lists.
func TestLegalEqualsDecideOverAllConceivableMoves(t *testing.T) {
	each := long(2, 20) // of ten variants
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

func listedTurns(p *playout) map[Move]bool {
	set := map[Move]bool{}
	for _, m := range p.legal() {
		turn := m.(Move)
		turn.Order = 0
		set[turn] = true
	}
	return set
}

func acceptedTurns(t *testing.T, p *playout) map[Move]bool {
	t.Helper()
	set := map[Move]bool{}
	seat := p.line.Awaited()[0].Seat
	for mv := range conceivable(p.line.State, seat) {
		m := mv.(Move)
		e, err := Rulebook.Decide(p.line.State, seat, m, domain.NewThrowaway(1).Begin())
		switch refusal, refused := domain.AsRefusal(err); {
		case refused && refusal.Code == "order-needed":
			set[p.canonical(m)] = true
		case refused:
		default:
			require.NoError(t, err)
			if b := e.Body.(*Played); b.Placed != nil {
				m.Follower = Put(b.Placed.Abbot, b.Placed.On)
			}
			set[m] = true
		}
	}
	return set
}

// canonical names the part that a turn claims by its first edge.
func (p *playout) canonical(m Move) Move {
	s := p.state()
	sh := &shapes[s.current]
	r := &sh.turned[m.Quarter]
	if place, abbot, ok := m.Follower.Place(); ok && place.Kind != Cloister && place.Kind != Garden {
		m.Follower = Put(abbot, sh.place(r, int(sh.part(r, place))))
	}
	return m
}
