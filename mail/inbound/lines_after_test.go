package inbound_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/events/programtest"
	"posthorn/mail"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// turnInWords returns what a seat could write to play up to four moves, each as a mail about the position that the one
// before led to would list it, and those moves.
func (p *post) turnInWords(look desk.Look, seat domain.Seat, printer words.Printer, rnd *rand.Rand) (
	lines, moves []string) {
	p.T.Helper()
	line := look.Line.Clone()
	for n := 1 + rnd.IntN(4); n > 0 && line.Awaits(seat); n-- {
		said := map[string]int{}
		all := turn.ListOf(printer, line, seat)
		for _, m := range all {
			said[m.Label()]++
		}
		all = slices.DeleteFunc(all, func(m turn.Named) bool { return said[m.Label()] > 1 })
		if len(all) == 0 {
			break
		}
		m := all[rnd.IntN(len(all))]
		e, _, err := line.Decide(seat, m.Move)
		require.NoError(p.T, err)
		line.Apply(&e)
		lines, moves = append(lines, m.Label()), append(moves, "reply: move "+seat.Letter()+" "+e.Move)
	}
	return lines, moves
}

// shown returns the lines that a mail says play a move.
func (p *post) shown(m mail.Parts, printer words.Printer) (lines []string) {
	p.T.Helper()
	all := strings.Split(flat(m.Text), " – "+printer.Text("mail.reply.move.does"))
	for _, before := range all[:len(all)-1] {
		lines = append(lines, before[strings.LastIndex(before, " - ")+3:])
	}
	return lines
}

// Whatever a reply's moves bring up, its next line is read by the words of the list that a mail about that would have:
// in random games of all plays, in every language. So is each line that the mail gives as an example.
func TestEachLineIsReadWhereTheLineBeforeLed(t *testing.T) {
	programtest.Long(t)
	for _, game := range []desk.NewTable{{Rulebook: "carcassonne"}, {Rulebook: "catan"}, {Rulebook: "rivals"},
		{Rulebook: "rivals", Choices: domain.Choices{"play": "intro"}}} {
		t.Run(game.Rulebook+" "+game.Choices["play"], func(t *testing.T) {
			replies, followed, taught, least := 0, 0, 0, 8
			if game.Rulebook == "carcassonne" {
				least = -1 // one move is a turn there
			}
			for _, lang := range words.Languages {
				p, rnd := newPost(t), rand.New(rand.NewPCG(3, uint64(len(lang)+len(game.Choices))))
				ids := []domain.PersonID{p.person("Ana", lang), p.person("Bo", lang)}
				table := p.started(game, ids...)
				last := lang == words.Languages[len(words.Languages)-1]
				for n := 0; n < 12 || last && n < 60 && followed <= least; n++ {
					if p.Random(table, rnd, rnd.IntN(6)) {
						break
					}
					p.deliver(table)
					p.deliver(table) // what somebody's own move brought up waits for them to play it
					look := p.Sees(table)
					seat := look.Line.Awaited()[0].Seat
					who := look.Table.Places[seat].Holders[0]
					printer, _, err := p.composer.Maker.Printer(t.Context(), look, lang)
					require.NoError(t, err)
					lines, moves := p.turnInWords(look, seat, printer, rnd)
					if len(lines) == 0 {
						continue
					}
					from := map[domain.PersonID]string{ids[0]: ana, ids[1]: bo}[who]
					now := p.composed(table, seat)
					if shown := p.shown(now, printer); rnd.IntN(2) == 0 && len(shown) > 0 {
						line := shown[rnd.IntN(len(shown))]
						p.answerTo(from, now, line)
						require.Equal(t, "outcome: played", outcome(p.log.String()), "%s: %s\n%s", lang, line, now.Text)
						taught++
						continue
					}
					at := p.last()
					p.answer(from, lines...)
					p.deliver(table)
					story := slices.DeleteFunc(p.story(table, at), func(s string) bool {
						return !strings.HasPrefix(s, "reply: move")
					})
					require.Equal(t, moves, story, "%s %v\n%s", lang, lines, flat(p.newest(from).Text)[:600])
					if replies++; len(lines) > 1 {
						followed++
					}
				}
			}
			t.Logf("%d replies, %d of several lines, %d as a mail teaches", replies, followed, taught)
			require.Greater(t, taught, 4)
			require.Greater(t, followed, least, "a chance of random games that 60 more positions make small")
		})
	}
}
