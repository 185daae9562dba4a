package catan

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/rules"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
	"posthorn/domain/simulate"
)

// market plays random games in which everybody trades: offers, counter-offers, answers.
type bazaar struct {
	*game
	rng    *rand.Rand
	trades int
}

// some takes a few random cards from a hand, not all kinds.
func (b *bazaar) some(from table.Hand, kindsLeft table.Hand) table.Hand {
	var h table.Hand
	for range 1 + b.rng.IntN(2) {
		r := b.rng.IntN(table.Kinds)
		if kindsLeft[r] == 0 && from[r] > h[r] {
			h[r]++
		}
	}
	return h
}

// compose makes an offer or a counter-offer from a seat's form, if it can.
func (b *bazaar) compose(seat domain.Seat) (domain.Move, bool) {
	forms := b.line.Rulebook.Forms(b.line.State, seat)
	if len(forms) == 0 {
		return nil, false
	}
	give := b.some(b.state().Hand[seat], table.Hand{})
	want := b.some(table.Hand{9, 9, 9, 9, 9}, give)
	if give.Len() == 0 || want.Len() == 0 {
		return nil, false
	}
	text := fmt.Sprintf("%s %s for %s", forms[0].Key, give, want)
	if forms[0].Key == "offer" && b.rng.IntN(2) == 0 {
		text += " ask"
	}
	m, err := b.line.Parse(text, nil)
	require.NoError(b.t, err, text)
	return m, true
}

func (b *bazaar) step() {
	open := b.line.Awaited()
	seat := open[b.rng.IntN(len(open))].Seat
	var all []domain.Move
	for m := range b.line.Rulebook.Legal(b.line.State, seat) {
		all = append(all, m)
	}
	require.NotEmpty(b.t, all)
	m := all[b.rng.IntN(len(all))]
	if b.rng.IntN(3) == 0 {
		if composed, ok := b.compose(seat); ok {
			m = composed
		}
	}
	e, _, err := b.line.Decide(seat, m)
	require.NoError(b.t, err, "%s: %s", seat.Letter(), b.line.Rulebook.FormatMove(m, nil))
	b.line.Apply(&e)
	b.last = e
	if e.Body.(*state.Played).Partner != state.None && e.Body.(*state.Played).Did != state.KindGive {
		b.trades++
	}
}

// promises checks that seats that have an open offer, or would take one, can keep it.
func promises(t *testing.T, s *state.State) {
	t.Helper()
	for c := range s.Seats {
		if o := &s.Offers[c]; o.Open {
			if !rules.OfferStands(s, c, o) {
				require.Fail(t, "an offer that cannot be kept", "of %d: %+v", c, o)
			}
		}
	}
}

func Test33RandomMarketsLoseNothingAndOffersCanBeKept(t *testing.T) {
	trades := 0
	for seats := 2; seats <= 4; seats++ {
		for i := range uint64(randomGames()) {
			b := &bazaar{game: &game{t: t, line: domain.NewLine(Rulebook, domain.NewThrowaway(i))},
				rng: rand.New(rand.NewPCG(uint64(seats), i))}
			e, _, err := b.line.Setup(domain.Game{Choices: choices(t), Seats: seats})
			require.NoError(t, err)
			b.line.Apply(&e)
			for n := 0; len(b.line.Awaited()) > 0 && n < 2*simulate.DefaultCap; n++ {
				b.step()
				conserved(t, b.state())
				promises(t, b.state())
				if n%97 == 0 && b.state().Phase != state.PhaseOver {
					b.look(i + uint64(n))
				}
			}
			trades += b.trades
		}
	}
	require.Greater(t, trades, 100)
}

// look checks, with offers open, that a fresh deal keeps what everybody sees, that its legal moves are legal, and that
// the referee's view can be given again.
func (b *bazaar) look(seed uint64) {
	rb, s := b.line.Rulebook, b.line.State
	for v := domain.Viewer(-1); v < domain.Viewer(b.state().Seats); v++ {
		dealt := rb.Clone(s)
		e := rb.Blind(s, v, domain.NewThrowaway(seed).Begin())
		rb.Evolve(dealt, &e)
		promises(b.t, dealt.(*state.State))
		require.Equal(b.t, rb.View(s, v), rb.View(dealt, v))
		require.Equal(b.t, rb.Awaited(s), rb.Awaited(dealt))
		if v < 0 {
			continue
		}
		seat := v.Seat()
		require.Equal(b.t, rb.Forms(s, seat), rb.Forms(dealt, seat))
		var here, there []domain.Move
		for m := range rb.Legal(s, seat) {
			here = append(here, m)
		}
		for m := range rb.Legal(dealt, seat) {
			there = append(there, m)
			_, err := rb.Decide(dealt, seat, m, domain.NewThrowaway(seed).Begin())
			require.NoError(b.t, err)
		}
		require.Equal(b.t, here, there, "what a seat may do depends on what it knows")
	}
	whole, err := json.Marshal(rb.View(s, domain.Referee))
	require.NoError(b.t, err)
	again := given(b.t, int(b.state().Seats), string(whole))
	require.Equal(b.t, rb.View(s, domain.Referee), again.line.Rulebook.View(again.line.State, domain.Referee))
}
