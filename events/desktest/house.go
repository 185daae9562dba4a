// Package desktest is a small house for tests of what builds on the desk: a log in memory, people who need no
// address, and games that play themselves.
package desktest

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/memory"
)

// The people of the tests. Their names are what their ids say.
const (
	Ana = domain.PersonID("Ana")
	Bo  = domain.PersonID("Bo")
	Cid = domain.PersonID("Cid")
)

// House is a desk over a log, with what a test does at it. Any failure ends the test.
type House struct {
	*desk.Desk
	T   testing.TB
	Ctx context.Context
}

// Keys returns the same keys in every house, so that a copied log can be read.
func Keys(t testing.TB) *events.Keys {
	t.Helper()
	keys, err := events.NewKeys([32]byte{1})
	require.NoError(t, err)
	return keys
}

// Named finds the house's games and the tiny one.
func Named(name string) (domain.Rulebook, bool) {
	if name == "tiny" {
		return tiny.Rulebook, true
	}
	return rulebooks.Named(name)
}

// Clock returns a clock that advances a minute at each reading.
func Clock() func() time.Time {
	var mu sync.Mutex
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Minute)
		return now
	}
}

// New returns a house with an empty log in memory.
func New(t testing.TB) *House {
	t.Helper()
	return Over(t, memory.New(), Clock())
}

// Over returns a house over a log, which it closes at the end of the test.
func Over(t testing.TB, log events.Log, now func() time.Time) *House {
	t.Helper()
	return With(t, Keys(t), log, now)
}

// With is Over with keys of its own: another server.
func With(t testing.TB, keys *events.Keys, log events.Log, now func() time.Time) *House {
	t.Helper()
	t.Cleanup(func() { require.NoError(t, log.Close()) })
	return &House{desk.NewDesk(log, keys, Named, now), t, context.Background()}
}

// DisplayName returns what people are called.
func (h *House) DisplayName(_ context.Context, id domain.PersonID) (string, error) {
	return string(id), nil
}

// Player returns a seat for one person.
func Player(id domain.PersonID) domain.TablePlace {
	return domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{id}}
}

// Team returns a seat for several people.
func Team(ids ...domain.PersonID) domain.TablePlace {
	return domain.TablePlace{Kind: domain.SeatTeam, Invited: ids}
}

// StandIn returns a seat for a computer player.
func StandIn() domain.TablePlace {
	return domain.TablePlace{Kind: domain.SeatStandIn, StandIn: "random"}
}

// Free returns an open seat.
func Free() domain.TablePlace { return domain.TablePlace{Kind: domain.SeatOpen} }

// By returns a person who acts through a page.
func By(id domain.PersonID) events.Actor { return events.Actor{Person: id, Door: domain.DoorPage} }

// Opens opens a table of Ana's; a branch if one is given.
func (h *House) Opens(game string, branch *domain.Branch, places ...domain.TablePlace) events.Name {
	h.T.Helper()
	return h.OpensBy(Ana, game, branch, places...)
}

// OpensBy opens somebody's table.
func (h *House) OpensBy(who domain.PersonID, game string, branch *domain.Branch,
	places ...domain.TablePlace) events.Name {
	h.T.Helper()
	ans, err := h.Desk.Open(h.Ctx, By(who), events.NewCommandID(),
		desk.NewTable{Rulebook: game, Places: places, Pace: "weekly", Branch: branch})
	require.NoError(h.T, err)
	return ans.Table
}

// Lists opens a table of Ana's that strangers may find; a branch if one is given.
func (h *House) Lists(game string, branch *domain.Branch, places ...domain.TablePlace) events.Name {
	h.T.Helper()
	ans, err := h.Desk.Open(h.Ctx, By(Ana), events.NewCommandID(),
		desk.NewTable{Rulebook: game, Places: places, Pace: "weekly", Branch: branch, Listed: true})
	require.NoError(h.T, err)
	return ans.Table
}

// Does runs a command that must succeed.
func (h *House) Does(who domain.PersonID, table events.Name, c desk.Command) desk.Answer {
	h.T.Helper()
	ans, err := h.Do(h.Ctx, By(who), table, events.NewCommandID(), c)
	require.NoError(h.T, err)
	return ans
}

// Joins seats a person.
func (h *House) Joins(who domain.PersonID, table events.Name, seat domain.Seat) desk.Answer {
	h.T.Helper()
	return h.Does(who, table, desk.Join{Seat: seat, Chance: []byte("sixteen bytes or more")})
}

// Starts opens a table, seats everybody and deals.
func (h *House) Starts(game string, branch *domain.Branch, places ...domain.TablePlace) events.Name {
	h.T.Helper()
	return h.StartsBy(Ana, game, branch, places...)
}

