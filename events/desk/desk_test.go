package desk_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/memory"
)

const ana, bo = domain.PersonID("a0"), domain.PersonID("b0")

var chance = []byte("sixteen bytes at least")

type testDesk struct {
	*desk.Desk
	t   *testing.T
	ctx context.Context
}

func newDesk(t *testing.T) *testDesk {
	t.Helper()
	keys, err := events.NewKeys([32]byte{1})
	require.NoError(t, err)
	log := memory.New()
	t.Cleanup(func() { require.NoError(t, log.Close()) })
	named := func(n string) (domain.Rulebook, bool) { return tiny.Rulebook, n == "tiny" }
	return &testDesk{desk.NewDesk(log, keys, named, time.Now), t, context.Background()}
}

func by(p domain.PersonID) events.Actor { return events.Actor{Person: p, Door: "page"} }

func invited(ids ...domain.PersonID) []domain.TablePlace {
	var out []domain.TablePlace
	for _, id := range ids {
		out = append(out, domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{id}})
	}
	return out
}

func (d *testDesk) open(places ...domain.TablePlace) events.Name {
	d.t.Helper()
	ans, err := d.Open(d.ctx, by(ana), events.NewCommandID(),
		desk.NewTable{Rulebook: "tiny", Places: places, Pace: "weekly"})
	require.NoError(d.t, err)
	return ans.Table
}

func (d *testDesk) do(p domain.PersonID, table events.Name, c desk.Command) error {
	_, err := d.Do(d.ctx, by(p), table, events.NewCommandID(), c)
	return err
}

func (d *testDesk) join(p domain.PersonID, table events.Name, seat domain.Seat) {
	d.t.Helper()
	require.NoError(d.t, d.do(p, table, desk.Join{Seat: seat, Chance: chance}))
}

func (d *testDesk) look(table events.Name) desk.Look {
	d.t.Helper()
	l, err := d.Look(d.ctx, table)
	require.NoError(d.t, err)
	return l
}

func (d *testDesk) settle(table events.Name) []desk.Move {
	d.t.Helper()
	turns, err := d.Advance(d.ctx, table)
	require.NoError(d.t, err)
	return turns
}

// started returns a table of Ana and Bo whose game has begun.
func (d *testDesk) started() events.Name {
	d.t.Helper()
	table := d.open(invited(ana, bo)...)
	d.join(ana, table, 0)
	d.join(bo, table, 1)
	require.Empty(d.t, d.settle(table))
	return table
}

func (d *testDesk) move(table events.Name, seat domain.Seat, text string) desk.Move {
	d.t.Helper()
	look := d.look(table)
	mv, err := look.Rulebook.ParseMove(text, nil)
	require.NoError(d.t, err)
	m := desk.Move{ID: events.NewCommandID(), Table: table, Line: look.LineName, Seat: seat, Move: mv}
	for _, o := range look.Line.Awaited() {
		if o.Seat == seat {
			m.Decision = o
		}
	}
	return m
}

func (d *testDesk) play(table events.Name, p domain.PersonID, seat domain.Seat, text string) {
	d.t.Helper()
	_, err := d.Play(d.ctx, by(p), d.move(table, seat, text))
	require.NoError(d.t, err)
}

func refusedAs(t *testing.T, code string, err error) {
	t.Helper()
	r, ok := domain.AsRefusal(err)
	require.True(t, ok, "a refusal, not %v", err)
	require.Equal(t, code, r.Code)
}

func TestAFullTableStartsAndDealsByItself(t *testing.T) {
	d := newDesk(t)
	table := d.open(invited(ana, bo)...)
	d.join(ana, table, 0)
	require.Empty(t, d.settle(table))
	require.Equal(t, domain.TableOpen, d.look(table).Table.Status)
	d.join(bo, table, 1)
	require.Empty(t, d.settle(table))
	look := d.look(table)
	require.Equal(t, domain.TableStarted, look.Table.Status)
	require.EqualValues(t, 1, look.Line.Version)
	require.Len(t, look.Line.Awaited(), 2)
	require.Empty(t, d.settle(table), "what was done is not done again")
	require.EqualValues(t, look.TableHead, d.look(table).TableHead)
}

func TestARepeatedCommandGetsItsFirstAnswer(t *testing.T) {
	d := newDesk(t)
	table := d.started()
	m := d.move(table, 0, "keep")
	first, err := d.Play(d.ctx, by(ana), m)
	require.NoError(t, err)
	again, err := d.Play(d.ctx, by(ana), m)
	require.NoError(t, err)
	require.True(t, again.Again)
	require.Equal(t, first.Receipt, again.Receipt)
	_, err = d.Play(d.ctx, by(bo), m)
	refusedAs(t, "command-used", err)
}

func TestFiftyPostsOfOneMoveAtOncePlayItOnce(t *testing.T) {
	d := newDesk(t)
	table := d.started()
	m := d.move(table, 0, "keep")
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			_, err := d.Play(d.ctx, by(ana), m)
			require.NoError(t, err)
		})
	}
	all.Wait()
	require.EqualValues(t, 2, d.look(table).Line.Version)
}

