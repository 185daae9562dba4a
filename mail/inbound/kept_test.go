package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

// roadAsks is a turn of the Rivals in which a road is asked about: its wood may come from either forest.
const roadAsks = `{"phase":"act","active":"A","seats":[{"hand":["brick_factory","wool_ship","austin"],"regions":[` +
	`"0a forest2 1","0b gold_field1 2","1a hills3 2","1b forest4 1","2a mountains5 3","2b pasture6 3"]},{}]}`

// chain begins a turn of somebody who reads a language.
func (p *post) chain(lang, given string) (table events.Name) {
	table = p.started(desk.NewTable{Rulebook: "rivals", Given: []byte(given)}, p.person("Ana", lang),
		p.person("Bo", "en"))
	p.deliver(table)
	return table
}

// What a reply says below a question that comes in between waits for its answer, and goes on then; the answer says so.
func TestALineBelowAQuestionGoesOnOnceItIsAnswered(t *testing.T) {
	want := []string{"reply: move A road right", "reply: move A pay 0a", "reply: move A build wool_ship 1 below",
		"reply: move A end"}
	const below = "road on the right|wool ship below the right starting place|end"
	for _, c := range []struct{ lang, text, kept, answer string }{
		{"en", below, "Once your reply answers what is asked first, " +
			"this goes on with “wool ship below the right starting place / end”.", "from forest 2"},
		{"en", "1. road right|2. d 1 below|3. end", "this goes on with “d 1 below / end”", "0a"},
		{"pl", "droga w prawo|d 1 below|koniec", "„d 1 below / koniec”", "0a"},
		{"pt-BR", "estrada à direita|d 1 below|fim", "“d 1 below / fim”", "0a"},
		{"pt-PT", "estrada à direita|d 1 below|fim", "«d 1 below / fim»", "0a"},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			p := newPost(t)
			table := p.chain(c.lang, roadAsks)
			at := p.last()
			require.Equal(t, "outcome: played", p.becomes(ana, lined(c.text)...))
			require.Equal(t, want[:1], p.replied(table, at))
			p.deliver(table)
			answer := flat(p.newest(ana).Text)
			require.Contains(t, answer, c.kept)
			require.NotContains(t, answer, "Not played")
			require.Equal(t, "outcome: played", p.becomes(ana, c.answer))
			require.Equal(t, want, p.replied(table, at))
		})
	}
}

// What a line names is paid, if that is what is asked first, and not taken by a question that comes after it.
func TestWhatALineNamesPaysWhatIsAskedFirst(t *testing.T) {
	const caravan = `{"phase":"act","active":"A","seats":[{"hand":["caravan","wool_ship","austin"],"regions":[` +
		`"0a hills3 2","0b fields1 1","1a hills5 0","1b pasture4 1","2a mountains5 1","2b forest6 1"]},{}]}`
	for _, c := range []struct{ lang, text string }{
		{"en", "merchant caravan|2 bricks|wool and grain"},
		{"en", "merchant caravan|pay with 2 bricks|wool and grain"},
		{"pl", "karawana kupców|2 gliny|wełna i zboże"},
		{"pt-BR", "caravana de mercadores|2 tijolos|lã e trigo"},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			p := newPost(t)
			table := p.chain(c.lang, caravan)
			at := p.last()
			p.becomes(ana, lined(c.text)...)
			require.Equal(t, []string{"reply: move A play merchant_caravan", "reply: move A pay 0a 0a",
				"reply: move A take grain wool"}, p.replied(table, at), flat(p.newest(ana).Text))
		})
	}
}

// It waits through a second question, and for a mail that is written anew.
func TestALineBelowTwoQuestionsWaitsForBoth(t *testing.T) {
	p := newPost(t)
	table := p.chain("en", `{"phase":"act","active":"A","seats":[{"hand":["brick_factory","wool_ship","austin"],"regions":[`+
		`"0a forest2 3","0b pasture4 2","1a hills3 2","1b forest4 3","2a mountains5 3","2b pasture6 3"]},{}]}`)
	at := p.last()
	require.Equal(t, "outcome: played", p.becomes(ana, "road right", "wool ship below the right starting place", "end"))
	p.deliver(table)
	require.Equal(t, "outcome: played", p.becomes(ana, "from forest 2"))
	p.deliver(table)
	require.Contains(t, flat(p.newest(ana).Text), "this goes on with “end”.")
	require.Equal(t, "outcome: unread", p.becomes(ana, "hm?"), "which leaves it as it is")
	p.deliver(table)
	require.Equal(t, "outcome: played", p.becomes(ana, "from forest 4"))
	require.Equal(t, "reply: move A end", p.replied(table, at)[4], p.replied(table, at))
}

