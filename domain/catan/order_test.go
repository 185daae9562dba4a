package catan

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

func orders(t *testing.T, texts ...string) []Order {
	t.Helper()
	var list []Order
	for _, text := range texts {
		o, err := ParseOrder(text, testNames)
		require.NoError(t, err, text)
		list = append(list, o)
	}
	return list
}

// obey plays, for a seat, what its orders say to a decision of a kind, as the runner would.
func (g *table) obey(name, kind string, list []Order) (string, bool) {
	g.t.Helper()
	for _, o := range g.line.Awaited() {
		if o.Seat != domain.Seat(seatNo(name)) || o.Kind != kind {
			continue
		}
		m, _, ok := Answer(list, o.Decision, g.state().view(domain.ViewOf(o.Seat)))
		if !ok {
			return "", false
		}
		text := g.line.Rulebook.FormatMove(m, testNames)
		g.play(name + ": " + text)
		return text, true
	}
	return "", false
}

func TestOrdersAreReadLenientlyAndWrittenInOneForm(t *testing.T) {
	for text, want := range map[string]string{
		"roll":                                     "order roll",
		"Order ROLL":                               "order roll",
		"order discard wool, ore":                  "order discard wool ore",
		"odrzuć wełna ruda":                        "order discard wool ore",
		"order give wool for ore":                  "order give 1 wool for 1 ore",
		"give 2 wool for 1 ore up to 2 not bo":     "order give 2 wool for 1 ore up to 2 not Bo",
		"order give wool for ore to Cy Di counter": "order give 1 wool for 1 ore to Cy Di counter",
		"order decline":                            "order decline",
		"order decline from Bo and Cy":             "order decline from Bo Cy",
		"order rob 9 Bo":                           "order rob 9 Bo",
		"order knight 9":                           "order knight 9",
		"ordem dar lã por minério até 2 exceto Bo": "order give 1 wool for 1 ore up to 2 not Bo",
	} {
		o, err := ParseOrder(text, testNames)
		require.NoError(t, err, text)
		require.Equal(t, want, FormatOrder(o, testNames))
		back, err := ParseOrder(FormatOrder(o, nil), nil)
		require.NoError(t, err)
		require.Equal(t, o, back)
		require.NotEmpty(t, o.Say())
	}
	for _, text := range []string{"", "order", "order end", "order discard", "order give wool", "order give wool for wool", "order rob 19", "order roll twice", "order give wool for ore up to x"} {
		_, err := ParseOrder(text, testNames)
		_, refused := domain.AsRefusal(err)
		require.True(t, refused, text)
	}
}

func TestAnOrderIsNoMoveOfTheLine(t *testing.T) {
	g := given(t, 4, market)
	g.refuse("Ana: order roll", "order-private")
}

func TestOrderRollRollsWhenTheTurnStarts(t *testing.T) {
	g := given(t, 3, plain3)
	g.chance("dice", "1 1")
	list := orders(t, "order roll")
	_, ok := g.obey("Bo", "turn", list)
	require.False(t, ok)
	_, ok = g.obey("Ana", "turn", list)
	require.True(t, ok)
	g.then("main", g.phase())
	_, ok = g.obey("Ana", "turn", list)
	require.False(t, ok)
}

func TestOrderDiscardTakesTheNamedKindsFirst(t *testing.T) {
	g := given(t, 4, `{"phase":"discard","players":[{"hand":{"wool":2,"ore":6,"grain":3}}]}`)
	text, _ := g.obey("Ana", "discard", orders(t, "order discard wool grain"))
	require.Equal(t, "discard 2 wool 3 grain", text)
	g = given(t, 4, `{"phase":"discard","players":[{"hand":{"wool":2,"ore":6,"grain":3}}]}`)
	text, _ = g.obey("Ana", "discard", orders(t, "order discard wool"))
	require.Equal(t, "discard 2 wool 3 ore", text)
}

