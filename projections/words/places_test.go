package words_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/domain/script"
	"posthorn/projections/words"
)

// Places of every kind: three hexes, the desert, a harbour, the coast of one.
const placesScript = `game catan
seat Ana
seat Bo
seat Cy
chance board ore10 wool2 lumber9 grain12 brick6 wool4 brick10 grain9 lumber11 desert lumber3 ore8 lumber8 ore3 grain4 wool5 brick5 grain6 wool11
Ana: settle 8 road 13
Bo: settle 1 road 3
Cy: settle 24 road 36
Cy: settle 2 road 4
Bo: settle 51 road 67
Ana: settle 41 road 52
chance dice 3 4
Ana: roll
Ana: rob 16 Bo
`

// hexNumber is a hex's number with its word, which a line break must not separate.
var hexNumber = regexp.MustCompile(`(\pL) (\d+)([^:])`)

// Catan names a place by what lies there, declined as each language requires.
func TestCatanTellsPlacesByWhatLiesThere(t *testing.T) {
	b, err := words.New(rulebooks.All())
	require.NoError(t, err)
	told := toldOf(t, b, "catan", placesScript)
	for lang, want := range map[string][]string{
		"en": {"Ana settles between mountains 10, pasture 2 and hills 6, with a road between pasture 2 and hills 6.",
			"Bo settles between hills 5 and the 3:1 harbour, with a road on the coast of hills 5.",
			"Cy settles between pasture 4, the desert and forest 3, with a road between the desert and forest 3.",
			"Ana moves the robber to hills 5."},
		"pt-BR": {"Bo coloca uma aldeia entre o pasto 2 e o porto 2:1 de trigo, com uma estrada entre o pasto 2 " +
			"e o porto 2:1 de trigo.", "Cy coloca uma aldeia na costa da floresta 9, com uma estrada " +
			"na costa da floresta 9.",
			"Ana move o ladrão para a colina 5."},
		"pt-PT": {"Ana coloca uma aldeia entre o campo 4, a pastagem 5 e a pastagem 11, com uma estrada entre o " +
			"campo 4 e a pastagem 5."},
		"pl": {"Ana stawia osadę między górami 10, pastwiskiem 2 i wzgórzami 6 oraz drogę między " +
			"pastwiskiem 2 a wzgórzami 6.", "Cy stawia osadę na wybrzeżu lasu 9 oraz drogę na wybrzeżu lasu 9.",
			"Bo stawia osadę między pastwiskiem 2 a portem zboża 2:1 oraz drogę między " +
				"pastwiskiem 2 a portem zboża 2:1.", "Ana przesuwa złodzieja na wzgórza 5."},
	} {
		for i := range want {
			want[i] = hexNumber.ReplaceAllString(want[i], "$1\u00a0$2$3")
		}
		require.Subset(t, told[lang], want)
	}
	for _, said := range told["en"] {
		require.NotRegexp(t, `\b(at|on|hex) \d`, said, "a place is a number")
	}
}

// toldOf returns everything that tells a script's moves, in every language.
func toldOf(t *testing.T, b *words.Book, game, src string) map[string][]string {
	t.Helper()
	s, err := script.Parse([]byte(src), rulebooks.Named)
	require.NoError(t, err)
	told := map[string][]string{}
	for r, err := range s.Play(domain.NewThrowaway(1)) {
		require.NoError(t, err)
		require.NoError(t, r.Err)
		for _, lang := range words.Languages {
			for _, said := range b.Printer(lang, game, s.Names).Lines(r.Told()) {
				told[lang] = append(told[lang], bidi.Replace(said))
			}
		}
	}
	return told
}
