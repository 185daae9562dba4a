package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/mail"
)

// Given somebody who plays by a reply, then the answer says what was played and what followed, without a picture. The
// board is in it if they asked for that, in any language, beside a move or alone.
func TestAnAnswerIsShortUnlessAskedForTheBoard(t *testing.T) {
	for lang, asks := range map[string]string{"en": "show the board, please", "pt-BR": "tabuleiro",
		"pt-PT": "Mostra o tabuleiro.", "pl": "pokaż planszę"} {
		t.Run(lang, func(t *testing.T) {
			p := newPost(t)
			ids := []domain.PersonID{p.person("Ana", lang), p.person("Bo", lang)}
			table := p.started(desk.NewTable{Rulebook: "carcassonne"}, ids...)
			p.deliver(table)
			answered := func(lines ...string) mail.Parts {
				seat := p.Sees(table).Line.Awaited()[0].Seat
				if lines[0] == "" {
					_, lines[0] = p.lines(table, seat, ids[seat])
				}
				to := []string{"ana@example.org", "bo@example.org"}[seat]
				p.answer(to, lines...)
				p.deliver(table)
				return p.newest(to)
			}
			version := p.Sees(table).Line.Version
			alone := answered(asks)
			require.Equal(t, version, p.Sees(table).Line.Version)
			require.Greater(t, len(alone.Pictures), 2, "board, tile and the best moves: %s", alone.Text)
			require.Contains(t, alone.Text, "/p/", "and it plays")
			short := answered("")
			require.Equal(t, version+1, p.Sees(table).Line.Version, p.log.String())
			require.Empty(t, short.Pictures)
			require.Less(t, len(short.HTML)+len(short.Text), 8_000)
			require.NotEmpty(t, answered("", asks).Pictures)
		})
	}
}

// Given somebody who wants no answers to what was wholly done, then they get none to a move, but are told what could
// not be read.
func TestAnswersToWhatWasDoneCanBeSwitchedOff(t *testing.T) {
	p := newPost(t)
	ana, bo := p.person("Ana", "en"), p.person("Bo", "en")
	table := p.started(desk.NewTable{Rulebook: "tiny", Given: []byte(`{"roller":"A"}`)}, ana, bo)
	require.NoError(t, p.people.SetMails(p.Ctx, ana, string(mail.KindReply), false))
	p.deliver(table)
	mails := func() int { return len(p.box.Messages()) }
	had := mails()
	p.answer("ana@example.org", "what now?")
	p.deliver(table)
	require.Equal(t, had+1, mails())
	require.Contains(t, p.newest("ana@example.org").Text, "No line of your reply is a move here.")
	p.answer("ana@example.org", "keep")
	p.deliver(table)
	require.Equal(t, had+1, mails(), "Bo's decision is older")
	require.Equal(t, "outcome: played", outcome(p.log.String()))
	p.answer("bo@example.org", "keep")
	p.deliver(table)
	require.Contains(t, p.newest("bo@example.org").Text, "Played: keep.", "who did not switch them off has one")
}

// Given the same, when their own move leaves something for them to decide, then they are told: no other mail is sent.
func TestWhoIsStillAskedIsAnsweredAllTheSame(t *testing.T) {
	p := newPost(t)
	who := p.person("Ana", "en")
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)}, who, p.person("Bo", "en"),
		p.person("Cid", "en"))
	require.NoError(t, p.people.SetMails(p.Ctx, who, string(mail.KindReply), false))
	p.deliver(table)
	p.answer(ana, "buy")
	p.deliver(table)
	require.Equal(t, "outcome: played", outcome(p.log.String()), p.log.String())
	text := p.newest(ana).Text
	require.Contains(t, text, "Played: ")
	require.Contains(t, text, "Your turn: ")
	p.answer(ana, "end")
	p.deliver(table)
	require.Equal(t, text, p.newest(ana).Text, "nothing is asked any more")
}
