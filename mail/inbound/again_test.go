package inbound_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/record"
)

func TestALostAnswerIsGivenWhenTheMailComesAgain(t *testing.T) {
	h := newHouse(t)
	table := tinyTable(h)
	to, at := h.address(table, 1), h.last()
	raw := written(bo, "1", "keep", "say so there")
	h.full = true // the queue's disk
	require.Error(t, h.handle(to, bo, raw), "the mail server is to send it again")
	h.full = false
	done := []string{"reply: said so there", "reply: move B keep"}
	require.Equal(t, done, h.story(table, at))
	require.Empty(t, h.answers(table))
	h.log.Reset()
	require.NoError(t, h.handle(to, bo, raw))
	require.Equal(t, "outcome: played", outcome(h.log.String()))
	require.Equal(t, done, h.story(table, at), "nothing is done twice")
	require.Equal(t, []string{"Twój ruch został wykonany. Twoja wypowiedź jest w rozmowie."}, h.answers(table))
}

func TestALetterMeansWhatItMeantWhenTheMailWasWritten(t *testing.T) {
	h := newHouse(t)
	table := tinyTable(h)
	to := h.address(table, 1)
	h.play(table, 0, "keep") // a version later, Bo is still asked the same
	at := h.last()
	require.Equal(t, "outcome: played", h.write(to, bo, "1", "c"))
	require.Equal(t, []string{"reply: move B peek A"}, h.story(table, at)[:1])
}

func TestOneWhoHoldsNoSeatAnyMoreOnlySays(t *testing.T) {
	h := newHouse(t)
	table := tinyTable(h)
	to, who := h.address(table, 1), h.Sees(table).Table.Places[1].Holders[0]
	h.Does(who, table, desk.Resign{Seat: 1})
	at := h.last()
	require.Equal(t, "outcome: stale", h.write(to, bo, "1", "keep"))
	require.Equal(t, "outcome: said", h.write(to, bo, "2", "say farewell"))
	require.Equal(t, []string{"reply: said farewell"}, h.story(table, at))
}

func TestAwayMovesDeadlinesAtThisTableAlone(t *testing.T) {
	h := newHouse(t)
	ids := []domain.PersonID{h.person("Ana", "en"), h.person("Bo", "en")}
	timed := func() events.Name {
		return h.started(desk.NewTable{Rulebook: "tiny", Given: []byte(`{"roller":"A"}`),
			Clock: &domain.Clock{Hours: 24, TimeOut: domain.TimeOutRemind}}, ids...)
	}
	here, there := timed(), timed()
	due := func(table events.Name) string {
		for _, d := range h.Sees(table).Deadlines() {
			if d.Seat == 1 {
				return d.At.Format("2006-01-02")
			}
		}
		return ""
	}
	was, to, at := due(here), h.address(here, 1), h.last()
	require.NotEmpty(t, was)
	require.Equal(t, "outcome: asked", h.write(to, bo, "1", "away"), "until when?")
	require.Equal(t, "outcome: refused", h.write(to, bo, "2", "away for 99 days"))
	require.Equal(t, "outcome: away", h.write(to, bo, "3", "away until Friday"))
	require.Greater(t, due(here), "2026-11-27")
	require.Equal(t, was, due(there))
	story := h.story(here, at)
	require.Len(t, story, 1, "it is a command, and not said besides")
	require.True(t, strings.HasPrefix(story[0], "reply: table.deferred"), story[0])
	require.Contains(t, strings.Join(h.answers(here), "\n"), "Your deadlines at this table were moved.")
}

func TestOurOwnLetterThatComesBackEndsThere(t *testing.T) {
	p := newPost(t)
	table := tinyTable(p.house)
	p.deliver(table)
	m := p.newest(bo)
	id, to := strings.Trim(m.Header.Get("Message-Id"), "<>"), p.address(table, 1)
	p.log.Reset()
	raw := strings.Replace(string(written(bo, "1", "keep")), "<1@example.org>", "<"+id+">", 1)
	require.NoError(t, p.handle(to, bo, []byte(raw)))
	require.Equal(t, "why: our own", outcome(p.log.String()))
}

