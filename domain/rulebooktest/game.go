package rulebooktest

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// game is one random game, watched.
type game struct {
	*suite
	t       T
	choices domain.Choices
	seats   int
	first   domain.Seat
	names   []string
	where   string

	line    *domain.Line
	codec   domain.Codec
	decoder domain.Decoder
	mirror  domain.State // folded from the events alone, each through the codec and back
	dice    *dice
	odd     *dice                    // chooses the moves that are hardly legal
	closed  map[domain.Decision]bool // decisions that were taken or lapsed
	pool    []domain.Move            // moves that were legal somewhere
	moves   int
	last    *domain.Event // played

	twin  *domain.Line // plays the same game in the memory of one event
	again domain.Event // that event
}

// dice make choices, the same on every machine.
type dice struct{ src *domain.Source }

func newDice(seed uint64) *dice { return &dice{domain.NewThrowaway(seed)} }

func (d *dice) below(n int) int {
	l := d.src.Begin()
	x := l.Draw("choose", n)
	d.src.Count(l.Used())
	return x
}

func (d *dice) seed() uint64 { return uint64(d.below(1 << 62)) }

// play plays one random game and examines some positions closely.
func (s *suite) play(t T, choices domain.Choices, seats, i int) {
	seed := s.cfg.Seed*1_000_003 + uint64(i)
	g := &game{
		suite: s, t: t, choices: choices, seats: seats, first: domain.Seat(i % seats),
		names: []string{"Ana", "Bo", "Ceção", "Dudek Ł", "Eva", "Fio", "Gil", "Hoa"}[:seats],
		line:  domain.NewLine(s.rb, domain.NewThrowaway(seed)), codec: s.rb.Codec(), mirror: s.rb.New(),
		dice: newDice(seed ^ 0xABCDEF), odd: newDice(seed ^ 0xFEDCBA), closed: map[domain.Decision]bool{},
	}
	s.games++
	// A game played first shows roughly how long this one will be.
	length := g.dryRun(seed)
	deep := map[int]bool{0: true}
	for range s.cfg.Deep {
		deep[g.dice.below(length+1)] = true
	}
	g.setup()
	for {
		g.where = fmt.Sprintf("%s, game %d, after %d moves", label(s.rb, choices, seats), i, g.moves)
		g.glance()
		over := len(g.line.Awaited()) == 0 || g.moves >= s.cfg.Cap
		if deep[g.moves] || over {
			g.examine()
		}
		if over {
			break
		}
		g.tried(g.cfg.Wrong)
		g.step()
	}
	if len(g.line.Awaited()) > 0 {
		s.unfinished++
	}
}

// dryRun plays a game like this one without checks, and returns its length.
func (g *game) dryRun(seed uint64) int {
	line := domain.NewLine(g.rb, domain.NewThrowaway(seed))
	e, _, err := line.Setup(g.game(nil))
	require.NoError(g.t, err)
	line.Apply(&e)
	return playOn(g.t, line, newDice(seed), g.cfg.Cap)
}

// playOn plays at most that many random moves, and counts them.
func playOn(t T, line *domain.Line, d *dice, most int) (n int) {
	for n < most && len(line.Awaited()) > 0 && move(t, line, d) != nil {
		n++
	}
	return n
}

// choose picks a random move of a random awaited seat; nil if nobody has any.
func choose(line *domain.Line, d *dice) (seat domain.Seat, m domain.Move) {
	open := line.Awaited()
	from := d.below(len(open))
	for j := range open {
		seat = open[(from+j)%len(open)].Seat
		if all := legal(line.Rulebook, line.State, seat); len(all) > 0 {
			return seat, all[d.below(len(all))]
		}
	}
	return seat, nil
}

// move plays a random move; nil if nobody has any.
func move(t T, line *domain.Line, d *dice) *domain.Event {
	seat, m := choose(line, d)
	if m == nil {
		return nil
	}
	e, _, err := line.Decide(seat, m)
	require.NoError(t, err, "a legal move was refused: %s", line.Rulebook.FormatMove(m, nil))
	line.Apply(&e)
	return &e
}

func legal(rb domain.Rulebook, s domain.State, seat domain.Seat) []domain.Move {
	return slices.Collect(rb.Legal(s, seat))
}

func (g *game) game(given json.RawMessage) domain.Game {
	return domain.Game{Choices: g.choices, Seats: g.seats, First: g.first, Given: given}
}

func (g *game) setup() {
	require.Empty(g.t, g.rb.Awaited(g.rb.New()), "a state before its first event awaits nobody")
	e, _, err := g.line.Setup(g.game(nil))
	require.NoError(g.t, err)
	g.twin = domain.NewLine(g.rb, g.line.Clone().Luck)
	g.twin.Apply(&e)
	g.apply(&e)
}