func TestAMoveAnswersOneDecisionOnly(t *testing.T) {
	d := newDesk(t)
	table := d.started()
	stale := d.move(table, 0, "keep")
	d.play(table, ana, 0, "keep")
	_, err := d.Play(d.ctx, by(ana), stale)
	refusedAs(t, "overtaken", err)
	_, err = d.Play(d.ctx, by(bo), d.move(table, 0, "keep"))
	refusedAs(t, "not-your-seat", err)
	_, err = d.Play(d.ctx, events.House, d.move(table, 1, "keep"))
	refusedAs(t, "not-your-seat", err)
}

func TestARewindNeedsConsentAndRepeatsWhatWasSeen(t *testing.T) {
	d := newDesk(t)
	table := d.started()
	d.play(table, ana, 0, "keep")
	d.play(table, bo, 1, "keep")
	roll := d.look(table).Line.Awaited()[0]
	who := []domain.PersonID{ana, bo}[roll.Seat]
	d.play(table, who, roll.Seat, "roll")
	before := d.look(table)
	die := func(l desk.Look) string {
		return fmt.Sprint(l.Rulebook.Standing(l.Line.State, domain.Spectator).Scores)
	}
	require.NoError(t, d.do(ana, table, desk.ProposeRewind{To: 3}))
	look := d.look(table)
	require.EqualValues(t, []domain.SeenDraws{{Seat: roll.Seat, Draws: 1, Cards: 4}}, look.Table.Proposal.Seen)
	require.Equal(t, before.LineName, look.LineName, "nothing has gone back yet")
	require.NoError(t, d.do(bo, table, desk.Agree{Since: look.Table.Proposal.Since}))
	require.Empty(t, d.settle(table))
	look = d.look(table)
	require.NotEqual(t, before.LineName, look.LineName)
	require.EqualValues(t, 4, look.Line.Version, "the fork's own opening comes after version 3")
	stale := d.move(table, roll.Seat, "roll")
	stale.Line = before.LineName
	_, err := d.Play(d.ctx, by(who), stale)
	refusedAs(t, "line-closed", err)
	d.play(table, who, roll.Seat, "roll")
	require.Equal(t, die(before), die(d.look(table)), "the die shows what it showed")
	old, err := d.LineAt(d.ctx, look, before.LineName, 0)
	require.NoError(t, err)
	require.EqualValues(t, 4, old.Version, "the closed line stays readable")
}

func TestAMoveRefusesAProposal(t *testing.T) {
	d := newDesk(t)
	table := d.started()
	d.play(table, ana, 0, "keep")
	require.NoError(t, d.do(ana, table, desk.ProposeRewind{To: 1}))
	d.play(table, bo, 1, "keep")
	require.Empty(t, d.settle(table))
	require.Nil(t, d.look(table).Table.Proposal)
}

func (d *testDesk) finish(table events.Name) {
	d.t.Helper()
	for range 40 {
		d.settle(table)
		look := d.look(table)
		if look.Table.Status == domain.TableEnded {
			return
		}
		o := look.Line.Awaited()[0]
		for m := range look.Rulebook.Legal(look.Line.State, o.Seat) {
			who := look.Table.Places[o.Seat].Holders[0]
			_, err := d.Play(d.ctx, by(who),
				desk.Move{ID: events.NewCommandID(), Table: table, Line: look.LineName, Seat: o.Seat, Decision: o,
					Move: m})
			require.NoError(d.t, err)
			break
		}
	}
	d.t.Fatal("the game does not end")
}

func TestTheEndOpensTheSeedAndEverySecret(t *testing.T) {
	d := newDesk(t)
	table := d.started()
	look := d.look(table)
	hidden, err := d.History(d.ctx, look, look.LineName, domain.Spectator, 0, 0)
	require.NoError(t, err)
	require.Nil(t, hidden[0].Event.Secrets[0].Body)
	d.finish(table)
	look = d.look(table)
	require.Equal(t, domain.EndFinished, look.Table.End)
	require.NotZero(t, look.Table.Seed)
	require.Equal(t, domain.Referee, look.Table.ViewerOf("", domain.Nobody))
	first, err := d.Log().Load(d.ctx, table, 0, 1)
	require.NoError(t, err)
	salt, text, err := d.Keys().Unseal(&first[0], 0)
	require.NoError(t, err)
	want, _ := look.Table.Seed.MarshalText()
	require.Equal(t, string(want), string(text))
	require.Equal(t, first[0].Parts[0].Digest, events.PartDigest(salt, text), "the commitment holds")
	keep, err := look.Rulebook.ParseMove("keep", nil)
	require.NoError(t, err)
	_, err = d.Play(d.ctx, by(ana),
		desk.Move{ID: events.NewCommandID(), Table: table, Line: look.LineName, Move: keep})
	refusedAs(t, "table-ended", err)
}

