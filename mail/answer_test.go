package mail_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
	"posthorn/mail"
)

// answer returns an answer to a mail about what is awaited from a seat.
func (h *house) answer(table events.Name, seat domain.Seat, key string) mail.Answer {
	look := h.Sees(table)
	a := mail.Answer{Key: strings.Repeat(key, 64), Person: look.Table.Places[seat].Holders[0], Table: table,
		Stream:  look.LineName,
		Outcome: "played", Headline: "Played: keep.", Lines: []string{"Your line is in the chat."},
		Message: "theirs@example.org"}
	for _, o := range look.Line.Awaited() {
		if o.Seat == seat {
			a.Open = o
		}
	}
	return a
}

// answered queues an answer, and reports whether the mail gets one.
func (h *house) answered(a mail.Answer, next *mail.Notice) bool {
	h.T.Helper()
	said, err := h.outbox.Answer(h.Ctx, a, next)
	require.NoError(h.T, err)
	return said
}

func TestAMailIsAnsweredOnceInItsThread(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "pl")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	first := parts(t, h.compose(table, mail.KindTurn, ana)).Header
	a := h.answer(table, 0, "a")
	a.Rule = "/rules/tables#play"
	h.play(table, 0, "keep")
	require.True(t, h.answered(a, nil))
	require.True(t, h.answered(a, nil))
	h.notify()
	require.Equal(t, []string{"turn Ana", "turn Bo", "reply Ana"}, h.letters(table, mail.KindTurn, mail.KindReply))
	done, err := h.outbox.Replied(h.Ctx, a.Key)
	require.NoError(t, err)
	require.True(t, done)
	done, err = h.outbox.Replied(h.Ctx, strings.Repeat("b", 64))
	require.NoError(t, err)
	require.False(t, done)

	p := parts(t, h.compose(table, mail.KindReply, ana))
	require.Equal(t, "auto-replied", p.Header.Get("Auto-Submitted"))
	require.Equal(t, "<theirs@example.org>", p.Header.Get("In-Reply-To"))
	require.Equal(t, first.Get("References")+" <theirs@example.org>", p.Header.Get("References"))
	require.Equal(t, first.Get("Subject"), p.Header.Get("Subject"))
	require.Empty(t, p.Header.Get("List-Unsubscribe"), "it was asked for")
	require.NotEmpty(t, p.Header.Get("Reply-To"))
	require.True(t, strings.HasPrefix(p.Text, "Played: keep.\r\n\r\nYour line is in the chat.\r\n"), p.Text)
	require.Contains(t, p.Text, "Not your turn. Waiting for Bo.", "and then how it stands")
	require.Regexp(t, `The rule about it:\r\nhttps?://[^/]+/rules/tables\?lang=en#play`, p.Text)
	require.Contains(t, p.HTML, `/rules/tables?lang=en#play"`)
	require.Contains(t, p.Text, "You can reply to this email")
	require.NotContains(t, p.Text, "Your 3 moves")
	require.Empty(t, p.Pictures, "its reader has just seen the board")
}

func TestTheLetterAboutOnesNextDecisionAnswersTheMail(t *testing.T) {
	h := newHouse(t)
	h.notifier.Patience = time.Minute
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.notify()
	a := h.answer(table, 1, "a")
	next := h.letter(table, mail.KindTurn, bo).Notice
	require.True(t, h.answered(a, &next))
	require.Equal(t, []string{"turn Ana", "turn Bo"}, h.letters(table, mail.KindTurn, mail.KindReply),
		"one letter says both")
	p := parts(t, h.compose(table, mail.KindTurn, bo))
	require.True(t, strings.HasPrefix(p.Text, "Played: keep.\r\n\r\nYour line is in the chat.\r\n\r\nYour turn:"),
		p.Text)
	require.Contains(t, p.Text, "Your 3 moves")
	require.Equal(t, "<theirs@example.org>", p.Header.Get("In-Reply-To"))

	require.NoError(t, h.outbox.Exec(h.Ctx, `UPDATE outbox SET state = 'sent' WHERE kind = 'turn'`))
	require.True(t, h.answered(h.answer(table, 1, "b"), &next))
	require.Equal(t, []string{"turn Ana", "turn Bo", "reply Bo"}, h.letters(table, mail.KindTurn, mail.KindReply),
		"it had gone out")
	p = parts(t, h.compose(table, mail.KindReply, bo))
	require.Contains(t, p.Text, "Your 3 moves", "it can be played by the answer, too")
	require.Contains(t, p.HTML, "?c=swap")
}

