package desk_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/memory"
)

// ordering is a house with a table of the tiny game, Ana at seat A and Bo at seat B.
type ordering struct {
	*desktest.House
	table events.Name
}

func newOrdering(t *testing.T) *ordering {
	t.Helper()
	h := desktest.New(t)
	return &ordering{h, h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))}
}

// gives replaces the orders of a seat, as its holder.
func (o *ordering) gives(who domain.PersonID, seat domain.Seat, texts ...string) desk.Answer {
	o.T.Helper()
	now, err := o.Orders(o.Ctx, o.table, seat, who)
	require.NoError(o.T, err)
	ans, err := o.SetOrders(o.Ctx, desktest.By(who), o.table, seat, events.NewCommandID(), now.Version, texts, nil)
	require.NoError(o.T, err)
	return ans
}

func (o *ordering) list(who domain.PersonID, seat domain.Seat) []string {
	o.T.Helper()
	now, err := o.Orders(o.Ctx, o.table, seat, who)
	require.NoError(o.T, err)
	return now.List
}

// moves lists the moves of the main line, each with its door.
func (o *ordering) moves() []string {
	o.T.Helper()
	look := o.Sees(o.table)
	history, err := o.History(o.Ctx, look, look.LineName, domain.Spectator, 0, 0)
	require.NoError(o.T, err)
	var out []string
	for _, e := range history {
		if e.Event.Move != "" {
			out = append(out, e.Event.Seat.Letter()+" "+e.Event.Move+" by "+e.Meta.Door)
		}
	}
	return out
}

func refusal(t *testing.T, err error, code string) {
	t.Helper()
	r, ok := domain.AsRefusal(err)
	require.True(t, ok, "%v", err)
	require.Equal(t, code, r.Code)
}

func TestAnOrderAnswersDecisionsAsOftenAsItSays(t *testing.T) {
	o := newOrdering(t)
	o.gives(desktest.Ana, 0, "keep 1")
	require.Equal(t, []string{"order keep 1"}, o.list(desktest.Ana, 0))
	o.Follows(o.table)
	require.Equal(t, []string{"A keep by order"}, o.moves())
	require.Empty(t, o.list(desktest.Ana, 0), "used up")

	o.gives(desktest.Bo, 1, "order keep")
	o.Follows(o.table)
	require.Equal(t, []string{"A keep by order", "B keep by order"}, o.moves())
	require.Equal(t, []string{"order keep"}, o.list(desktest.Bo, 1))
	require.Empty(t, o.Follows(o.table), "what was obeyed is not obeyed again")
	require.Len(t, o.moves(), 2)
}

func TestOrdersArePrivateToTheirSeat(t *testing.T) {
	o := newOrdering(t)
	before := o.Sees(o.table)
	ans := o.gives(desktest.Ana, 0, "roll 3")
	_, err := o.Orders(o.Ctx, o.table, 0, desktest.Bo)
	refusal(t, err, "not-your-seat")
	_, err = o.SetOrders(o.Ctx, desktest.By(desktest.Bo), o.table, 0, events.NewCommandID(), 1, []string{"keep"}, nil)
	refusal(t, err, "not-your-seat")
	after := o.Sees(o.table)
	require.Equal(t, before.TableHead, after.TableHead, "no public version moves")
	require.Equal(t, before.LineHead, after.LineHead)
	require.JSONEq(t, "{}", string(ans.Record.Data))
	require.Len(t, ans.Record.Parts, 1)
	require.Equal(t, domain.To(0), ans.Record.Parts[0].To)
}

func TestOnlyUsedOrdersOpenAndOnlyAfterTheTablesEnd(t *testing.T) {
	o := newOrdering(t)
	o.gives(desktest.Ana, 0, "keep 1", "swap 7")
	o.Follows(o.table)
	used := func(v domain.Viewer) map[uint64]string {
		look := o.Sees(o.table)
		m, err := o.OrdersUsed(o.Ctx, look, look.LineName, v)
		require.NoError(t, err)
		return m
	}
	require.Equal(t, map[uint64]string{2: "order keep 1"}, used(domain.ViewOf(0)))
	require.Empty(t, used(domain.ViewOf(1)))
	require.Empty(t, used(domain.Spectator))
	o.Resigns(desktest.Bo, o.table, 1)
	o.Follows(o.table)
	require.Equal(t, domain.TableEnded, o.Sees(o.table).Table.Status)
	require.Equal(t, map[uint64]string{2: "order keep 1"}, used(o.Sees(o.table).Table.ViewerOf("", domain.Nobody)))
}

func TestAnOrderThatTheGameRefusesIsTakenOff(t *testing.T) {
	o := newOrdering(t)
	o.gives(desktest.Ana, 0, "peek A", "keep") // she already knows her own card
	o.Follows(o.table)
	now, err := o.Orders(o.Ctx, o.table, 0, desktest.Ana)
	require.NoError(t, err)
	require.Equal(t, "order peek A", now.Refused)
	require.Equal(t, []string{"order keep"}, now.List)
	require.Equal(t, []string{"A keep by order"}, o.moves())
}

