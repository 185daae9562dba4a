package rivals

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rivals/rules"
	"posthorn/domain/rivals/state"
)

// Given a seat's page, when an order is composed on it, then it can be read.
func TestOrdersArePutTogether(t *testing.T) {
	choices, err := domain.Complete(Rulebook, domain.Choices{"play": "turmoil"})
	require.NoError(t, err)
	line := domain.NewLine(Rulebook, domain.NewThrowaway(1))
	e, _, err := line.Setup(domain.Game{Choices: choices, Seats: 2,
		Given: []byte(`{"seats":[{"towns":["0 settlement above heinrich","1 settlement"]},{}]}`)})
	require.NoError(t, err)
	line.Apply(&e)
	forms := Rulebook.Extras().Orders.OrderForms(Rulebook.View(line.State, 0))
	require.Len(t, forms, 4)
	for _, f := range forms {
		requireWords(t, f.Label)
		for i, field := range f.Fields {
			requireWords(t, field.Label)
			require.Len(t, field.Labels, len(field.Words))
			for j, word := range field.Words {
				requireWords(t, field.Labels[j])
				text := strings.ReplaceAll(f.Pattern, "{"+field.Name+"}", word)
				for k, rest := range f.Fields { // the other fields with their first values
					if k != i {
						text = strings.ReplaceAll(text, "{"+rest.Name+"}", rest.Words[0])
					}
				}
				order, err := Rulebook.Extras().Orders.ReadOrder(text, nil)
				if i > 0 && word == f.Fields[0].Words[0] { // already named
					require.Error(t, err)
					continue
				}
				require.NoError(t, err, text)
				require.NotEmpty(t, order)
			}
		}
	}
	require.Nil(t, Rulebook.Extras().Orders.OrderForms(Rulebook.View(line.State, domain.Spectator)))
}

// A page offers the orders that the play's cards can ask for, and no others: the Archer and the riots come with the Era
// of Turmoil, and so does Sebastian, whom a duel leaves out.
func TestThePageOffersOrdersAboutCardsInPlay(t *testing.T) {
	for play, more := range map[string][]string{
		"intro": nil, "gold": nil, "progress": nil,
		"turmoil": {"guard", "let", "riots pay", "sebastian"}, "duel": {"guard", "let", "riots pay"},
	} {
		line, err := setUpGiven(play, `{}`)
		require.NoError(t, err)
		form := Rulebook.Extras().Orders.OrderForms(Rulebook.View(line.State, 0))[0]
		require.Equal(t, append([]string{"roll", "exchange nothing", "pay", "buy nothing"}, more...),
			form.Fields[0].Words, play)
	}
}

