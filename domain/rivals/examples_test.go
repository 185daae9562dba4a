package rivals

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the rules say may be typed is read, in every language.
func TestWhatTheRulesSayMayBeTypedIsRead(t *testing.T) {
	quoted := regexp.MustCompile(`[“„«]([^”»]+)[”»]`)
	for _, lang := range []string{"en", "pl", "pt-BR", "pt-PT"} {
		b, err := os.ReadFile("table/words/rules/" + lang + ".json")
		require.NoError(t, err)
		var rules map[string]any
		require.NoError(t, json.Unmarshal(b, &rules))
		said, _ := rules["a-turn.7"].(string)
		found := quoted.FindAllStringSubmatch(said, -1)
		require.Len(t, found, 5, lang)
		for _, m := range found {
			_, err := Rulebook.ParseMove(m[1], nil)
			require.NoError(t, err, "%s: %s", lang, m[1])
		}
	}
}
