package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
)

// ports is a turn of Catan in which the bank takes four wool, and two ore at a harbour.
const ports = `{"phase":"main","first":"A","active":"A","players":[` +
	`{"settlements":[30,10],"roads":[35,13],"hand":{"wool":5,"ore":4}},{"settlements":[3],"hand":{"brick":1}},` +
	`{"settlements":[17],"hand":{"lumber":2}}]}`

// A trade that says neither whom it is with nor that it is offered, at the bank's rate, may be with either: it is
// asked about, and the answer shows both.
func TestATradeWithNobodyNamedMayBeTheBanks(t *testing.T) {
	for _, c := range []struct{ lang, text, want string }{
		{"en", "exchange 4 wool for 1 brick", "asked bank wool brick; offer 4 wool for 1 brick"},
		{"en", "swap four sheep for a lumber", "asked bank wool lumber; offer 4 wool for 1 lumber"},
		{"en", "I'd like to trade 4 wool for 1 brick, please", "asked bank wool brick; offer 4 wool for 1 brick"},
		{"pt-BR", "troco 4 lãs por tijolo", "asked bank wool brick; offer 4 wool for 1 brick"},
		{"pt-PT", "trocar 4 ovelhas por 1 madeira", "asked bank wool lumber; offer 4 wool for 1 lumber"},
		{"pl", "wymieniam 4 wełny na zboże", "asked bank wool grain; offer 4 wool for 1 grain"},
		{"en", "offer 4 wool for 1 brick", "offer 4 wool for 1 brick"},
		{"pt-BR", "ofereço 4 lãs por 1 tijolo", "offer 4 wool for 1 brick"},
		{"pt-PT", "oferta 4 lãs por 1 tijolo", "offer 4 wool for 1 brick"},
		{"pl", "oferuję 4 wełny za zboże", "offer 4 wool for 1 grain"},
		{"en", "swap 4 wool for 1 brick with the bank", "bank wool brick"},
		{"pl", "wymieniam z bankiem 4 wełny na zboże", "bank wool grain"},
		{"en", "swap 4 wool for 1 brick with Bo", "offer 4 wool for 1 brick to B"},
		{"en", "swap 4 wool for 1 brick with everybody", "offer 4 wool for 1 brick"},
		{"en", "I give 4 wool for brick", "asked bank wool brick; offer 4 wool for 1 brick"},
		{"en", "swap 2 ore for a lumber", "asked bank ore lumber; offer 2 ore for 1 lumber"},
		{"pl", "wymieniam 4 wełny na cegłę z Bo", "offer 4 wool for 1 brick to B"},
		{"en", "exchange 3 wool for 1 brick", "offer 3 wool for 1 brick"},
		{"en", "swap a sheep for a brick", "offer 1 wool for 1 brick"},
		{"en", "exchange 4 wool for 2 bricks", "offer 4 wool for 2 brick"},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(ports)},
				p.person("Ana", c.lang), p.person("Bo", "en"), p.person("Cid", "en"))
			p.deliver(table)
			at := p.last()
			outcome := p.becomes(ana, c.text)
			moves, asked := strings.CutPrefix(c.want, "asked ")
			if !asked {
				require.Equal(t, "outcome: played", outcome)
				require.Equal(t, []string{"reply: move A " + c.want}, p.replied(table, at))
				return
			}
			require.Equal(t, "outcome: asked", outcome)
			require.Empty(t, p.replied(table, at))
			shown := strings.Split(p.answers(table)[0], "\n")[2:]
			require.Len(t, shown, 2)
			p.deliver(table)
			bank, offer, _ := strings.Cut(moves, "; ")
			for i, move := range []string{offer + " to B C", bank} { // what the answer shows is played when sent back
				require.Equal(t, "outcome: played", p.becomes(ana, shown[1-i]), shown[1-i])
				require.Equal(t, "reply: move A "+move, p.replied(table, at)[i])
			}
		})
	}
}