func TestABranchCopiesNothingAndDealsAfresh(t *testing.T) {
	d := newDesk(t)
	table := d.started()
	d.play(table, ana, 0, "keep")
	look := d.look(table)
	before, err := d.Log().Last(d.ctx)
	require.NoError(t, err)
	ans, err := d.Open(d.ctx, by(ana), events.NewCommandID(),
		desk.NewTable{Rulebook: "tiny", Places: invited(ana, ana), Pace: "weekly",
			Branch: &domain.Branch{Table: table.String(), Line: look.LineName.String(), Version: 2, Kind: "study"}})
	require.NoError(t, err)
	d.join(ana, ans.Table, 0)
	d.join(ana, ans.Table, 1)
	d.settle(ans.Table)
	after, err := d.Log().Last(d.ctx)
	require.NoError(t, err)
	require.EqualValues(t, 5, after-before, "opened, joined twice, started, dealt")
	branch := d.look(ans.Table)
	require.EqualValues(t, 3, branch.Line.Version)
	mine := func(l desk.Look) string { return fmt.Sprintf("%+v", l.Rulebook.View(l.Line.State, 0)) }
	require.True(t, strings.HasPrefix(mine(branch)[:20], mine(look)[:20]))
	hist, err := d.History(d.ctx, branch, branch.LineName, 1, 0, 1)
	require.NoError(t, err)
	for _, s := range hist[0].Event.Secrets {
		require.Nil(t, s.Body, "a seat of the branch inherits no audience")
	}
	d.finish(ans.Table)
	require.Equal(t, domain.TableStarted, d.look(table).Table.Status, "the original goes on")
}

// Given a game in which each holds a card, when it is branched, then a person who plays the branch alone keeps what
// they knew; if several play it, nobody keeps a card that the others do not know.
func TestABranchIsDealtForWhoPlaysIt(t *testing.T) {
	for name, c := range map[string]struct {
		people []domain.PersonID
		as     domain.Viewer
	}{
		"Ana alone":          {[]domain.PersonID{ana, ana}, 0},
		"Bo alone":           {[]domain.PersonID{bo, bo}, 1},
		"a stranger alone":   {[]domain.PersonID{"c0", "c0"}, domain.Spectator},
		"both":               {[]domain.PersonID{ana, bo}, domain.Spectator},
		"both, changed":      {[]domain.PersonID{bo, ana}, domain.Spectator},
		"Ana and a stranger": {[]domain.PersonID{ana, "c0"}, domain.Spectator},
		"Bo and a stranger":  {[]domain.PersonID{bo, "c0"}, domain.Spectator},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			table := d.started()
			d.play(table, ana, 0, "keep")
			look := d.look(table)
			ans, err := d.Open(d.ctx, by(ana), events.NewCommandID(),
				desk.NewTable{Rulebook: "tiny", Places: invited(c.people...), Pace: "weekly",
					Branch: &domain.Branch{Table: table.String(), Line: look.LineName.String(), Version: 2,
						Kind: "study"}})
			require.NoError(t, err)
			for seat, p := range c.people {
				d.join(p, ans.Table, domain.Seat(seat))
			}
			d.settle(ans.Table)
			branch := d.look(ans.Table)
			main, _ := branch.Table.Main()
			luck := branch.Table.SourceOf(main)
			for _, e := range d.history(look, 2) {
				luck.Count(e.Draws)
			}
			want := look.Rulebook.Blind(look.Line.State, c.as, luck.Begin())
			got := d.history(branch, 3)[2]
			require.Equal(t, want.Type, got.Type)
			require.Equal(t, want.Secrets, got.Secrets)
		})
	}
}

// history returns a line's first events, as somebody who knows everything reads them.
func (d *testDesk) history(l desk.Look, upTo uint64) (out []domain.Event) {
	d.t.Helper()
	recs, err := d.Log().Load(d.ctx, l.LineName, 0, upTo)
	require.NoError(d.t, err)
	for i := range recs {
		e, _, err := events.DecodePlay(l.Rulebook, &recs[i], d.Keys(), domain.Referee)
		require.NoError(d.t, err)
		out = append(out, e)
	}
	return out
}

func TestResigningLeavesTheSeatToAStandIn(t *testing.T) {
	d := newDesk(t)
	table := d.open(invited(ana, bo, "c0")...)
	for i, p := range []domain.PersonID{ana, bo, "c0"} {
		d.join(p, table, domain.Seat(i))
	}
	d.settle(table)
	resign := func(p domain.PersonID, seat domain.Seat) error {
		return d.do(p, table, desk.Resign{Seat: seat})
	}
	require.NoError(t, resign(bo, 1))
	turns := d.settle(table)
	require.Len(t, turns, 1)
	require.Equal(t, domain.Seat(1), turns[0].Seat)
	refusedAs(t, "not-your-seat", resign(bo, 1))
	require.NoError(t, resign("c0", 2))
	d.settle(table)
	look := d.look(table)
	require.Equal(t, domain.EndResigned, look.Table.End)
	require.Equal(t, []int{1, 2, 2}, look.Table.Ranks)
}
