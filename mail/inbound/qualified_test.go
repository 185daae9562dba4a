package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// qualified are answers that say yes and something that may take it back, by language.
var qualified = map[string][]string{
	"en": {"Yes. But not before Sunday please, I'd like to win first", "Yes! But only for two wool.",
		"OK|but I want two wool", "Sure, except that Cid should begin"},
	"pl": {"Tak! Ale chcę dwie wełny.", "Zgoda|ale tylko za 2 wełny", "Dobra. Ale za dwie wełny.",
		"Jasne, pod warunkiem że zaczynam"},
	"pt-BR": {"Sim! Mas só depois desta rodada.", "Aceito. Mas quero 2 lãs em vez de 1.", "Ok|mas quero duas lãs",
		"Pode ser!||Mas quero 2 lãs"},
	"pt-PT": {"Sim, claro! Só que quero 2 lãs", "Sim, desde que seja no domingo", "Pode ser, exceto hoje"},
}

// firmly are those that only what cannot be undone asks about.
var firmly = map[string][]string{
	"en":    {"OK. Make it two wool and we have a deal.", "Yes, in two rounds", "Yes. Tomorrow."},
	"pl":    {"Zgoda, za dwie wełny", "Tak, po tej rundzie"},
	"pt-BR": {"Sim, depois desta rodada", "Pode ser: 2 lãs"},
	"pt-PT": {"Sim, por duas lãs", "Aceito quando acabar a ronda"},
}

// plainly are answers that say yes and are polite, by language.
var plainly = map[string]string{"en": "OK, thanks. See you Sunday!", "pl": "Tak, chętnie! Pozdrawiam, Bo",
	"pt-BR": "Sim, claro! Obrigado.", "pt-PT": "Ana, com todo o gosto. Até domingo!"}

// asks says of every question that takes yes or no how it is put to Bo, and whether a yes has been carried out.
var asks = map[string]func(p *post, lang string) (table events.Name, agreed func() bool){
	"an invitation": func(p *post, lang string) (events.Name, func() bool) {
		table := p.invites(p.person("Ana", "en"), p.person("Bo", lang))
		return table, func() bool { return len(p.Sees(table).Table.Places[1].Holders) > 0 }
	},
	"the offer of a seat": func(p *post, lang string) (events.Name, func() bool) {
		people := []domain.PersonID{p.person("Ana", "en"), p.person("Cid", "en"), p.person("Bo", lang)}
		table := p.started(desk.NewTable{Rulebook: "tiny"}, people[:2]...)
		p.Does(people[0], table, desk.OfferSeat{Seat: 0, Person: people[2]})
		return table, func() bool { return p.Sees(table).Table.Places[0].Holds(people[2]) }
	},
	"a proposal to end": func(p *post, lang string) (events.Name, func() bool) {
		people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", lang)}
		table := p.started(desk.NewTable{Rulebook: "tiny"}, people...)
		p.Does(people[0], table, desk.ProposeEnd{})
		return table, func() bool { return p.Sees(table).Table.IsOver() }
	},
	"an offer of cards": func(p *post, lang string) (events.Name, func() bool) {
		return p.offered(lang, "brick")
	},
	"an offer that they cannot pay": func(p *post, lang string) (events.Name, func() bool) {
		return p.offered(lang, "grain")
	},
}

// offered offers Bo wool for a card, and says whether the offer has been answered.
func (p *post) offered(lang, card string) (events.Name, func() bool) {
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
		p.person("Ana", "en"), p.person("Bo", lang), p.person("Cid", "en"))
	p.deliver(table)
	p.answer(ana, "offer 1 wool for "+card+" to B")
	p.deliver(table)
	at := p.last()
	return table, func() bool { return len(p.story(table, at)) > 0 }
}

// A yes with a but decides nothing: a game that is over and cards that are gone do not come back.
func TestAYesWithAButIsAskedAbout(t *testing.T) {
	said := map[string]string{"en": "Did you mean yes?", "pl": "Czy to miało znaczyć „tak”?",
		"pt-BR": "Você quis dizer sim?", "pt-PT": "Quis dizer sim?"}
	for what, put := range asks {
		for lang, texts := range qualified {
			t.Run(what+", "+lang, func(t *testing.T) {
				p := newPost(t)
				table, agreed := put(p, lang)
				p.deliver(table)
				if what != "an invitation" {
					texts = append(texts[:len(texts):len(texts)], firmly[lang]...)
				}
				for _, text := range texts {
					require.Equal(t, "outcome: asked", p.becomes(bo, lined(text)...), text)
					require.False(t, agreed(), text)
					p.deliver(table)
					require.Contains(t, flat(p.newest(bo).Text), said[lang], text)
				}
				if what != "an offer that they cannot pay" {
					require.NotEqual(t, "outcome: asked", p.becomes(bo, lined(plainly[lang])...))
					require.True(t, agreed(), plainly[lang])
				}
			})
		}
	}
}

