package words_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/projections/words"
)

// Somebody who is asked for goods reads how many and what for; a button says how much of it one press pays.
func TestWhatIsAskedForGoodsSaysHowMuchAndWhy(t *testing.T) {
	b, err := words.New(rulebooks.All())
	require.NoError(t, err)
	rb, _ := rulebooks.Named("rivals")
	// Ana's regions: 0a, 1a and 2a above, from left to right; 0b, 1b and 2b below.
	const full = `"stores":{"0a":3,"1a":3,"2a":3,"0b":3,"1b":3,"2b":3}`
	const three = `{"towns":["-1 settlement","0 settlement","1 settlement"],"hand":["parish_hall"],
"regions":["-1a hills5 2","-1b pasture6 1","0a forest2 2","0b hills3 2","1a gold_field1 3","1b pasture4 1","2a fields6 1","2b mountains5 0"]}`
	celebrates := func(n string) string {
		return `{"phase":"roll","die":2,"face":"celebration","tasks":[{"kind":"gain","seat":"A","n":` + n +
			`,"goods":["ore","wool","grain"]},{"kind":"act"}],"seats":[{"stores":{"0a":1,"1a":1,"2a":1,"0b":1,"1b":1,"2b":1}},{}]}`
	}
	for name, c := range map[string]struct {
		given, move string
		chosen      []string // keys of the previous steps
		asks        map[string]string
		labels      []string // in English
	}{
		"a search": {`{"phase":"exchange","seats":[{"hand":["scout","abbey","harald"],` + full + `},{}]}`,
			"search abbey 1", nil, map[string]string{
				"en":    "Pay 2 resources to look through a stack: where from?",
				"pt-BR": "Pague 2 matérias-primas para ver uma pilha: de onde?",
				"pt-PT": "Pague 2 matérias-primas para examinar uma pilha: de onde?",
				"pl":    "Przejrzenie stosu, do zapłaty: 2 surowce. Skąd?"}, nil},
		"one of two is paid": {`{"phase":"exchange","seats":[{"hand":["scout","abbey","harald"],` + full + `},{}]}`,
			"search abbey 1", []string{"pay-0a"}, map[string]string{
				"en": "1 of 2 paid. Where from next, there or further right?"}, nil},
		"a road": {`{"phase":"act","seats":[` + three + `,{}]}`, "road right", nil, map[string]string{
			"en": "Road: pay 2 bricks. Where from?", "pt-BR": "Estrada: pague 2 de argila. De onde?",
			"pl": "Droga, do zapłaty: 2 gliny. Skąd?"},
			[]string{"Pay 1 from hills 5 (has 2 of 3)", "Pay 2 from hills 3 (has 2 of 3)"}},
		"a card": {`{"phase":"act","seats":[` + three + `,{}]}`, "build parish_hall 0 above", nil, map[string]string{
			"en": "Parish Hall: pay 1 brick. Where from?", "pt-PT": "Junta de freguesia: pague 1 de argila. De onde?"},
			[]string{"Pay 1 from hills 5 (has 2 of 3)", "Pay 1 from hills 3 (has 2 of 3)"}},
		"an exchange": {`{"phase":"act","seats":[` + three + `,{}]}`, "bank 3 gold", nil,
			map[string]string{"en": "Exchange: take 1 resource. On which region?"}, nil},
		"what is taken": {`{"phase":"act","active":"B","tasks":[{"kind":"pay","seat":"A","need":[1,0,0,0,0,0],"card":"merchant"},{"kind":"gain","seat":"B","need":[1,0,0,0,0,0],"card":"merchant"}],"seats":[` + three + `,{}]}`, "", nil,
			map[string]string{"en": "Merchant: you give 1 brick. Where from?"}, nil},
		"a celebration": {celebrates("1"), "", nil, map[string]string{
			"en":    "Celebration: take 1 resource. On which region?",
			"pl":    "Święto, do wzięcia: 1 surowiec. W którym regionie?",
			"pt-BR": "Festa: receba 1 matéria-prima. Em que região?",
			"pt-PT": "Festa: receba 1 matéria-prima. Em que região?"}, nil},
		"two of a celebration": {celebrates("2"), "", nil,
			map[string]string{"en": "Celebration: take 2 resources. On which region?"},
			[]string{"Take 1 wool, pasture 4 (has 1 of 3)", "Take 1 grain, fields 6 (has 1 of 3)",
				"Take 2 ore, mountains 5 (has 1 of 3)"}},
		"the trade face": {`{"phase":"roll","die":2,"face":"trade","tasks":[{"kind":"take","seat":"A","n":1},{"kind":"act"}],"seats":[{},{` + full + `}]}`, "", nil, map[string]string{"en": "Trade: take 1 resource of the other’s. Which?"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			choices, err := domain.Complete(rb, nil)
			require.NoError(t, err)
			line := domain.NewLine(rb, domain.NewThrowaway(1))
			e, _, err := line.Setup(domain.Game{Choices: choices, Seats: 2, Given: []byte(c.given)})
			require.NoError(t, err)
			line.Apply(&e)
			if c.move != "" {
				m, err := rb.ParseMove(c.move, nil)
				require.NoError(t, err)
				e, _, err := line.Decide(0, m)
				require.NoError(t, err)
				line.Apply(&e)
			}
			var asks []domain.Say
			var labels []string
			for m := range rb.Legal(line.State, 0) {
				steps := rb.Steps(line.State, m)
				if len(steps) <= len(c.chosen) ||
					!slices.EqualFunc(steps[:len(c.chosen)], c.chosen, func(s domain.Step, key string) bool {
						return s.Key == key
					}) {
					continue
				}
				next := steps[len(c.chosen)]
				asks = append(asks, next.Ask)
				if label := plain(b, "en", next.Label); !slices.Contains(labels, label) {
					labels = append(labels, label)
				}
			}
			require.NotEmpty(t, asks)
			for _, lang := range words.Languages {
				t.Log(plain(b, lang, asks[0]))
			}
			t.Log(labels)
			for lang, want := range c.asks {
				for _, ask := range asks {
					require.Equal(t, want, plain(b, lang, ask))
				}
			}
			if c.labels != nil {
				require.Equal(t, c.labels, labels)
			}
		})
	}
}

func plain(b *words.Book, lang string, s domain.Say) string {
	return strings.ReplaceAll(b.Printer(lang, "rivals", nil).Say(s), "\u00a0", " ")
}
