package mail_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/mail"
)

func TestWhatIsNotWantedIsNotEvenKept(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	h.notifier.Wants = mail.PeopleDirectory{People: h.people}.Wants
	require.NoError(t, h.people.SetMails(h.Ctx, ana, people.AllMails, false))
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.notify()
	require.NotContains(t, h.letters(table, mail.KindTurn), "turn Ana")
	require.Contains(t, h.letters(table, mail.KindTurn), "turn Bo")
	last, err := h.Desk.Log().Last(h.Ctx)
	require.NoError(t, err)
	pos, err := h.outbox.Position(h.Ctx)
	require.NoError(t, err)
	require.Equal(t, last, pos)

	// Only Ana is asked now: nothing is written, but the queue has moved on all the same.
	h.play(table, 1, "keep")
	before := h.letters(table)
	h.notify()
	require.Equal(t, before, h.letters(table))
	last, err = h.Desk.Log().Last(h.Ctx)
	require.NoError(t, err)
	pos, err = h.outbox.Position(h.Ctx)
	require.NoError(t, err)
	require.Equal(t, last, pos)

	// Somebody who wants mails again hears of what is still open once more happens at the table, even after a restart.
	require.NoError(t, h.people.SetMails(h.Ctx, ana, people.AllMails, true))
	h.do(bo, table, desk.Say{Written: desk.Written{Text: []byte("sealed your turn")}})
	h.reopen()
	h.notifier.Wants = mail.PeopleDirectory{People: h.people}.Wants
	h.notify()
	require.Contains(t, h.letters(table, mail.KindTurn), "turn Ana")
}
