package mail_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/mail"
)

func notice(kind mail.Kind, p domain.PersonID, since uint64) mail.Notice {
	return mail.Notice{Kind: kind, Person: p, Table: events.Name{1}, Stream: events.Name{2},
		Head: events.Hash{byte(since)},
		Open: domain.Open{Decision: domain.Decision{Kind: "turn", Serial: 1}, Since: since}}
}

func TestALetterIsWantedOncePerDecisionPersonAndKind(t *testing.T) {
	h := newHouse(t)
	first := notice(mail.KindTurn, "aa", 3)
	for _, c := range []struct {
		name   string
		change func(*mail.Notice)
		more   int
	}{
		{"the same", func(*mail.Notice) {}, 0},
		{"another person", func(n *mail.Notice) { n.Person = "bb" }, 1},
		{"another kind", func(n *mail.Notice) { n.Kind = mail.KindConsent }, 1},
		{"another version", func(n *mail.Notice) { n.Open.Since = 4 }, 1},
		{"another seat", func(n *mail.Notice) { n.Open.Seat = 1 }, 1},
		{"another serial", func(n *mail.Notice) { n.Open.Serial = 2 }, 1},
		{"another line", func(n *mail.Notice) { n.Stream = events.Name{3} }, 1},
		{"another history", func(n *mail.Notice) { n.Head = events.Hash{9} }, 1},
	} {
		require.NoError(t, h.outbox.Want(h.Ctx, 0, first))
		before := len(h.letters(first.Table))
		n := first
		c.change(&n)
		require.NoError(t, h.outbox.Want(h.Ctx, 0, n, n))
		require.Len(t, h.letters(first.Table), before+c.more, c.name)
	}
}

func (h *house) position() uint64 {
	h.T.Helper()
	pos, err := h.outbox.Position(h.Ctx)
	require.NoError(h.T, err)
	return pos
}

func TestTheCheckpointMovesWithTheLettersOrNotAtAll(t *testing.T) {
	h := newHouse(t)
	require.NoError(t, h.outbox.Want(h.Ctx, 7, notice(mail.KindTurn, "aa", 1)))
	require.EqualValues(t, 7, h.position())
	require.NoError(t, h.outbox.Want(h.Ctx, 5))
	require.EqualValues(t, 7, h.position(), "it never goes back")
	late, stop := context.WithCancel(h.Ctx)
	stop()
	require.Error(t, h.outbox.Want(late, 9, notice(mail.KindTurn, "aa", 2)))
	require.EqualValues(t, 7, h.position())
	require.Len(t, h.letters(events.Name{1}), 1)
	h.refuseInserts()
	require.Error(t, h.outbox.Want(h.Ctx, 9, notice(mail.KindTurn, "aa", 3)))
	require.EqualValues(t, 7, h.position(), "letters that were not added leave it where it is")
}

// onDisk returns everything that the queue's files hold.
func (h *house) onDisk() []byte {
	h.T.Helper()
	var all []byte
	files, err := filepath.Glob(h.mailDB() + "*")
	require.NoError(h.T, err)
	require.NotEmpty(h.T, files)
	for _, f := range files {
		b, err := os.ReadFile(f)
		require.NoError(h.T, err)
		all = append(all, b...)
	}
	return all
}

func TestNoAddressTokenOrLetterLiesOpenInTheQueue(t *testing.T) {
	h := newHouse(t)
	const token, address = "a-very-secret-token", "somebody@private.example.org"
	require.NoError(t, mail.Post{Outbox: h.outbox}.SignIn(h.Ctx, address, token, "en", ""))
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	h.started("tiny", "", ana, bo)
	h.notify()
	secrets := []string{token, address, "ana@example.org", "bo@example.org", "games.example.org/p/", "Come in",
		"Content-Type"}
	hidden := func(when string) {
		t.Helper()
		disk := h.onDisk()
		for _, s := range secrets {
			require.Zero(t, bytes.Count(disk, []byte(s)), "%s: %s", when, s)
		}
	}
	hidden("wanted")
	out := &post{fails: []error{later, later, later}}
	require.NoError(t, h.send(out))
	require.Len(t, out.taken(), 3)
	hidden("composed and tried")
	require.NotZero(t, h.sizeOfBytes())
}

func TestALetterIsWipedOnceItIsSentDroppedOrRefused(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.notify()
	require.NoError(t, mail.Post{Outbox: h.outbox}.SignIn(h.Ctx, "jo@example.org", "token", "en", ""))
	out := &post{fails: []error{later, later, later}}
	require.NoError(t, h.send(out))
	require.NotZero(t, h.sizeOfBytes())
	h.play(table, 0, "keep")
	h.makeDue()
	require.NoError(t, h.send(out))
	require.Equal(t, mail.StateDropped, h.letter(table, mail.KindTurn, ana).State)
	require.Equal(t, mail.StateSent, h.letter(table, mail.KindTurn, bo).State)
	require.Zero(t, h.sizeOfBytes())
}

func TestALetterThatAnotherServersKeySealedIsGivenUp(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", "", ana, bo)
	h.notify()
	cut := &mail.Lost{Step: "message", Err: errors.New("cut")} // the letters may have arrived, so their bytes are kept
	require.NoError(t, h.send(&post{fails: []error{cut, cut}}))
	other, err := events.NewKeys([32]byte{9})
	require.NoError(t, err)
	h.keys = other
	h.reopen()
	h.makeDue()
	out := &post{}
	require.NoError(t, h.send(out))
	require.Empty(t, out.taken())
	require.Equal(t, mail.StateFailed, h.letter(table, mail.KindTurn, ana).State)
}
