package rulebooks

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// trades are what somebody in Catan may say beside the listed moves; most are refused.
var trades = []string{"offer wool for ore", "offer grain for brick ask", "offer lumber for wool", "offer ore for grain",
	"counter ore for grain", "counter brick for wool"}

// someMove returns the event of any move of a seat, and sometimes of a trade.
func someMove(t *testing.T, l *domain.Line, seat domain.Seat, r *rand.Rand) domain.Event {
	t.Helper()
	if l.Rulebook.Name() == "catan" && r.IntN(2) == 0 {
		m, err := l.Parse(trades[r.IntN(len(trades))], nil)
		require.NoError(t, err)
		if e, luck, err := l.Decide(seat, m); err == nil {
			l.Luck.Commit(luck)
			return e
		}
	}
	var all []domain.Move
	for m := range l.Rulebook.Legal(l.State, seat) {
		all = append(all, m)
	}
	require.NotEmpty(t, all)
	e, luck, err := l.Decide(seat, all[r.IntN(len(all))])
	require.NoError(t, err)
	l.Luck.Commit(luck)
	return e
}

// Whoever's own move asked others something is asked anew once the last of them has answered: by a new decision, or by
// one that went on and comes back. So they are mailed. Nothing else comes back.
func TestWhoeverAskedOthersIsAskedAnewAfterwards(t *testing.T) {
	back, asked := map[string]int{}, 0
	for _, rb := range All() {
		anew := 0
		for seed := range uint64(4) {
			r := rand.New(rand.NewPCG(seed, 1))
			choices, err := domain.Complete(rb, nil)
			require.NoError(t, err)
			_, most := rb.Seats(choices)
			seats := min(2+int(seed%2), most)
			l := domain.NewLine(rb, domain.NewThrowaway(seed))
			e, luck, err := l.Setup(domain.Game{Choices: choices, Seats: seats})
			require.NoError(t, err)
			l.Luck.Commit(luck)
			l.Apply(&e)
			movers := []domain.Seat{domain.Nobody, domain.Nobody} // by version
			for open := l.Awaited(); len(open) > 0 && l.Version < 600; open = l.Awaited() {
				mover := open[r.IntN(len(open))].Seat
				e = someMove(t, l, mover, r)
				l.Apply(&e)
				movers = append(movers, mover)
				for seat := range domain.Seat(seats) {
					answered := false // the last of those whom the seat asked
					for _, o := range open {
						beside := slices.ContainsFunc(open, func(p domain.Open) bool { // both at once
							return p.Seat == seat && p.Since == o.Since
						})
						answered = answered || o.Seat != seat && movers[o.Since] == seat && !beside
					}
					since, others := uint64(0), false
					for _, o := range l.Awaited() {
						if others = others || o.Seat != seat; o.Seat == seat {
							since = max(since, o.Since)
						}
					}
					comes := answered && mover != seat && since > 0 && !others
					if comes {
						require.Equal(t, l.Version, max(since, l.Again(seat)), "%s, seed %d", rb.Name(), seed)
						anew++
					}
					if l.Again(seat) == l.Version {
						require.True(t, comes, "%s, seed %d, version %d", rb.Name(), seed, l.Version)
						back[rb.Name()]++
					}
				}
			}
		}
		asked += anew
	}
	require.Greater(t, asked, 100)
	require.Greater(t, back["catan"], 10)
	require.Len(t, back, 1, "elsewhere each question is a decision of its own: %v", back)
}
