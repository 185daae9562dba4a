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
	"posthorn/events/people"
	"posthorn/mail"
)

// ending is a game of Catan in which Ana, who has rolled, can end her turn; Bo's dice are not rolled for him.
const ending = `{"active": "A", "phase": "main",
	"players": [
		{"settlements": [13, 31], "roads": [20, 36], "hand": {"brick": 2, "lumber": 2}},
		{"settlements": [10, 40], "roads": [13, 53], "hand": {"ore": 1}, "cards": {"knight": 1}},
		{"settlements": [22, 42], "roads": [28, 57]}
	]}`

// graced returns that game at a table with a grace, in minutes; so far only Ana has got mail about it.
func graced(h *house, grace int, ids ...domain.PersonID) events.Name {
	h.T.Helper()
	ans, err := h.Open(h.Ctx, desktest.By(ids[0]), events.NewCommandID(),
		desk.NewTable{Rulebook: "catan", Given: []byte(ending), Places: invited(ids...), Pace: "weekly",
			Grace: grace})
	require.NoError(h.T, err)
	for _, id := range ids {
		h.join(id, ans.Table)
	}
	h.notify()
	require.NoError(h.T, h.send(&post{}))
	return ans.Table
}

// posted returns the addresses of everything sent now.
func (h *house) posted() []string {
	h.T.Helper()
	h.notify()
	out, to := &post{}, []string{}
	require.NoError(h.T, h.send(out))
	for _, s := range out.taken() {
		to = append(to, s.to)
	}
	return to
}

func (h *house) takesBack(who domain.PersonID, table events.Name) {
	h.T.Helper()
	to, ok, err := h.MayUndo(h.Ctx, h.Sees(table), who)
	require.NoError(h.T, err)
	require.True(h.T, ok)
	h.do(who, table, desk.Undo{To: to})
}

func (h *house) three() []domain.PersonID {
	return []domain.PersonID{h.person("Ana", "en"), h.person("Bo", "en"), h.person("Cid", "en")}
}

func TestTheMailAboutAMoveWaitsForTheGrace(t *testing.T) {
	clock := &clock{t: noon}
	h := open(t, clock.now)
	table := graced(h, 5, h.three()...)
	h.play(table, 0, "end")
	require.Empty(t, h.posted())
	clock.t = noon.Add(5 * time.Minute)
	h.reopen() // a restart loses nothing
	require.Empty(t, h.posted(), "what is being taken back this moment comes first")
	clock.t = clock.t.Add(desk.GraceSlack)
	require.Equal(t, []string{"bo@example.org"}, h.posted())
	require.Empty(t, h.posted())
}

func TestWithoutAGraceNoMailWaits(t *testing.T) {
	h := newHouse(t)
	table := graced(h, 0, h.three()...)
	h.play(table, 0, "end")
	require.Equal(t, []string{"bo@example.org"}, h.posted())
}

func TestNobodyIsMailedAboutAMoveTakenBackInItsGrace(t *testing.T) {
	clock := &clock{t: noon}
	h := open(t, clock.now)
	ids := h.three()
	table := graced(h, 5, ids...)
	for range 3 {
		h.play(table, 0, "end")
		require.Empty(t, h.posted())
		clock.t = clock.t.Add(4 * time.Minute)
		h.takesBack(ids[0], table)
		clock.t = clock.t.Add(4 * time.Minute)
		require.NotContains(t, h.posted(), "bo@example.org")
	}
	h.play(table, 0, "end")
	clock.t = clock.t.Add(time.Hour)
	require.Equal(t, []string{"bo@example.org"}, h.posted(), "and once it stands, of that alone")
}

func TestWhoPlaysWithinTheGraceIsNotMailedAboutIt(t *testing.T) {
	clock := &clock{t: noon}
	h := open(t, clock.now)
	table := graced(h, 5, h.three()...)
	h.play(table, 0, "end")
	require.Empty(t, h.posted())
	h.play(table, 1, "roll")
	h.notify()
	clock.t = clock.t.Add(time.Hour)
	h.play(table, h.awaited(table), "")
	for _, l := range h.lettersTo(table, h.Sees(table).Table.Places[1].Holders[0]) {
		if l.Open.Kind == "roll" {
			require.NoError(t, h.send(&post{}))
			now, err := h.outbox.Letters(h.Ctx, table)
			require.NoError(t, err)
			for _, n := range now {
				require.False(t, n.ID == l.ID && n.State == mail.StateSent, "the dice were rolled long ago")
			}
		}
	}
}

