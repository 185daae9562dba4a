package archive_test

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/standin"
	"posthorn/events"
	"posthorn/events/archive"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/record"
)

const ana, bo = domain.PersonID("a0c1e2a3b4d5968778695a4b3c2d1e0f"), domain.PersonID("b7f6e5d4c3b2a1908f7e6d5c4b3a2918")

// house is one in which each move comes up to some hours after the one before, to the millisecond, as people play.
type house struct {
	*desktest.House
	now time.Time
	rnd *rand.Rand
}

func newHouse(t testing.TB) *house {
	t.Helper()
	h := &house{now: time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC), rnd: rand.New(rand.NewPCG(7, 7))}
	h.House = desktest.Over(t, memory.New(), func() time.Time { return h.now })
	return h
}

// playsOut makes two people play as a steady stand-in would, for that many moves or to the end.
func playsOut(h *house, table events.Name, moves int) (ended bool) {
	h.T.Helper()
	for n := range moves {
		look := h.Sees(table)
		if look.Table.Status == domain.TableEnded {
			return true
		}
		h.now = h.now.Add(time.Duration(h.rnd.Int64N(int64(8 * time.Hour))))
		o := look.Line.Awaited()[0]
		mv, ok := standin.Steady{}.Choose(standin.Look(look.Rulebook, look.Line.State, o.Seat, uint64(n)))
		require.True(h.T, ok)
		_, err := h.Play(h.Ctx, desktest.By(look.Table.Places[o.Seat].Holders[0]),
			desk.Move{ID: events.NewCommandID(), Table: table,
				Line: look.LineName, Seat: o.Seat, Decision: o, Move: mv})
		require.NoError(h.T, err)
		h.Follows(table)
	}
	return h.Sees(table).Table.Status == domain.TableEnded
}

// finished returns a game of two that was rewound once, talked about and played to its end.
func finished(h *house, game string) events.Name {
	h.T.Helper()
	table := h.StartsBy(ana, game, nil, desktest.Player(ana), desktest.Player(bo))
	require.False(h.T, playsOut(h, table, 6))
	h.Rewinds(table, h.Sees(table).LineHead.Version-1)
	h.Does(bo, table, desk.Say{Written: desk.Written{Text: []byte("as it is sealed with a key of its own")}})
	require.True(h.T, playsOut(h, table, 5000))
	return table
}

func exported(h *house, table events.Name) []byte {
	h.T.Helper()
	var b bytes.Buffer
	require.NoError(h.T, record.Export(h.Ctx, h.Desk, table, domain.Referee, time.Now(), &b))
	return b.Bytes()
}

// verifies returns the result of verifying an archived game.
func verifies(packed []byte) (*record.Report, error) {
	text, err := archive.Unpack(packed)
	if err != nil {
		return nil, err
	}
	f, err := record.Read(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	return record.Verify(f, desktest.Named)
}