// It is not played once its writer has gone on otherwise, and never twice.
func TestWhatWaitsGoesWhereItsWriterGoesOnOtherwise(t *testing.T) {
	for what, goesOn := range map[string]func(p *post, table events.Name){
		"by other moves": func(p *post, _ events.Name) {
			require.Equal(p.T, "outcome: played", p.becomes(ana, "from forest 2", "exchange 3 ore"))
		},
		"by a step back": func(p *post, table events.Name) {
			require.Equal(p.T, "outcome: back", p.becomes(ana, "back"))
			p.deliver(table)
			require.Equal(p.T, "outcome: played", p.becomes(ana, "road left"))
			p.deliver(table)
			require.Equal(p.T, "outcome: played", p.becomes(ana, "from forest 2"))
		},
		"on the page": func(p *post, table events.Name) {
			p.play(table, 0, "pay 0a")
			p.deliver(table)
			require.Equal(p.T, "outcome: played", p.becomes(ana, "exchange 3 ore"))
		},
	} {
		t.Run(what, func(t *testing.T) {
			p := newPost(t)
			table := p.chain("en", roadAsks)
			require.Equal(t, "outcome: played", p.becomes(ana, "road right", "d 1 below", "end"))
			p.deliver(table)
			at := p.last()
			goesOn(p, table)
			require.NotContains(t, strings.Join(p.story(table, at), ";"), "wool_ship")
			require.Equal(t, domain.Seat(0), p.Sees(table).Line.Awaited()[0].Seat)
		})
	}
}

// What waits and is overtaken on the page is said to be so in the next mail, once.
func TestTheNextMailSaysWhatWaitedInVain(t *testing.T) {
	for lang, says := range map[string]string{
		"en": "As you went on otherwise, this is not played any more: “d 1 below / end”.",
		"pl": "Ponieważ wybierasz inny dalszy ciąg, tego już się nie zagra: „d 1 below / end”.",
	} {
		p := newPost(t)
		table := p.chain(lang, roadAsks)
		require.Equal(t, "outcome: played", p.becomes(ana, "road right", "d 1 below", "end"))
		p.deliver(table)
		require.NotContains(t, flat(p.newest(ana).Text), says)
		p.play(table, 0, "pay 0a")
		for i := range 2 {
			require.Equal(t, "outcome: unread", p.becomes(ana, "hm, "+strings.Repeat("well ", i+1)+"what now?"))
			p.deliver(table)
			require.Equal(t, i == 0, strings.Contains(flat(p.newest(ana).Text), says), flat(p.newest(ana).Text))
		}
	}
}

// A standing order that the reply to the question gives, and that answers it, lets what waits go on.
func TestWhatWaitsGoesOnBehindAStandingOrder(t *testing.T) {
	p := newPost(t)
	table := p.chain("en", roadAsks)
	require.Equal(t, "outcome: played", p.becomes(ana, "road right", "wool ship below the right starting place", "end"))
	p.deliver(table)
	at := p.last()
	require.Equal(t, "outcome: ordered", p.becomes(ana, "order pay"))
	require.Contains(t, strings.Join(p.replied(table, at), ";"), "reply: move A build wool_ship 1 below")
	require.Contains(t, strings.Join(p.replied(table, at), ";"), "reply: move A end")
	p.deliver(table)
	require.NotContains(t, flat(p.newest(ana).Text), "not played any more")
	require.Contains(t, flat(p.newest(ana).Text), "Played: ")
}

// What a standing order answers stops nothing.
func TestAStandingOrderAnswersWithinAChain(t *testing.T) {
	p := newPost(t)
	table := p.chain("en", `{"phase":"act","active":"A","seats":[{"hand":["brick_factory","wool_ship","austin"],"regions":[`+
		`"0a forest2 2","0b fields1 1","1a hills3 2","1b forest4 2","2a mountains5 3","2b pasture6 3"]},{}]}`)
	_, err := p.Desk.SetOrders(p.Ctx, desktest.By(p.Sees(table).Table.Places[0].Holders[0]), table, 0,
		events.NewCommandID(), 0, []string{"pay"}, nil)
	require.NoError(t, err)
	at := p.last()
	require.Equal(t, "outcome: played", p.becomes(ana, "road on the right", "exchange 3 wool for grain", "end"))
	require.Equal(t, []string{"reply: move A road right", "reply: move A bank 3 wool grain", "reply: move A end"},
		p.replied(table, at))

	p = newPost(t)
	table = p.chain("en", roadAsks)
	_, err = p.Desk.SetOrders(p.Ctx, desktest.By(p.Sees(table).Table.Places[0].Holders[0]), table, 0,
		events.NewCommandID(), 0, []string{"pay"}, nil)
	require.NoError(t, err)
	at = p.last()
	require.Equal(t, "outcome: played", p.becomes(ana, "road on the right", "from forest 4", "end"))
	require.Equal(t, []string{"reply: move A road right", "reply: move A pay 1b", "reply: move A end"},
		p.replied(table, at), "who says it is heard")
}

// A place whose number is also an amount is named by itself.
func TestAPlaceToPayFromIsNamedByItsRegion(t *testing.T) {
	p := newPost(t)
	table := p.chain("en", `{"phase":"act","active":"A","seats":[{"hand":["brick_factory","wool_ship","austin"],"regions":[`+
		`"0a gold_field3 2","0b gold_field1 2","1a hills3 2","1b forest4 2","2a mountains5 3","2b pasture6 2"]},{}]}`)
	at := p.last()
	require.Equal(t, "outcome: played", p.becomes(ana, "exchange 3 gold for wool"))
	p.deliver(table)
	require.Equal(t, "outcome: played", p.becomes(ana, "from gold field 1"))
	require.Equal(t, "reply: move A pay 0b", p.replied(table, at)[1])
}