// Nothing can be taken back while something is proposed, so people are told at once that they are asked to move. If the
// proposal is refused in time, the move can be taken back again.
func TestNothingWaitsForAGraceWhileSomethingIsProposed(t *testing.T) {
	for _, before := range []bool{true, false} { // the mail was already waiting, or not yet written
		clock := &clock{t: noon}
		h := open(t, clock.now)
		ids := h.three()
		table := graced(h, 5, ids...)
		h.play(table, 0, "end")
		if before {
			require.Empty(t, h.posted())
		}
		clock.t = clock.t.Add(time.Minute)
		h.do(ids[2], table, desk.ProposeEnd{})
		require.ElementsMatch(t, []string{"ana@example.org", "bo@example.org", "bo@example.org"}, h.posted(),
			"what is proposed, and that it is Bo's turn")
		_, ok, err := h.MayUndo(h.Ctx, h.Sees(table), ids[0])
		require.NoError(t, err)
		require.False(t, ok)
		h.do(ids[1], table, desk.Refuse{Since: h.Sees(table).Table.Proposal.Since})
		h.takesBack(ids[0], table)
		h.play(table, 0, "end")
		require.NotContains(t, h.posted(), "bo@example.org", "his turn may be taken back again")
		clock.t = clock.t.Add(5*time.Minute + desk.GraceSlack)
		require.Contains(t, h.posted(), "bo@example.org")
	}
}

func TestADigestWaitsForTheGrace(t *testing.T) {
	clock := &clock{t: noon}
	h := open(t, clock.now)
	ids := h.three()
	require.NoError(t, h.people.SetRhythm(h.Ctx, ids[1], people.Rhythm{Daily: true, At: 18}))
	for range 2 { // these wait for the evening
		table := graced(h, 0, ids...)
		h.play(table, 0, "end")
	}
	require.Empty(t, h.posted())
	clock.t = noon.Add(6*time.Hour - 2*time.Minute)
	late := graced(h, 10, ids...)
	h.play(late, 0, "end")
	require.Empty(t, h.posted())
	clock.t = noon.Add(6*time.Hour + time.Minute)
	require.Empty(t, h.posted(), "the third may be taken back yet")
	clock.t = noon.Add(6*time.Hour + 9*time.Minute)
	require.Equal(t, []string{"bo@example.org"}, h.posted(), "all three in one")
	require.Empty(t, h.posted())
}

func TestAWebhookIsCalledOnceTheGraceIsOver(t *testing.T) {
	h := newHooked(t)
	ids := h.three()
	h.hook(ids[1], "turn")
	table := graced(h.house, 5, ids...)
	h.play(table, 0, "end")
	h.notify()
	h.flush()
	require.Empty(t, h.server.got)
	h.clock = h.clock.Add(5*time.Minute + desk.GraceSlack)
	h.flush()
	require.Len(t, h.server.got, 1)
}

func TestAWebhookIsCalledAtOnceAboutAProposal(t *testing.T) {
	h := newHooked(t)
	ids := h.three()
	h.hook(ids[1], "turn")
	table := graced(h.house, 5, ids...)
	h.play(table, 0, "end")
	h.notify()
	h.flush()
	require.Empty(t, h.server.got)
	h.do(ids[2], table, desk.ProposeEnd{})
	h.notify()
	h.flush()
	require.Len(t, h.server.got, 1)
}

func TestAnInvitationSaysTheGraceOfItsTable(t *testing.T) {
	for grace, says := range map[int]bool{0: false, 5: true} {
		h := newHouse(t)
		ids := h.three()
		ans, err := h.Open(h.Ctx, desktest.By(ids[0]), events.NewCommandID(),
			desk.NewTable{Rulebook: "catan", Places: invited(ids...), Pace: "weekly", Grace: grace})
		require.NoError(t, err)
		h.notify()
		text := strings.Join(strings.Fields(parts(t, h.compose(ans.Table, mail.KindInvitation, ids[1])).Text), " ")
		require.Equal(t, says, strings.Contains(text, "can be taken back for 5 min"), text)
	}
}
