package mail_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/mail"
)

func TestWhoIsInvitedIsWrittenToOnceAndTheOpenerIsNot(t *testing.T) {
	h := newHouse(t)
	ana, bo, jo := h.person("Ana", "en"), h.person("Bo", "en"), h.person("Jo", "en")
	table := h.open("tiny", ana, "", invited(ana, bo, jo)...)
	h.notify()
	require.Equal(t, []string{"invitation Bo", "invitation Jo"}, h.letters(table, mail.KindInvitation))
	h.join(bo, table)
	h.notify()
	require.Len(t, h.letters(table, mail.KindInvitation), 2, "somebody else's answer is no reason to write again")
}

func TestWhoIsInvitedAgainAfterDecliningIsWrittenTo(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.open("tiny", ana, "", invited(ana, bo)...)
	h.notify()
	h.do(bo, table, desk.Decline{Seat: 1, Person: bo})
	h.do(ana, table, desk.Invite{Seat: 1, Person: bo})
	h.notify()
	require.Equal(t, []string{"invitation Bo", "invitation Bo"}, h.letters(table, mail.KindInvitation))
}

func TestAWithheldInvitationIsDroppedAndTheNextIsNot(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	require.NoError(t, h.outbox.Withhold(h.Ctx, bo))
	first := h.open("tiny", ana, "", invited(ana, bo)...)
	h.notify()
	require.Equal(t, mail.StateDropped, h.letter(first, mail.KindInvitation, bo).State)
	second := h.open("tiny", ana, "", invited(ana, bo)...)
	h.notify()
	require.Equal(t, mail.StateNew, h.letter(second, mail.KindInvitation, bo).State)
}

func TestEachAwaitedDecisionAndPersonHasOneMail(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.notify()
	require.Equal(t, []string{"turn Ana", "turn Bo"}, h.letters(table, mail.KindTurn), "both choose at the same time")
	h.play(table, 1, "keep")
	h.notify()
	require.Len(t, h.letters(table, mail.KindTurn), 2, "Ana has been told")
	h.play(table, 0, "keep")
	h.notify()
	require.Equal(t, []string{"turn Ana", "turn Bo", "turn Ana"}, h.letters(table, mail.KindTurn), "the die is Ana's")
}

func TestASeatAskedForTwoDecisionsAtOnceHasOneMail(t *testing.T) {
	h := newHouse(t)
	ana := h.person("Ana", "en")
	table := h.open("doubled", ana, `{"roller":"A"}`, append(invited(ana), standIn)...)
	h.join(ana, table)
	h.notify()
	require.Equal(t, []string{"turn Ana"}, h.letters(table, mail.KindTurn))
	out := &post{}
	require.NoError(t, h.send(out))
	require.Len(t, out.taken(), 1)
}

func TestWhoMovedBeforeTheNotifierCameIsNotWrittenTo(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.play(table, 1, "keep")
	h.notify()
	require.Equal(t, []string{"turn Ana"}, h.letters(table, mail.KindTurn))
}

func TestTheMailAboutWhatOnesOwnPressBroughtUpWaits(t *testing.T) {
	for _, c := range []struct {
		name   string
		last   domain.Seat // the seat whose move brings up A's roll
		played bool        // A rolls while the mail waits
		sent   int         // roll mails sent at once
		later  int         // sent after the wait
	}{
		{"they are still there, and play", 0, true, 0, 0},
		{"they have gone", 0, false, 0, 1},
		{"another's move is written about at once", 1, false, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := noon
			h := open(t, func() time.Time { return now })
			h.notifier.Patience = time.Minute
			ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
			table := h.started("tiny", `{"roller":"A"}`, ana, bo)
			h.play(table, 1-c.last, "keep")
			h.play(table, c.last, "keep")
			h.notify()
			require.Equal(t, []string{"turn Ana"}, h.letters(table, mail.KindTurn))
			out := &post{}
			require.NoError(t, h.send(out))
			require.Len(t, out.taken(), c.sent)
			if c.played {
				h.play(table, 0, "roll")
			}
			now = now.Add(time.Minute)
			require.NoError(t, h.send(out))
			require.Len(t, out.taken(), c.later)
		})
	}
}

