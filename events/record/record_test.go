package record_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/record"
)

const ana, bo = domain.PersonID("a0"), domain.PersonID("b0")

func named(n string) (domain.Rulebook, bool) { return tiny.Rulebook, n == "tiny" }

// house is a server of its own, and what its records are made of.
type house struct{ *desktest.House }

func newHouse(t *testing.T, key byte) *house {
	t.Helper()
	keys, err := events.NewKeys([32]byte{key})
	require.NoError(t, err)
	return &house{desktest.With(t, keys, memory.New(), time.Now)}
}

// open starts a table of two.
func (h *house) open(branch *domain.Branch) events.Name {
	h.T.Helper()
	return h.StartsBy(ana, "tiny", branch, desktest.Player(ana), desktest.Player(bo))
}

// play makes up to n moves, each the first legal one, and reports whether the table ended.
func (h *house) play(table events.Name, n int) bool {
	h.T.Helper()
	for range n {
		look := h.Sees(table)
		if look.Table.Status == domain.TableEnded {
			return true
		}
		o := look.Line.Awaited()[0]
		for m := range look.Rulebook.Legal(look.Line.State, o.Seat) {
			who := events.Actor{Person: look.Table.Places[o.Seat].Holders[0], Door: "mail"}
			_, err := h.Play(h.Ctx, who, desk.Move{ID: events.NewCommandID(), Table: table, Line: look.LineName,
				Seat: o.Seat, Decision: o, Move: m})
			require.NoError(h.T, err)
			break
		}
		h.Follows(table)
	}
	return h.Sees(table).Table.Status == domain.TableEnded
}

func (h *house) export(table events.Name, v domain.Viewer) []byte {
	h.T.Helper()
	var b bytes.Buffer
	require.NoError(h.T, record.Export(h.Ctx, h.Desk, table, v, time.Now(), &b))
	return b.Bytes()
}