// Given a position, when its orders are asked, then they make a move or none.
func TestStandingOrders(t *testing.T) {
	const (
		harvest = `{"phase":"act","tasks":[{"kind":"gain","seat":"A","n":1,"goods":["ore","wool","grain"]}],"seats":[{"stores":{"2b":3,"1b":2}},{}]}`
		attack  = `{"phase":"act","active":"B","tasks":[{"kind":"react","seat":"A","card":"archer"},{"kind":"hit","seat":"B","card":"archer"}],"seats":[{"towns":["0 settlement above heinrich","1 settlement"],"hand":[]},{"hand":[]}]}`
		riots   = `{"phase":"roll","active":"B","event":"riots","tasks":[{"kind":"riot","seat":"A","n":1,"card":"riots"},{"kind":"event-end"},{"kind":"act"}],"seats":[{"towns":["0 settlement above harald","1 settlement"],"stores":{"1a":1},"hand":["sebastian"]},{"hand":[]}]}`
		demand  = `{"phase":"act","active":"B","tasks":[{"kind":"pay","seat":"A","n":1}],"seats":[{"stores":{"2a":3}},{}]}`
		full    = `{"phase":"roll","tasks":[{"kind":"buy","seat":"A","n":2},{"kind":"act"}],"seats":[{"stores":{"1a":1,"1b":3}},{}]}`
		several = `{"phase":"act","tasks":[{"kind":"gain","seat":"A","n":2,"goods":["ore","wool","grain"]}],"seats":[{"stores":{"2b":2,"1b":2}},{}]}`
		owed    = `{"phase":"act","active":"B","tasks":[{"kind":"pay","seat":"A","n":2}],"seats":[{"stores":{"2a":2,"0a":2}},{}]}`
		sinking = `{"phase":"act","active":"B","tasks":[{"kind":"sink","seat":"A","n":1}],"seats":[{"towns":["0 settlement above ore_ship below wool_ship","1 settlement"]},{}]}`
		done    = `{"phase":"exchange"}`
		bought  = `{"phase":"roll","tasks":[{"kind":"pay","seat":"A","need":[0,0,0,0,0,1]},{"kind":"gain","seat":"A","need":[0,1,0,0,0,0]},{"kind":"act"}],"seats":[{"towns":["0 settlement","1 settlement","2 settlement"],"regions":["0a forest2 1","1a gold_field1 2","2a fields6 1","0b hills3 1","1b pasture4 1","2b mountains5 1","3a fields3","3b gold_field3 1"]},{}]}`
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
		{bought, "pay", ""}, // what comes for it is stored where its owner says
		{buying, "buy nothing", "pass"},
		{buying, "roll", ""},
		{buying, "buy wool ore", "buy wool"},
		{buying, "buy ore wool", "buy ore"},
		{full, "buy wool", "pass"},
		{several, "gain ore wool grain", "into 1b 2b"},
		{owed, "pay", "pay 0a 2a"},
		{riots, "lose abbey harald", "lose harald 0 above 1"},
		{riots, "lose abbey", ""},
		{sinking, "lose wool_ship ore_ship", "lose wool_ship 0 below"},
		{done, "exchange nothing", "pass"},
		{attack, "exchange nothing", ""},
	} {
		t.Run(c.order+" "+c.move, func(t *testing.T) {
			choices, err := domain.Complete(Rulebook, domain.Choices{"play": "turmoil"})
			require.NoError(t, err)
			line := domain.NewLine(Rulebook, domain.NewThrowaway(1))
			e, _, err := line.Setup(domain.Game{Choices: choices, Seats: 2, Given: []byte(c.given)})
			require.NoError(t, err)
			line.Apply(&e)
			require.True(t, line.Awaits(0))
			order, err := Rulebook.Extras().Orders.ReadOrder("order "+c.order, nil)
			require.NoError(t, err)
			require.Equal(t, c.order, order)
			require.NotEmpty(t, Rulebook.Extras().Orders.TellOrder(order, nil))
			for _, say := range Rulebook.Extras().Orders.TellOrder(order, nil) {
				requireWords(t, say)
			}
			o, ok := Rulebook.Extras().Orders.Obey([]string{order}, line.Awaited()[0].Decision,
				Rulebook.View(line.State, 0))
			require.Equal(t, c.move != "", ok)
			if ok {
				require.Equal(t, c.move, Rulebook.FormatMove(o.Move, nil))
				require.Equal(t, order, o.Left)
				_, _, err = line.Decide(0, o.Move)
				require.NoError(t, err)
				meant := Rulebook.Extras().Orders.OrderFor(o.Move, line.Awaited()[0].Decision,
					Rulebook.View(line.State, 0))
				again, ok := Rulebook.Extras().
					Orders.Obey([]string{meant}, line.Awaited()[0].Decision, Rulebook.View(line.State, 0))
				require.True(t, ok, "the order that is found for the move: %s", meant)
				require.Equal(t, o.Move, again.Move, meant)
			}
			for m := range Rulebook.Legal(line.State, 0) {
				always := Rulebook.Steps(line.State, m)[0].Order
				if always == "" {
					continue
				}
				_, answers := Rulebook.Extras().
					Orders.Obey([]string{always}, line.Awaited()[0].Decision, Rulebook.View(line.State, 0))
				require.True(t, answers, "what is offered beside %s answers nothing: %s", Rulebook.FormatMove(m, nil),
					always)
			}
		})
	}
	for _, text := range []string{"", "gain", "gain gold gold", "buy", "roll twice", "lose", "lose abbey abbey",
		"lose goldsmith", "lose nothing"} {
		_, err := Rulebook.Extras().Orders.ReadOrder(text, nil)
		_, refused := domain.AsRefusal(err)
		require.True(t, refused, text)
	}
}

