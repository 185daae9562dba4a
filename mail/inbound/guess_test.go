package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desk"
)

// inTurn begins a turn in which all can be built, of somebody who reads a language.
func (p *post) inTurn(lang string) (table events.Name) {
	table = p.started(desk.NewTable{Rulebook: "catan", Given: []byte(developing)},
		p.person("Ana", lang), p.person("Bo", "en"), p.person("Cid", "en"))
	p.deliver(table)
	return table
}

// guesses are lines that are not clear enough, with what the question says and how it is answered, by language.
var guesses = map[string][3]string{
	"en":    {"road 44?", "Did you mean this? Then reply yes: build a road, road 44", "Yes!"},
	"pl":    {"droga 44?", "Chodzi o to? W takim razie odpowiedz tak: zbuduj drogę", "tak, dokładnie"},
	"pt-BR": {"estrada 44?", "Quis dizer isto? Então responda sim: construir uma estrada", "Sim, por favor"},
	"pt-PT": {"estrada 44?", "Quis dizer isto? Então responda sim: construir uma estrada", "sim"},
}

// A yes to the question whether a move was meant plays it, and what the mail said below it.
func TestAYesPlaysWhatWasMeant(t *testing.T) {
	for lang, c := range guesses {
		for _, more := range []bool{false, true} {
			p := newPost(t)
			game := p.inTurn(lang)
			at, lines, want := p.last(), []string{c[0]}, []string{"reply: move A road 44"}
			if more {
				lines, want = append(lines, "end"), append(want, "reply: move A end")
			}
			require.Equal(t, "outcome: asked", p.becomes(ana, lines...), lang)
			p.deliver(game)
			require.Contains(t, flat(p.newest(ana).Text), c[1], lang)
			require.Empty(t, p.story(game, at), lang)
			require.Equal(t, "outcome: played", p.becomes(ana, c[2]), lang)
			require.Equal(t, want, p.replied(game, at), lang)
		}
	}
}

// Only that question is answered so, by nothing but a yes, and as long as nothing has happened since.
func TestAYesPlaysNothingElse(t *testing.T) {
	for what, says := range map[string]func(p *post, game events.Name){
		"yes to the turn's own mail": func(p *post, game events.Name) {
			first := p.newest(ana)
			p.becomes(ana, "road 44?")
			p.deliver(game)
			p.answerTo(ana, first, "yes")
		},
		"yes and more": func(p *post, game events.Name) {
			p.becomes(ana, "road 44?")
			p.deliver(game)
			p.becomes(ana, "yes, but road 45")
		},
		"yes when a road stands": func(p *post, game events.Name) {
			p.becomes(ana, "end?")
			p.deliver(game)
			asked := p.newest(ana)
			p.play(game, 0, "road 44")
			p.deliver(game)
			p.answerTo(ana, asked, "yes")
		},
		"no":   func(p *post, game events.Name) { p.becomes(ana, "end?"); p.deliver(game); p.becomes(ana, "no") },
		"yes?": func(p *post, game events.Name) { p.becomes(ana, "end?"); p.deliver(game); p.becomes(ana, "yes?") },
	} {
		t.Run(what, func(t *testing.T) {
			p := newPost(t)
			game := p.inTurn("en")
			says(p, game)
			for _, e := range p.story(game, 0) {
				require.False(t, strings.HasPrefix(e, "reply: move"), e)
			}
		})
	}
}

// Where a yes answers an offer, it does so after a question, too.
func TestAYesToAnOfferIsOne(t *testing.T) {
	p := newPost(t)
	table, _ := p.offered("en", "brick")
	at := p.last()
	require.Equal(t, "outcome: asked", p.becomes(bo, "maybe"))
	p.deliver(table)
	require.Equal(t, "outcome: played", p.becomes(bo, "yes"))
	require.Equal(t, []string{"reply: move B accept"}, p.replied(table, at))
}

// Of a mail that is understood in part nothing is played below what is not, and the answer says which is which.
func TestWhatIsUnderstoodInPartIsSaidSo(t *testing.T) {
	for lang, c := range map[string][2]string{
		"en": {"build a castle 44|buy|end",
			"Understood, but not played either: buy a development card; end the turn."},
		"pl":    {"zbuduj zamek 44|kup|koniec", "Zrozumiałe, ale też nie zagrane: kup kartę rozwoju; zakończ turę."},
		"pt-BR": {"construo um castelo 44|comprar", "Entendido, mas também não jogado: comprar uma carta"},
		"pt-PT": {"construo um castelo 44|comprar", "Percebido, mas também não jogado: comprar uma carta"},
	} {
		p := newPost(t)
		game := p.inTurn(lang)
		at := p.last()
		require.Equal(t, "outcome: asked", p.becomes(ana, lined(c[0])...), lang)
		require.Empty(t, p.story(game, at), lang)
		p.deliver(game)
		require.Contains(t, flat(p.newest(ana).Text), c[1], lang)
	}
}