// StartsBy is Starts with somebody else's table.
func (h *House) StartsBy(who domain.PersonID, game string, branch *domain.Branch,
	places ...domain.TablePlace) events.Name {
	h.T.Helper()
	table := h.OpensBy(who, game, branch, places...)
	for i, p := range places {
		for _, id := range p.Invited {
			h.Joins(id, table, domain.Seat(i))
		}
	}
	h.Follows(table)
	return table
}

// Follows does what follows on its own at a table.
func (h *House) Follows(table events.Name) []desk.Move {
	h.T.Helper()
	turns, err := h.Advance(h.Ctx, table)
	require.NoError(h.T, err)
	return turns
}

// Sees returns the table as it stands.
func (h *House) Sees(table events.Name) desk.Look {
	h.T.Helper()
	l, err := h.Look(h.Ctx, table)
	require.NoError(h.T, err)
	return l
}

// Plays makes a move, in notation, for a seat's first holder.
func (h *House) Plays(table events.Name, seat domain.Seat, text string) {
	h.T.Helper()
	look := h.Sees(table)
	mv, err := look.Rulebook.ParseMove(text, nil)
	require.NoError(h.T, err)
	for _, o := range look.Line.Awaited() {
		if o.Seat == seat {
			h.play(look, o, mv)
			return
		}
	}
	h.T.Fatalf("seat %s is not awaited", seat.Letter())
}

func (h *House) play(look desk.Look, o domain.Open, mv domain.Move) {
	h.T.Helper()
	actor := events.House
	if p := look.Table.Places[o.Seat]; p.Humans() {
		actor = By(p.Holders[0])
	}
	_, err := h.Play(h.Ctx, actor,
		desk.Move{ID: events.NewCommandID(), Table: look.Name, Line: look.LineName, Seat: o.Seat, Decision: o,
			Move: mv})
	require.NoError(h.T, err)
	h.Follows(look.Name)
}

// Random makes up to n random moves; it reports whether the table has ended.
func (h *House) Random(table events.Name, rnd *rand.Rand, n int) (ended bool) {
	h.T.Helper()
	for range n {
		look := h.Sees(table)
		if look.Table.Status == domain.TableEnded {
			return true
		}
		open := look.Line.Awaited()
		o := open[rnd.IntN(len(open))]
		var mv domain.Move
		seen := 0
		for m := range look.Rulebook.Legal(look.Line.State, o.Seat) {
			if seen++; rnd.IntN(seen) == 0 {
				mv = m
			}
		}
		require.NotNil(h.T, mv, "seat %s is awaited and has a move", o.Seat.Letter())
		h.play(look, o, mv)
	}
	return h.Sees(table).Table.Status == domain.TableEnded
}

// Proposes proposes going back to a version.
func (h *House) Proposes(who domain.PersonID, table events.Name, to uint64) {
	h.T.Helper()
	h.Does(who, table, desk.ProposeRewind{To: to})
}

// Agrees consents to the open proposal.
func (h *House) Agrees(who domain.PersonID, table events.Name) {
	h.T.Helper()
	h.Does(who, table, desk.Agree{Since: h.Sees(table).Table.Proposal.Since})
}

// Rewinds goes back to a version with everybody's consent.
func (h *House) Rewinds(table events.Name, to uint64) {
	h.T.Helper()
	everybody := h.Sees(table).Table.People()
	h.Proposes(everybody[0], table, to)
	for _, id := range everybody[1:] {
		h.Agrees(id, table)
	}
	h.Follows(table)
}

// Ends makes the people of a table agree to stop.
func (h *House) Ends(table events.Name) {
	h.T.Helper()
	for i, id := range h.Sees(table).Table.People() {
		if i == 0 {
			h.Does(id, table, desk.ProposeEnd{})
		} else {
			h.Agrees(id, table)
		}
	}
}

// Start is the house's command that starts a full table, for tests in which somebody gives it.
type Start struct{}

// Row returns its wish and its judge.
func (Start) Row() desk.Row {
	return desk.Row{Wish: "start",
		Judge: func(_ context.Context, _ domain.PersonID, r desk.Case) (domain.TableEvent, error) {
			return r.Table.Start(r.NextLine())
		}}
}

// Writes is not a command of any door: it writes an event as given, as an older program may have.
type Writes struct{ domain.TableEvent }

// Row returns its wish and its judge.
func (w Writes) Row() desk.Row {
	return desk.Row{Wish: domain.TableEventType(w.TableEvent),
		Judge: func(context.Context, domain.PersonID, desk.Case) (domain.TableEvent, error) {
			return w.TableEvent, nil
		}}
}

// Resigns gives up a seat.
func (h *House) Resigns(who domain.PersonID, table events.Name, seat domain.Seat) {
	h.T.Helper()
	h.Does(who, table, desk.Resign{Seat: seat})
}

// BranchOf describes a branch from a version of a table's main line.
func (h *House) BranchOf(table events.Name, version uint64, kind string) *domain.Branch {
	h.T.Helper()
	return &domain.Branch{Table: table.String(), Line: h.Sees(table).LineName.String(), Version: version, Kind: kind}
}