func verify(file []byte, receipts ...string) (*record.Report, error) {
	f, err := record.Read(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	return record.Verify(f, named, receipts...)
}

func TestAnEndedGameIsProvedToItsLastDraw(t *testing.T) {
	h := newHouse(t, 1)
	table := h.open(nil)
	require.False(t, h.play(table, 4))
	h.Rewinds(table, 3)
	require.True(t, h.play(table, 40))
	r, err := verify(h.export(table, domain.Referee))
	require.NoError(t, err)
	require.Empty(t, r.Skipped)
	require.Zero(t, r.Hidden)
	require.Positive(t, r.Draws)
	require.Greater(t, r.Moves, 8)
}

func TestAnyFlippedByteIsFound(t *testing.T) {
	h := newHouse(t, 1)
	table := h.open(nil)
	h.play(table, 4)
	h.Rewinds(table, 3)
	h.play(table, 40)
	file := h.export(table, domain.Referee)
	for i := 0; i < len(file); i += 23 {
		bad := bytes.Clone(file)
		bad[i] ^= 1 << (i % 8)
		_, err := verify(bad)
		require.Error(t, err, "byte %d of %q", i, bad[max(0, i-20):min(len(bad), i+20)])
	}
}

func TestAForgedSumDoesNotHideAnAlteredMove(t *testing.T) {
	h := newHouse(t, 1)
	table := h.open(nil)
	h.play(table, 40)
	file := h.export(table, domain.Referee)
	lines := bytes.SplitAfter(file, []byte("\n"))
	lines[3] = bytes.Replace(lines[3], []byte(`"at":1`), []byte(`"at":2`), 1)
	body := bytes.Join(lines[:len(lines)-2], nil)
	forged := append(body, fmt.Appendf(nil, "{\"sum\":\"%x\"}\n", sha256.Sum256(body))...)
	_, err := verify(forged)
	var fault *record.Fault
	require.ErrorAs(t, err, &fault)
	require.Equal(t, 4, fault.Line)
	require.ErrorContains(t, err, "altered")
}

func TestARunningGameIsRedactedAndStillAChain(t *testing.T) {
	h := newHouse(t, 1)
	table := h.open(nil)
	h.play(table, 2)
	look := h.Sees(table)
	receipt := h.Receipt(table, look.LineName, look.LineHead)
	r, err := verify(h.export(table, domain.Spectator), receipt)
	require.NoError(t, err)
	require.Zero(t, r.Secrets)
	require.Positive(t, r.Hidden)
	require.NotEmpty(t, r.Skipped, "luck cannot be checked yet, and the report says so")
	own, err := verify(h.export(table, 0))
	require.NoError(t, err)
	require.Positive(t, own.Secrets)
	forged := h.Receipt(table, look.LineName, events.Head{Version: look.LineHead.Version})
	_, err = verify(h.export(table, domain.Spectator), forged)
	require.ErrorContains(t, err, "another history")
}

func TestABranchIsProvedToo(t *testing.T) {
	h := newHouse(t, 1)
	table := h.open(nil)
	h.play(table, 3)
	look := h.Sees(table)
	branch := h.open(&domain.Branch{Table: table.String(), Line: look.LineName.String(), Version: 2, Kind: "game"})
	require.True(t, h.play(branch, 40))
	r, err := verify(h.export(branch, domain.Spectator))
	require.NoError(t, err)
	require.Contains(t, r.Skipped[0], "sealed until", "its luck is not checked yet, and the report says why")
	require.False(t, r.Judged)
	require.Zero(t, r.Secrets)
	require.True(t, h.play(table, 40))
	h.Follows(branch)
	r, err = verify(h.export(branch, domain.Referee))
	require.NoError(t, err)
	onlyElsewhere(t, r)
	require.Positive(t, r.Moves)
}

func TestATableGoesOnAtAnotherServerUnderTheSameHashes(t *testing.T) {
	here, there := newHouse(t, 1), newHouse(t, 2)
	table := here.open(nil)
	here.play(table, 3)
	before := here.Sees(table)
	key, err := record.PublicKey(there.Keys())
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, record.Handover(here.Ctx, here.Desk, table, key, time.Now(), &b))
	require.Equal(t, domain.EndHanded, here.Sees(table).Table.End)
	require.Equal(t, domain.Spectator, here.Sees(table).Table.ViewerOf("", domain.Nobody),
		"what is handed over stays secret here")

	f, err := record.Read(bytes.NewReader(b.Bytes()))
	require.NoError(t, err)
	lengths := map[string]int{}
	for _, e := range f.Events {
		for _, p := range e.Parts {
			if was, ok := lengths[e.Type]; ok {
				require.Len(t, p.Sealed, was, "the length of what is sealed tells nothing of it")
			}
			lengths[e.Type] = len(p.Sealed)
		}
	}
	_, err = record.Import(there.Ctx, newHouse(t, 3).Log(), newHouse(t, 3).Keys(), f, named)
	require.ErrorIs(t, err, record.ErrHandover, "only the server it was sealed for can open it")
	for range 2 {
		_, err = record.Import(there.Ctx, there.Log(), there.Keys(), f, named)
		require.NoError(t, err)
	}
	after := there.Sees(table)
	require.Equal(t, before.LineHead, after.LineHead)
	require.Equal(t, before.Rulebook.View(before.Line.State, domain.Referee),
		after.Rulebook.View(after.Line.State, domain.Referee))
	there.Does("new", table, desk.Claim{Seat: 1, Was: bo})
	require.True(t, there.play(table, 40))
	_, err = verify(there.export(table, domain.Referee))
	require.NoError(t, err)
}

func FuzzReadNeverPanics(f *testing.F) {
	f.Add([]byte(`{"format":"posthorn-record-1"}` + "\n{}"))
	f.Fuzz(func(_ *testing.T, b []byte) {
		file, err := record.Read(bytes.NewReader(b))
		if err == nil {
			_, _ = record.Verify(file, named)
		}
	})
}

