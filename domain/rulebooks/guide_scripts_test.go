package rulebooks_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
)

// unscripted are the paragraphs of the rules that no script shows, because they say nothing that a move could show,
// with what they are about instead. A paragraph about moves gets a script, and is not added here.
var unscripted = map[string]map[string]string{
	"carcassonne": {
		"aim.1":  "what the game is about",
		"end.7":  "what the page shows",
		"solo.2": "what its players want",
		"here.1": "positions set up by hand, which are refused before the first move (given_test.go)",
	},
	"catan": {
		"aim.1":    "what the game is about",
		"aim.2":    "which games there are",
		"island.5": "what the page shows",
		"orders.1": "orders, which are no moves (order_test.go)",
		"here.1":   "positions set up by hand, which are refused before the first move (given_test.go)",
	},
	"rivals": {
		"aim.1":      "what the game is about",
		"aim.2":      "which games there are",
		"card.3":     "what signs mean",
		"card.6":     "what things are called",
		"begin.3":    "how a hidden stack is laid (table_test.go)",
		"bank.3":     "that there is no such move",
		"themes.1":   "how hidden stacks are laid (table_test.go)",
		"basic.1":    "that a list follows",
		"gold.1":     "that a list follows",
		"turmoil.1":  "that a list follows",
		"progress.1": "that a list follows",
		"duel.1":     "how hidden stacks are laid (table_test.go)",
		"duel.2":     "how a hidden stack is laid (table_test.go)",
		"orders.1":   "orders, which are no moves (orders_test.go)",
		"here.1":     "positions set up by hand, which are refused before the first move (given_test.go)",
	},
}

// Every paragraph of the rules is shown by a script: one of the reading that it follows from, or one of the game's own
// tests that is named after it. The game's tests run both.
func TestEveryParagraphOfTheRulesHasAScript(t *testing.T) {
	for _, rb := range guided(t) {
		t.Run(rb.Name(), func(t *testing.T) {
			g := rb.Extras().Guide
			shown := named(t, rb)
			for _, r := range g.Readings {
				for _, p := range r.Rules {
					shown[p] = true
				}
			}
			var without []string
			for _, p := range paragraphs(g) {
				if !shown[p] {
					without = append(without, p)
				}
				delete(shown, p)
			}
			require.Empty(t, shown, "scripts are named after paragraphs that there are not")
			excused := []string{}
			for p := range unscripted[rb.Name()] {
				excused = append(excused, p)
			}
			require.ElementsMatch(t, excused, without, "exactly these have no script")
		})
	}
}

// guided lists the games that have rules for people to read.
func guided(t *testing.T) (list []domain.Rulebook) {
	for _, rb := range rulebooks.All() {
		if rb.Extras().Guide != nil {
			list = append(list, rb)
		}
	}
	require.NotEmpty(t, list)
	return list
}

// named returns the paragraphs that the scripts of a game's tests are named after.
func named(t *testing.T, rb domain.Rulebook) map[string]bool {
	key := regexp.MustCompile(`^[a-z][a-z-]*\.[0-9]+$`)
	files, err := filepath.Glob(filepath.Join("..", rb.Name(), "testdata", "*.txt"))
	require.NoError(t, err)
	all := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if title, is := strings.CutPrefix(line, "== "); is {
				for _, word := range slices.DeleteFunc(strings.Fields(title), func(w string) bool {
					return !key.MatchString(w)
				}) {
					all[word] = true
				}
			}
		}
	}
	require.NotEmpty(t, all, rb.Name())
	return all
}

// paragraphs lists the paragraphs of a guide: "road.1".
func paragraphs(g *domain.Guide) (list []string) {
	for _, key := range g.Words() {
		p, is := strings.CutPrefix(key, "rules.")
		if is && regexp.MustCompile(`\.[0-9]+$`).MatchString(p) {
			list = append(list, p)
		}
	}
	return list
}
