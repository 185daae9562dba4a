package inbound_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/projections/words"
)

// halving is a hand of which Ana discards four cards.
const halving = `{"phase":"discard","active":"B","players":[{"hand":{"wool":5,"ore":2,"brick":1}},{},{}]}`

// taught returns a table of three and the lines that Ana's mail says play a move there, in her language.
func taught(t *testing.T, lang, given string) (*post, events.Name) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(given)},
		p.person("Ana", lang), p.person("Bo", lang), p.person("Cid", "en"))
	p.deliver(table)
	return p, table
}

// printer returns what writes a seat's mails.
func (p *post) printer(table events.Name, lang string) words.Printer {
	p.T.Helper()
	printer, _, err := p.composer.Maker.Printer(p.Ctx, p.Sees(table), lang)
	require.NoError(p.T, err)
	return printer
}

// A mail about a discard shows a line of as many cards as are due, which is played as it stands.
func TestADiscardsMailShowsALineOfItsCards(t *testing.T) {
	for lang, want := range map[string]string{"en": "3 wool, 1 ore", "pl": "3 wełny, 1 ruda",
		"pt-BR": "3 lãs, 1 minério", "pt-PT": "3 lãs, 1 minério"} {
		t.Run(lang, func(t *testing.T) {
			p, table := taught(t, lang, halving)
			require.Equal(t, []string{want}, p.shown(p.newest(ana), p.printer(table, lang)))
			at := p.last()
			require.Equal(t, "outcome: played", p.becomes(ana, want))
			require.Equal(t, "reply: move A discard 3 wool 1 ore", p.replied(table, at)[0])
		})
	}
}

// No mail's example answers an offer, or ends one that others are asked about: whoever is asked is taught yes and no.
func TestNoExampleAnswersOrEndsAnOffer(t *testing.T) {
	for lang, c := range map[string]struct {
		yes, no string
		ana, bo []string
	}{
		"en": {"yes – takes up the offer", "no – declines it", []string{"offer 1 wool for 1 ore"},
			[]string{"counter 1 ore for 3 wool"}},
		"pl": {"tak – przyjmuje ofertę", "nie – odrzuca ofertę", []string{"oferta: 1 wełna za: 1 ruda"},
			[]string{"kontroferta: 1 ruda za: 3 wełny"}},
		"pt-BR": {"sim – aceita a oferta", "não – recusa a oferta", []string{"oferta 1 lã por 1 minério"},
			[]string{"contraproposta 1 minério por 3 lãs"}},
	} {
		t.Run(lang, func(t *testing.T) {
			p, table := taught(t, lang, offering)
			p.answer(ana, "offer 2 wool for ore to B C")
			p.deliver(table)
			require.Equal(t, c.ana, p.shown(p.newest(ana), p.printer(table, lang)))
			require.NotContains(t, flat(p.newest(ana).Text), c.yes)
			require.Equal(t, c.bo, p.shown(p.newest(bo), p.printer(table, lang)))
			for _, line := range []string{c.yes, c.no} {
				require.Contains(t, flat(p.newest(bo).Text), line)
			}
			require.Equal(t, "outcome: played", p.becomes(bo, c.bo[0]))
			p.deliver(table)
			require.Contains(t, flat(p.newest(ana).Text), c.yes, "to the counter-offer")
			word, _, _ := strings.Cut(c.yes, " ")
			at := p.last()
			require.Equal(t, "outcome: played", p.becomes(ana, word))
			require.Equal(t, []string{"reply: move A accept B"}, p.replied(table, at))
			p.deliver(table)
			require.Equal(t, domain.Seat(0), p.Sees(table).Line.Awaited()[0].Seat)
		})
	}
}

// Whoever would rather write than press finds in a mail, as what may be answered, links that begin that answer. Sent as
// they are, they play what they say.
func TestAMailsOwnLinksBeginAnAnswer(t *testing.T) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "carcassonne"}, p.person("Ana", "en"), p.person("Bo", "en"))
	p.deliver(table)
	for n := range 4 {
		who := []string{ana, bo}[p.Sees(table).Line.Awaited()[0].Seat]
		m := p.newest(who)
		page, err := html.Parse(strings.NewReader(m.HTML))
		require.NoError(t, err)
		var links []*url.URL
		for a := range page.Descendants() {
			if to, ok := strings.CutPrefix(attribute(a, "href"), "mailto:"); ok {
				u, err := url.Parse(to)
				require.NoError(t, err)
				links = append(links, u)
			}
		}
		require.Greater(t, len(links), 3, "moves, and what else may be written")
		u, before := links[n%3], p.Sees(table).Line.Version
		to, err := url.PathUnescape(u.EscapedPath())
		require.NoError(t, err)
		require.Equal(t, "Re: "+m.Subject, u.Query().Get("subject"))
		require.Equal(t, "outcome: played", p.write(to, who, fmt.Sprint("link", n), u.Query().Get("body")))
		require.Greater(t, p.Sees(table).Line.Version, before)
		p.deliver(table)
	}
}

// Below the island in a text mail stands what its numbers are: of intersections, roads or hexes, whichever are asked
// about.
func TestTheIslandsLegendSaysWhatNumbersAre(t *testing.T) {
	for _, c := range []struct{ scene, lang, says string }{
		{"found", "en", "numbers are your choices: intersections at corners, roads on sides."},
		{"main", "pl", "liczby to twoje możliwości: skrzyżowania w rogach, drogi na bokach."},
		{"main", "pt-PT", "números são escolhas: cruzamentos nos vértices, estradas nos lados."},
		{"rob", "en", "numbers are your choices: hexes inside."},
		{"rob", "pt-BR", "números são suas opções: hexágonos no meio."},
		{"offered", "en", "capitals cities and roads."},
	} {
		p := newPost(t)
		table, seat := p.house.plays(scenesOf(t, "catan")[c.scene], c.lang)
		p.deliver(table)
		person, err := p.people.Person(p.Ctx, p.Sees(table).Table.Places[seat].Holders[0])
		require.NoError(t, err)
		require.Contains(t, flat(p.newest(string(person.Address)).Text), c.says, c.scene)
	}
}