func TestTheEndElsewhereOpensWhatWaitedForItHere(t *testing.T) {
	here, there := newHouse(t, 1), newHouse(t, 2)
	table := here.open(nil)
	here.play(table, 3)
	look := here.Sees(table)
	branch := here.open(&domain.Branch{Table: table.String(), Line: look.LineName.String(), Version: 2, Kind: "study"})
	require.True(t, here.play(branch, 40))
	key, err := record.PublicKey(there.Keys())
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, record.Handover(here.Ctx, here.Desk, table, key, time.Now(), &b))
	conclude := func(file []byte) error {
		f, err := record.Read(bytes.NewReader(file))
		require.NoError(t, err)
		_, err = record.Conclude(here.Ctx, here.Desk, f, named)
		here.Follows(branch)
		return err
	}
	f, err := record.Read(bytes.NewReader(b.Bytes()))
	require.NoError(t, err)
	_, err = record.Import(there.Ctx, there.Log(), there.Keys(), f, named)
	require.NoError(t, err)
	require.ErrorIs(t, conclude(there.export(table, domain.Spectator)), record.ErrUnfinished)
	require.False(t, here.Sees(branch).Table.Open())

	require.True(t, there.play(table, 40))
	require.ErrorContains(t, conclude(there.export(table, domain.Spectator)), "left closed",
		"a record without its secrets proves nothing")
	stray := there.open(nil)
	require.True(t, there.play(stray, 40))
	refused, ok := domain.AsRefusal(conclude(there.export(stray, domain.Referee)))
	require.True(t, ok && refused.Code == "not-handed-over")
	_, err = verify(here.export(branch, here.Sees(branch).Table.ViewerOf("", domain.Nobody)))
	require.NoError(t, err)
	require.False(t, here.Sees(branch).Table.Open() || here.Sees(table).Table.Open())

	for range 2 { // the second time changes nothing
		require.NoError(t, conclude(there.export(table, domain.Referee)))
		require.True(t, here.Sees(branch).Table.Open())
		require.True(t, here.Sees(table).Table.Open(), "what was handed over is open here too")
	}
	require.Equal(t, there.Sees(table).Table.Ranks, here.Sees(table).Table.Ranks)
	r, err := verify(here.export(branch, domain.Referee))
	require.NoError(t, err)
	onlyElsewhere(t, r)
	require.True(t, r.Judged)
	_, err = verify(here.export(table, domain.Referee))
	require.NoError(t, err)
}

func TestARecordOfAnotherHistoryEndsNothingHere(t *testing.T) {
	here, there := newHouse(t, 1), newHouse(t, 2)
	table := here.open(nil)
	here.play(table, 2)
	key, err := record.PublicKey(there.Keys())
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, record.Handover(here.Ctx, here.Desk, table, key, time.Now(), &b))
	f, err := record.Read(bytes.NewReader(b.Bytes()))
	require.NoError(t, err)
	_, err = record.Import(there.Ctx, there.Log(), there.Keys(), f, named)
	require.NoError(t, err)
	require.True(t, there.play(table, 40))
	f, err = record.Read(bytes.NewReader(there.export(table, domain.Referee)))
	require.NoError(t, err)

	// The same table at a house where something else happened to it before the handover.
	other := newHouse(t, 1)
	streams, err := here.Log().Streams(here.Ctx, table)
	require.NoError(t, err)
	recs, err := here.Log().Load(here.Ctx, table, 0, 0)
	require.NoError(t, err)
	require.NoError(t, other.Log().Adopt(here.Ctx, streams[:1], recs[:len(recs)-1]))
	other.Follows(table)
	other.play(table, 1)
	_, err = other.Do(other.Ctx, events.Actor{Door: domain.DoorHost}, table, events.NewCommandID(),
		desk.HandOver{To: "there"})
	require.NoError(t, err)
	_, err = record.Conclude(other.Ctx, other.Desk, f, named)
	require.ErrorContains(t, err, "another history")
	require.False(t, other.Sees(table).Table.Open())
}