func lined(text string) []string { return strings.Split(text, "|") }

// The answer asks again, once: a proposal is what it is about, and not also something beside it.
func TestAnAnswerAboutAProposalAsksItOnce(t *testing.T) {
	p := newPost(t)
	table, _ := asks["a proposal to end"](p, "en")
	p.deliver(table)
	require.Equal(t, "outcome: asked", p.becomes(bo, "yes, but only if Ana buys the next round"))
	p.deliver(table)
	text := p.newest(bo).Text
	require.Equal(t, 1, strings.Count(text, "/p/"), text)
	require.Equal(t, 1, strings.Count(flat(text), "Ana proposes to end the game"), text)
}

// Two answers to one offer are two ways to read a mail, whatever the hand can pay.
func TestAYesWithACounterOfferIsAskedAbout(t *testing.T) {
	for _, card := range []string{"brick", "grain"} {
		for _, lines := range []string{"sim|contraproposta 1 tijolo por 2 lã", "accept|counter brick for 2 wool",
			"counter brick for 2 wool|yes", "sim|contraproposta 1 lã por 1 trigo"} {
			t.Run(card+": "+lines, func(t *testing.T) {
				p := newPost(t)
				table, answered := p.offered("pt-BR", card)
				p.becomes(bo, lined(lines)...)
				require.False(t, answered())
				p.deliver(table)
				require.Contains(t, flat(p.newest(bo).Text), "Você quis dizer sim?")
			})
		}
	}
}

// A no that offers something else is no plain no: the offer would be gone, and the other one with it.
func TestANoWithACounterOfferIsAskedAbout(t *testing.T) {
	for lang, c := range map[string][2]string{
		"en":    {"No, but I would give brick for wool", "Did you mean no?"},
		"pl":    {"Nie, ale dam ci glinę za rudę", "Czy to miało znaczyć „nie”?"},
		"pt-BR": {"Não, só por 2 lãs", "Você quis dizer não?"},
		"pt-PT": {"Não, obrigada.|Mas dou um tijolo por uma lã", "Quis dizer não?"},
	} {
		t.Run(lang, func(t *testing.T) {
			p := newPost(t)
			table, answered := p.offered(lang, "brick")
			require.Equal(t, "outcome: asked", p.becomes(bo, lined(c[0])...))
			require.False(t, answered())
			p.deliver(table)
			require.Contains(t, flat(p.newest(bo).Text), c[1])
			require.Equal(t, "outcome: played", p.becomes(bo, "no"))
		})
	}
}

// What an answer to an offer says besides its no goes to nobody, and its writer hears so.
func TestWhatStandsBesidesANoToAnOfferIsNotLost(t *testing.T) {
	p := newPost(t)
	table, _ := p.offered("en", "brick")
	require.Equal(t, "outcome: played", p.becomes(bo, "No thanks. Good luck with your road!"))
	p.deliver(table)
	require.Contains(t, flat(p.newest(bo).Text), "Passed on to nobody: “Good luck with your road”.")
}

func TestAMaybeToAnOfferIsAskedAbout(t *testing.T) {
	p := newPost(t)
	table, answered := p.offered("pt-BR", "brick")
	for _, text := range []string{"talvez", "Não. Só se forem 2 lãs", "Sim, se Cid não quiser"} {
		require.Equal(t, "outcome: asked", p.becomes(bo, text), text)
		p.deliver(table)
		require.Contains(t, flat(p.newest(bo).Text), "não é claramente um sim nem um não")
	}
	require.False(t, answered())
}

// A yes that the hand cannot pay is told why, in whatever words it is said.
func TestAYesThatCannotBePaidIsToldWhy(t *testing.T) {
	for _, text := range []string{"yes", "accept, please", "Sure, gladly!"} {
		t.Run(text, func(t *testing.T) {
			p := newPost(t)
			table, answered := p.offered("en", "grain")
			require.Equal(t, "outcome: refused", p.becomes(bo, text))
			require.False(t, answered())
			p.deliver(table)
			require.Contains(t, flat(p.newest(bo).Text), "You do not have 1 grain.")
		})
	}
}
