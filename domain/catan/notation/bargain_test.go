package notation

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An offer may be a sentence in which each word is known and that says whose cards are whose, in any language.
func TestASentenceMayBeAnOffer(t *testing.T) {
	names := []string{"Ana", "Bo", "Kasia"}
	for text, want := range map[string]string{
		"2 wool for 1 brick":                                "offer 2 wool for 1 brick",
		"my brick for a lumber?":                            "offer 1 brick for 1 lumber",
		"Does anyone have a brick for two of my wool?":      "offer 2 wool for 1 brick",
		"Bo, would you give me a brick for two wool?":       "offer 2 wool for 1 brick to B",
		"Looking for a brick, I can give two wool":          "offer 2 wool for 1 brick",
		"I'd give an ore and a wool for a brick":            "offer 1 wool 1 ore for 1 brick",
		"Alguém me dá uma madeira? Ofereço um tijolo.":      "offer 1 brick for 1 lumber",
		"Alguém troca um tijolo por uma lã minha?":          "offer 1 wool for 1 brick",
		"Quero três lãs pelo meu minério":                   "offer 1 ore for 3 wool",
		"Za jedno drewno wolałabym dwie gliny":              "offer 1 lumber for 2 brick",
		"Kto da mi drewno? Dam zboże.":                      "offer 1 grain for 1 lumber",
		"Proponuję Kasi: moja ruda za jej zboże":            "offer 1 ore for 1 grain to C",
		"złóż kontrofertę, dajesz: 1 ruda, chcesz: 1 glina": "offer 1 ore for 1 brick",
		"2 wool -> 1 brick":                                 "offer 2 wool for 1 brick",
	} {
		m, err := Room{}.ParseMove(text, names)
		require.NoError(t, err, text)
		require.Equal(t, want, Room{}.FormatMove(m, nil), text)
	}
	for _, text := range []string{"wool is better than brick", "never two wool for a brick",
		"Bo gave me wool for brick",
		"I don't give wool for brick", "two wool for brick would be silly", "wool for brick and ore for grain",
		"my wool for my brick", "for a brick two wool",
		"I want wool, I want brick", "dajesz wełnę za glinę?", "wool", ""} {
		_, err := Room{}.ParseMove(text, names)
		require.Error(t, err, text)
	}
	_, err := Room{}.ParseMove("please, two wool for a brick", []string{"Ana", "Please"})
	require.Error(t, err, "that is somebody's name")
}
