package house_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/http/pagetest"
	"posthorn/mail"
)

// writes answers a letter that has gone out.
func (p *players) writes(id, text string) {
	p.t.Helper()
	r := p.reader("")
	r.opens("/mailbox/" + id + "/answer")
	form := pagetest.Forms(p.t, r.body)[0]
	form.Fields.Set("text", text)
	r.read(r.PostForm(p.Config.PublicURL+r.path, form.Press(form.Buttons[0])))
}

// tablesOf lists the tables that somebody opened, in their order.
func (p *players) tablesOf(who posthorntest.Guest) (all []events.Name) {
	p.t.Helper()
	recs, err := p.Desk.Log().Read(p.Ctx, 0, 1000)
	require.NoError(p.t, err)
	for _, rec := range recs {
		if strings.HasPrefix(rec.Type, "table.opened") && p.seats.Sees(rec.Stream).Table.Opener == who.ID {
			all = append(all, rec.Stream)
		}
	}
	return all
}

// Who answers the end with the words that its mail teaches has the game opened again as the page's button would, once,
// with their seat taken and the others invited. Whatever else is said to the end is chat, as before.
func TestAReplyToTheEndOpensTheGameAgain(t *testing.T) {
	p := newPlayers(t)
	ans, err := p.Desk.Open(p.Ctx, desktest.By(p.ana.ID), events.NewCommandID(), desk.NewTable{Rulebook: "carcassonne",
		Choices: domain.Choices{"river": "on"},
		Places:  []domain.TablePlace{desktest.Player(p.ana.ID), desktest.Player(p.bo.ID)}, Pace: "weekly", Grace: 10})
	require.NoError(t, err)
	p.table = ans.Table
	p.seats.Joins(p.ana.ID, p.table, 0)
	p.seats.Joins(p.bo.ID, p.table, 1)
	p.seats.Follows(p.table)
	p.seats.Ends(p.table)
	id, text := p.mailed(mail.KindOver, p.bo, anyLetter)
	require.Contains(t, text, " - again – opens the same game with the same people")
	require.Empty(t, p.tablesOf(p.bo))
	p.writes(id, "Let us play again some day, that was fun")
	p.writes(id, "Again? No, never")
	require.Eventually(t, func() bool { return p.told("in the chat") == 2 }, posthorntest.Patient, 5*time.Millisecond)
	require.Empty(t, p.tablesOf(p.bo))
	p.writes(id, "Can we play again?")
	p.mailed(mail.KindInvitation, p.ana, func(l mail.Letter) bool { return l.Table != p.table })
	p.writes(id, "rematch!")
	require.Eventually(t, func() bool { return p.told("A new game of Carcassonne is open") == 2 },
		posthorntest.Patient, 5*time.Millisecond, "no answer: %s", p.Log)

	all := p.tablesOf(p.bo)
	require.Len(t, all, 1, "the same is opened once")
	old, again := p.seats.Sees(p.table).Table, p.seats.Sees(all[0]).Table
	require.Equal(t, old.Rulebook, again.Rulebook)
	require.Equal(t, old.Choices, again.Choices)
	require.Equal(t, old.Grace, again.Grace)
	require.True(t, again.Places[1].Holds(p.bo.ID))
	require.Equal(t, []domain.PersonID{p.ana.ID}, again.Places[0].Invited)

	id, _ = p.mailed(mail.KindOver, p.ana, func(l mail.Letter) bool { return l.Table == p.table })
	p.writes(id, "rematch")
	require.Eventually(t, func() bool { return p.seats.Sees(all[0]).Table.Status == domain.TableStarted },
		posthorntest.Patient, 5*time.Millisecond, "whoever says it next sits down there: %s", p.Log)
	require.Equal(t, []events.Name{p.table}, p.tablesOf(p.ana))
}

// told counts the mails that say something.
func (p *players) told(text string) (n int) {
	p.t.Helper()
	for _, m := range p.Mailbox.Messages() {
		parts, err := mail.Message{Raw: m.Raw}.Read()
		require.NoError(p.t, err)
		if strings.Contains(strings.Join(strings.Fields(parts.Text), " "), text) {
			n++
		}
	}
	return n
}
