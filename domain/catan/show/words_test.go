package show

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"posthorn/domain/catan/notation"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// keysInSource returns the catalogue keys that the code names in full.
func keysInSource(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("../*/*.go")
	require.NoError(t, err)
	said := regexp.MustCompile(`(?:domain\.S|t\.say|t\.also|add|resourceStep|choice)\("([a-z](?:[a-z.-]*[a-z])?)"|"(tell\.[a-z-]+)"`)
	refused := regexp.MustCompile(`[Rr]efuse\("([a-z-]+[a-z])"`)
	keys := map[string]bool{}
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		src, err := os.ReadFile(f)
		require.NoError(t, err)
		for _, m := range said.FindAllStringSubmatch(string(src), -1) {
			keys[m[1]+m[2]] = true
		}
		for _, m := range refused.FindAllStringSubmatch(string(src), -1) {
			keys["refuse."+m[1]] = true
		}
	}
	return keys
}

// keysMade returns those that the code puts together.
func keysMade() map[string]bool {
	keys := map[string]bool{"name": true, "form.give": true, "form.want": true}
	put := func(prefix string, words ...string) {
		for _, w := range words {
			keys[prefix+w] = true
		}
	}
	for _, family := range []string{"resource.", "terrain.", "harbour.", "cards."} {
		put(family, table.ResourceWords[:]...)
	}
	put("harbour.", "any")
	for _, in := range []table.Case{table.By, table.Of, table.To} {
		put("hex.desert"+string(in), "")
		for _, word := range table.ResourceWords {
			put("terrain."+word, string(in))
		}
	}
	put("where.harbour", "", string(table.By))
	put("card.", table.CardWords[:]...)
	put("cards.", table.CardWords[:]...)
	put("step.", state.KindWords[:]...)
	put("move.", state.KindWords[:]...)
	put("step.", "accept-from", "decline-from", "confirm-from", "offer-of", "offer-ask", "counter-of")
	put("refuse.not-now-", state.PhaseWords[:]...)
	put("given.", "json", "unknown", "twice", "number", "word", "text", "list", "object", "switch", "long", "length")
	put("given.", "back", "cards", "deck", "deck-card", "due", "founded", "founder", "fresh", "full", "give", "holder",
		"neutral-place", "not-won", "offer", "only-two", "option", "owes",
		"pieces", "rolls", "seat-twice", "still", "supply", "taken", "tokens", "winner")
	put("refuse.", "given")
	put("line.offer-", "yes", "no", "waits")
	put("form.", "offer.typed", "counter.typed")
	for _, f := range new(Room).Outcomes(&state.View{State: state.State{Phase: state.PhaseRoll}})[0].Fields {
		put("", f.Label.Key)
	}
	for _, b := range builds {
		put("deed.", b.kind.String())
	}
	put("await.", "found", "turn", "discard", "answer", "confirm", "counter")
	put("ask.", "roll-again")
	put("await.turn.", "roll", "roll-again", "robber", "main", "neutral", "give")
	for p := range state.PhaseOver {
		keys[phaseLine(p, 0)] = true
		keys[phaseLine(p, 1)] = true
	}
	for _, word := range askFirst {
		put("ask.", word)
	}
	for _, list := range askNext {
		put("ask.", list...)
	}
	put("tell.", "settle", "city", "withdraw", "refill", "offer", "counter", "longest-aside", "army-aside")
	put("count.", "settlements", "cities", "roads", "cards", "knights")
	for _, of := range []string{"from.", "cause."} { // what points come from
		put(of, "settlements", "cities", "longest", "army", "points")
	}
	put("order.form.", notation.OrderWords[:]...)
	put("order.", "rob", "rob-of", "knight", "knight-of")
	put("", "about", "length")
	put("luck.", "sevens", "sevens.help", "income", "income.help") // used by the story, for the rulebook's accounts
	put("house.luck.", "same", "fresh")                            // and by a rewind
	put("panel.", "island", "hand", "costs", "offers")
	put("at.", "settlement", "city")
	put("board.", "corners", "paths", "hexes")
	put("refuse.", "cannot-pay", "bank-pay")
	put("step.", "neutral-road", "neutral-settle")
	for k := range table.CardKinds {
		put("fact.", table.Card(k).String())
	}
	for _, o := range new(table.Room).Options() {
		put("option."+o.Key, "", ".help")
		for _, v := range o.Values {
			if v != "on" && v != "off" {
				put("option."+o.Key+".", v)
			}
		}
	}
	return keys
}

// Everything that can be said has words, and every text is used somewhere. (The suite checks that the languages have
// the same keys and arguments.)
func TestEveryKeyHasAText(t *testing.T) {
	var texts, own map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(table.Room.Catalogue()["en"], &texts))
	words, err := os.ReadFile("../table/words/en.json") // without the kit's words
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(words, &own))
	used := keysMade()
	for k := range keysInSource(t) {
		used[k] = true
	}
	delete(used, "refuse.table-ended") // the house has the words for what is so of every table
	for k := range used {
		assert.NotEmpty(t, texts[k], "no text for %s", k)
	}
	for k := range own {
		key, subject := strings.CutPrefix(k, "subject.") // of a mail about what is told
		assert.True(t, used[k] || subject && used["tell."+key], "nothing says %s", k)
	}
}