func TestEverybodyInATeamIsWrittenTo(t *testing.T) {
	h := newHouse(t)
	ana, bo, jo := h.person("Ana", "en"), h.person("Bo", "en"), h.person("Jo", "en")
	table := h.open("tiny", ana, "",
		append(invited(ana), domain.TablePlace{Kind: domain.SeatTeam, Invited: []domain.PersonID{bo, jo}})...)
	for _, id := range []domain.PersonID{ana, bo, jo} {
		h.join(id, table)
	}
	h.notify()
	require.Equal(t, []string{"turn Ana", "turn Bo", "turn Jo"}, h.letters(table, mail.KindTurn))
}

func TestStandInsAndWhoHasResignedAreNotWrittenTo(t *testing.T) {
	h := newHouse(t)
	ana, bo, jo := h.person("Ana", "en"), h.person("Bo", "en"), h.person("Jo", "en")
	table := h.open("tiny", ana, `{"roller":"A"}`, append(invited(ana, bo, jo), standIn)...)
	for _, id := range []domain.PersonID{ana, bo, jo} {
		h.join(id, table)
	}
	h.do(bo, table, desk.Resign{Seat: 1})
	h.notify()
	require.Equal(t, []string{"turn Ana", "turn Jo"}, h.letters(table, mail.KindTurn))
}

func TestConsentIsAskedOfEverybodyButTheProposer(t *testing.T) {
	h := newHouse(t)
	ana, bo, jo := h.person("Ana", "en"), h.person("Bo", "en"), h.person("Jo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo, jo)
	h.play(table, 0, "keep")
	h.notify()
	h.proposeRewind(ana, table, 1)
	h.notify()
	require.Equal(t, []string{"consent Bo", "consent Jo"}, h.letters(table, mail.KindConsent))
	h.agree(bo, table)
	h.notify()
	require.Len(t, h.letters(table, mail.KindConsent), 2)
}

// What comes after a rewind is what was proposed, the same luck or fresh luck; and the mail says how much of it people
// have seen, in draws and in cards.
func TestTheMailOfAProposalSaysWhichLuckFollows(t *testing.T) {
	for _, fresh := range []bool{false, true} {
		h := newHouse(t)
		ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
		table := h.started("tiny", `{"roller":"A"}`, ana, bo)
		h.play(table, 0, "swap")
		h.play(table, 1, "keep")
		h.play(table, 0, "roll")
		h.do(ana, table, desk.ProposeRewind{To: 1, Fresh: fresh})
		h.notify()
		p := parts(t, h.compose(table, mail.KindConsent, bo))
		for _, text := range []string{flat(p.Text), plain(t, p.HTML)} {
			require.Contains(t, text, "moves revealed 1 random result")
			require.Contains(t, text, "moves let somebody see 5 hidden cards.")
			require.Equal(t, !fresh, strings.Contains(text, "comes again"), text)
			require.Equal(t, fresh, strings.Contains(text, "What nobody knew at that moment is reshuffled."), text)
		}
	}
}

func TestAfterATakebackWhoIsAwaitedThereIsWrittenTo(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.play(table, 0, "keep")
	h.play(table, 1, "keep")
	h.notify()
	require.Equal(t, []string{"turn Ana"}, h.letters(table, mail.KindTurn))
	old := h.letter(table, mail.KindTurn, ana)
	h.proposeRewind(ana, table, 2)
	h.agree(bo, table)
	h.notify()
	require.Equal(t, []string{"turn Ana", "turn Bo"}, h.letters(table, mail.KindTurn), "Bo chooses again")
	_, err := h.composer.Compose(h.Ctx, old)
	require.ErrorContains(t, err, "rewound", "Ana's die is on a line that was closed")
}

func TestAProposalThatAMoveOvertookAsksNobody(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.play(table, 0, "keep")
	h.proposeRewind(ana, table, 1)
	h.play(table, 1, "keep")
	h.notify()
	require.Equal(t, []string{"turn Ana"}, h.letters(table, mail.KindTurn, mail.KindConsent))
}

func TestTheEndIsToldToEverybodyOnce(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", "", ana, bo)
	h.notify()
	h.proposeEnd(ana, table)
	h.agree(bo, table)
	h.notify()
	require.Equal(t, []string{"over Ana", "over Bo"}, h.letters(table, mail.KindOver))
	h.notify()
	require.Len(t, h.letters(table, mail.KindOver), 2)
}

func TestATableGivenUpBeforeItStartedWritesToNobody(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.open("tiny", ana, "", invited(ana, bo)...)
	h.do(ana, table, desk.Abandon{})
	h.notify()
	require.Empty(t, h.letters(table))
}

func TestChatWritesToNobody(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", "", ana, bo)
	h.notify()
	before := h.letters(table)
	for range 3 {
		h.do(ana, table, desk.Say{Written: desk.Written{Text: []byte("sealed")}})
		h.notify()
	}
	require.Equal(t, before, h.letters(table))
}

func TestReadingTheLogAgainWritesToNobodyAgain(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.notify()
	h.play(table, 0, "keep")
	h.play(table, 1, "keep")
	h.notify()
	want := h.letters(table)
	out := &post{}
	require.NoError(t, h.send(out))
	n := len(out.taken())
	require.NotZero(t, n)
	require.ErrorIs(t, h.notifier.Run(h.Ctx, fromStart{sofar{h.Desk.Log(), 1}}), errCaughtUp)
	require.NoError(t, h.send(out))
	require.Equal(t, want, h.letters(table))
	require.Len(t, out.taken(), n)
}

func TestALostQueueStartsAtTheHeadAndWritesOnRequest(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.notify()
	require.False(t, h.outbox.Fresh, "a house's first queue has nobody to remind")
	require.NoError(t, h.outbox.Close())
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(h.mailDB() + suffix); err != nil {
			require.ErrorIs(t, err, os.ErrNotExist)
		}
	}
	h.openOutbox()
	require.True(t, h.outbox.Fresh)
	h.reopen()
	require.True(t, h.outbox.Fresh, "as long as nobody was reminded")
	h.notify()
	require.Empty(t, h.letters(table))
	for range 2 {
		require.NoError(t, h.notifier.Anew(h.Ctx, []events.Name{table}))
		require.Equal(t, []string{"turn Ana", "turn Bo"}, h.letters(table, mail.KindTurn), "each once")
	}
	h.reopen()
	require.False(t, h.outbox.Fresh)
}