// Given a line of chat next to a move, when the move causes mails to the others, then they read the chat there.
func TestAWordBesideAMoveIsInTheMailThatTellsTheMove(t *testing.T) {
	h := newHouse(t)
	h.composer.Opens = func(ctx context.Context, id domain.PersonID, cipher []byte) string {
		text, err := h.people.Decrypt(ctx, id, cipher)
		require.NoError(t, err)
		return string(text)
	}
	table, _, _ := roads(h, "en")
	at := h.last()
	require.Equal(t, "outcome: played", h.write(h.address(table, 0), ana, "1", "end", "say powodzenia, all of you"))
	require.Equal(t, []string{"reply: said powodzenia, all of you", "reply: move A end"}, h.story(table, at),
		"the word is there before anybody is asked")
	text := strings.Join(strings.Fields(h.composed(table, 1).Text), " ")
	require.Contains(t, text, "powodzenia, all of you")

	var many []string
	for range 12 {
		many = append(many, "say and one more")
	}
	require.Equal(t, "outcome: said", h.write(h.address(table, 1), bo, "2", many...))
	answers := h.answers(table)
	require.Equal(t, "Twoich 10 wypowiedzi jest w rozmowie.\nBez 2 ostatnich: w jednej odpowiedzi mieści się ich 10.",
		answers[len(answers)-1])
}

// An answer that comes after its table was handed over is told so, and not that the game is over.
func TestAnAnswerAfterAHandoverIsToldWhereTheGameIs(t *testing.T) {
	h := newHouse(t)
	table := h.started(desk.NewTable{Rulebook: "tiny"}, h.person("Ana", "en"), h.person("Bo", "en"))
	to := h.address(table, 0)
	there, err := events.NewKeys([32]byte{9})
	require.NoError(t, err)
	key, err := record.PublicKey(there)
	require.NoError(t, err)
	require.NoError(t, record.Handover(h.Ctx, h.Desk, table, key, noon, io.Discard))
	require.Equal(t, "outcome: stale", h.write(to, ana, "1", "keep"))
	require.Contains(t, h.answers(table)[0], "The game goes on at another server, so no move was played here.")
}

// Given the mail about a game's last move, when that move is made on the page first, then an answer to the mail is told
// that the game is over, whether or not the house has noted the end.
func TestAnAnswerAfterTheEndIsToldThatTheGameIsOver(t *testing.T) {
	for what, noted := range map[string]bool{"before the end is noted": false, "once it is noted": true} {
		t.Run(what, func(t *testing.T) {
			h := newHouse(t)
			table := h.started(desk.NewTable{Rulebook: "tiny", Given: []byte(`{"round": 3}`)}, h.person("Ana", "en"),
				h.person("Bo", "en"))
			h.play(table, 0, "keep")
			h.play(table, 1, "keep")
			look := h.Sees(table)
			o := look.Line.Awaited()[0]
			who := look.Table.Places[o.Seat].Holders[0]
			to, from := h.address(table, o.Seat), map[domain.Seat]string{0: ana, 1: "bo@example.org"}[o.Seat]
			_, err := h.Desk.Play(h.Ctx, desktest.By(who),
				desk.Move{ID: events.NewCommandID(), Table: table, Line: look.LineName, Seat: o.Seat, Decision: o,
					Text: "roll"})
			require.NoError(t, err)
			if noted {
				h.Follows(table)
			}
			require.Equal(t, noted, h.Sees(table).Table.Status == domain.TableEnded)
			require.Equal(t, "outcome: stale", h.write(to, from, "1", "roll"))
			require.Contains(t, h.answers(table)[0], "The game is over, so no move was played.")
		})
	}
}

// The table lets no mail shorten an absence; the writer is told until when they are away, and where they end that.
func TestAMailThatWouldShortenAnAbsenceIsToldWhere(t *testing.T) {
	for lang, says := range map[string][2]string{
		"en":    {"away until ", "You are away here until Sunday, 29 November."},
		"pl":    {"nie ma mnie do ", "Twoja nieobecność trwa tu do końca dnia: niedziela, 29 listopada."},
		"pt-BR": {"ausente até ", "Você está ausente aqui até domingo, 29 de novembro."},
		"pt-PT": {"ausente até ", "Está ausente aqui até domingo, 29 de novembro."},
	} {
		h := newHouse(t)
		table := h.started(desk.NewTable{Rulebook: "tiny", Given: []byte(`{"roller":"A"}`),
			Clock: &domain.Clock{Hours: 24, TimeOut: domain.TimeOutRemind}},
			h.person("Ana", "en"), h.person("Bo", lang))
		to := h.address(table, 1)
		require.Equal(t, "outcome: away", h.write(to, bo, "1", says[0]+"2026-11-29"), lang)
		require.Equal(t, "outcome: refused", h.write(to, bo, "2", says[0]+"2026-11-27"), lang)
		require.Contains(t, h.answers(table)[1], says[1], "the day that stands")
		require.NotContains(t, h.answers(table)[1], "27")
	}
}
