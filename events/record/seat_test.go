package record_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
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
		"by an order":                       {door: events.DoorOrder, says: "somebody who did not hold seat A"},
		"in a stream of no seat":            {door: "page", strange: true, says: "the table has no seat with this stream"},
	} {
		t.Run(name, func(t *testing.T) {
			h := desktest.New(t)
			table := h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
			ans, err := h.SetOrders(h.Ctx, desktest.By(desktest.Ana), table, 0, events.NewCommandID(), 0, []string{"roll"}, nil)
			require.NoError(t, err)
			d := events.Draft{Stream: ans.Record.Stream, Expect: 1, Command: events.NewCommandID(), Type: events.TypeOrdered, Codec: "json",
				At: ans.Record.At, Data: []byte("{}"), Meta: fmt.Appendf(nil, `{"by":%q,"door":%q,"wish":"0123456789abcdef"}`, desktest.Ana, c.door)}
			if c.strange {
				first, err := h.Log().Load(h.Ctx, table, 0, 1)
				require.NoError(t, err)
				d.Stream, d.Expect = events.NewName(), 0
				d.Open = &events.Stream{Name: d.Stream, Kind: events.KindSeat, Rulebook: "tiny", Table: table, Origin: first[0].Hash}
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
			table := h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo), desktest.StandIn())
			h.Resigns(desktest.Bo, table, 1)
			recs, err := h.Log().Load(h.Ctx, table, 0, 0)
			require.NoError(t, err)
			stream := h.Keys().SeatStream(table, 1)
			text := fmt.Appendf(nil, `{"line":%q,"orders":["order keep"]}`, h.Sees(table).LineName)
			_, err = h.Log().Append(h.Ctx, events.Draft{Stream: stream, Command: events.NewCommandID(), Type: events.TypeOrdered, Codec: "json",
				Open: &events.Stream{Name: stream, Kind: events.KindSeat, Rulebook: "tiny", Table: table, Origin: recs[0].Hash},
				At:   recs[c.after-1].At.Add(30 * time.Second), Data: []byte("{}"), Meta: fmt.Appendf(nil, `{"by":%q,"door":"page","wish":"0123456789abcdef"}`, desktest.Bo),
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
