package catan

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/catan/notation"
)

// What rules and refusals tell people to type can be read, in every language.
func TestWhatTheTextsSayMayBeTypedIsRead(t *testing.T) {
	quoted := regexp.MustCompile(`[“„«]([^”»]+)[”»]`)
	text := func(path, key string) string {
		var all map[string]any
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(b, &all))
		said, ok := all[key].(string)
		require.True(t, ok, "%s: %s", path, key)
		return said
	}
	listed := func(said string) []string {
		_, list, ok := strings.Cut(said, ": ")
		require.True(t, ok, said)
		return strings.Split(strings.TrimSuffix(list, "."), "; ")
	}
	move := func(typed string) {
		_, err := notation.Room{}.ParseMove(typed, testNames)
		require.NoError(t, err, typed)
	}
	order := func(typed string) {
		_, err := notation.ParseOrder(typed, testNames)
		require.NoError(t, err, typed)
	}
	for _, lang := range []string{"en", "pl", "pt-BR", "pt-PT"} {
		words, rules := "table/words/"+lang+".json", "table/words/rules/"+lang+".json"
		found := quoted.FindAllStringSubmatch(text(rules, "typed.1"), -1)
		require.Len(t, found, 7, lang)
		for _, m := range found {
			move(m[1])
		}
		for _, key := range []string{"typed.2", "typed.3"} {
			found := quoted.FindAllStringSubmatch(text(rules, key), -1)
			require.NotEmpty(t, found, lang)
			for _, m := range found {
				move(m[1])
			}
		}
		_, both, _ := strings.Cut(text(words, "refuse.found-both"), ": ")
		move(strings.NewReplacer("{at}", "23", "{path}", "34").Replace(both))
		for _, m := range quoted.FindAllStringSubmatch(text(rules, "orders.1"), -1) {
			order(m[1])
		}
		for _, typed := range listed(text(words, "refuse.unreadable")) {
			move(typed)
		}
		for _, typed := range listed(text(words, "refuse.order-unreadable")) {
			order(typed)
		}
		for _, typed := range listed(text(words, "refuse.neutral-what")) {
			move(typed)
		}
	}
}