func TestOrdersWaitForAProposalAndRestAfterARewind(t *testing.T) {
	o := newOrdering(t)
	o.Plays(o.table, 0, "keep")
	o.Proposes(desktest.Ana, o.table, 1)
	o.gives(desktest.Bo, 1, "keep")
	o.Follows(o.table)
	require.Equal(t, []string{"A keep by page"}, o.moves())
	o.Agrees(desktest.Bo, o.table)
	o.Follows(o.table)
	require.Empty(t, o.moves(), "given for the line that was taken back")
	now, err := o.Orders(o.Ctx, o.table, 1, desktest.Bo)
	require.NoError(t, err)
	require.NotEqual(t, o.Sees(o.table).LineName, now.Line)
	o.gives(desktest.Bo, 1, now.List...)
	o.Follows(o.table)
	require.Equal(t, []string{"B keep by order"}, o.moves())
}

func TestOrdersThatChangedMeanwhileAreNotOverwritten(t *testing.T) {
	o := newOrdering(t)
	o.gives(desktest.Ana, 0, "roll")
	_, err := o.SetOrders(o.Ctx, desktest.By(desktest.Ana), o.table, 0, events.NewCommandID(), 0, []string{"keep"}, nil)
	refusal(t, err, "orders-changed")
	id := events.NewCommandID()
	first, err := o.SetOrders(o.Ctx, desktest.By(desktest.Ana), o.table, 0, id, 1, []string{"keep"}, nil)
	require.NoError(t, err)
	again, err := o.SetOrders(o.Ctx, desktest.By(desktest.Ana), o.table, 0, id, 1, []string{"keep"}, nil)
	require.NoError(t, err)
	require.True(t, again.Again)
	require.Equal(t, first.Record.Pos, again.Record.Pos)
}

func TestUnreadableOrdersAreRefusedAndChangeNothing(t *testing.T) {
	o := newOrdering(t)
	o.gives(desktest.Ana, 0, "roll")
	for code, list := range map[string][]string{
		"unreadable":  {"keep", "dance"},
		"order-long":  {string(make([]byte, desk.MaxOrderLen+1))},
		"orders-many": many("keep", desk.MaxOrders+1),
	} {
		if code == "order-long" {
			list = []string{"keep " + string(make([]rune, desk.MaxOrderLen))}
		}
		_, err := o.SetOrders(o.Ctx, desktest.By(desktest.Ana), o.table, 0, events.NewCommandID(), 1, list, nil)
		refusal(t, err, code)
	}
	require.Equal(t, []string{"order roll"}, o.list(desktest.Ana, 0))
}

func TestOrdersAreTakenUpToTheirLimits(t *testing.T) {
	o := newOrdering(t)
	require.Len(t, o.list(desktest.Ana, 0), 0)
	o.gives(desktest.Ana, 0, many("roll", desk.MaxOrders)...)
	require.Len(t, o.list(desktest.Ana, 0), desk.MaxOrders)
	long := "roll" + strings.Repeat(" ", desk.MaxOrderLen-len("roll 2")) + " 2"
	require.Len(t, long, desk.MaxOrderLen)
	o.gives(desktest.Ana, 0, " "+long+" ", "", "roll 2")
	require.Equal(t, []string{"order roll 2"}, o.list(desktest.Ana, 0), "each once")
}

func TestOrdersAreTakenWhileTheGameIsPlayed(t *testing.T) {
	h := desktest.New(t)
	table := h.Opens("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	refused := func() {
		t.Helper()
		_, err := h.SetOrders(h.Ctx, desktest.By(desktest.Ana), table, 0, events.NewCommandID(), 0, []string{"roll"},
			nil)
		refusal(t, err, "not-running")
	}
	h.Joins(desktest.Ana, table, 0)
	refused()
	h.Joins(desktest.Bo, table, 1)
	h.Follows(table)
	h.Resigns(desktest.Bo, table, 1)
	require.NotEmpty(t, h.Sees(table).Table.Due)
	refused()
	h.Follows(table)
	require.Equal(t, domain.TableEnded, h.Sees(table).Table.Status)
	refused()
}

func TestOrdersAreReadFromWhereTheyWereReadLast(t *testing.T) {
	log := &reading{Log: memory.New()}
	h := desktest.Over(t, log, desktest.Clock())
	o := &ordering{h, h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))}
	log.stream = o.gives(desktest.Ana, 0, "roll").Record.Stream
	o.list(desktest.Ana, 0)
	o.gives(desktest.Ana, 0, "roll", "swap")
	log.after = nil
	require.Equal(t, []string{"order roll", "order swap"}, o.list(desktest.Ana, 0))
	require.Equal(t, []string{"order roll", "order swap"}, o.list(desktest.Ana, 0))
	require.Equal(t, []uint64{1}, log.after)
}

// reading is a log that notes from where a stream is read.
type reading struct {
	events.Log
	stream events.Name
	after  []uint64
}

func (r *reading) Load(ctx context.Context, name events.Name, after, upTo uint64) ([]events.Record, error) {
	if name == r.stream {
		r.after = append(r.after, after)
	}
	return r.Log.Load(ctx, name, after, upTo)
}

