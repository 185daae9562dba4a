package words_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/languages"
	"posthorn/domain/rulebooks"
	"posthorn/projections/words"
)

// Amounts read as people count aloud, in every language: no multiplication sign, and the right form for the number.
func TestAmountsAreCountedAsPeopleDo(t *testing.T) {
	book, err := words.New(rulebooks.All())
	require.NoError(t, err)
	says := func(lang, game string, s domain.Say) string { return book.Printer(lang, game, nil).Say(s) }
	for _, c := range []struct {
		lang, game string
		say        domain.Say
		want       string
	}{
		{"en", "catan", domain.S("step.bank-give", "cards", domain.S("cards.brick", "n", 4)), "give 4 bricks"},
		{"pl", "catan", domain.S("step.bank-give", "cards", domain.S("cards.brick", "n", 4)), "oddaj 4 gliny"},
		{"en", "rivals", domain.S("goods.brick", "n", 1), "1 brick"},
		{"en", "rivals", domain.S("goods.brick", "n", 0), "0 bricks"},
		{"pl", "rivals", domain.S("goods.lumber", "n", 1), "1 drewno"},
		{"pl", "rivals", domain.S("goods.lumber", "n", 0), "0 drewna"},
		{"en", "rivals", domain.S("task.name", "seat", domain.Seat(0), "n", 1), "A names 1 more building."},
		{"pl", "rivals", domain.S("task.name", "seat", domain.Seat(0), "n", 1), "A wskazuje jeszcze 1 budynek."},
		{"pl", "rivals", domain.S("task.riot", "seat", domain.Seat(0), "n", 1),
			"A płaci 1 złoto albo traci jednostkę."},
		{"pl", "rivals", domain.S("chain.bank", "goods", domain.S("goods.ore", "n", 3), "want", domain.S("res.wool")),
			"Wymień 3 rudy na: wełna"},
		{"pt-BR", "rivals", domain.S("step.bank", "goods", domain.S("goods.brick", "n", 2)), "Trocar 2 de argila"},
	} {
		require.Equal(t, c.want, strings.ReplaceAll(says(c.lang, c.game, c.say), "\u00a0", " "))
	}
	for _, lang := range languages.Complete() {
		for _, rb := range rulebooks.All() {
			var texts map[string]any
			require.NoError(t, json.Unmarshal(rb.Catalogue()[lang], &texts))
			for key, text := range texts {
				if !strings.HasPrefix(key, "rules.") { // the rules show sums
					require.NotContains(t, fmt.Sprint(text), "×", "%s in %s: %s", rb.Name(), lang, key)
				}
			}
		}
	}
}
