package mail_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/mail"
)

// teamed opens a table of Ana's, with a seat that Bo and Jo hold as a team.
func (h *house) teamed(ana, bo, jo domain.PersonID) events.Name {
	h.T.Helper()
	table := h.open("tiny", ana, `{"roller":"B","hands":[1,2]}`, append(invited(ana), desktest.Team(bo, jo))...)
	for _, id := range []domain.PersonID{ana, bo, jo} {
		h.join(id, table)
	}
	return table
}

// plays makes a move by one member of a team.
func (h *house) plays(who domain.PersonID, table events.Name, seat domain.Seat, text string) {
	h.T.Helper()
	look := h.Sees(table)
	m := desk.Move{ID: events.NewCommandID(), Table: table, Line: look.LineName, Seat: seat}
	for _, o := range look.Line.Awaited() {
		if o.Seat == seat {
			m.Decision = o
		}
	}
	var err error
	m.Move, err = look.Rulebook.ParseMove(text, nil)
	require.NoError(h.T, err)
	_, err = h.Desk.Play(h.Ctx, desktest.By(who), m)
	require.NoError(h.T, err)
	h.Follows(table)
}

func TestAnyOfATeamPlaysAndTheOthersAreToldByWhom(t *testing.T) {
	h := newHouse(t)
	ana, bo, jo := h.person("Ana", "en"), h.person("Bo", "en"), h.person("Jo", "en")
	table := h.teamed(ana, bo, jo)
	h.plays(bo, table, 1, "keep")
	h.plays(ana, table, 0, "keep")
	toBo, toJo := parts(t, h.compose(table, mail.KindTurn, bo)), parts(t, h.compose(table, mail.KindTurn, jo))
	require.Contains(t, toJo.Text, "Played by Bo.", "Jo has not seen what Bo did")
	require.NotContains(t, toBo.Text, "Played by", "Bo knows what they did")
	require.NotContains(t, parts(t, h.compose(table, mail.KindTurn, jo)).Text, "Played by Ana",
		"of another seat it goes without saying")
}

func TestWhatOneOfATeamGoesOnToIsNotMailedAtOnce(t *testing.T) {
	now := noon
	h := open(t, func() time.Time { return now })
	h.notifier.Patience = time.Minute
	ana, bo, jo := h.person("Ana", "en"), h.person("Bo", "en"), h.person("Jo", "en")
	table := h.teamed(ana, bo, jo)
	h.plays(ana, table, 0, "keep")
	h.notify()
	out := &post{}
	now = now.Add(time.Second)
	require.NoError(t, h.send(out))
	h.plays(bo, table, 1, "keep") // and is asked to roll
	h.notify()
	before := len(out.sent)
	require.NoError(t, h.send(out))
	require.Len(t, out.sent, before, "Bo is led on, and Jo need not know before Bo has gone")
	h.plays(bo, table, 1, "roll")
	h.notify()
	now = now.Add(2 * time.Minute)
	require.NoError(t, h.send(out))
	found := false
	for _, l := range h.lettersTo(table, jo) {
		if l.Kind == mail.KindTurn && l.Open.Kind == "roll" {
			found = true
			require.NotEqual(t, mail.StateSent, l.State, "what Bo did next is not asked of Jo any more")
		}
	}
	require.True(t, found, "it was wanted, and waited")
}

func TestATeamAgreesByEachOfItSayingYesOnce(t *testing.T) {
	h := newHouse(t)
	ana, bo, jo := h.person("Ana", "en"), h.person("Bo", "en"), h.person("Jo", "en")
	table := h.teamed(ana, bo, jo)
	h.plays(bo, table, 1, "keep")
	h.plays(ana, table, 0, "keep")
	h.proposeRewind(ana, table, 1)
	h.notify()
	require.ElementsMatch(t, []string{"consent Bo", "consent Jo"}, h.letters(table, mail.KindConsent))
	h.agree(bo, table)
	h.notify()
	require.ElementsMatch(t, []string{"consent Bo", "consent Jo"}, h.letters(table, mail.KindConsent),
		"nobody is asked twice")
	require.NotNil(t, h.Sees(table).Table.Proposal, "one of a team does not speak for the other")
	text := parts(t, h.compose(table, mail.KindConsent, jo)).Text
	require.Contains(t, text, "Bo", "who said what is seen by the other")
	h.agree(jo, table)
	require.Len(t, h.Sees(table).Table.Lines, 2, "all have agreed")

	h.proposeEnd(bo, table) // even team members have to ask each other
	h.do(jo, table, desk.Refuse{Since: h.Sees(table).Table.Proposal.Since})
	require.Nil(t, h.Sees(table).Table.Proposal)
}

func TestWhoLeavesATeamLeavesItTheSeat(t *testing.T) {
	h := newHouse(t)
	ana, bo, jo := h.curious("Ana", "en"), h.curious("Bo", "en"), h.curious("Jo", "en")
	table := h.teamed(ana, bo, jo)
	h.do(jo, table, desk.Resign{Seat: 1})
	look := h.Sees(table).Table
	require.Equal(t, []domain.PersonID{bo}, look.Places[1].Holders)
	require.False(t, look.Places[1].Resigned)
	require.Equal(t, domain.TableStarted, look.Status, "the game goes on")
	require.Empty(t, look.SeatsOf(jo))
	h.notify()
	require.Contains(t, h.letters(table, mail.KindNews), "news Bo")
	require.NotContains(t, h.letters(table, mail.KindNews), "news Jo")
	require.Contains(t, parts(t, h.compose(table, mail.KindNews, ana)).Text, "Jo left the team of seat B.")
	h.refused(ana, table, desk.OfferSeat{Seat: 0, Person: jo}, "seated-before") // Jo has seen B's hand

	h.do(bo, table, desk.Resign{Seat: 1})
	require.True(t, h.Sees(table).Table.Places[1].Resigned, "the last one resigns for the seat")
}

// lettersTo returns the rows about a table to somebody.
func (h *house) lettersTo(table events.Name, who domain.PersonID) (out []mail.Letter) {
	h.T.Helper()
	all, err := h.outbox.Letters(h.Ctx, table)
	require.NoError(h.T, err)
	for _, l := range all {
		if l.Person == who {
			out = append(out, l)
		}
	}
	return out
}

// refused gives a command that must be refused.
func (h *house) refused(p domain.PersonID, table events.Name, c desk.Command, code string) {
	h.T.Helper()
	_, err := h.Desk.Do(h.Ctx, desktest.By(p), table, events.NewCommandID(), c)
	r, ok := domain.AsRefusal(err)
	require.True(h.T, ok, "%v", err)
	require.Equal(h.T, code, r.Code)
}
