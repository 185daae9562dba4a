package rivals

import (
	"testing"

	"posthorn/domain"
	"posthorn/domain/rulebooktest"
)

func TestTheSuite(t *testing.T) {
	var variants []domain.Choices
	for _, play := range playNames {
		variants = append(variants, domain.Choices{"play": play})
	}
	rulebooktest.Run(t, Rulebook{}, rulebooktest.Config{Variants: variants, Games: 1, Deep: 3, Tries: 25})
}