func TestOfWhatComesToNothingOnlySomeIsAnswered(t *testing.T) {
	now := noon
	h := open(t, func() time.Time { return now })
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table, other := h.started("tiny", `{"roller":"A"}`, ana, bo), h.started("tiny", `{"roller":"A"}`, ana, bo)
	replies := func(at events.Name) (n int) {
		list, err := h.outbox.Letters(h.Ctx, at)
		require.NoError(t, err)
		for _, l := range list {
			if l.Kind == mail.KindReply {
				n++
			}
		}
		return n
	}
	write := func(at events.Name, key, outcome string, fruitless bool) bool {
		a := h.answer(at, 0, key)
		a.Outcome, a.Fruitless, a.Last = outcome, fruitless, "That was the last answer."
		return h.answered(a, nil)
	}
	says := func(at events.Name) (out []bool) {
		list, err := h.outbox.Letters(h.Ctx, at)
		require.NoError(t, err)
		for _, l := range list {
			if a, ok := mail.AnswerOf(l.Notice); ok {
				out = append(out, a.Lines[len(a.Lines)-1] == "That was the last answer.")
			}
		}
		return out
	}
	for i, key := range strings.Split("0123456789", "") {
		require.Equal(t, i < 5, write(table, key, "unread", true))
	}
	require.Equal(t, []bool{false, false, false, false, true}, says(table), "the last one says so")
	require.True(t, write(table, "a", "played", false), "a move is always answered")
	require.True(t, write(other, "b", "unread", true), "each table is counted alone")
	require.Equal(t, 1, replies(other))
	now = now.Add(time.Hour + time.Second)
	require.True(t, write(table, "c", "unread", true))
	require.Equal(t, 7, replies(table))
}

// Somebody who is asked something is to write again: that counts apart, and lasts for a day's play.
func TestWhatTheHouseAsksIsCountedApart(t *testing.T) {
	now := noon
	h := open(t, func() time.Time { return now })
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	write := func(n int, outcome string) bool {
		a := h.answer(table, 0, "a")
		a.Key, a.Outcome, a.Fruitless = fmt.Sprintf("%064x", n), outcome, true
		return h.answered(a, nil)
	}
	for i := range 25 {
		require.Equal(t, i < 20, write(i, mail.OutcomeAsked), i)
	}
	require.True(t, write(100, "unread"), "questions are no mistakes")
	now = now.Add(23 * time.Hour)
	require.False(t, write(101, mail.OutcomeAsked))
	now = now.Add(time.Hour + time.Second)
	require.True(t, write(102, mail.OutcomeAsked))
}

func TestALetterOfThisHouseIsKnownByItsID(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.notify()
	require.NoError(t, h.outbox.Exec(h.Ctx,
		`UPDATE outbox SET message_id = 't.abc@games.example.org' WHERE kind = 'turn'`))
	for id, want := range map[string]bool{"t.abc@games.example.org": true, "t.abd@games.example.org": false,
		"": false} {
		made, err := h.outbox.Made(h.Ctx, id)
		require.NoError(t, err)
		require.Equal(t, want, made, id)
	}
	require.NotEmpty(t, table)
}

func TestWhoAnswersAMailIsAnsweredAtOnceInAnyRhythm(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table, other := h.started("tiny", `{"roller":"A"}`, ana, bo), h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.notify()
	require.NoError(t, h.people.SetRhythm(h.Ctx, bo, people.Rhythm{Daily: true, At: 18}))
	require.NoError(t, h.people.SetMails(h.Ctx, bo, string(mail.KindTurn), false))
	next := h.letter(table, mail.KindTurn, bo).Notice
	require.True(t, h.answered(h.answer(table, 1, "a"), &next))
	require.True(t, h.answered(h.answer(other, 1, "b"), nil))
	out := &post{}
	require.NoError(t, h.send(out))
	var got []string
	for _, s := range out.taken() {
		if s.to == "bo@example.org" {
			got = append(got, parts(t, mail.Message{Raw: []byte(s.message)}).Text)
		}
	}
	require.Len(t, got, 2)
	for _, text := range got {
		require.True(t, strings.HasPrefix(text, "Played: keep."), text)
	}
}