// A hand card that cannot be used says why, in words and on its face.
func TestACardSaysWhyItCannotBeUsed(t *testing.T) {
	choices, err := domain.Complete(Rulebook, domain.Choices{"play": "gold"})
	require.NoError(t, err)
	line := domain.NewLine(Rulebook, domain.NewThrowaway(1))
	given := `{"phase":"act","seats":[{"towns":["0 settlement above abbey","1 settlement"],"hand":["abbey","mint","trade_master","parish_hall","goldsmith","gold_cache"]},{}]}`
	e, _, err := line.Setup(domain.Game{Choices: choices, Seats: 2, Given: []byte(given)})
	require.NoError(t, err)
	line.Apply(&e)
	seen := func(v domain.Viewer) *state.View { return Rulebook.View(line.State, v).(*state.View) }
	codes := map[string]string{}
	for i, say := range rules.WhyNot(&seen(0).State, 0) {
		name := seen(0).Realms[0].Hand[i].Card.Name()
		codes[name] = ""
		if say != nil {
			codes[name] = say.Key
		}
	}
	require.Equal(t, map[string]string{"abbey": "refuse.one-only", "mint": "refuse.cannot-pay",
		"trade_master": "refuse.needs", "parish_hall": "",
		"goldsmith": "refuse.cannot-pay", "gold_cache": "refuse.needs"}, codes)
	require.Empty(t, rules.WhyNot(&seen(1).State, 1), "it is not Bo's turn")
	require.Empty(t, rules.WhyNot(&seen(domain.Spectator).State, domain.Nobody))
}

// An order may begin with the word for order, or be worded as on the page.
func TestOrdersAreReadAsTheyAreSaid(t *testing.T) {
	for text, want := range map[string]string{"order roll": "roll", "roll for me": "roll", "polecenie rzuć": "roll",
		"lançar por mim": "roll", "ordem pagar": "pay", "pay from the fullest": "pay"} {
		order, err := Rulebook.Extras().Orders.ReadOrder(text, nil)
		require.NoError(t, err, text)
		require.Equal(t, want, order, text)
		_, err = Rulebook.ParseMove(text, nil)
		require.Error(t, err, "%s is no move", text)
	}
}

// Whoever has built something finds the form that takes it away, and what it offers can be played; whoever has not
// finds none.
func TestWhatIsBuiltCanBeTakenAway(t *testing.T) {
	built, err := setUpGiven("duel",
		`{"phase":"act","seats":[{"towns":["0 settlement above abbey","1 settlement below austin"]},{}]}`)
	require.NoError(t, err)
	forms := Rulebook.Forms(built.State, 0)
	require.Len(t, forms, 1)
	require.Equal(t, []string{"abbey 0 above", "austin 1 below"}, forms[0].Fields[0].Words)
	for _, word := range forms[0].Fields[0].Words {
		m, err := Rulebook.ParseMove(strings.ReplaceAll(forms[0].Pattern, "{card}", word), nil)
		require.NoError(t, err)
		_, _, err = built.Decide(0, m)
		require.NoError(t, err, word)
	}
	bare, err := setUpGiven("duel", `{"phase":"act"}`)
	require.NoError(t, err)
	require.Empty(t, Rulebook.Forms(bare.State, 0))
	intro, err := setUpGiven("intro",
		`{"phase":"act","seats":[{"towns":["0 settlement above abbey","1 settlement"]},{}]}`)
	require.NoError(t, err)
	require.Empty(t, Rulebook.Forms(intro.State, 0), "the introduction has no such rule")
}
