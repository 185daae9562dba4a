package rivals

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rivals/rules"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// midGame returns a game after some random moves.
func midGame(t *testing.T, play string, seed uint64, moves int) *domain.Line {
	t.Helper()
	w := watch(t, play, seed, map[string]int{})
	dice := domain.NewThrowaway(seed)
	for range moves {
		open := w.line.Awaited()
		if len(open) == 0 {
			break
		}
		seat := open[0].Seat
		m, n := Rulebook.Extras().PickLegal(w.state(), seat, func(n int) int {
			luck := dice.Begin()
			i := luck.Draw("choose", n)
			dice.Count(luck.Used())
			return i
		})
		require.Positive(t, n)
		w.move(seat, m)
	}
	return w.line
}

func reshuffled(s *state.State, seed uint64) *state.State {
	e := Rulebook.Extras().Reshuffle(s, domain.NewThrowaway(seed).Begin())
	c := Rulebook.Clone(s).(*state.State)
	Rulebook.Evolve(c, &e)
	return c
}

// Given a game in which seats have drawn, looked and put cards under stacks, when what nobody knows is reshuffled,
// then every hand, every card that somebody knows in a stack, and everything anybody sees stays as it was.
func TestWhatASeatKnowsStaysWhenTheRestIsShuffledAnew(t *testing.T) {
	for _, play := range table.PlayNames {
		for seed := range uint64(4) {
			s := midGame(t, play, seed, int(40*seed)).State.(*state.State)
			c := reshuffled(s, seed)
			if seed == 0 {
				require.False(t, s.Decks == c.Decks, "%s: nothing is shuffled", play)
			}
			require.Equal(t, census(s), census(c), "no card is lost")
			for i := range s.Realms {
				require.Equal(t, s.Realms[i].Hand, c.Realms[i].Hand, "the hand of %d", i)
			}
			for i := range s.Decks {
				for j, slot := range s.Decks[i].Slots {
					require.Equal(t, slot.Seen, c.Decks[i].Slots[j].Seen)
					if slot.Seen != 0 {
						require.Equal(t, slot.Card, c.Decks[i].Slots[j].Card, "known to %d", slot.Seen)
					}
				}
			}
			for _, v := range []domain.Viewer{domain.Spectator, 0, 1} {
				require.Equal(t, s.SeenBy(v), c.SeenBy(v), "what viewer %d sees", v)
			}
			masked := *c // and nothing else changes
			masked.Decks, masked.Events, masked.Spare, masked.Lands = s.Decks, s.Events, s.Spare, s.Lands
			require.Equal(t, *s, masked)
		}
	}
}

// How many cards of the other's hand a seat has known before is between the two, and the count is public: all that it
// looks at count, unless everybody has seen them.
func TestALookAtAKnownHandCountsAsAnyOther(t *testing.T) {
	s := midGame(t, "duel", 3, 50).State.(*state.State)
	knows := *s
	hand := s.Realms[1].Held()
	require.Greater(t, len(hand), 1)
	knows.Realms[1].Hand[0].Seen |= state.Bit(0)
	look := &domain.Event{Type: state.PlayedType, Body: &state.Played{Ops: []state.Op{{Code: state.OpSeeHand}}}}
	require.Equal(t, len(hand), Rulebook.Extras().Uncovered(s, look))
	require.Equal(t, len(hand), Rulebook.Extras().Uncovered(&knows, look))
	knows.Realms[1].Hand[0].Seen |= state.Public
	require.Equal(t, len(hand)-1, Rulebook.Extras().Uncovered(&knows, look))
}

// Afterwards the top of a stack is any card that nobody knows, with a probability proportional to its copies. The
// test is the χ² of many shuffles with fixed luck; its bound is six deviations away.
func TestTheTopOfAReshuffledStackIsAnyUnknownCard(t *testing.T) {
	const shuffles = 2000
	for _, play := range []string{"intro", "gold", "duel"} {
		s := midGame(t, play, 7, 60).State.(*state.State)
		for deck := range int(s.DecksN) {
			top := int(s.Decks[deck].N) - 1
			if top < 0 || s.Decks[deck].Slots[top].Seen != 0 {
				continue
			}
			var want, got [256]float64
			unknown := rules.Unseen(s, func(slot state.Slot) bool { return slot.Seen != 0 }, s.Decks[deck].Set)
			for _, c := range unknown {
				want[*c] += shuffles / float64(len(unknown))
			}
			for seed := range uint64(shuffles) {
				got[reshuffled(s, seed).Decks[deck].Slots[top].Card]++
			}
			chi, kinds := 0.0, -1.0
			for c := range want {
				if want[c] == 0 {
					require.Zero(t, got[c], "%s, stack %d: a card that is known or elsewhere", play, deck+1)
					continue
				}
				chi += (got[c] - want[c]) * (got[c] - want[c]) / want[c]
				kinds++
			}
			require.Positive(t, kinds, "%s, stack %d", play, deck+1)
			require.Less(t, (chi-kinds)*(chi-kinds), 36*2*kinds, "%s, stack %d: χ² %v of %v", play, deck+1, chi, kinds)
		}
	}
}

