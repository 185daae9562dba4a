package desk_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/memory"
)

// slow are limits that a test soon reaches.
var slow = desk.Limits{
	Commands: desk.Rate{Burst: 100, Every: time.Second}, Tables: desk.Rate{Burst: 3, Every: time.Minute},
	Chats: desk.Rate{Burst: 5, Every: 10 * time.Second}, AllChats: desk.Rate{Burst: 8, Every: 5 * time.Second},
	Proposals: desk.Rate{Burst: 2, Every: 5 * time.Minute},
}

// limited is a house with limits and a clock that stands still until the test moves it.
type limited struct {
	*desktest.House
	log *memory.Log
	now time.Time
}

func newLimited(t *testing.T, l desk.Limits) *limited {
	h := &limited{log: memory.New(), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	h.House = desktest.Over(t, h.log, func() time.Time { return h.now })
	h.Limit(l)
	return h
}

// restart drops everything that is not in the log.
func (h *limited) restart(l desk.Limits) {
	h.Desk = desk.NewDesk(h.log, desktest.Keys(h.T), desktest.Named, func() time.Time { return h.now })
	h.Limit(l)
}

func (h *limited) does(a events.Actor, table events.Name, c desk.Command) error {
	_, err := h.Do(h.Ctx, a, table, events.NewCommandID(), c)
	return err
}

func (h *limited) says(by domain.PersonID, table events.Name) error {
	return h.does(desktest.By(by), table, desk.Say{Written: desk.Written{Text: []byte("hm")}})
}

func (h *limited) tooFast(err error, wait time.Duration) {
	h.T.Helper()
	fast, ok := desk.AsTooFast(err)
	require.True(h.T, ok, "%v", err)
	require.Equal(h.T, wait, fast.Wait)
}

func TestTalkIsLimitedByPersonAndTableAcrossRestarts(t *testing.T) {
	h := newLimited(t, slow)
	table := h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo),
		desktest.Player(desktest.Cid))
	other := h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	for range 5 {
		require.NoError(t, h.says(desktest.Ana, table))
	}
	head := h.Sees(table).TableHead
	h.tooFast(h.says(desktest.Ana, table), 10*time.Second)
	require.Equal(t, head, h.Sees(table).TableHead, "what is refused is not written")
	h.restart(slow)
	h.tooFast(h.says(desktest.Ana, table), 10*time.Second)
	// others can talk here, and she can elsewhere
	for range 3 {
		require.NoError(t, h.says(desktest.Bo, table))
	}
	require.NoError(t, h.says(desktest.Ana, other))
	// until the whole table has said enough
	h.tooFast(h.says(desktest.Cid, table), 5*time.Second)
	h.now = h.now.Add(5 * time.Second)
	require.NoError(t, h.says(desktest.Cid, table))
	h.tooFast(h.says(desktest.Ana, table), 5*time.Second)
	// after a pause everything is as at first
	h.now = h.now.Add(time.Minute)
	for range 5 {
		require.NoError(t, h.says(desktest.Ana, table))
	}
	h.tooFast(h.says(desktest.Ana, table), 10*time.Second)
}

func TestProposalsAreFewSinceEachWritesToEverybody(t *testing.T) {
	wait, asked := time.Duration(0), 0
	limits := slow
	limits.Mailed = func(_ context.Context, by domain.PersonID) (time.Duration, error) {
		require.Equal(t, desktest.Ana, by)
		asked++
		return wait, nil
	}
	h := newLimited(t, limits)
	table := h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	proposes := func() error {
		return h.does(desktest.By(desktest.Ana), table, desk.ProposeEnd{})
	}
	withdraws := func() error {
		return h.does(desktest.By(desktest.Ana), table, desk.Refuse{Since: h.Sees(table).Table.Proposal.Since})
	}
	for range 2 {
		require.NoError(t, proposes())
		require.NoError(t, withdraws())
	}
	h.tooFast(proposes(), 5*time.Minute)
	h.restart(limits)
	h.tooFast(proposes(), 5*time.Minute)
	require.Equal(t, 2, asked, "a proposal that is refused is not counted as mailed")
	h.now = h.now.Add(5 * time.Minute)
	wait = time.Hour
	h.tooFast(proposes(), time.Hour)
	wait = 0
	require.NoError(t, proposes())
}

func TestTablesAndCommandsOfOnePersonAreLimited(t *testing.T) {
	h := newLimited(t, slow)
	opens := func(id events.CommandID) (events.Name, error) {
		ans, err := h.Open(h.Ctx, desktest.By(desktest.Ana), id,
			desk.NewTable{Rulebook: "tiny", Pace: "weekly",
				Places: []domain.TablePlace{desktest.Player(desktest.Ana), desktest.Player(desktest.Bo)}})
		return ans.Table, err
	}
	first := events.NewCommandID()
	table, err := opens(first)
	require.NoError(t, err)
	for range 2 {
		_, err := opens(events.NewCommandID())
		require.NoError(t, err)
	}
	_, err = opens(events.NewCommandID())
	h.tooFast(err, time.Minute)
	again, err := opens(first)
	require.NoError(t, err, "what was done already is answered as it was")
	require.Equal(t, table, again)
	// every command counts, even a refused one
	silly := desk.Abandon{}
	var last error
	for range 200 {
		if last = h.does(desktest.By(desktest.Bo), table, silly); last != nil {
			if _, ok := desk.AsTooFast(last); ok {
				break
			}
		}
	}
	h.tooFast(last, time.Second)
	h.tooFast(h.says(desktest.Bo, table), time.Second)
	require.NoError(t, h.says(desktest.Ana, table), "another person has limits of their own")
}