func TestOrderGiveAcceptsWhatItSaysAndNoMore(t *testing.T) {
	const before = `{"phase":"main","players":[{"settlements":[8],"hand":{"ore":5,"brick":5}},{"hand":{"wool":5}}]}`
	for _, c := range []struct{ order, offer, answer string }{
		{"order give wool for ore", "1 ore for 1 wool", "accept"},
		{"order give wool for ore", "2 ore for 2 wool", "accept"},
		{"order give wool for ore", "2 ore for 1 wool", "accept"},
		{"order give wool for ore", "1 ore for 2 wool", ""},
		{"order give wool for ore", "1 brick for 1 wool", ""},
		{"order give wool for ore", "1 ore for 1 grain", ""},
		{"order give wool for ore up to 1", "2 ore for 2 wool", ""},
		{"order give 2 wool for ore", "1 ore for 1 wool", "accept"},
		{"order give wool for ore not Ana", "1 ore for 1 wool", ""},
		{"order give wool for ore to Ana", "1 ore for 1 wool", "accept"},
		{"order give wool for ore counter", "1 brick for 1 wool", "counter 1 wool for 1 ore"},
		{"order give wool for ore counter", "1 brick for 1 grain", ""},
		{"order decline", "1 ore for 1 wool", "decline"},
		{"order decline from Cy", "1 ore for 1 wool", ""},
	} {
		g := given(t, 3, before)
		g.play("Ana: offer " + c.offer + " to Bo")
		text, _ := g.obey("Bo", "answer", orders(t, c.order))
		require.Equal(t, c.answer, text, "%s, offered %s", c.order, c.offer)
	}
	g := given(t, 3, before)
	g.play("Ana: offer 1 ore for 1 wool to Bo")
	text, _ := g.obey("Bo", "answer", orders(t, "order decline", "order give wool for ore"))
	require.Equal(t, "accept", text, "declining comes last")
	poor := given(t, 3, `{"phase":"main","players":[{"settlements":[8],"hand":{"ore":5}},{"hand":{"wool":1}}]}`)
	poor.play("Ana: offer 2 ore for 2 wool to Bo")
	_, ok := poor.obey("Bo", "answer", orders(t, "order give wool for ore"))
	require.False(t, ok)
}

func TestOrderGiveIsUsedUp(t *testing.T) {
	o := orders(t, "order give wool for ore up to 3")[0]
	two := Hand{Wool: 2}.view()
	left, keep := o.After(move(KindAccept), &OfferView{Want: two})
	require.True(t, keep)
	require.Equal(t, 1, left.Times)
	_, keep = left.After(move(KindCounter), nil)
	require.False(t, keep)
	_, keep = orders(t, "order give wool for ore")[0].After(move(KindAccept), &OfferView{Want: two})
	require.True(t, keep)
}

func TestTheRunnerObeysOrdersAsText(t *testing.T) {
	rb := Rulebook{}
	g := given(t, 3, `{"phase":"main","players":[{"settlements":[8],"hand":{"ore":5,"brick":5}},{"hand":{"wool":5}}]}`)
	first, err := rb.ReadOrder("order decline", testNames)
	require.NoError(t, err)
	second, err := rb.ReadOrder("give wool for ore up to 3 to Ana", testNames)
	require.NoError(t, err)
	require.Equal(t, "order give 1 wool for 1 ore up to 3 to A", second)
	require.Equal(t, "order give 1 wool for 1 ore up to 3 to Ana", rb.ShowOrder(second, testNames))
	require.Len(t, rb.TellOrder(second), 3)
	_, err = rb.ReadOrder("order tea", testNames)
	require.Error(t, err)

	g.play("Ana: offer 2 ore for 2 wool to Bo")
	d := g.line.Awaited()[1].Decision
	obeyed, ok := rb.Obey([]string{"nonsense", first, second}, d, g.line.Rulebook.View(g.line.State, 1))
	require.True(t, ok)
	require.Equal(t, domain.Obeyed{Move: move(KindAccept), Order: 2, Left: "order give 1 wool for 1 ore up to 1 to A"}, obeyed)
	_, ok = rb.Obey([]string{second}, d, g.line.Rulebook.View(g.line.State, 2))
	require.False(t, ok, "only the seat's own view shows its hand")
}

func TestOrderRobAndKnight(t *testing.T) {
	const before = `"players":[{"settlements":[18],"cards":{"knight":1}},{"settlements":[30],"hand":{"ore":2}},{"settlements":[29]}]}`
	g := given(t, 3, `{"phase":"robber",`+before)
	text, _ := g.obey("Ana", "turn", orders(t, "order rob 9 Bo", "order rob 14"))
	require.Equal(t, "rob 14 Bo", text, "the first is where the robber is already")
	g = given(t, 3, `{"robber":4,`+before)
	text, _ = g.obey("Ana", "turn", orders(t, "order roll", "order knight 10 Bo"))
	require.Equal(t, "knight 10 Bo", text, "the knight comes before the roll")
	g = given(t, 3, `{"robber":0,`+before)
	text, _ = g.obey("Ana", "turn", orders(t, "order roll", "order knight 10 Bo"))
	require.Equal(t, "roll", text, "the robber is not beside her")
	g = given(t, 3, `{"phase":"robber",`+before)
	_, ok := g.obey("Ana", "turn", orders(t, "order rob 8 Cy"))
	require.False(t, ok, "Cy has nothing to take")
}

func FuzzParseOrder(f *testing.F) {
	f.Add("order give 1 wool for 1 ore up to 2 not Bo counter")
	f.Add("order rob 9 Bo")
	f.Fuzz(func(t *testing.T, text string) {
		o, err := ParseOrder(text, testNames)
		if err != nil {
			return
		}
		back, err := ParseOrder(FormatOrder(o, testNames), testNames)
		require.NoError(t, err)
		require.Equal(t, o, back)
	})
}
