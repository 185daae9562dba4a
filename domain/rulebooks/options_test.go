package rulebooks_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/rulebooks"
)

// docs/tables/options.txt has every option of every game, with its values and what it does, and the kinds of chance.
// POSTHORN_GOLDEN=write writes it anew.
func TestTheOptionsAreWrittenDown(t *testing.T) {
	const file = "../../docs/tables/options.txt"
	var b strings.Builder
	b.WriteString("The options of each game: key, values (the default first), and what it does; before them the\n" +
		"kinds of chance of its scripts.\n")
	for _, rb := range rulebooks.All() {
		words := map[string]any{}
		require.NoError(t, json.Unmarshal(rb.Catalogue()["en"], &words))
		fmt.Fprintf(&b, "\n%s\n  chance: %s\n", rb.Name(), strings.Join(rb.ChanceKinds(), " "))
		for _, o := range rb.Options() {
			rest := slices.DeleteFunc(slices.Clone(o.Values), func(v string) bool { return v == o.Default })
			fmt.Fprintf(&b, "  %s: %s %s\n      %s\n", o.Key, o.Default, strings.Join(rest, " "),
				words["option."+o.Key+".help"])
		}
	}
	if os.Getenv("POSTHORN_GOLDEN") == "write" {
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o600))
	}
	stands, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(stands), b.String())
}
