package inbound_test

import (
	"cmp"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// Letters of the list with an "and" between them are two moves: the first is no article before the second, which is not
// played alone, nor are both the one move that has these two letters.
func TestLettersJoinedByAnAndAreTwo(t *testing.T) {
	const own = `{"active": "A", "phase": "main", "players": [{"settlements": [13, 31], "roads": [20, 36],
		"hand": {"brick": 1, "lumber": 5, "wool": 1, "grain": 1, "ore": 1}}, {"settlements": [10, 40], "roads": [13, 53]},
		{"settlements": [22, 42], "roads": [28, 57]}]}`
	for _, lang := range words.Languages {
		for _, and := range map[string][]string{"en": {" and ", " and then "}, "pt-PT": {" e ", " e depois "},
			"pt-BR": {" e ", " e depois "}, "pl": {" i ", " a potem "}}[lang] {
			for _, last := range []string{"", "end"} { // by its letter, and by its name
				t.Run(lang+and+last, func(t *testing.T) {
					p := newPost(t)
					table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(own)}, p.person("Ana", lang),
						p.person("Bo", "en"), p.person("Cid", "en"))
					p.deliver(table)
					at, look := p.last(), p.Sees(table)
					mod, err := p.composer.Maker.Turn(t.Context(), table,
						turn.Asker{Lang: lang, Person: look.Table.Places[0].Holders[0]})
					require.NoError(t, err)
					letter, two := map[string]string{}, ""
					for _, n := range mod.From("") {
						letter[look.Rulebook.FormatMove(n.Move, nil)] = n.Name
						if len(n.Name) == 3 {
							two = n.Name
						}
					}
					p.answer(ana, two[:1]+and+two[2:])
					require.Empty(t, p.story(table, at), "%s is not %s", two[:1]+and+two[2:], two)
					p.deliver(table)
					p.answer(ana, letter["buy"]+and+cmp.Or(last, letter["end"]))
					require.Equal(t, []string{"reply: move A buy", "reply: move A end"}, p.story(table, at)[:2])
				})
			}
		}
	}
}
