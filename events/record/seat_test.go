package record_test

import (
	"context"
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

func TestASeatsStreamIsHeldAgainstItsTable(t *testing.T) {
	for name, c := range map[string]struct {
		door, says string
		strange    bool // belongs to no seat
	}{
		"as the seat's holder gives orders": {door: "page"},
		"through a door that there is not":  {door: "fax", says: "somebody who did not hold seat A"},
		"by an order":                       {door: domain.DoorOrder, says: "somebody who did not hold seat A"},
		"in a stream of no seat": {door: "page", strange: true,
			says: "the table has no seat with this stream"},
	} {
		t.Run(name, func(t *testing.T) {
			h := desktest.New(t)
			table := h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
			ans, err := h.SetOrders(h.Ctx, desktest.By(desktest.Ana), table, 0, events.NewCommandID(), 0,
				[]string{"roll"}, nil)
			require.NoError(t, err)
			d := events.Draft{Stream: ans.Record.Stream, Expect: 1, Command: events.NewCommandID(),
				Type: events.TypeOrdered, Codec: "json",
				At: ans.Record.At, Data: []byte("{}"),
				Meta: fmt.Appendf(nil, `{"by":%q,"door":%q,"wish":"0123456789abcdef"}`, desktest.Ana, c.door)}
			if c.strange {
				first, err := h.Log().Load(h.Ctx, table, 0, 1)
				require.NoError(t, err)
				d.Stream, d.Expect = events.NewName(), 0
				d.Open = &events.Stream{Name: d.Stream, Kind: events.KindSeat, Rulebook: "tiny", Table: table,
					Origin: first[0].Hash}
			}
			text := fmt.Appendf(nil, `{"line":%q,"orders":["order keep"]}`, h.Sees(table).LineName)
			d.Parts = []events.Part{h.Keys().Seal(d.Stream, d.Expect+1, 0, domain.To(0), text)}
			_, err = h.Log().Append(h.Ctx, d)
			require.NoError(t, err)
			_, err = record.VerifyLog(h.Ctx, h.Log(), h.Keys(), desktest.Named, nil, func(string, int, int) {})
			if c.says == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.says)
			}
		})
	}
}

func TestOrdersAreGivenByWhoHeldTheSeatThen(t *testing.T) {
	for name, c := range map[string]struct {
		after uint64 // the version of the table after which they were given
		says  string
	}{
		"before Bo sat down":   {2, "somebody who did not hold seat B"},
		"once the game began":  {4, ""},
		"after Bo had left it": {5, "somebody who did not hold seat B"},
	} {
		t.Run(name, func(t *testing.T) {
			h := desktest.New(t)
			table := h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo),
				desktest.StandIn())
			h.Resigns(desktest.Bo, table, 1)
			recs, err := h.Log().Load(h.Ctx, table, 0, 0)
			require.NoError(t, err)
			stream := h.Keys().SeatStream(table, 1)
			text := fmt.Appendf(nil, `{"line":%q,"orders":["order keep"]}`, h.Sees(table).LineName)
			_, err = h.Log().Append(h.Ctx,
				events.Draft{Stream: stream, Command: events.NewCommandID(), Type: events.TypeOrdered, Codec: "json",
					Open: &events.Stream{Name: stream, Kind: events.KindSeat, Rulebook: "tiny", Table: table,
						Origin: recs[0].Hash},
					At: recs[c.after-1].At.Add(30 * time.Second), Data: []byte("{}"),
					Meta:  fmt.Appendf(nil, `{"by":%q,"door":"page","wish":"0123456789abcdef"}`, desktest.Bo),
					Parts: []events.Part{h.Keys().Seal(stream, 1, 0, domain.To(1), text)}})
			require.NoError(t, err)
			_, err = record.VerifyLog(h.Ctx, h.Log(), h.Keys(), desktest.Named, nil, func(string, int, int) {})
			if c.says == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.says)
			}
		})
	}
}

