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
	for _, play := range []string{"gold", "turmoil", "progress", "duel"} { // and where players read the rulebook otherwise
		otherwise := domain.Choices{"play": play}
		for _, o := range table.OptionRules {
			otherwise[o.Key] = o.Value
		}
		variants = append(variants, otherwise)
	}
	rulebooktest.Run(t, Rulebook, rulebooktest.Config{Long: os.Getenv("POSTHORN_LONG") == "1", Variants: variants, Games: *suiteGames, Deep: 3, Tries: 25, Truths: truths})
}