func TestUnknownEventCardsAndRegionsAreShuffledAnew(t *testing.T) {
	for _, play := range table.PlayNames {
		s := midGame(t, play, 3, 50).State.(*state.State)
		events, regions := map[table.Card]bool{}, map[table.Land]bool{}
		yule := s.Events
		for seed := range uint64(60) {
			c := reshuffled(s, seed)
			events[c.Events.Slots[c.Events.N-1].Card] = true
			regions[c.Lands[c.LandsN-1]] = true
			for j, slot := range yule.Slots {
				if slot.Seen != 0 {
					require.Equal(t, slot, c.Events.Slots[j], "what everybody saw go under the stack lies there")
				}
			}
		}
		require.Greater(t, len(events), 2, play)
		require.Greater(t, len(regions), 2, play)
	}
}

// Nobody else may know whether a seat still knows a card of the other's hand: the shuffle has the same parts for the
// same audiences either way.
func TestAShuffleDoesNotTellWhoKnowsWhat(t *testing.T) {
	s := midGame(t, "duel", 3, 50).State.(*state.State)
	knows := *s
	knows.Realms[1].Hand[0].Seen |= state.Bit(0)
	require.Positive(t, s.Realms[1].HandN)
	audiences := func(s *state.State) (list []domain.Audience) {
		e := Rulebook.Extras().Reshuffle(s, domain.NewThrowaway(1).Begin())
		for _, p := range e.Secrets {
			list = append(list, p.To)
		}
		return list
	}
	require.Equal(t, []domain.Audience{0, domain.To(0), domain.To(1)}, audiences(s))
	require.Equal(t, audiences(s), audiences(&knows))
	require.Equal(t, knows.Realms[1].Hand, reshuffled(&knows, 1).Realms[1].Hand, "who knows it still does")
}

// Region cards are not shuffled while a seat sees them.
func TestRegionsThatSomebodySeesStay(t *testing.T) {
	s := midGame(t, "duel", 3, 50).State.(*state.State)
	for _, task := range []state.Task{{Kind: state.TaskCorners, Seat: 1, N: 2},
		{Kind: state.TaskCorners, Seat: 1, N: s.LandsN, Card: table.Card(1)}} {
		c := *s
		c.Tasks[0], c.TasksN = task, 1
		for seed := range uint64(20) {
			shuffled := reshuffled(&c, seed).Lands
			require.Equal(t, c.Lands[int(c.LandsN)-int(task.N):], shuffled[int(c.LandsN)-int(task.N):])
		}
	}
}

// A proposal to go back counts the cards seen since: three cards drawn to fill the hand, a stack looked through, an
// event turned up.
func TestCardsThatComeToLightAreCounted(t *testing.T) {
	s := midGame(t, "duel", 3, 0).State.(*state.State)
	deck := int(s.Decks[0].N)
	count := func(ops ...state.Op) int {
		return Rulebook.Extras().Uncovered(s,
			&domain.Event{Type: state.PlayedType, Body: &state.Played{Ops: ops}})
	}
	require.Equal(t, 3, count(state.Op{Code: state.OpDraw}, state.Op{Code: state.OpDraw},
		state.Op{Code: state.OpDraw, Stack: 4}))
	require.Equal(t, deck, count(state.Op{Code: state.OpSeeDeck, Seat: 1}))
	require.Equal(t, deck, count(state.Op{Code: state.OpSeeDeck, Seat: 1}, state.Op{Code: state.OpSeeDeck, Seat: 1},
		state.Op{Code: state.OpDraw, Seat: 1}), "once")
	require.Equal(t, deck+1, count(state.Op{Code: state.OpSeeDeck, Seat: 1}, state.Op{Code: state.OpDraw}), "by each")
	require.Equal(t, 1, count(state.Op{Code: state.OpDrawEvt, Card: s.Events.Slots[s.Events.N-1].Card}))
	require.Equal(t, 2, count(state.Op{Code: state.OpShowLand, Land: s.Lands[1]},
		state.Op{Code: state.OpShowLand, Land: s.Lands[0]}))
	require.Equal(t, int(s.Realms[1].HandN), count(state.Op{Code: state.OpSeeHand}))
	require.Zero(t, count(state.Op{Code: state.OpDice, N: 3}))
	scout := &domain.Event{Type: state.PlayedType,
		Body: &state.Played{Tasks: []state.Task{{Kind: state.TaskCorners, Card: 1, N: 9, ID: 77}}}}
	require.Equal(t, 9, Rulebook.Extras().Uncovered(s, scout))
	deal := Rulebook.Extras().Reshuffle(s, domain.NewThrowaway(1).Begin())
	require.Zero(t, Rulebook.Extras().Uncovered(s, &deal))
}
