package record_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/record"
)

// moves hands a table over to another server.
func moves(t *testing.T, here, there *house, table events.Name) {
	t.Helper()
	key, err := record.PublicKey(there.Keys())
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, record.Handover(here.Ctx, here.Desk, table, key, time.Now(), &b))
	f, err := record.Read(&b)
	require.NoError(t, err)
	_, err = record.Import(there.Ctx, there.Log(), there.Keys(), f, named)
	require.NoError(t, err)
}

// Another server has another key, and so other ids for its house's commands: it knows what was done before the
// handover from the table's state.
func TestAfterAHandoverNothingIsDoneTwiceOrLeftUndone(t *testing.T) {
	join := func(h *house) events.Name {
		place := func(id domain.PersonID) domain.TablePlace {
			return domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{id}}
		}
		ans, err := h.Open(h.Ctx, events.Actor{Person: ana, Door: "page"}, events.NewCommandID(),
			desk.NewTable{Rulebook: "tiny",
				Places: []domain.TablePlace{place(ana), place(bo)}, Pace: "weekly"})
		require.NoError(h.T, err)
		for i, p := range []domain.PersonID{ana, bo} {
			h.Does(p, ans.Table, desk.Join{Seat: domain.Seat(i), Chance: []byte("sixteen bytes at least")})
		}
		return ans.Table
	}
	start := func(h *house, table events.Name) {
		_, err := h.DoCaused(h.Ctx, events.House, table, events.Because("start", table[:]), desktest.Start{})
		require.NoError(h.T, err)
	}
	for what, c := range map[string]struct {
		before  func(h *house) events.Name
		follows uint64
	}{
		"full, not started": {join, 2},
		"started, its line not open": {func(h *house) events.Name { table := join(h); start(h, table); return table },
			1},
		"its line open": {func(h *house) events.Name { return h.open(nil) }, 0},
		"somebody has moved": {func(h *house) events.Name {
			table := h.open(nil)
			h.play(table, 1)
			return table
		}, 0},
		"an end that was not noted": {func(h *house) events.Name {
			table := h.open(nil)
			h.resigns(table)
			return table
		}, 1},
		"a proposal that is overtaken": {func(h *house) events.Name {
			table := h.open(nil)
			h.lapses(table)
			return table
		}, 1},
	} {
		t.Run(what, func(t *testing.T) {
			here, there := newHouse(t, 1), newHouse(t, 2)
			table := c.before(here)
			moves(t, here, there, table)
			adopted, err := there.Log().Last(there.Ctx)
			require.NoError(t, err)
			for range 2 {
				there.Follows(table)
				last, err := there.Log().Last(there.Ctx)
				require.NoError(t, err)
				require.Equal(t, adopted+c.follows, last)
			}
		})
	}
}

func (h *house) resigns(table events.Name) {
	h.Does(bo, table, desk.Resign{Seat: 1})
}

// lapses proposes going back, and then moves on.
func (h *house) lapses(table events.Name) {
	h.play(table, 1)
	h.Does(ana, table, desk.ProposeRewind{To: 1, Fresh: false})
	look := h.Sees(table)
	o := look.Line.Awaited()[0]
	for m := range look.Rulebook.Legal(look.Line.State, o.Seat) {
		_, err := h.Play(h.Ctx, events.Actor{Person: look.Table.Places[o.Seat].Holders[0], Door: "page"},
			desk.Move{ID: events.NewCommandID(), Table: table, Line: look.LineName, Seat: o.Seat, Decision: o,
				Move: m})
		require.NoError(h.T, err)
		return
	}
}

// A member says something under the id that the handover would have if it were an open digest.
func TestNobodyTakesTheIdOfAHandover(t *testing.T) {
	here, there := newHouse(t, 1), newHouse(t, 2)
	table := here.open(nil)
	key, err := record.PublicKey(there.Keys())
	require.NoError(t, err)
	raw, err := base64.RawURLEncoding.DecodeString(key[len("posthorn-key-"):])
	require.NoError(t, err)
	_, err = here.Do(here.Ctx, events.Actor{Person: bo, Door: "page"}, table, events.Derive("handover", table[:], raw),
		desk.Say{Written: desk.Written{Text: []byte("x")}})
	require.NoError(t, err)
	moves(t, here, there, table)
	require.Equal(t, domain.EndHanded, here.Sees(table).Table.End)
}

// At a server that logs ids as they come, a member moved under the id that the arrival at the next server would have
// if it were an open digest.
func TestNobodyTakesTheIdOfAnArrival(t *testing.T) {
	here, there := newHouse(t, 1), newHouse(t, 2)
	table := here.open(nil)
	look := here.Sees(table)
	o := look.Line.Awaited()[0]
	var e domain.Event
	for m := range look.Rulebook.Legal(look.Line.State, o.Seat) {
		var err error
		e, _, err = look.Line.Decide(o.Seat, m)
		require.NoError(t, err)
		break
	}
	data, secrets, err := look.Rulebook.Codec().Encode(&e)
	require.NoError(t, err)
	next := look.LineHead.Version + 1
	var parts []events.Part
	for n, s := range secrets {
		parts = append(parts, here.Keys().Seal(look.LineName, next, n, s.To, s.Data))
	}
	_, err = here.Log().Append(here.Ctx,
		events.Draft{Stream: look.LineName, Expect: next - 1, Type: events.PlayType(look.Rulebook, &e), Codec: "json",
			At:      time.Now().UTC().Truncate(time.Millisecond),
			Command: events.Derive("arrive", table[:], look.TableHead.Hash[:]),
			Meta:    fmt.Appendf(nil, `{"by":%q,"door":"page"}`, look.Table.Places[o.Seat].Holders[0]), Data: data,
			Parts: parts})
	require.NoError(t, err)
	moves(t, here, there, table)
	require.Equal(t, domain.TableStarted, there.Sees(table).Table.Status)
}
