package desk_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

// whatTheHouseWillDo lists, at a table of Ana, Bo and a stand-in, what anybody can work out of the ids that the house
// uses next: their causes' digests, without its key.
func whatTheHouseWillDo(look desk.Look) (ids []events.CommandID) {
	for _, what := range []string{"start", "lapse"} {
		ids = append(ids, events.Derive(what, look.Name[:], look.TableHead.Hash[:]))
	}
	if main, ok := look.Table.Main(); ok {
		ids = append(ids, events.Derive("open-line", look.LineName[:], binary.BigEndian.AppendUint64(nil, main.Since)))
	}
	if look.Line != nil {
		for _, o := range look.Line.Awaited() {
			ids = append(ids, events.Derive("stand-in", look.LineName[:], []byte(fmt.Sprint(o)), look.LineHead.Hash[:]))
		}
	}
	return ids
}

// Given a member who says something under ids that the house seems to need next, when it needs them, then it still
// does what it must.
func TestNobodyTakesAnIdFromTheHouse(t *testing.T) {
	h := desktest.New(t)
	// A seat's orders do not move the table's own head, which the end's id is made from.
	orders := func(table events.Name) {
		look := h.Sees(table)
		if look.Line == nil || look.Table.Status != domain.TableStarted {
			return
		}
		now, err := h.Orders(h.Ctx, table, 1, bo)
		require.NoError(t, err)
		_, err = h.SetOrders(h.Ctx, desktest.By(bo), table, 1,
			events.Derive("finish", table[:], look.TableHead.Hash[:]), now.Version, nil, nil)
		require.NoError(t, err)
	}
	talks := func(table events.Name) {
		for _, id := range whatTheHouseWillDo(h.Sees(table)) {
			_, err := h.Do(h.Ctx, desktest.By(bo), table, id, desk.Say{Written: desk.Written{Text: []byte("x")}})
			require.NoError(t, err)
		}
	}
	table := h.Opens("tiny", nil, desktest.Player(ana), desktest.Player(bo), desktest.StandIn())
	h.Joins(ana, table, 0)
	h.Joins(bo, table, 1)
	talks(table)
	h.Follows(table)
	require.NotNil(t, h.Sees(table).Line, "it has started and is dealt")
	for range 60 {
		talks(table)
		orders(table)
		turns := h.Follows(table)
		look := h.Sees(table)
		if look.Table.Status == domain.TableEnded {
			require.Equal(t, domain.EndFinished, look.Table.End)
			return
		}
		o := look.Line.Awaited()[0]
		if len(turns) > 0 {
			o = turns[0].Decision
		}
		text := "roll"
		if o.Kind == "choose" {
			text = "keep"
		}
		if len(turns) == 0 {
			h.Plays(table, o.Seat, text)
			continue
		}
		m := turns[0]
		var err error
		m.Move, err = look.Rulebook.ParseMove(text, nil)
		require.NoError(t, err)
		ans, err := h.Play(h.Ctx, events.House, m)
		require.NoError(t, err)
		require.False(t, ans.Again)
	}
	t.Fatal("the game does not end")
}

func TestIdsOfTheHouseAreApartAndCannotBeGuessed(t *testing.T) {
	h := desktest.New(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.StandIn())
	h.Does(ana, table, desk.Say{Written: desk.Written{Text: []byte("x")}})
	_, err := h.SetOrders(h.Ctx, desktest.By(ana), table, 0, events.NewCommandID(), 0, []string{"keep"}, nil)
	require.NoError(t, err)
	require.Len(t, h.Follows(table), 1)
	last, err := h.Log().Last(h.Ctx)
	require.NoError(t, err)
	recs, err := h.Log().Read(h.Ctx, 0, int(last))
	require.NoError(t, err)
	doors := map[string]int{}
	for i := range recs {
		meta, err := events.ReadMeta(&recs[i])
		require.NoError(t, err)
		own := meta.Door == "runner" || meta.Door == domain.DoorOrder
		require.Equal(t, own, recs[i].Command[0]&0x80 != 0, "%s by %s", recs[i].Type, meta.Door)
		doors[meta.Door]++
	}
	require.Positive(t, doors["page"])
	require.Positive(t, doors["runner"])
	require.Positive(t, doors[domain.DoorOrder])

	id := events.NewCommandID()
	other, err := events.NewKeys([32]byte{2})
	require.NoError(t, err)
	require.NotEqual(t, id, h.Keys().Asked(id))
	require.NotEqual(t, other.Asked(id), h.Keys().Asked(id), "another server logs it as something else")
	require.Equal(t, h.Keys().Asked(id), h.Keys().Asked(id))
}
