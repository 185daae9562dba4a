package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// askOthers says in a language why a step stands that others, or the dice, have gone on from, and where the others are
// asked to go back.
var askOthers = map[string]string{
	"en": "Only your own last step can be taken back, and only while nobody has moved since. The others can be asked " +
		"to go back on the table’s page; its link is below.",
	"pl": "Cofnąć można tylko własny ostatni ruch i tylko dopóki nikt po nim nie zagrał. O powrót można " +
		"poprosić innych na stronie stołu; link jest poniżej.",
	"pt-BR": "Só a sua última jogada pode ser desfeita, e só enquanto ninguém jogou depois. Na página da mesa se " +
		"pode pedir aos outros para voltar; o link está abaixo.",
	"pt-PT": "Só a sua última jogada pode ser desfeita, e só enquanto ninguém jogou depois. Na página da mesa pode " +
		"pedir-se aos outros para recuar; a ligação está abaixo.",
}

// The newest mail shows the writer's own end of turn, after which the dice fell at once: no other mail would do better.
func TestAStepThatTheDiceFollowedIsNotSentElsewhere(t *testing.T) {
	for lang, why := range askOthers {
		p := newPost(t)
		given := strings.Replace(building, `, "cards": {"knight": 1}`, "", 1) // Bo's dice are rolled for him
		table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(given)},
			p.person("Ana", lang), p.person("Bo", "en"), p.person("Cid", "en"))
		p.deliver(table)
		require.Equal(t, "outcome: played", p.becomes(ana, "end"))
		p.deliver(table)
		require.Greater(t, p.Sees(table).LineHead.Version, uint64(2))
		word := map[string]string{"en": "back", "pl": "cofnij", "pt-BR": "voltar", "pt-PT": "voltar"}[lang]
		for range 2 { // the answer to that is the newest mail, too
			require.Equal(t, "outcome: refused", p.becomes(ana, word))
			p.deliver(table)
			require.Contains(t, flat(p.newest(ana).Text), why, lang)
		}
	}
}

// A mail about an older turn does not advise what would be refused either.
func TestALateMailAdvisesNoStepThatCannotBeTakenBack(t *testing.T) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(building)},
		p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
	p.deliver(table)
	p.play(table, 0, "end")
	p.deliver(table)
	turn := p.newest(bo)
	p.play(table, 1, "roll")
	if p.may(table, "end") { // he has rolled no seven
		p.play(table, 1, "end")
	}
	p.answerTo(bo, turn, "back")
	p.deliver(table)
	require.NotContains(t, flat(p.newest(bo).Text), "reply to your newest email", p.story(table, 0))
}

// may reports whether whoever is awaited may play a move.
func (p *post) may(table events.Name, text string) bool {
	look := p.Sees(table)
	for m := range look.Rulebook.Legal(look.Line.State, look.Line.Awaited()[0].Seat) {
		if look.Rulebook.FormatMove(m, nil) == text {
			return true
		}
	}
	return false
}

func TestBackAfterTheEndIsToldThatTheGameIsOver(t *testing.T) {
	p := newPost(t)
	ids := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", "en")}
	table := p.started(desk.NewTable{Rulebook: "tiny", Given: []byte(`{"roller":"A"}`)}, ids...)
	p.deliver(table)
	asked := p.newest(ana)
	p.Does(ids[0], table, desk.ProposeEnd{})
	p.Does(ids[1], table, desk.Agree{Since: p.Sees(table).Table.Proposal.Since})
	p.deliver(table)
	p.answerTo(ana, asked, "back")
	p.deliver(table)
	text := flat(p.newest(ana).Text)
	require.Contains(t, text, "Nothing was taken back. The game is over.")
	require.NotContains(t, text, "newest email")
}

// Whoever was asked together with others is told so, not that somebody has been asked since.
func TestAStepBesideOthersIsNotCalledAnEarlierOne(t *testing.T) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "tiny", Given: []byte(`{"roller":"A","hands":[17,23]}`)},
		p.person("Ana", "en"), p.person("Bo", "en"))
	p.deliver(table)
	require.Equal(t, "outcome: played", p.becomes(ana, "keep"))
	p.deliver(table)
	require.Len(t, p.Sees(table).Line.Awaited(), 1, "Bo is asked still")
	require.Equal(t, "outcome: refused", p.becomes(ana, "back"))
	p.deliver(table)
	require.Contains(t, flat(p.newest(ana).Text), "Somebody else was asked something at the same time. Ask the others "+
		"to go back.")
	require.NotContains(t, flat(p.newest(ana).Text), "since. Ask")
}
