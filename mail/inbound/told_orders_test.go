package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
)

// What is to be done now is a move, and never stands for later games: an order says that it is one, or when it holds.
func TestAMoveInPlainWordsIsNoOrder(t *testing.T) {
	for _, c := range []struct{ lang, given, text, want string }{
		{"en", robbing, "robber to hex 1", "rob 1"},
		{"en", robbing, "Move the robber to hex 1", "rob 1"},
		{"en", robbing, "I move the robber to hex 8 and take from Bo", "rob 8 B"},
		{"pl", robbing, "złodziej na pole 1", "rob 1"},
		{"pl", robbing, "złodziej na pole 8", ""},
		{"pl", robbing, "Przesuwam złodzieja na pole 8 i zabieram Bo", "rob 8 B"},
		{"pl", robbing, "złodziej na pole 8 od Bo", "rob 8 B"},
		{"pl", robbing, "pole 8 od Bo", "rob 8 B"},
		{"pt-BR", robbing, "ladrão no hexágono 1", "rob 1"},
		{"pt-BR", robbing, "Movo o ladrão para o hexágono 1", "rob 1"},
		{"pt-PT", robbing, "Ladrão para o hexágono 8, do Bo", "rob 8 B"},
		{"pt-BR", haggling, "Dou 1 lã por 1 minério", "offer 1 wool for 1 ore"},
		{"pt-PT", haggling, "Dou 1 lã por 1 minério ao Bo", "offer 1 wool for 1 ore to B"},
		{"pl", haggling, "Dam 1 wełnę za 1 rudę", "offer 1 wool for 1 ore"},
		{"en", haggling, "give 1 wool for 1 ore", "offer 1 wool for 1 ore"},
		{"en", haggling, "decline", ""},
		{"en", haggling, "rob 9", ""},
		{"pl", haggling, "złodziej na pole 9", ""},
		{"pt-BR", haggling, "recuso a oferta do Bo", ""},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(c.given)},
				p.person("Ana", c.lang), p.person("Bo", "en"), p.person("Cid", "en"))
			p.deliver(table)
			at := p.last()
			got := p.becomes(ana, c.text)
			p.deliver(table)
			now, err := p.Desk.Orders(p.Ctx, table, 0, p.Sees(table).Table.Places[0].Holders[0])
			require.NoError(t, err)
			require.Empty(t, now.List)
			if c.want == "" {
				require.NotContains(t, []string{"outcome: played", "outcome: ordered"}, got)
				return
			}
			require.Equal(t, "outcome: played", got, flat(p.newest(ana).Text)[:300])
			require.Equal(t, "reply: move A "+c.want, p.story(table, at)[0])
		})
	}
}

// An order says so or when it holds, in every language, and whoever gave it hears how long it stands.
func TestAnOrderSaysThatItIsOne(t *testing.T) {
	stands := map[string]string{
		"en":    "used up or you remove them on the table’s page",
		"pl":    "nie usuniesz ich na stronie stołu",
		"pt-BR": "você as remova na página da mesa",
		"pt-PT": "as retire na página da mesa",
	}
	for _, c := range []struct{ lang, text, want string }{
		{"en", "order rob 9", "order rob 9"},
		{"en", "if I move the robber: rob hex 9", "order rob 9"},
		{"en", "roll for me", "order roll"},
		{"en", "give wool for ore, up to 2", "order give 1 wool for 1 ore up to 2"},
		{"en", "decline every other offer from Cid", "order decline from C"},
		{"en", "on a seven discard wool, then ore", "order discard wool ore"},
		{"pl", "polecenie: złodziej na pole 9", "order rob 9"},
		{"pl", "gdy przesuwam złodzieja: złodziej na pole 9", "order rob 9"},
		{"pl", "rzuć za mnie", "order roll"},
		{"pt-BR", "ordem: ladrão no hexágono 9", "order rob 9"},
		{"pt-BR", "se eu mover o ladrão: ladrão no hexágono 9", "order rob 9"},
		{"pt-PT", "lançar por mim", "order roll"},
		{"pt-PT", "dar 1 lã por 1 minério, no máximo 2 vezes", "order give 1 wool for 1 ore up to 2"},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			p := newPost(t)
			people := []domain.PersonID{p.person("Ana", c.lang), p.person("Bo", "en"), p.person("Cid", "en")}
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(robbing)}, people...)
			p.deliver(table)
			require.Equal(t, "outcome: ordered", p.becomes(ana, c.text))
			now, err := p.Desk.Orders(p.Ctx, table, 0, people[0])
			require.NoError(t, err)
			require.Equal(t, []string{c.want}, now.List)
			p.deliver(table)
			require.Contains(t, flat(p.newest(ana).Text), stands[c.lang])
		})
	}
}
