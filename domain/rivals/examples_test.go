package rivals

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// Everything the rules say people may type can be read, in every language.
func TestWhatTheRulesSayMayBeTypedIsRead(t *testing.T) {
	quoted := regexp.MustCompile(`[“„«]([^”»]+)[”»]`)
	for _, lang := range []string{"en", "pl", "pt-BR", "pt-PT"} {
		b, err := os.ReadFile("table/words/rules/" + lang + ".json")
		require.NoError(t, err)
		var rules map[string]any
		require.NoError(t, json.Unmarshal(b, &rules))
		said := ""
		for _, key := range []string{"typed.2", "typed.3", "typed.4", "typed.5"} {
			line, _ := rules[key].(string)
			require.NotEmpty(t, line, "%s: %s", lang, key)
			said += line
		}
		found := quoted.FindAllStringSubmatch(said, -1)
		require.GreaterOrEqual(t, len(found), 18, lang)
		for _, m := range found {
			_, err := Rulebook.ParseMove(m[1], nil)
			require.NoError(t, err, "%s: %s", lang, m[1])
		}
		_, list, _ := strings.Cut(allWords[lang]["refuse.unreadable"], ": ")
		for _, typed := range strings.Split(strings.TrimSuffix(list, "."), "; ") {
			_, err := Rulebook.ParseMove(typed, nil)
			require.NoError(t, err, "%s: %s", lang, typed)
		}
	}
}

// Whoever types what is no order is shown orders that are read, in every language, and they are no moves.
func TestOrdersARefusalNamesAreRead(t *testing.T) {
	_, err := Rulebook.Extras().Orders.ReadOrder("build abbey 0 above", nil)
	refusal, refused := domain.AsRefusal(err)
	require.True(t, refused)
	for _, lang := range []string{"en", "pl", "pt-BR", "pt-PT"} {
		_, list, _ := strings.Cut(allWords[lang]["refuse."+refusal.Code], ": ")
		for _, typed := range strings.Split(strings.TrimSuffix(list, "."), "; ") {
			order, err := Rulebook.Extras().Orders.ReadOrder(typed, nil)
			require.NoError(t, err, "%s: %s", lang, typed)
			require.NotEmpty(t, order)
		}
	}
}
