package desk_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rivals"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/memory"
)

// goesBack takes Ana and Bo's table back with the consent of both.
func (d *testDesk) goesBack(table events.Name, to uint64, fresh bool) {
	d.t.Helper()
	require.NoError(d.t, d.do(ana, table, desk.ProposeRewind{To: to, Fresh: fresh}))
	require.NoError(d.t, d.do(bo, table, desk.Agree{Since: d.look(table).Table.Proposal.Since}))
	d.settle(table)
}

func (d *testDesk) truth(l *domain.Line, v domain.Viewer) string {
	d.t.Helper()
	b, err := json.Marshal(l.Rulebook.View(l.State, v))
	require.NoError(d.t, err)
	return string(b)
}

// Given a game with cards in hands and in a stack, when it is taken back with fresh luck, then what nobody knew is
// shuffled anew by the new line's own luck, everybody sees what they saw then, and whatever is open is awaited anew:
// old links are stale, and new ones are good.
func TestFreshLuckShufflesAnewWhatNobodyKnew(t *testing.T) {
	for _, rb := range []domain.Rulebook{nil, rivals.Rulebook} {
		d := newDesk(t)
		name := "tiny"
		if rb != nil {
			log := memory.New()
			t.Cleanup(func() { require.NoError(t, log.Close()) })
			d.Desk = desk.NewDesk(log, d.Keys(), func(string) (domain.Rulebook, bool) { return rb, true }, time.Now)
			name = "rivals"
		}
		ans, err := d.Open(d.ctx, by(ana), events.NewCommandID(),
			desk.NewTable{Rulebook: name, Places: invited(ana, bo), Pace: "weekly"})
		require.NoError(t, err)
		table := ans.Table
		d.join(ana, table, 0)
		d.join(bo, table, 1)
		d.settle(table)
		d.playsOn(table, 2)
		then := d.look(table)
		at := then.Line.Version
		d.playsOn(table, 3)
		stale := d.look(table).Line.Awaited()[0]
		d.goesBack(table, at, true)

		now := d.look(table)
		main, _ := now.Table.Main()
		require.True(t, main.Fresh && main.Deal)
		require.Equal(t, at+1, now.Line.Version)
		before, err := d.LineAt(d.ctx, now, then.LineName, at)
		require.NoError(t, err)
		luck := now.Table.SourceOf(main)
		for _, e := range d.history(then, at) {
			luck.Count(e.Draws)
		}
		before.Luck = luck
		want, ok := before.Reshuffle()
		require.True(t, ok)
		got := d.history(now, at+1)[at]
		before.CountPoints(&want)
		require.Equal(t, want, got)
		require.True(t, got.Anew)
		require.NotEmpty(t, got.Draws)
		for _, draw := range got.Draws {
			require.True(t, draw.Unseen)
		}
		for _, v := range []domain.Viewer{domain.Spectator, 0, 1} {
			require.Equal(t, d.truth(then.Line, v), d.truth(now.Line, v), "viewer %d", v)
		}
		require.NotEqual(t, d.truth(then.Line, domain.Referee), d.truth(now.Line, domain.Referee))
		require.Len(t, now.Line.Awaited(), len(then.Line.Awaited()))
		for i, o := range now.Line.Awaited() {
			require.Equal(t, then.Line.Awaited()[i].Decision, o.Decision)
			require.Equal(t, at+1, o.Since, "awaited anew")
		}
		m := d.first(now)
		m.Decision = stale
		_, err = d.Play(d.ctx, by([]domain.PersonID{ana, bo}[m.Seat]), m)
		refusedAs(t, "overtaken", err)
		d.playsOn(table, 3)
		again, err := d.LineAt(d.ctx, d.look(table), now.LineName, at+1)
		require.NoError(t, err)
		require.Equal(t, now.Line.Awaited(), again.Awaited(), "read from the log, the line is the same")
	}
}

// If the luck is kept, stacks stay as they were, including what nobody has seen of them.
func TestKeptLuckLeavesStacksAsTheyLay(t *testing.T) {
	d := newDesk(t)
	table := d.started()
	d.playsOn(table, 1)
	then := d.look(table)
	d.playsOn(table, 3)
	d.goesBack(table, then.Line.Version, false)
	now := d.look(table)
	require.Equal(t, d.truth(then.Line, domain.Referee), d.truth(now.Line, domain.Referee))
	require.Equal(t, then.Line.Version+1, now.Line.Awaited()[0].Since)
}

// After fresh luck the same does not come again.
func TestNobodyGoesBackBehindFreshLuckForTheSameAgain(t *testing.T) {
	d := newDesk(t)
	table := d.started()
	d.playsOn(table, 4)
	d.goesBack(table, 3, true)
	d.playsOn(table, 2)
	err := d.do(ana, table, desk.ProposeRewind{To: 2})
	refusedAs(t, "rewind-dealt", err)
	d.goesBack(table, 4, false)
	d.playsOn(table, 1)
	d.goesBack(table, 2, true)
	require.EqualValues(t, 3, d.look(table).Line.Version)
}

// first returns the first legal move of the first awaited seat.
func (d *testDesk) first(look desk.Look) desk.Move {
	d.t.Helper()
	o := look.Line.Awaited()[0]
	for m := range look.Rulebook.Legal(look.Line.State, o.Seat) {
		return desk.Move{ID: events.NewCommandID(), Table: look.Name, Line: look.LineName, Seat: o.Seat, Decision: o,
			Move: m}
	}
	d.t.Fatal("no legal move")
	return desk.Move{}
}

func (d *testDesk) playsOn(table events.Name, n int) {
	d.t.Helper()
	for range n {
		m := d.first(d.look(table))
		_, err := d.Play(d.ctx, by([]domain.PersonID{ana, bo}[m.Seat]), m)
		require.NoError(d.t, err)
		d.settle(table)
	}
}

func TestAProposalCountsTheCardsThatWereSeen(t *testing.T) {
	d := newDesk(t)
	table := d.started()
	d.play(table, ana, 0, "swap")
	d.play(table, bo, 1, "peek A")
	look := d.look(table)
	seen, err := d.Seen(d.ctx, look, 1)
	require.NoError(t, err)
	require.Equal(t, []domain.SeenDraws{{Seat: 0, Cards: 1}, {Seat: 1, Cards: 1}}, seen)
	d.goesBack(table, 1, true)
	seen, err = d.Seen(d.ctx, d.look(table), 1)
	require.NoError(t, err)
	require.Empty(t, seen, "shuffling let nobody see anything")
}
