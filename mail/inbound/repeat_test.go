package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
)

// robbing is a turn of Catan in which hex 8 is beside a building of each of two others; cards tell what is built.
const (
	robbing = `{"phase":"robber","first":"A","active":"A","robber":0,"players":[{"settlements":[53]},
		{"settlements":[28],"hand":{"ore":1}},{"settlements":[17],"hand":{"wool":1}}]}`
	wealthy = `{"phase":"main","first":"A","active":"A","players":[{"settlements":[30],"roads":[35],
		"hand":{"brick":1,"lumber":1,"wool":2,"grain":1,"ore":1}},{"hand":{"ore":1,"brick":1}},{}]}`
	village = `{"phase":"act","active":"A","seats":[{"hand":["marketplace","brick_factory","austin"],
		"stores":{"0a":3,"0b":3,"1a":3,"1b":3,"2a":3,"2b":3}},{}]}`
)

// Whoever writes a move as their mail shows it, in their language, plays it: with or without letters, articles, names.
func TestAReplyRepeatsWhatTheMailShows(t *testing.T) {
	for _, c := range []struct{ game, given, lang, text, move string }{
		{"catan", robbing, "pt-BR", "8 de Emma", "rob 8 B"},
		{"catan", robbing, "pt-BR", "8 Emma", "rob 8 B"},
		{"catan", robbing, "en", "8 from Rafa", "rob 8 C"},
		{"catan", robbing, "pl", "8 Rafa", "rob 8 C"},
		{"catan", robbing, "pt-PT", "8 da Emma", "rob 8 B"},
		{"catan", robbing, "pl", "8 od Emmy", "rob 8 B"},
		{"catan", robbing, "en", "ROBBER 8, from Emma.", "rob 8 B"},
		{"catan", wealthy, "pl", "zbuduj drogę 43", "road 43"},
		{"catan", wealthy, "pl", "buduję drogę 43", "road 43"},
		{"catan", wealthy, "pt-BR", "construir uma estrada 43", "road 43"},
		{"catan", wealthy, "pt-PT", "constrói a estrada 43", "road 43"},
		{"catan", wealthy, "en", "build a road 43", "road 43"},
		{"catan", wealthy, "en", "Build a road: 43", "road 43"},
		{"catan", wealthy, "en", "end the turn", "end"},
		{"catan", wealthy, "pl", "koniec tury", "end"},
		{"catan", wealthy, "pl", "zakończ turę", "end"},
		{"rivals", village, "pl", "Targowisko nad lewą osadą początkową", "build marketplace 0 above"},
		{"rivals", village, "pl", "d nad lewą osadą początkową", "build marketplace 0 above"},
		{"rivals", village, "pl", "d 0 nad", "build marketplace 0 above"},
		{"rivals", village, "pl", "zbuduj targowisko 0 nad", "build marketplace 0 above"},
		{"rivals", village, "pt-BR", "construir mercado 0 acima", "build marketplace 0 above"},
		{"rivals", village, "en", "marketplace above the left starting place", "build marketplace 0 above"},
		{"rivals", village, "en", "c below the right starting place", "build brick_factory 1 below"},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			p := newPost(t)
			people := []domain.PersonID{p.person("Ana", c.lang), p.person("Emma", "en"), p.person("Rafa", "en")}
			if c.game == "rivals" {
				people = people[:2]
			}
			table := p.started(desk.NewTable{Rulebook: c.game, Given: []byte(c.given)}, people...)
			p.deliver(table)
			at := p.last()
			got := p.becomes(ana, c.text)
			p.deliver(table)
			require.Equal(t, "outcome: played", got, flat(p.newest(ana).Text))
			require.Equal(t, "reply: move A "+c.move, p.story(table, at)[0])
		})
	}
}
