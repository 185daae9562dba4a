package mail_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/mail"
)

// sentAll writes and sends everything that a house's tables call for.
func (h *house) sentAll(out *post) {
	h.T.Helper()
	h.notify()
	require.NoError(h.T, h.send(out))
}

// tidied takes what is over out of the queue, as the sender does every hour.
func (h *house) tidied() {
	h.T.Helper()
	require.NoError(h.T, h.sender(&post{}).Tidies(h.Ctx))
}

func TestALetterIsDeletedADayAfterSendingAndNotResent(t *testing.T) {
	c := &clock{noon}
	h := open(t, c.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	out := &post{}
	h.sentAll(out)
	require.Equal(t, []string{"turn Ana", "turn Bo"}, h.letters(table, mail.KindTurn))
	first, later := h.letter(table, mail.KindTurn, ana), h.letter(table, mail.KindTurn, bo)
	h.play(table, 0, "") // Ana answers, Bo does not
	h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.sentAll(out)
	sent := len(out.taken())
	require.GreaterOrEqual(t, sent, 2)

	c.advance(23 * time.Hour)
	h.tidied()
	require.Contains(t, h.letters(table, mail.KindTurn), "turn Ana", "the day is not over")
	c.advance(2 * time.Hour)
	h.tidied()
	kept, err := h.outbox.Letters(h.Ctx, table)
	require.NoError(t, err)
	for _, l := range kept {
		require.NotEqual(t, first.ID, l.ID, "what it asked is answered")
	}
	left, ok, err := h.outbox.ByMessageID(h.Ctx, later.MessageID)
	require.NoError(t, err)
	require.True(t, ok, "Bo is still asked")
	told, err := h.outbox.Told(h.Ctx, h.Sees(table).Asks()[0])
	require.NoError(t, err)
	require.Equal(t, noon.UnixMilli(), told.At.UnixMilli(), "and the clock knows since when they know")
	require.Equal(t, mail.StateSent, left.State)

	// Given everything is asked for anew, as after a lost checkpoint, nothing is written twice.
	require.NoError(t, h.outbox.Exec(h.Ctx, `UPDATE checkpoint SET pos = 0`))
	h.reopen()
	require.NoError(t, h.outbox.Want(h.Ctx, 0, first.Notice))
	h.sentAll(out)
	require.Len(t, out.taken(), sent)
	made, err := h.outbox.Made(h.Ctx, first.MessageID)
	require.NoError(t, err)
	require.True(t, made, "a mail of ours that comes back to us is known as ours")
	once, err := h.outbox.Mailed(h.Ctx, table)
	require.NoError(t, err)
	require.Contains(t, once, ana)
	var about []mail.Kind
	require.NoError(t, h.outbox.To(h.Ctx, ana, func(l mail.Letter) { about = append(about, l.Kind) }))
	require.Contains(t, about, mail.KindTurn, "for a month Ana can read what was written to them")
}

func TestWhatComesBackOfALetterThatIsGoneCounts(t *testing.T) {
	h, c, ana, d, from := mailed(t, 3)
	c.advance(25 * time.Hour)
	tables, err := h.outbox.TablesOf(h.Ctx, string(ana))
	require.NoError(t, err)
	for _, table := range tables {
		h.play(table, 0, "")
	}
	h.tidied()
	before := noon
	for i := range 2 {
		require.NoError(t, d.Handle(h.Ctx, from[i], "", came(t, "postfix")))
	}
	got := h.unreachable()
	require.Len(t, got, 1)
	require.Equal(t, ana, got[0].Person)
	require.True(t, got[0].Since.After(before))
	c.advance(31 * 24 * time.Hour)
	h.tidied()
	require.NoError(t, d.Handle(h.Ctx, from[2], "", came(t, "postfix")))
	require.Empty(t, h.unreachable(), "after a month nothing is left of it")
}

func TestAMailAnsweredLongAgoIsNotAnsweredAgain(t *testing.T) {
	c := &clock{noon}
	h := open(t, c.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	a := h.answer(table, 1, "a")
	require.True(t, h.answered(a, nil))
	out := &post{}
	h.sentAll(out)
	sent := len(out.taken())
	c.advance(8 * 24 * time.Hour)
	h.tidied()
	known, err := h.outbox.Replied(h.Ctx, a.Key)
	require.NoError(t, err)
	require.True(t, known)
	h.answered(a, nil)
	h.sentAll(out)
	require.Len(t, out.taken(), sent)
}

func TestTheQueueShrinksOnceItsLettersAreGone(t *testing.T) {
	c := &clock{noon}
	h := open(t, c.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	size := func() int64 {
		t.Helper()
		n, err := h.outbox.FileSize(h.Ctx)
		require.NoError(t, err)
		return n
	}
	empty, games := size(), 24
	for range games {
		table := h.started("tiny", `{"roller":"A"}`, ana, bo)
		h.sentAll(&post{})
		h.play(table, 0, "")
		h.sentAll(&post{})
		for _, o := range h.Sees(table).Line.Awaited() {
			h.play(table, o.Seat, "")
		}
		h.sentAll(&post{})
	}
	full := size()
	c.advance(25 * time.Hour)
	h.tidied()
	require.Less(t, size()-empty, (full-empty)/3)
}
