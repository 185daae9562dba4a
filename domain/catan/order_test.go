package catan

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/notation"
	"posthorn/domain/catan/rules"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

func orders(t *testing.T, texts ...string) []notation.Order {
	t.Helper()
	var list []notation.Order
	for _, text := range texts {
		o, err := notation.ParseOrder(text, testNames)
		require.NoError(t, err, text)
		list = append(list, o)
	}
	return list
}

// obey plays what a seat's orders say to a decision of a kind, as the runner would.
func (g *game) obey(name, kind string, list []notation.Order) (string, bool) {
	g.t.Helper()
	for _, o := range g.line.Awaited() {
		if o.Seat != domain.Seat(seatNo(name)) || o.Kind != kind {
			continue
		}
		m, _, ok := rules.Answer(list, o.Decision, g.state().View(domain.ViewOf(o.Seat)))
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
		"order give wool for ore to Cy Di counter": "order give 1 wool for 1 ore to Cy, Di counter",
		"order decline":                            "order decline",
		"order decline from Bo and Cy":             "order decline from Bo, Cy",
		"order rob 9 Bo":                           "order rob 9 Bo",
		"order knight 9":                           "order knight 9",
		"ordem dar lã por minério até 2 exceto Bo": "order give 1 wool for 1 ore up to 2 not Bo",

		// As people would say them.
		"give 2 wool for ore to Cy and Di, at most 3 times": "order give 2 wool for 1 ore up to 3 to Cy, Di",
		"give wool for ore to Cy and Di, 3 times":           "order give 1 wool for 1 ore up to 3 to Cy, Di",

		"if I move the robber: rob hex 9":                               "order rob 9",
		"polecenie daj wełnę za rudę najwyżej 2":                        "order give 1 wool for 1 ore up to 2",
		"ladrão 9, se eu mover o ladrão":                                "order rob 9",
		"gdy przesuwam złodzieja: złodziej 9 od Bo":                     "order rob 9 Bo",
		"roll for me when my turn starts":                               "order roll",
		"on a seven discard in this order: wool, ore, then grain":       "order discard wool ore grain",
		"discard wool ore wool":                                         "order discard wool ore",
		"give wool for ore, up to 2, to anyone but Bo":                  "order give 1 wool for 1 ore up to 2 not Bo",
		"give wool for ore to anyone":                                   "order give 1 wool for 1 ore",
		"give wool for ore, at most 2, counter":                         "order give 1 wool for 1 ore up to 2 counter",
		"counter wool for ore":                                          "order give 1 wool for 1 ore counter",
		"decline every other offer from Cy":                             "order decline from Cy",
		"decline all":                                                   "order decline",
		"If the robber comes: a knight to hex 9, from Bo":               "order knight 9 Bo",
		"if the robber is beside me when my turn starts, play knight 9": "order knight 9",
		"if I move the robber: rob hex 4":                               "order rob 4",
		"lançar por mim quando começar a minha vez":                     "order roll",
		"num sete descartar nesta ordem: lã, minério e trigo":           "order discard wool ore grain",
		"dar lã por minério, no máximo 2 vezes, a todos menos o Bo":     "order give 1 wool for 1 ore up to 2 not Bo",
		"recusar todas as ofertas de Cy":                                "order decline from Cy",
		"se o ladrão vier, jogar um cavaleiro 9 Bo":                     "order knight 9 Bo",
		"rzuć za mnie, gdy zacznie się moja tura":                       "order roll",
		"przy siódemce odrzuć w tej kolejności: wełna, ruda":            "order discard wool ore",
		"daj wełnę za rudę do 2 razy dla każdego oprócz Bo":             "order give 1 wool for 1 ore up to 2 not Bo",
		"odmów wszystkie oferty od Cy":                                  "order decline from Cy",
		"gdy przyjdzie złodziej, rycerz na pole 9 Bo":                   "order knight 9 Bo",
	} {
		o, err := notation.ParseOrder(text, testNames)
		require.NoError(t, err, text)
		require.Equal(t, want, notation.FormatOrder(o, testNames), text)
		back, err := notation.ParseOrder(notation.FormatOrder(o, nil), nil)
		require.NoError(t, err)
		require.Equal(t, o, back)
		require.NotEmpty(t, Rulebook.Extras().
			Orders.TellOrder(notation.FormatOrder(o, nil), Rulebook.View(Rulebook.New(), 0)))
	}
	for _, text := range []string{"", "order", "order end", "order discard", "order give wool",
		"order give wool for wool", "order rob 19", "order roll twice", "order give wool for ore up to x",
		"order give wool for ore at", "order give wool for ore to x", "order decline tea", "order rob",
		"when my turn starts", "play", "order decline " + strings.Repeat("ó", 600)} {
		_, err := notation.ParseOrder(text, testNames)
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
	two := table.Hand{table.Wool: 2}
	left, keep := rules.After(o, state.NewMove(state.KindAccept), &state.Offer{Want: two})
	require.True(t, keep)
	require.Equal(t, 1, left.Times)
	_, keep = rules.After(left, state.NewMove(state.KindCounter), nil)
	require.False(t, keep)
	_, keep = rules.After(orders(t, "order give wool for ore")[0], state.NewMove(state.KindAccept),
		&state.Offer{Want: two})
	require.True(t, keep)
}

func TestTheRunnerObeysOrdersAsText(t *testing.T) {
	rb := Rulebook.Extras().Orders
	g := given(t, 3, `{"phase":"main","players":[{"settlements":[8],"hand":{"ore":5,"brick":5}},{"hand":{"wool":5}}]}`)
	first, err := rb.ReadOrder("order decline", testNames)
	require.NoError(t, err)
	second, err := rb.ReadOrder("give wool for ore up to 3 to Ana", testNames)
	require.NoError(t, err)
	require.Equal(t, "order give 1 wool for 1 ore up to 3 to A", second)
	require.Equal(t, "order give 1 wool for 1 ore up to 3 to Ana", rb.ShowOrder(second, testNames))
	require.Len(t, rb.TellOrder(second, Rulebook.View(g.line.State, 0)), 3)
	_, err = rb.ReadOrder("order tea", testNames)
	require.Error(t, err)

	g.play("Ana: offer 2 ore for 2 wool to Bo")
	d := g.line.Awaited()[1].Decision
	obeyed, ok := rb.Obey([]string{"nonsense", first, second}, d, g.line.Rulebook.View(g.line.State, 1))
	require.True(t, ok)
	require.Equal(t, domain.Obeyed{Move: state.NewMove(state.KindAccept), Order: 2,
		Left: "order give 1 wool for 1 ore up to 1 to A"}, obeyed)
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
	_, ok = g.obey("Ana", "turn", orders(t, "order knight 10 Bo"))
	require.False(t, ok, "no knight is played where a seven moves the robber")
}

func TestOrderRobMindsAFriendlyRobber(t *testing.T) {
	const before = `{"phase":"robber","players":[{"settlements":[18]},{"settlements":[30,40],"hand":{"ore":1}},{"cities":[0],"settlements":[2],"hand":{"wool":1}}]}`
	g := given(t, 3, before, "friendly-robber", "on")
	text, _ := g.obey("Ana", "turn", orders(t, "order rob 10 Bo", "order rob 0"))
	require.Equal(t, "rob 0 Cy", text, "Bo has two points")
	g = given(t, 4, `{"phase":"robber","players":[{"settlements":[8,28]},{"settlements":[41,39]},{"settlements":[17,31]},{"settlements":[14,40]}]}`, "friendly-robber", "on")
	_, ok := g.obey("Ana", "turn", orders(t, "order rob 5"))
	require.True(t, ok, "where no other place is free the robber goes anywhere")
	_, err := setUp(t, 3, `{"friendly":true}`)
	require.Error(t, err)
}

// Orders throw a seven, discard and rob: nobody was asked.
func TestASevenByOrdersAlone(t *testing.T) {
	g := given(t, 3, `{"players":[{"settlements":[18],"hand":{"wool":9}},{"settlements":[30],"hand":{"ore":8}},{}]}`)
	g.chance("dice", "3 4").chance("steal", "ore")
	mine := orders(t, "roll for me when my turn starts", "if I move the robber: rob 10 Bo", "on a seven discard wool")
	text, _ := g.obey("Ana", "turn", mine)
	require.Equal(t, "roll", text)
	text, _ = g.obey("Bo", "discard", orders(t, "on a seven discard grain, then ore"))
	require.Equal(t, "discard 4 ore", text)
	text, _ = g.obey("Ana", "discard", mine)
	require.Equal(t, "discard 4 wool", text)
	text, _ = g.obey("Ana", "turn", mine)
	require.Equal(t, "rob 10 Bo", text)
	g.then("5 wool 1 ore", g.hand("Ana")).then("main", g.phase())
}

// "Give wool for ore, up to 2, to anyone but Bo": twice, and then no more.
func TestAnOrderStandsUntilItIsUsed(t *testing.T) {
	rb := Rulebook.Extras().Orders
	g := given(t, 3, `{"phase":"main","players":[{"settlements":[8],"hand":{"ore":5}},{"settlements":[40],"hand":{"ore":5}},{"hand":{"wool":5}}]}`)
	order, err := rb.ReadOrder("give wool for ore, up to 2, to anyone but Bo", testNames)
	require.NoError(t, err)
	for _, left := range []string{"order give 1 wool for 1 ore up to 1 not B", ""} {
		g.play("Ana: offer 1 ore for 1 wool")
		d := g.line.Awaited()[2].Decision
		obeyed, ok := rb.Obey([]string{order}, d, Rulebook.View(g.line.State, 2))
		require.True(t, ok)
		require.Equal(t, left, obeyed.Left)
		g.play("Cy: " + Rulebook.FormatMove(obeyed.Move, testNames))
		order = obeyed.Left
	}
	g.then("3 wool 2 ore", g.hand("Cy"))
	g.chance("dice", "1 1")
	g.play("Ana: end", "Bo: roll", "Bo: offer 1 ore for 1 wool to Cy")
	_, ok := rb.Obey([]string{"order give 1 wool for 1 ore not B"}, g.line.Awaited()[1].Decision,
		Rulebook.View(g.line.State, 2))
	require.False(t, ok, "Bo is the one it is not for")
}

// An order makes a counter-offer, the seat in turn takes it, and it counts against the order.
func TestACounterOfferByAnOrder(t *testing.T) {
	g := given(t, 3, `{"phase":"main","players":[{"settlements":[8],"hand":{"ore":5}},{"hand":{"wool":2}},{}]}`)
	g.play("Ana: offer 1 ore for 2 wool to Bo")
	text, _ := g.obey("Bo", "answer", orders(t, "counter wool for ore"))
	require.Equal(t, "counter 1 wool for 1 ore", text)
	g.then("Ana turn, Ana counter", g.awaits())
	g.play("Ana: accept Bo").then("1 wool 1 ore", g.hand("Bo"))
}

// Whatever an order does, the rules allow: a refused move would use the order up.
func TestWhatAnOrderDoesIsNeverRefused(t *testing.T) {
	obeyed, meant := map[string]int{}, map[string]int{}
	for i := range uint64(6) {
		rng := rand.New(rand.NewPCG(4, i))
		seats := 2 + int(i%3)
		b := &bazaar{game: &game{t: t, line: domain.NewLine(Rulebook, domain.NewThrowaway(i))}, rng: rng}
		e, _, err := b.line.Setup(domain.Game{Choices: mixed(t, rng, seats), Seats: seats})
		require.NoError(t, err)
		b.line.Apply(&e)
		for n := 0; len(b.line.Awaited()) > 0 && n < 700; n++ {
			for _, o := range b.line.Awaited() {
				view := b.state().View(domain.ViewOf(o.Seat))
				for _, text := range someOrders {
					does, ok := Rulebook.Extras().Orders.Obey([]string{text}, o.Decision, view)
					if !ok {
						continue
					}
					_, _, err := b.line.Decide(o.Seat, does.Move)
					require.NoError(t, err, "%s, phase %s: %+v", text, b.phase(), does.Move)
					obeyed[strings.Fields(text)[1]]++
					if order := Rulebook.Extras().Orders.OrderFor(does.Move, o.Decision, view); order != "" {
						again, ok := Rulebook.Extras().Orders.Obey([]string{order}, o.Decision, view)
						if ok && again.Move == does.Move { // a discard may need more than an order can express
							meant[strings.Fields(order)[1]]++
						}
					}
				}
			}
			b.step()
		}
	}
	for _, kind := range notation.OrderWords {
		require.NotZero(t, obeyed[kind], "no order to %s was obeyed", kind)
		require.NotZero(t, meant[kind], "no order to %s was found for a move", kind)
	}
}

// Every form of the page, however it is filled in, makes an order.
func TestOrdersArePutTogetherFromForms(t *testing.T) {
	rb := Rulebook.Extras().Orders
	g := given(t, 4, market)
	require.Nil(t, rb.OrderForms(g.state().View(domain.Spectator)))
	forms := rb.OrderForms(g.state().View(1))
	require.Len(t, forms, int(notation.OrderKinds))
	filled := func(f domain.Form, pick func(field domain.Field) string) string {
		text := f.Pattern
		for _, field := range f.Fields {
			text = strings.ReplaceAll(text, "{"+field.Name+"}", pick(field))
		}
		return text
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for _, f := range forms {
		for range 40 {
			give := rng.IntN(table.Kinds)
			text := filled(f, func(field domain.Field) string {
				switch {
				case field.Name == "give":
					return "2 " + table.ResourceWords[give]
				case field.Name == "want":
					return "1 " + table.ResourceWords[(give+1)%table.Kinds]
				case field.Kind == domain.FieldSeats:
					require.Equal(t, []domain.Seat{0, 2, 3}, field.Seats)
					return []string{"", "A", "A C"}[rng.IntN(3)]
				}
				require.Equal(t, domain.FieldChoice, field.Kind)
				require.Len(t, field.Labels, len(field.Words))
				return field.Words[rng.IntN(len(field.Words))]
			})
			o, err := notation.ParseOrder(text, nil)
			require.NoError(t, err, text)
			require.Equal(t, f.Key, "order-"+notation.OrderWords[o.Kind])
		}
	}
	for _, f := range rb.OrderForms(given(t, 2, two).state().View(1)) {
		require.NotContains(t, f.Pattern, "seats", "there is one other alone")
	}
	over := given(t, 3, `{"phase":"over","winner":"A"}`)
	require.Nil(t, rb.OrderForms(over.state().View(1)))
}

func FuzzParseOrder(f *testing.F) {
	f.Add("order give 1 wool for 1 ore up to 2 not Bo counter")
	f.Add("order rob 9 Bo")
	f.Fuzz(func(t *testing.T, text string) {
		o, err := notation.ParseOrder(text, testNames)
		if err != nil {
			return
		}
		back, err := notation.ParseOrder(notation.FormatOrder(o, testNames), testNames)
		require.NoError(t, err)
		require.Equal(t, o, back)
	})
}