func many(move string, n int) []string {
	var out []string
	for i := range n {
		out = append(out, move+" "+string(rune('1'+i%9))+string(rune('0'+i/9)))
	}
	return out
}

func TestTheDeskSaysWhoseOrderIsAboutToAnswer(t *testing.T) {
	o := newOrdering(t)
	o.gives(desktest.Ana, 0, "keep")
	look := o.Sees(o.table)
	for _, open := range look.Line.Awaited() {
		yes, err := o.Obeys(o.Ctx, look, open)
		require.NoError(t, err)
		require.Equal(t, open.Seat == 0, yes)
	}
	says := func(look desk.Look, open domain.Open) bool {
		t.Helper()
		yes, err := o.Obeys(o.Ctx, look, open)
		require.NoError(t, err)
		return yes
	}
	open := look.Line.Awaited()[0]
	require.False(t, says(o.Sees(o.Opens("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))),
		open), "nothing is played yet")
	o.gives(desktest.Ana, 0)
	o.Plays(o.table, 1, "keep")
	o.Proposes(desktest.Bo, o.table, 1)
	o.gives(desktest.Ana, 0, "keep")
	require.Contains(t, o.Sees(o.table).Line.Awaited(), open)
	require.False(t, says(o.Sees(o.table), open), "orders wait for a proposal")
}

func TestOrdersOfTheBannedRestUntilTheyAreLetInAgain(t *testing.T) {
	o := newOrdering(t)
	out := map[domain.PersonID]bool{}
	o.Bar(func(_ context.Context, who domain.PersonID) (bool, error) { return out[who], nil })
	o.gives(desktest.Ana, 0, "keep")
	out[desktest.Ana] = true
	require.Empty(t, o.Follows(o.table), "a ban keeps them out")
	look := o.Sees(o.table)
	asked := func() (obeyed bool) {
		for _, open := range look.Line.Awaited() {
			yes, err := o.Obeys(o.Ctx, look, open)
			require.NoError(t, err)
			obeyed = obeyed || yes
		}
		return obeyed
	}
	require.False(t, asked())
	out[desktest.Ana] = false
	require.True(t, asked())
	o.Follows(o.table)
	require.Equal(t, []string{"A keep by order"}, o.moves())
}

// forgetful is a log that fails to note an obeyed order, as after a crash between the two appends.
type forgetful struct {
	events.Log
	fails int
}

func (f *forgetful) Append(ctx context.Context, d events.Draft) (events.Record, error) {
	if d.Type == events.TypeObeyed && f.fails > 0 {
		f.fails--
		return events.Record{}, errors.New("the power is gone")
	}
	return f.Log.Append(ctx, d)
}

func TestAnOrderIsObeyedOnceThoughItsNoteIsLost(t *testing.T) {
	log := memory.New()
	h := desktest.Over(t, &forgetful{log, 1}, desktest.Clock())
	o := &ordering{h, h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))}
	o.gives(desktest.Ana, 0, "keep 2")
	_, err := o.Advance(o.Ctx, o.table)
	require.ErrorContains(t, err, "the power is gone")
	require.Equal(t, []string{"A keep by order"}, o.moves())

	later := &ordering{&desktest.House{Desk: desk.NewDesk(log, desktest.Keys(t), desktest.Named, desktest.Clock()),
		T: t, Ctx: o.Ctx}, o.table}
	later.Plays(o.table, 1, "keep")
	roller := later.Sees(o.table).Line.Awaited()[0].Seat
	later.Plays(o.table, roller, "roll")
	require.Equal(t, "A keep by order", later.moves()[3], "the next round's")
	require.Len(t, later.moves(), 4)
	require.Empty(t, later.list(desktest.Ana, 0), "twice, and not three times")
}

// Orders still hold where a step that their person took back leads, unless one of them made that step; after a rewind
// they rest.
func TestOrdersHoldAfterAnUndoAndRestAfterARewind(t *testing.T) {
	first, undone, twice, rewound := events.NewName(), events.NewName(), events.NewName(), events.NewName()
	table := &domain.Table{Lines: []domain.TableLine{
		{Name: first.String()},
		{Name: undone.String(), Parent: first.String(), Fork: 7, Undo: true},
		{Name: twice.String(), Parent: undone.String(), Fork: 9, Undo: true},
		{Name: rewound.String(), Parent: undone.String(), Fork: 5},
	}}
	given := desk.Orders{List: []string{"keep"}, Line: first}
	for _, line := range []events.Name{first, undone, twice} {
		require.True(t, given.HoldOn(table, line))
	}
	require.False(t, given.HoldOn(table, rewound))
	require.False(t, given.HoldOn(table, events.NewName()), "a line that the table does not have")
	given.Used = []desk.UsedOrder{{Line: first, Version: 7}}
	require.True(t, given.HoldOn(table, undone), "it made the move before")
	given.Used = append(given.Used, desk.UsedOrder{Line: undone, Version: 10})
	require.True(t, given.HoldOn(table, undone))
	require.False(t, given.HoldOn(table, twice), "it made the step that was taken back")
}
