package mail_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/mail"
)

// A step that is taken back is mailed to nobody by itself: those who were mailed it hear of it in their next mail.

const tookBack = "Ana took the last step back, to move 1."

// halfTurn is a game that has begun, and whose start is mailed to Bo only once Ana has built a road.
func halfTurn(t *testing.T, h *house) (ids []domain.PersonID, table events.Name, start string) {
	t.Helper()
	h.notifier.Patience = time.Minute
	ids = []domain.PersonID{h.curious("Ana", "en"), h.curious("Bo", "en"), h.curious("Cid", "en")}
	ans, err := h.Open(h.Ctx, desktest.By(ids[0]), events.NewCommandID(),
		desk.NewTable{Rulebook: "catan", Given: []byte(ending), Places: invited(ids...), Pace: "weekly"})
	require.NoError(t, err)
	for _, id := range ids {
		h.join(id, ans.Table)
	}
	require.Empty(t, h.mailsTo(t, "bo"))
	h.play(ans.Table, 0, "road 14")
	h.makeDue()
	mails := h.mailsTo(t, "bo")
	require.Len(t, mails, 1)
	return ids, ans.Table, mails[0]
}

// mailsTo returns the texts of what somebody is sent now, each in one line.
func (h *house) mailsTo(t *testing.T, name string) (out []string) {
	t.Helper()
	h.notify()
	got := &post{}
	require.NoError(t, h.send(got))
	for _, s := range got.taken() {
		if s.to == name+"@example.org" {
			out = append(out, strings.Join(strings.Fields(parts(t, mail.Message{Raw: []byte(s.message)}).Text), " "))
		}
	}
	return out
}

func TestTheStartsMailSaysTheStepsThatItShows(t *testing.T) {
	_, _, start := halfTurn(t, newHouse(t))
	require.Regexp(t, `What happened - The island is laid out; \w+ begins. - Ana builds a road`, start)
}

func TestWhoWasMailedAStepHearsThatItIsTakenBack(t *testing.T) {
	h := newHouse(t)
	ids, table, start := halfTurn(t, h)
	require.NotContains(t, start, tookBack)
	h.takesBack(ids[0], table)
	require.Empty(t, h.mailsTo(t, "bo"), "not at once")
	h.play(table, 0, "road 27") // nobody was shown this one
	h.takesBack(ids[0], table)
	h.play(table, 0, "end")
	mails := h.mailsTo(t, "bo")
	require.Len(t, mails, 1)
	require.Equal(t, 1, strings.Count(mails[0], tookBack), mails[0])
	h.do(ids[2], table, desk.Resign{Seat: 2})
	h.notify()
	h.makeDue()
	mails = h.mailsTo(t, "bo")
	require.Len(t, mails, 1)
	require.NotContains(t, mails[0], tookBack, "and once")
}

func TestWhoIsAskedNoMoreHearsWhy(t *testing.T) {
	h := newHouse(t)
	ids := h.three()
	table := graced(h, 5, ids...)
	h.play(table, 0, "end")
	h.do(ids[2], table, desk.ProposeEnd{}) // so Bo is mailed at once that it is his turn
	require.Len(t, h.mailsTo(t, "bo"), 2)
	h.do(ids[1], table, desk.Refuse{Since: h.Sees(table).Table.Proposal.Since})
	h.takesBack(ids[0], table)
	h.play(table, 0, "road 14")
	h.do(ids[2], table, desk.ProposeEnd{})
	mails := h.mailsTo(t, "bo")
	require.Len(t, mails, 1)
	require.Contains(t, mails[0], tookBack)
}
