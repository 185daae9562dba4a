package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is too dear is refused with its price and with what is missing of it, by mail as on the page.
func TestWhatIsTooDearSaysWhatIsMissing(t *testing.T) {
	const one = "game rivals\nseat Ana\nseat Bo\n" + `given {"phase":"act","active":"A","seats":[{"hand":["abbey",` +
		`"goldsmith","caravan"],"regions":["0a forest2 0","0b gold_field1 1","1a hills3 0","1b pasture4 0",` +
		`"2a mountains5 0","2b fields6 0"]},{}]}`
	for _, c := range []struct{ scene, lang, text, says string }{
		{"play", "en", "city 39", "That costs 2 grain, 3 ore: you lack 1 grain, 2 ore."},
		{"play", "pl", "miasto 39", "To kosztuje: 2 zboża, 3 rudy. Brakuje ci: 1 zboże, 2 rudy."},
		{"play", "pt-BR", "cidade 39", "Isso custa 2 trigos, 3 minérios. Falta a você: 1 trigo, 2 minérios."},
		{"play", "pt-PT", "cidade 39", "Isso custa 2 cereais, 3 minérios. Falta-lhe: 1 cereal, 2 minérios."},
		{"play", "en", "bank 4 wool for a brick", "Your best rate takes 4 wool: you lack 2 wool."},
		{one, "en", "city 0", "That costs 2 grain, 3 ore. You lack 2 grain, 3 ore."},
		{one, "pl", "miasto 0", "To kosztuje: 2 zboża, 3 rudy. Brakuje ci: 2 zboża, 3 rudy."},
		{one, "en", "abbey above the left settlement", "That costs 1 brick, 1 grain, 1 ore. You lack 1 brick, 1"},
		{one, "en", "goldsmith", "That costs 3 gold. You lack 2 gold."},
		{one, "en", "caravan", "That costs 2 resources. You lack 1 resource."},
		{one, "en", "bank 3 gold wool", "That costs 3 gold. You lack 2 gold."},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			if scene, ok := scenesOf(t, "catan")[c.scene]; ok {
				c.scene = scene
			}
			s := answered(t, c.scene, c.lang, c.text)
			require.Empty(t, s.moves)
			require.Equal(t, "outcome: refused", s.outcome, s.answer)
			require.Contains(t, strings.ReplaceAll(s.answer, "\u00a0", " "), c.says)
		})
	}
}

// Whoever wants to build and names no place is told what is in the way everywhere, not that a number is missing; and
// where there are several, where each of them is.
func TestWhatIsNamedWithoutItsPlaceSaysWhatIsInTheWay(t *testing.T) {
	for _, c := range []struct{ scene, lang, text, says string }{
		{"built", "en", "build a city", "City: needs 2 grain, 2 ore."},
		{"built", "pl", "buduję osadę", "Osada: brakuje: 1 glina, 1 drewno, 1 wełna, 1 zboże."},
		{"roll", "en", "build a road", "Roll the dice first."},
		{"main", "en", "build a road", "build a road, road 44, between"},
		{"main", "pl", "buduję drogę", "droga 44, między pustynią a polami uprawnymi 4"},
	} {
		got := says(t, "catan", c.scene, c.lang, c.text)
		require.Empty(t, got.moves, c.text)
		require.Contains(t, onOneLine(got.answer), c.says, c.text)
		require.NotContains(t, got.answer, "number is missing", c.text)
	}
}

// onOneLine returns a text with its words one blank apart.
func onOneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
