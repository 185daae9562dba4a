package rivals

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/languages"
)

// What CONTRIBUTING says makes a card: a row of the table, counted in the size of its set; a line of the pictures; a
// name and a text in each language.
const (
	anotherRow     = `{"id": "watermill", "kind": "settlement", "class": "building", "copies": [{"set": "basic", "n": 1}], "cost": {"lumber": 1, "wool": 1}, "points": {"commerce": 1}},`
	anotherPicture = "watermill|settlement|meadow|hall 55,68 x.9 c=stone d=wood;saddle 55,45 c=red"
	// anotherTest is played where the card is: it is laid, weighed like any other, and the suite of all games holds.
	anotherTest = `package rivals

import (
	"testing"

	"posthorn/domain/rulebooktest"
)

func TestAnAddedCardIsPlayed(t *testing.T) {
	rulebooktest.Plays(t, Rulebook, map[string]rulebooktest.Case{
		"it is laid": {Script: ` + "`" + `given {"phase":"act","seats":[{"hand":["watermill"]},{}]}; A: build watermill 0 above` + "`" + `},
	})
}
`
)

// Somebody adds a card as CONTRIBUTING says: wherever its row stands, whole games are played with it, also by the
// stand-in that weighs positions.
func TestACardIsAddedByItsRowPictureAndWords(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it compiles the package twice more")
	}
	for where, c := range map[string]struct{ before, tests string }{
		"first":          {"brigitta_the_wise_woman", "TestTheThoughtfulStandin.*"},
		"within its set": {"iron_foundry", "TestTheThoughtfulStandin.*|TestTheSuite"},
	} {
		t.Run(where, func(t *testing.T) {
			run := "^(TestAnAddedCardIsPlayed|" + c.tests + ")$"
			out, err := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-v", "-overlay",
				withAnotherCard(t, c.before),
				"-run", run, "posthorn/domain/rivals").CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.Contains(t, string(out), "--- PASS: TestAnAddedCardIsPlayed/it_is_laid")
		})
	}
}

// withAnotherCard writes an overlay for the go command in which the tables have one more card, whose row stands before
// another's.
func withAnotherCard(t *testing.T, before string) (overlay string) {
	t.Helper()
	dir, replace := t.TempDir(), map[string]string{}
	put := func(path, text string) {
		path, err := filepath.Abs(path)
		require.NoError(t, err)
		file := filepath.Join(dir, strings.ReplaceAll(path, string(filepath.Separator), "_"))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		replace[path] = file
	}
	change := func(path, old, changed string) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(string(text), old), "%s: %s", path, old)
		put(path, strings.Replace(string(text), old, changed, 1))
	}
	cards, err := os.ReadFile("table/cards.json")
	require.NoError(t, err)
	row := `{"id": "` + before + `"`
	require.Contains(t, string(cards), row)
	put("table/cards.json", strings.NewReplacer(row, anotherRow+row, `"settlement": 27`, `"settlement": 28`).
		Replace(string(cards)))
	change("table/pictures.txt", "\nabbey|", "\n"+anotherPicture+"\nabbey|")
	for lang, name := range map[string]string{"en": "Watermill", "pt-BR": "Azenha", "pt-PT": "Azenha",
		"pl": "Młyn wodny"} {
		require.Contains(t, languages.Complete(), lang)
		change("table/words/"+lang+".json", `"card.abbey":`, `"card.watermill": "`+name+`", "text.watermill": "`+name+
			`.", "card.abbey":`)
	}
	put("another_card_test.go", anotherTest)
	list, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	overlay = filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(overlay, list, 0o600))
	return overlay
}
