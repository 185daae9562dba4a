package rivals

import (
	"flag"
	"os"
	"testing"

	"posthorn/domain"
	"posthorn/domain/rivals/table"
	"posthorn/domain/rulebooktest"
)

var suiteGames = flag.Int("suite-games", 1, "random games of each play to try the whole suite on")

func TestTheSuite(t *testing.T) {
	var variants []domain.Choices
	for _, play := range table.PlayNames {
		variants = append(variants, domain.Choices{"play": play})
	}
	for _, play := range []string{"gold", "turmoil", "progress", "duel"} {
		// and where players read the rulebook otherwise
		otherwise := domain.Choices{"play": play}
		for _, o := range table.OptionRules {
			otherwise[o.Key] = o.Value
		}
		variants = append(variants, otherwise)
	}
	rulebooktest.Run(t, Rulebook, rulebooktest.Config{Long: os.Getenv("POSTHORN_LONG") == "1", Variants: variants,
		Games: *suiteGames, Deep: 3, Tries: 25, Truths: truths, Leads: leads})
}

// leads says where the rules about each move stand.
var leads = &rulebooktest.Leads{
	Now: "take-first hand-first roll-first rolled-already not-in-act corners-first pay-first store-first draw-first " +
		"lay-off-first arrange-first exchange-or-pass search-first which-stack name-a-resource bury-first move-first " +
		"react-or-pass riot-choice name-a-card not-awaited",
	Moves: map[string]string{
		"play":  "act card draw pay attack dice typed build centre gold turmoil progress basic",
		"build": "build card draw pay realm",
		"road":  "centre pay", "settle": "centre pay draw act", "city": "centre pay", "corners": "centre",
		"bank": "bank pay",
		"buy":  "basic pay", "pay": "pay", "into": "pay", "take": "pay under draw exchange attack", "save": "pay",
		"draw": "draw", "discard": "draw under", "bury": "draw under events", "swap": "exchange draw under",
		"search": "exchange draw under",
		"stack":  "draw themes exchange", "hand": "exchange themes", "arrange": "themes", "remove": "remove typed",
		"lose": "typed under events attack", "name": "typed attack", "move": "typed realm basic",
		"give": "attack under", "react": "events",
	},
}
