package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desk"
)

// Of turns that look the same a reply means any, and a move is called by the words and letters of its list.
func TestATileIsLaidByTheWordsOfItsList(t *testing.T) {
	for _, c := range []struct{ tile, lang, text, want string }{
		{"U", "en", "0,1 thief", "0,1 0 road E"},
		{"U", "en", "0,1 no follower", "0,1 0"},
		{"U", "en", "0,1 a)", "0,1 0"},
		{"U", "en", "0,1 a", "0,1 0"},
		{"U", "en", "0,1 b) thief: road (east)", "0,1 0 road E"},
		{"U", "en", "0,1 turned 180, thief", "0,1 180 road E"},
		{"U", "pt-BR", "0,1 nenhum seguidor", "0,1 0"},
		{"U", "pt-PT", "0,1 ladrão", "0,1 0 road E"},
		{"U", "pl", "0,1 bez podwładnego", "0,1 0"},
		{"B", "en", "0,1 monk", "0,1 0 cloister"},
		{"B", "pt-BR", "0,1 monge", "0,1 0 cloister"},
		{"L", "en", "0,-1 knight", "0,-1 180 city S"},
	} {
		t.Run(c.tile+" "+c.lang+": "+c.text, func(t *testing.T) {
			p, table := tiled(t, c.tile, c.lang)
			at := p.last()
			require.Equal(t, "outcome: played", p.becomes(ana, c.text), flat(p.newest(ana).Text))
			require.Equal(t, "reply: move A "+c.want, p.replied(table, at)[0])
		})
	}
}

// A question lists each place, turn and follower once.
func TestAQuestionListsNoTurnTwice(t *testing.T) {
	for text, lines := range map[string]int{"0,1": 4, "1,0 farmer": 2, "thief": 3} {
		p, table := tiled(t, "U", "en")
		require.Equal(t, "outcome: asked", p.becomes(ana, text))
		listed := strings.Split(p.answers(table)[0], "\n")[2:]
		require.Len(t, listed, lines, "%s: %v", text, listed)
		require.NotContains(t, listed[0], "180")
	}
}

// What is put as a question, or leaves something open, is asked about, and the line that the answer shows is played.
func TestALineThatIsAskedAboutIsPlayedAsShown(t *testing.T) {
	for _, c := range []struct{ tile, lang, text, asks, want string }{
		{"U", "en", "0,1 thief?", "Did you mean this?", "0,1 0 road E"},
		{"U", "pl", "0,1 rabuś?", "Chodzi o to?", "0,1 0 road E"},
		{"B", "pt-BR", "0,1 monge?", "Quis dizer isto?", "0,1 0 cloister"},
		{"B", "pt-PT", "0,1 monge?", "Quis dizer isto?", "0,1 0 cloister"},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			p, table := tiled(t, c.tile, c.lang)
			at := p.last()
			require.Equal(t, "outcome: asked", p.becomes(ana, c.text))
			answer := strings.Split(p.answers(table)[0], "\n")
			require.Contains(t, answer[1], c.asks)
			require.Len(t, answer, 3, answer)
			require.False(t, c.lang != "en" && strings.Contains(answer[2], "cloister"), answer[2])
			p.deliver(table)
			got := p.becomes(ana, answer[2])
			require.Equal(t, "outcome: played", got, "%s\n%v", answer[2], p.answers(table))
			require.Equal(t, "reply: move A "+c.want, p.replied(table, at)[0])
		})
	}
}

// tiled returns a game of Carcassonne in which Ana has a tile to lay beside the first one.
func tiled(t *testing.T, tile, lang string) (*post, events.Name) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "carcassonne",
		Given: []byte(`{"tile":"` + tile + `","to_move":"A","tiles":[{"tile":"D","x":0,"y":0,"turn":0}]}`)},
		p.person("Ana", lang), p.person("Bo", "en"))
	p.deliver(table)
	return p, table
}
