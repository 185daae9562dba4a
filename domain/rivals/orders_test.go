package rivals

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

var _ domain.StandingOrders = Rulebook{}

// given a position, when its orders are asked, then a move or none.
func TestStandingOrders(t *testing.T) {
	const (
		harvest = `{"phase":"act","tasks":[{"kind":"gain","seat":"A","n":1,"goods":["ore","wool","grain"]}],"seats":[{"stores":{"2b":3,"1b":2}},{}]}`
		attack  = `{"phase":"act","active":"B","tasks":[{"kind":"react","seat":"A","card":"archer"},{"kind":"hit","seat":"B","card":"archer"}],"seats":[{"towns":["0 settlement above heinrich","1 settlement"],"hand":[]},{"hand":[]}]}`
		riots   = `{"phase":"roll","active":"B","event":"riots","tasks":[{"kind":"riot","seat":"A","n":1,"card":"riots"},{"kind":"event-end"},{"kind":"act"}],"seats":[{"towns":["0 settlement above harald","1 settlement"],"stores":{"1a":1},"hand":["sebastian"]},{"hand":[]}]}`
		demand  = `{"phase":"act","active":"B","tasks":[{"kind":"pay","seat":"A","n":1}],"seats":[{"stores":{"2a":3}},{}]}`
		buying  = `{"phase":"roll","tasks":[{"kind":"buy","seat":"A","n":2},{"kind":"act"}],"seats":[{"stores":{"1a":1}},{}]}`
	)
	for _, c := range []struct{ given, order, move string }{
		{`{}`, "roll", "roll"},
		{harvest, "gain ore wool grain", "into 1b"},
		{harvest, "gain ore grain wool", "into 2a"},
		{harvest, "pay", ""},
		{attack, "guard", "react heinrich_the_sentinel"},
		{attack, "let", "pass"},
		{attack, "sebastian", ""},
		{riots, "riots pay", "pay"},
		{riots, "sebastian", "react sebastian_the_itinerant_preacher"},
		{demand, "pay", "pay 2a"},
		{buying, "buy nothing", "pass"},
		{buying, "roll", ""},
	} {
		t.Run(c.order+" "+c.move, func(t *testing.T) {
			choices, err := domain.Complete(Rulebook{}, domain.Choices{"play": "turmoil"})
			require.NoError(t, err)
			line := domain.NewLine(Rulebook{}, domain.NewThrowaway(1))
			e, _, err := line.Setup(domain.Game{Choices: choices, Seats: 2, Given: []byte(c.given)})
			require.NoError(t, err)
			line.Apply(&e)
			require.True(t, line.Awaits(0))
			order, err := Rulebook{}.ReadOrder("order "+c.order, nil)
			require.NoError(t, err)
			require.Equal(t, c.order, order)
			require.NotEmpty(t, Rulebook{}.TellOrder(order))
			o, ok := Rulebook{}.Obey([]string{order}, line.Awaited()[0].Decision, Rulebook{}.View(line.State, 0))
			require.Equal(t, c.move != "", ok)
			if ok {
				require.Equal(t, c.move, Rulebook{}.FormatMove(o.Move, nil))
				require.Equal(t, order, o.Left)
				_, _, err = line.Decide(0, o.Move)
				require.NoError(t, err)
			}
		})
	}
	for _, text := range []string{"", "gain", "gain gold gold", "buy", "roll twice"} {
		_, err := Rulebook{}.ReadOrder(text, nil)
		_, refused := domain.AsRefusal(err)
		require.True(t, refused, text)
	}
}

// A card of the hand that cannot be used says why, in words and on its face.
func TestACardSaysWhyItCannotBeUsed(t *testing.T) {
	choices, err := domain.Complete(Rulebook{}, domain.Choices{"play": "gold"})
	require.NoError(t, err)
	line := domain.NewLine(Rulebook{}, domain.NewThrowaway(1))
	given := `{"phase":"act","seats":[{"towns":["0 settlement above abbey","1 settlement"],"hand":["abbey","mint","trade_master","parish_hall","goldsmith","gold_cache"]},{}]}`
	e, _, err := line.Setup(domain.Game{Choices: choices, Seats: 2, Given: []byte(given)})
	require.NoError(t, err)
	line.Apply(&e)
	b := line.State.(*State).board(0)
	codes := map[string]string{}
	for i, say := range b.whyNot() {
		codes[b.Seats[0].Hand[i]] = ""
		if say != nil {
			codes[b.Seats[0].Hand[i]] = say.Key
		}
	}
	require.Equal(t, map[string]string{"abbey": "refuse.one-only", "mint": "refuse.cannot-pay", "trade_master": "refuse.needs", "parish_hall": "",
		"goldsmith": "refuse.cannot-pay", "gold_cache": "refuse.needs"}, codes)
	require.Empty(t, line.State.(*State).board(1).whyNot(), "it is not Bo's turn")
	require.Empty(t, line.State.(*State).board(domain.Spectator).whyNot())
}