func TestAQueueThatIsAheadOfARestoredLogFollowsIt(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	require.NoError(t, h.outbox.Want(h.Ctx, 1000))
	h.reopen()
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.notify()
	require.Equal(t, []string{"turn Ana", "turn Bo"}, h.letters(table, mail.KindTurn))
}

// fromStart is a follower that hands out the whole log, whatever was already read.
type fromStart struct{ sofar }

func (f fromStart) Follow(ctx context.Context, _ uint64, handle func(context.Context, []events.Record) error) error {
	return f.sofar.Follow(ctx, 0, handle)
}

func TestWhoseOrderAnswersIsNotAskedUntilItIsTakenBack(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.order(table, bo, 1, "keep")
	h.notify()
	require.Equal(t, []string{"turn Ana"}, h.letters(table, mail.KindTurn))
	h.order(table, bo, 1)
	h.notify()
	require.Equal(t, []string{"turn Ana", "turn Bo"}, h.letters(table, mail.KindTurn))
}

func TestARefusedOrderLeavesTheDecisionToItsPerson(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.order(table, bo, 1, "peek B")
	h.notify()
	require.Equal(t, []string{"turn Ana"}, h.letters(table, mail.KindTurn))
	_, err := h.Desk.Advance(h.Ctx, table)
	require.NoError(t, err)
	h.notify()
	require.Equal(t, []string{"turn Ana", "turn Bo"}, h.letters(table, mail.KindTurn))
}

// Orders rest once the game was taken back, and their giver is asked again: the letter says why.
func TestALetterSaysThatOrdersRest(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	rests := "The game was taken back since you gave your standing orders: they rest until you give them again."
	h.play(table, 0, "keep")
	h.play(table, 1, "keep")
	h.order(table, bo, 1, "keep")
	h.Rewinds(table, 1)
	h.Follows(table)
	h.notify()
	require.Contains(t, flat(parts(t, h.compose(table, mail.KindTurn, bo)).Text), rests)
	require.NotContains(t, flat(parts(t, h.compose(table, mail.KindTurn, ana)).Text), rests, "they are Bo's own")
}
