package inbound_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
)

// haggling is a turn of Catan with much to do.
const haggling = `{"phase":"main","first":"A","active":"A",
	"players":[{"settlements":[30],"roads":[35],"hand":{"wool":3,"grain":1,"ore":1}},{"hand":{"ore":1,"brick":1}},{}]}`

// Nothing is played in place of a line that looks like a move and is none, and what is not done is said.
func TestALineThatWentWrongIsNeverPassedOver(t *testing.T) {
	for name, c := range map[string]struct {
		lang  string
		lines []string
		says  []string // in the answer
		story []string // of the table, after the reply
	}{
		"an offer of what is no resource, before the end": {"en", []string{"offer 2 wool for a brck", "end"},
			[]string{"Nothing was played.", "“offer 2 wool for a brck” reads like a move, but it is none here", "brck"},
			nil},
		"to somebody who does not play": {"en", []string{"offer 1 ore for 1 wool to Bob", "end"},
			[]string{"Nothing was played.", "“offer 1 ore for 1 wool to Bob” reads like a move", "Bob"}, nil},
		"before a purchase and an order": {"en", []string{"offer 1 wool for soup", "buy", "roll for me"},
			[]string{"Nothing was played.", "soup", "Anyone who has this email can play this turn."}, nil},
		"before an order alone": {"en", []string{"offer 1 wool for soup", "roll for me"},
			[]string{"Nothing was played.", "soup"}, nil},
		"a word of a move, as a question": {"pl", []string{"osada?", "koniec"},
			[]string{"Nic nie zagrano", "„osada?” wygląda na ruch"}, nil},
		"between two moves": {"en", []string{"buy", "offer 1 wool for soup", "end"},
			[]string{"Played: buy a development card.", "Not played: “offer 1 wool for soup”.", "soup",
				"What follows it was not played either."}, []string{"reply: move A buy"}},
		"beside chat": {"en", []string{"offer 1 wool for soup", "say Hungry?"},
			[]string{"Nothing was played.", "A resource is missing",
				"What you wrote for the chat was not posted either"}, nil},
		"a move that may not be made, beside chat": {"en", []string{"bank wool ore", "say Never mind"},
			[]string{"Nothing was played.", "What you wrote for the chat was not posted either"}, nil},
		"an article": {"en", []string{"offer 2 wool for a brick to B"},
			[]string{"Played: offer 2 wool for 1 brick to Bo."},
			[]string{"reply: move A offer 2 wool for 1 brick to B"}},
		"a greeting": {"en", []string{"Hello all!", "end"}, []string{"Played: end the turn."},
			[]string{"reply: move A end", "forced: move B roll"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
				p.person("Ana", c.lang), p.person("Bo", "en"), p.person("Cid", "en"))
			p.deliver(table)
			at := p.last()
			p.answer(ana, c.lines...)
			require.Equal(t, c.story, p.story(table, at))
			p.deliver(table)
			said := flat(p.newest(ana).Text)
			for _, text := range c.says {
				require.Contains(t, said, text)
			}
		})
	}
}

// Whoever is offered something says yes and no in their own words, as to every other question.
func TestAnOfferIsTakenUpInOnesOwnWords(t *testing.T) {
	for lang, lines := range map[string]map[string]string{
		"en": {"Yes please!": "accept", "No, thank you.": "decline"},
		"pl": {"Tak, bardzo chętnie.": "accept", "Nie, dziękuję": "decline"},
		"pt": {"Está bem, sim!": "accept", "Ana, aceito.": "accept"},
	} {
		for line, want := range lines {
			t.Run(line, func(t *testing.T) {
				p := newPost(t)
				table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
					p.person("Ana", "en"), p.person("Bo", lang), p.person("Cid", "en"))
				p.deliver(table)
				p.answer(ana, "offer 2 wool for brick to B")
				p.deliver(table)
				at := p.last()
				p.answer(bo, line)
				require.Equal(t, []string{"reply: move B " + want}, p.story(table, at))
			})
		}
	}
}

// The answer to a mail with several moves tells what each of them did.
func TestTheAnswerTellsWhatEveryMoveOfTheMailDid(t *testing.T) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
		p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
	p.deliver(table)
	p.answer(ana, "buy", "end")
	p.deliver(table)
	said := flat(p.newest(ana).Text)
	require.Contains(t, said, "Played: buy a development card; end the turn.")
	require.Contains(t, said, "Ana buys a development card")
	require.Contains(t, said, "Bo rolls")
}

// A move that comes after the end is no chat, in whatever way it is written.
func TestAMoveAfterTheEndIsNotSaid(t *testing.T) {
	for _, lines := range [][]string{{"a a"}, {"road 35; end"}, {"buy", "end"},
		{"offer 1 wool for ore", "Thanks all!"}} {
		t.Run(lines[0], func(t *testing.T) {
			p := newPost(t)
			people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en")}
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)}, people...)
			p.deliver(table)
			old := p.newest(ana)
			for seat, who := range people[:2] {
				p.Does(who, table, desk.Resign{Seat: domain.Seat(seat)})
			}
			p.Follows(table)
			require.Equal(t, domain.TableEnded, p.Sees(table).Table.Status)
			at := p.last()
			p.answerTo(ana, old, lines...)
			for _, said := range p.story(table, at) {
				require.Equal(t, "reply: said Thanks all!", said)
			}
			require.Contains(t, strings.Join(p.answers(table), " "), "The game is over, so no move was played.")
		})
	}
}

func TestWhoWritesTooMuchIsToldWhenItGoesOn(t *testing.T) {
	h := newHouse(t)
	table := tinyTable(h)
	h.now.add(time.Hour) // their joining counts no longer
	h.Desk.Limit(desk.Limits{Acts: desk.Rate{Burst: 1, Every: 10 * time.Minute}})
	to, at := h.address(table, 1), h.last()
	for i, text := range []string{"say one", "say two"} {
		h.takes(to, h.posted(to, written(bo, strconv.Itoa(i), text)))
	}
	require.Len(t, h.story(table, at), 1)
	require.Contains(t, strings.Join(h.answers(table), "\n"), "Odpowiedz jeszcze raz za 10 minut.")
}
