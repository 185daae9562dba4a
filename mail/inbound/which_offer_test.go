package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desk"
)

const cid = "cid@example.org"

// asking opens a turn in which Ana has asked Bo and Cid who would give her brick for wool.
func (p *post) asking(lang string) events.Name {
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(`{"phase":"main","first":"A","active":"A",
		"players":[{"settlements":[30],"roads":[35],"hand":{"wool":3}},{"hand":{"brick":1}},{"hand":{"brick":1}}]}`)},
		p.person("Ana", lang), p.person("Bo", "en"), p.person("Cid", "en"))
	p.deliver(table)
	require.Equal(p.T, "outcome: played", p.becomes(ana, "offer 1 wool for brick to B C ask"))
	p.deliver(table)
	return table
}

// unmarked drops what keeps the direction of a name from changing that of the text around it.
var unmarked = strings.NewReplacer("\u2068", "", "\u2069", "")

// While somebody would take an offer and somebody else has made another one, a bare yes or no may answer either.
func TestAYesThatMayAnswerTwoOffersIsAskedAbout(t *testing.T) {
	for lang, said := range map[string]map[string][]string{
		"en": {"yes": {"confirm Bo (trade with", "accept Cid (accept"}, "Yes please!": {"confirm Bo (trade with"},
			"no": {"decline Cid (decline", "withdraw (withdraw the offer"}},
		"pl":    {"tak": {"wymień się z", "przyjmij"}, "Nie, dziękuję": {"wycofaj"}},
		"pt-BR": {"sim": {"trocar com", "aceitar"}, "aceito": {"trocar com"}},
		"pt-PT": {"Claro que sim!": {"trocar com", "aceitar"}, "não": {"retirar"}},
	} {
		t.Run(lang, func(t *testing.T) {
			p := newPost(t)
			table := p.asking(lang)
			require.Equal(t, "outcome: played", p.becomes(bo, "accept"))
			require.Equal(t, "outcome: played", p.becomes(cid, "counter brick for 2 wool"))
			p.deliver(table)
			at := p.last()
			for text, may := range said {
				require.Equal(t, "outcome: asked", p.becomes(ana, text), text)
				require.Empty(t, p.story(table, at), text)
				p.deliver(table)
				for _, move := range may {
					require.Contains(t, flat(unmarked.Replace(p.newest(ana).Text)), move, text)
				}
			}
			if lang != "en" { // the notation's words are English
				require.NotRegexp(t, "(?i)(confirm|accept) (Bo|Cid)", p.newest(ana).Text)
			}
			require.Equal(t, "outcome: played", p.becomes(ana, "confirm Bo"))
			require.Equal(t, []string{"reply: move A confirm B"}, p.story(table, at))
		})
	}
}

// Where a mail shows one offer alone, yes answers it; an offer that came after the mail is asked about.
func TestAYesAnswersTheOfferThatItsMailShows(t *testing.T) {
	for came, move := range map[string]string{"accept": "confirm B", "counter brick for 2 wool": "accept B"} {
		t.Run(came, func(t *testing.T) {
			p := newPost(t)
			table := p.asking("en")
			before := p.newest(ana)
			require.Equal(t, "outcome: played", p.becomes(cid, "decline"))
			require.Equal(t, "outcome: played", p.becomes(bo, came))
			p.deliver(table)
			at := p.last()
			p.answerTo(ana, before, "yes")
			require.Empty(t, p.story(table, at), "that mail showed nothing to say yes to")
			p.deliver(table)
			require.Equal(t, "outcome: played", p.becomes(ana, "yes"))
			require.Equal(t, []string{"reply: move A " + move}, p.story(table, at))
		})
	}
}
