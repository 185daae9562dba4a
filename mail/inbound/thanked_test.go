package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// Thanks behind what a mail lists are only thanks, also where its own words are a courtesy elsewhere: "nothing more".
func TestThanksBehindALabelAreThanks(t *testing.T) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "rivals", Given: []byte(`{"phase":"roll","tasks":
		[{"kind":"buy","seat":"A","n":2},{"kind":"act"}],"seats":[{"stores":{"1a":1,"1b":3}},{}]}`)},
		p.person("Ana", "en"), p.person("Bo", "en"))
	look := p.Sees(table)
	for _, lang := range words.Languages {
		who := turn.Asker{Seat: 0, Lang: lang, Person: look.Table.Places[0].Holders[0]}
		mod, err := p.composer.Maker.Turn(t.Context(), table, who)
		require.NoError(t, err)
		read, err := p.door.Reads(t.Context(), look, who)
		require.NoError(t, err)
		for _, n := range mod.From("") {
			if look.Rulebook.FormatMove(n.Move, nil) != "pass" {
				continue
			}
			for _, thanks := range thanks {
				_, one := read(n.Label() + thanks)
				require.True(t, one, "%s: %q", lang, n.Label()+thanks)
			}
			_, one := read(n.Label() + " - no, wait")
			require.False(t, one, lang)
		}
	}
}
