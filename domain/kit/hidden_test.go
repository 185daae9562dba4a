package kit_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/kit"
)

func TestARowOfCardsShowsWhichMayBeChosen(t *testing.T) {
	p := kit.Cards("table", domain.PanelMain, domain.Sketch{Open: []domain.Spot{{Spot: "5", Name: "b"}}},
		[]kit.Card{{Above: "A", Face: "?", Below: "7"}, {Below: "7", Spot: "5"}})
	require.Equal(t, "A [?] 7\nb [] 7\n", p.Text, "one without a place by its letter")
	require.Equal(t, "5", p.Scene.Shapes[4].Spot)
	require.Len(t, p.Scene.Shapes, 7, "a box, a letter, a card and a number each, and no empty text")
}

func TestWhatIsHiddenTravelsInParts(t *testing.T) {
	hidden := func() kit.Hidden[[]int] {
		return kit.Hidden[[]int]{Known: []domain.Audience{domain.To(0), domain.To(0, 1), domain.To(2)},
			Hands: [][]int{{7, 8}, nil, {9}}, Stack: []int{3, 1, 2}}
	}
	h, now := hidden(), kit.Hidden[[]int]{Known: hidden().Known}
	count := func(hand []int) []int { return make([]int, len(hand)) }
	require.Equal(t, [][]int{{7, 8}, nil, {0}}, h.Seen(0, count))
	require.Equal(t, [][]int{{7, 8}, nil, {9}}, h.Seen(domain.Referee, count))
	require.Equal(t, []int{0, 0, 9}, (&kit.Hidden[int]{Hands: []int{7, 8, 9}}).Seen(2, func(int) int { return 0 }),
		"each knows their own")
	for seat, hand := range h.Unknown(0) {
		require.Equal(t, domain.Seat(2), seat)
		require.Same(t, &h.Hands[2], hand)
	}
	for seat := range h.Unknown(domain.Spectator) {
		require.Zero(t, seat)
		break
	}
	for range h.Unknown(domain.Referee) {
		require.Fail(t, "the referee knows everything")
	}
	e := domain.Event{Secrets: h.Unload()}
	require.Empty(t, h.Hands, "it is in the event alone")
	require.Equal(t, domain.To(0, 1), e.Secrets[2].To)
	now.Load(&e)
	require.Equal(t, hidden(), now)
	now.Load(&domain.Event{Secrets: []domain.Secret{kit.Hold(2, []int{5, 6}, 0)}})
	require.Equal(t, [][]int{{7, 8}, nil, {5, 6}}, now.Hands, "what an event lacks stays")
	e.Secrets[1].Body.(*kit.Held[[]int]).Hand[0] = 1
	require.Equal(t, 7, now.Hands[0][0], "it shares nothing with the event")
	require.Panics(t, func() { now.Load(&domain.Event{Secrets: []domain.Secret{kit.Hold(3, []int{9}, 0)}}) },
		"there are three seats")
	require.Panics(t, func() {
		new(kit.Hidden[int]).Load(&domain.Event{Secrets: []domain.Secret{kit.Hold(1, 9, 0)}})
	}, "a seat is missing")
}

func TestCardsAreDealtAfreshWhereTheyLie(t *testing.T) {
	first := map[int]bool{}
	for seed := range uint64(60) {
		mixed := func(hand ...int) []int {
			kit.Mix(domain.NewThrowaway(seed).Begin(), kit.Places(hand))
			return hand
		}
		hand := mixed(9, 1, 2, 3)
		require.ElementsMatch(t, []int{1, 2, 3, 9}, hand)
		require.Equal(t, hand, mixed(3, 9, 2, 1), "how they lay does not show")
		first[hand[0]] = true
	}
	require.Len(t, first, 4)
}

type holds struct {
	List  [][]int
	Named map[string]int
	To    *holds
	Two   [2][]int
}

type plain struct {
	kit.Defaults[*holds, *holds]
}

func TestACopyOfAStateSharesNothingWithIt(t *testing.T) {
	whole := func() *holds {
		return &holds{List: [][]int{{1}, {2}}, Named: map[string]int{"a": 1}, To: &holds{List: [][]int{{3}}},
			Two: [2][]int{{4}, {5}}}
	}
	s := whole()
	c := plain{}.Clone(s)
	require.Equal(t, whole(), c)
	c.List[0][0], c.Named["a"], c.To.List[0][0], c.Two[1][0] = 9, 9, 9, 9
	require.Equal(t, whole(), s)
	require.Equal(t, new(holds), plain{}.New())
}

func TestALegalMoveIsOneOfAll(t *testing.T) {
	even := kit.Legal([]int{1, 2, 3, 4}, func(m int) bool { return m%2 == 0 })
	require.Equal(t, []int{2, 4}, slices.Collect(even))
	for m := range even {
		require.Equal(t, 2, m)
		break
	}
}
