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
	for _, play := range []string{"gold", "progress"} { // and where players read the rulebook otherwise
		variants = append(variants, domain.Choices{"play": play, "produced-gold": "cache", "take-fewer": "on"})
	}
	rulebooktest.Run(t, Rulebook, rulebooktest.Config{Long: os.Getenv("POSTHORN_LONG") == "1", Variants: variants, Games: *suiteGames, Deep: 3, Tries: 25, Truths: truths})
}