// step plays a random move and follows it in the mirror.
func (g *game) step() {
	seat, m := choose(g.line, g.dice)
	require.NotNil(g.t, m, "%s: nobody who is awaited has a legal move", g.where)
	e, _, err := g.line.Decide(seat, m)
	require.NoError(g.t, err, "%s: a legal move was refused: %s", g.where, g.rb.FormatMove(m, nil))
	g.remember(m)
	g.decideOver(seat, m, &e)
	g.apply(&e)
	g.moves++
}

// decideOver decides a move over the previous move's event, and checks that the result is the same and that no other
// event changes.
func (g *game) decideOver(seat domain.Seat, m domain.Move, e *domain.Event) {
	written := func(e *domain.Event) string {
		text, err := g.codec.AppendEvent(nil, e)
		require.NoError(g.t, err, g.where)
		return string(text)
	}
	one, before := written(e), written(g.last)
	require.NoError(g.t, g.twin.DecideOver(&g.again, seat, m), g.where)
	g.twin.Name(&g.again, m)
	require.Equal(g.t, one, written(&g.again), "%s: an event decided over another says what it says by itself", g.where)
	require.Equal(g.t, one+before, written(e)+written(g.last), "%s: deciding over an event changed another", g.where)
	g.twin.Apply(&g.again)
}

// remember keeps some moves to try them elsewhere.
func (g *game) remember(m domain.Move) {
	if len(g.pool) < 400 {
		g.pool = append(g.pool, m)
	} else {
		g.pool[g.dice.below(len(g.pool))] = m
	}
}

// apply folds an event in, and checks that decisions stay, or go forever.
func (g *game) apply(e *domain.Event) {
	before, points := g.line.Awaited(), g.counted(g.line.State, e)
	g.line.Apply(e)
	g.pointsStand(e, points)
	g.last = e
	g.follow(e)
	g.hidden = g.hidden || len(e.Secrets) > 0
	still := map[domain.Decision]bool{}
	for _, o := range g.line.Awaited() {
		require.False(g.t, still[o.Decision], "%s: the same decision is awaited twice: %+v", g.where, o)
		require.False(g.t, g.closed[o.Decision], "%s: a decision came again: %+v", g.where, o)
		still[o.Decision] = true
	}
	for _, o := range before {
		if !still[o.Decision] {
			g.closed[o.Decision] = true
		}
	}
	g.words.hold(g.rb.Tell(e, g.rb.View(g.line.State, domain.Spectator)), g.where)
}

// glance runs the checks made after every move.
func (g *game) glance() {
	st := g.rb.Standing(g.line.State, domain.Referee)
	open := g.line.Awaited()
	require.Equal(g.t, len(open) == 0, st.Ended, "%s: a game ends when nothing is awaited", g.where)
	for _, o := range open {
		require.True(g.t, o.Seat >= 0 && int(o.Seat) < g.seats, "%s: awaited of no seat: %+v", g.where, o)
		g.words.has("await."+o.Kind, g.where)
		g.words.has(domain.WhatIsAsked(g.rb, g.line.State, o.Decision), g.where)
	}
	g.standing(st)
}

func (g *game) standing(st domain.Standing) {
	n := len(st.Scores)
	require.Len(g.t, st.Final, n, g.where)
	if st.Labels == nil {
		require.Equal(g.t, g.seats, n, "%s: a score a seat, or labels", g.where)
	} else {
		require.Len(g.t, st.Labels, n, g.where)
	}
	if st.Causes != nil {
		require.Len(g.t, st.Causes, n, g.where)
	}
	if st.Ended {
		require.Len(g.t, st.Ranks, n, "%s: everybody has a rank at the end", g.where)
		require.Contains(g.t, st.Ranks, 1, g.where)
		for _, r := range st.Ranks {
			require.True(g.t, 1 <= r && r <= n, "%s: rank %d of %d", g.where, r, n)
		}
	} else {
		require.Empty(g.t, st.Ranks, "%s: no ranks before the end", g.where)
	}
	for _, list := range append([][]domain.Say{st.Labels, st.Result}, st.Causes...) {
		g.words.hold(list, g.where)
	}
}

// examine runs the checks made in some positions.
func (g *game) examine() {
	before := g.truth(g.line.State)
	g.foldedAlike()
	g.givenAgain()
	g.cloneIsApart()
	for v := domain.Referee; int(v) < g.seats; v++ {
		g.pictured(v)
		g.blinded(v)
	}
	g.shuffledAnew()
	for _, o := range g.line.Awaited() {
		g.judged(o.Seat)
		g.stepsLead(o.Seat)
		g.formsHold(o.Seat)
	}
	g.alike(before, g.truth(g.line.State), "the state differs", "something that only looks has changed it")
}

// truth returns the referee's view as JSON.
func (g *game) truth(s domain.State) string { return g.seen(s, domain.Referee) }

func (g *game) seen(s domain.State, v domain.Viewer) string {
	return asJSON(g.t, g.rb.View(s, v))
}

func asJSON(t T, v any) string {
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}