// The house notes in a seat's stream which of its orders made a move. A note by anybody else, or of a move that no
// order of the seat made, is found.
func TestANoteOfAnObeyedOrderIsHeldAgainstItsMove(t *testing.T) {
	for name, c := range map[string]struct {
		by, door string
		version  uint64 // of the move
		says     string
	}{
		"by the house, of the move":       {door: events.House.Door, version: 2},
		"by the house, of a refused move": {door: events.House.Door},
		"by a person": {by: string(desktest.Ana), door: events.House.Door, version: 2,
			says: "the house alone notes"},
		"by another door":              {door: "page", version: 2, says: "the house alone notes"},
		"of a move that somebody made": {door: events.House.Door, version: 3, says: "no move of an order of seat A"},
		"of a move that there is not":  {door: events.House.Door, version: 9, says: "which is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			h := desktest.New(t)
			table := h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
			ans, err := h.SetOrders(h.Ctx, desktest.By(desktest.Ana), table, 0, events.NewCommandID(), 0,
				[]string{"keep"}, nil)
			require.NoError(t, err)
			h.Follows(table) // the order moves, and the house notes it
			h.Plays(table, 1, "keep")
			stream := ans.Record.Stream
			noted, err := h.Log().Load(h.Ctx, stream, 0, 0)
			require.NoError(t, err)
			require.Equal(t, events.TypeObeyed, noted[len(noted)-1].Type)
			_, err = record.VerifyLog(h.Ctx, h.Log(), h.Keys(), desktest.Named, nil, func(string, int, int) {})
			require.NoError(t, err)

			last := uint64(len(noted))
			text := fmt.Appendf(nil, `{"line":%q,"version":%d,"index":0,"order":"order keep"}`, h.Sees(table).LineName,
				c.version)
			meta := fmt.Appendf(nil, `{"door":%q,"wish":"0123456789abcdef"}`, c.door)
			if c.by != "" {
				meta = fmt.Appendf(nil, `{"by":%q,"door":%q,"wish":"0123456789abcdef"}`, c.by, c.door)
			}
			_, err = h.Log().Append(h.Ctx,
				events.Draft{Stream: stream, Expect: last, Command: events.NewCommandID(), Type: events.TypeObeyed,
					Codec: "json",
					At:    noted[last-1].At, Data: []byte("{}"), Meta: meta,
					Parts: []events.Part{h.Keys().Seal(stream, last+1, 0, domain.To(0), text)}})
			require.NoError(t, err)
			_, err = record.VerifyLog(h.Ctx, h.Log(), h.Keys(), desktest.Named, nil, func(string, int, int) {})
			if c.says == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.says)
			}
		})
	}
}

// lapse ends an open proposal as the house does once a move has overtaken it, but whenever it is told to.
type lapse struct{ since uint64 }

func (c lapse) Row() desk.Row { return desk.Row{Wish: "lapse too early", Judge: c.judge} }

func (c lapse) judge(_ context.Context, _ domain.PersonID, r desk.Case) (domain.TableEvent, error) {
	return r.Table.Lapse(c.since)
}

// A move overtakes what was proposed before it, and the house says so; where no move did, it may not.
func TestAProposalLapsesByAMoveAlone(t *testing.T) {
	for name, moved := range map[string]bool{"after a move": true, "without one": false} {
		t.Run(name, func(t *testing.T) {
			h := desktest.New(t)
			table := h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
			h.Plays(table, 0, "keep")
			h.Proposes(desktest.Ana, table, 1)
			if moved {
				h.Plays(table, 1, "keep") // and the house does the rest
			} else {
				_, err := h.DoCaused(h.Ctx, events.House, table, events.Because("lapse"),
					lapse{h.Sees(table).Table.Proposal.Since})
				require.NoError(t, err)
			}
			require.Nil(t, h.Sees(table).Table.Proposal)
			_, err := record.VerifyLog(h.Ctx, h.Log(), h.Keys(), desktest.Named, nil, func(string, int, int) {})
			if moved {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, "nothing has overtaken the proposal")
			}
		})
	}
}
