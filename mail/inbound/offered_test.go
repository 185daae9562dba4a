package inbound_test

import (
	"cmp"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
)

// An offer is the one that its writer means: an article is no seat, and it never becomes a standing order.
func TestAnOfferNamesPeopleAsTheirLanguageDoes(t *testing.T) {
	for _, c := range []struct{ lang, text, want string }{
		{"pt-BR", "Ofereço uma lã por um minério para a Kasia", "reply: move A offer 1 wool for 1 ore to C"},
		{"pt-PT", "oferta 1 lã por 1 minério ao Rafa", "reply: move A offer 1 wool for 1 ore to D"},
		{"pt-BR", "oferta 1 lã por 1 minério para o Kasia", "reply: move A offer 1 wool for 1 ore to C"},
		{"pl", "proponuję 1 wełnę za 1 rudę dla Emmy i Rafy", "reply: move A offer 1 wool for 1 ore to B D"},
		{"pt-BR", "ofereço uma lã por um minério para a Ana", ""},
		{"pt-BR", "oferta 1 lã por 1 minério para o Zé", ""},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			p := newPost(t)
			people := []domain.PersonID{p.person("Ana", c.lang)}
			for _, name := range []string{"Emma", "Kasia", "Rafa"} {
				people = append(people, p.person(name, "en"))
			}
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(`{"phase":"main","first":"A",
				"active":"A","players":[{"settlements":[30],"roads":[35],"hand":{"wool":3}},{},{},{}]}`)}, people...)
			p.deliver(table)
			at := p.last()
			got := p.becomes(ana, c.text)
			p.deliver(table)
			if c.want == "" {
				require.Equal(t, "outcome: refused", got, flat(p.newest(ana).Text)[:300])
				require.Empty(t, p.story(table, at))
				return
			}
			require.Equal(t, "outcome: played", got, flat(p.newest(ana).Text)[:300])
			require.Equal(t, c.want, p.story(table, at)[0])
		})
	}
}

// A wish to trade otherwise is no yes to an offer but one's own.
func TestAWishToTradeAnswersAnOffer(t *testing.T) {
	for _, c := range []struct{ lang, text, want string }{
		{"pt-BR", "quero trocar 1 minério por 2 lãs com a Ana", "counter 1 ore for 2 wool"},
		{"pl", "chcę wymienić 1 rudę za 2 wełny", "counter 1 ore for 2 wool"},
		{"en", "I'd like to trade 1 ore for 2 wool", "counter 1 ore for 2 wool"}, {"pl", "no to koniec", ""},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(offering)},
				p.person("Ana", "en"), p.person("Bo", c.lang), p.person("Cid", "en"))
			p.play(table, 0, "offer 1 wool for 1 ore to B")
			p.deliver(table)
			at := p.last()
			got := p.becomes(bo, c.text)
			if c.want != "" {
				require.Equal(t, []string{"reply: move B " + c.want}, p.replied(table, at))
				return
			}
			require.NotContains(t, []string{"outcome: played", "outcome: ordered"}, got)
			require.Empty(t, p.story(table, at))
		})
	}
}

// Whoever wishes to trade at their own turn offers it.
func TestAWishToTradeIsAnOffer(t *testing.T) {
	for lang, text := range map[string]string{"pt-BR": "Quero trocar 1 lã por 1 minério com a Kasia",
		"pl": "Chcę wymienić 1 wełnę za 1 rudę dla Kasi", "en": "I'd like to trade 1 wool for 1 ore with Kasia"} {
		t.Run(lang, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(offering)},
				p.person("Ana", lang), p.person("Bo", "en"), p.person("Kasia", "en"))
			p.deliver(table)
			at := p.last()
			got := p.becomes(ana, text)
			p.deliver(table)
			require.Equal(t, "outcome: played", got, flat(p.newest(ana).Text))
			require.Equal(t, "reply: move A offer 1 wool for 1 ore to C", p.story(table, at)[0])
		})
	}
}

// The mail about a turn in which trades can be offered says how, and so does the question about a no with more to it:
// what they show is read.
func TestALetterShowsHowToOffer(t *testing.T) {
	example := regexp.MustCompile(`(?m)^ - ((?:offer|oferta|counter|contraproposta|kontroferta).*?) –`)
	for _, lang := range []string{"en", "pl", "pt-BR", "pt-PT"} {
		t.Run(lang, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(offering)},
				p.person("Ana", lang), p.person("Bo", lang), p.person("Cid", "en"))
			p.deliver(table)
			at := p.last()
			line := example.FindStringSubmatch(p.newest(ana).Text)
			require.NotNil(t, line, p.newest(ana).Text)
			require.Equal(t, "outcome: played", p.becomes(ana, line[1]))
			require.Equal(t, "reply: move A offer 1 wool for 1 ore", p.story(table, at)[0])
			p.deliver(table)
			at = p.last()
			line = example.FindStringSubmatch(p.newest(bo).Text)
			require.NotNil(t, line, p.newest(bo).Text)
			no := map[string]string{"en": "no", "pl": "nie"}[lang]
			require.Equal(t, "outcome: asked", p.becomes(bo, cmp.Or(no, "não")+", 2", "x y z"))
			p.deliver(table)
			require.Contains(t, flat(unmarked.Replace(p.newest(bo).Text)), ": "+line[1])
			require.Equal(t, "outcome: played", p.becomes(bo, line[1]))
			require.Equal(t, "reply: move B counter 1 ore for 2 wool", p.story(table, at)[0])
		})
	}
}