// Nothing in a game ends what is no move: whoever went on with it would fill the disk.
func TestWhatIsNoMoveIsLimitedOverAllTables(t *testing.T) {
	h := newLimited(t, desk.Limits{Acts: desk.Rate{Burst: 2 + 4, Every: 3 * time.Minute}}) // he joins two
	tables := make([]events.Name, 2)
	for i := range tables {
		tables[i] = h.Starts("tiny", nil, desktest.Player(desktest.Ana),
			desktest.Player(desktest.Bo))
	}
	orders := func(table events.Name, order string) error {
		now, err := h.Orders(h.Ctx, table, 1, desktest.Bo)
		require.NoError(t, err)
		_, err = h.SetOrders(h.Ctx, desktest.By(desktest.Bo), table, 1, events.NewCommandID(), now.Version,
			[]string{order}, nil)
		return err
	}
	for _, order := range []string{"keep", "roll"} {
		require.NoError(t, orders(tables[0], order))
	}
	require.Error(t, h.does(desktest.By(desktest.Bo), tables[0], desk.Abandon{}), "what is refused writes nothing")
	require.NoError(t, orders(tables[1], "keep"))
	require.NoError(t, h.says(desktest.Bo, tables[1]))
	h.tooFast(orders(tables[0], "keep"), 3*time.Minute)
	h.tooFast(h.says(desktest.Bo, tables[1]), 3*time.Minute)
	require.NoError(t, h.says(desktest.Ana, tables[1]), "another person has a limit of their own")
	h.now = h.now.Add(3 * time.Minute)
	require.NoError(t, orders(tables[0], "keep"))
	h.tooFast(orders(tables[0], "roll"), 3*time.Minute)
}

func TestTheHouseIsNotLimited(t *testing.T) {
	h := newLimited(t, slow)
	table := h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	for _, a := range []events.Actor{events.House, {Person: desktest.Ana, Door: domain.DoorOrder}} {
		for range 50 {
			require.NoError(t, h.does(a, table,
				desktest.Writes{TableEvent: &domain.Said{Person: desktest.Ana, Text: []byte("hm")}}))
		}
	}
}

func TestTalkFromBeforeLimitsLocksNobodyOutForLong(t *testing.T) {
	h := newLimited(t, desk.Limits{})
	table := h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	for range 500 {
		require.NoError(t, h.says(desktest.Ana, table))
	}
	h.restart(slow)
	h.tooFast(h.says(desktest.Ana, table), 10*time.Second)
	h.now = h.now.Add(10 * time.Second)
	require.NoError(t, h.says(desktest.Ana, table))
}

// Given somebody in whose turn offers are made and withdrawn one after another, each a mail to everybody else, then
// soon there is no room for more.
func TestOffersAreLimitedSinceEachWritesToThoseAsked(t *testing.T) {
	h := newLimited(t, desk.Limits{Asks: desk.Rate{Burst: 3, Every: time.Minute}})
	table := h.Starts("catan", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo),
		desktest.Player(desktest.Cid))
	plays := func(seat domain.Seat, text string) error {
		look := h.Sees(table)
		for _, o := range look.Line.Awaited() {
			if o.Seat == seat {
				_, err := h.Play(h.Ctx, desktest.By(look.Table.Places[seat].Holders[0]),
					desk.Move{ID: events.NewCommandID(), Table: table,
						Line: look.LineName, Seat: seat, Decision: o, Text: text})
				return err
			}
		}
		t.Fatalf("seat %s is not awaited", seat.Letter())
		return nil
	}
	rnd, seat, text := rand.New(rand.NewPCG(4, 4)), domain.Nobody, ""
	for tries := 0; seat == domain.Nobody; tries++ {
		require.Less(t, tries, 400, "somebody may offer")
		require.False(t, h.Random(table, rnd, 1))
		seat, text = mayOffer(t, h.Sees(table))
	}
	h.now = h.now.Add(time.Hour) // the way here no longer counts
	for range 3 {
		require.NoError(t, plays(seat, text))
		require.NoError(t, plays(seat, "withdraw"))
	}
	h.tooFast(plays(seat, text), time.Minute)
	h.now = h.now.Add(time.Minute)
	require.NoError(t, plays(seat, text))
}

// mayOffer finds an offer that somebody may make now; Nobody if there is none.
func mayOffer(t *testing.T, look desk.Look) (domain.Seat, string) {
	t.Helper()
	cards := []string{"wool", "brick", "ore", "grain", "lumber"}
	for _, o := range look.Line.Awaited() {
		for _, give := range cards {
			for _, want := range cards {
				text := "offer " + give + " for " + want
				mv, err := look.Rulebook.ParseMove(text, nil)
				require.NoError(t, err)
				if _, _, err = look.Line.Decide(o.Seat, mv); err == nil {
					return o.Seat, text
				}
			}
		}
	}
	return domain.Nobody, ""
}
