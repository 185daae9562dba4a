package catan

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/rules"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
	"posthorn/domain/simulate"
)

// Nothing that people get may depend on what they must not know: two histories that give a viewer the same public and
// own parts must give the same output on every channel that a rulebook feeds. These tests deal two such histories at
// versions of random games, compare them, and play on side by side as long as the viewer reads the same.

var secretGames = flag.Int("games", 0,
	"random games in which secrets are looked for; 0 is 6, or 1,000 with POSTHORN_LONG=1")

func gamesWithSecrets() int {
	switch {
	case *secretGames > 0:
		return *secretGames
	case os.Getenv("POSTHORN_LONG") == "1":
		return 1_000
	}
	return 6
}

// mixed draws a value for every option.
func mixed(t *testing.T, rng *rand.Rand, seats int) domain.Choices {
	t.Helper()
	var pairs []string
	for _, o := range Rulebook.Options() {
		v := o.Values[rng.IntN(len(o.Values))]
		if o.Key == "founding" && seats == 2 {
			v = o.Default
		}
		pairs = append(pairs, o.Key, v)
	}
	return choices(t, pairs...)
}

func TestWhatOneMayNotKnowShowsNowhere(t *testing.T) {
	seen := &sightings{}
	for i := range gamesWithSecrets() {
		rng := rand.New(rand.NewPCG(99, uint64(i)))
		seats := 2 + i%3
		b := &bazaar{game: &game{t: t, line: domain.NewLine(Rulebook, domain.NewThrowaway(uint64(i)))}, rng: rng}
		e, _, err := b.line.Setup(domain.Game{Choices: mixed(t, rng, seats), Seats: seats,
			First: domain.Seat(rng.IntN(seats))})
		require.NoError(t, err)
		b.line.Apply(&e)
		states, events := []state.State{*b.state()}, []domain.Event{e}
		for len(b.line.Awaited()) > 0 && len(states) < simulate.DefaultCap {
			b.step()
			states, events = append(states, *b.state()), append(events, b.last)
		}
		versions := []int{len(states) - 1, len(states) - 1 - rng.IntN(min(20, len(states)))}
		for range 4 {
			versions = append(versions, rng.IntN(len(states)))
		}
		for _, n := range versions {
			for v := domain.Spectator; v < domain.Viewer(seats); v++ {
				w := &watch{
					t: t, rng: rng, v: v, seen: seen, last: events[n],
					where: fmt.Sprintf("game %d, %d seats, after %d moves, viewer %d", i, seats, n, v),
				}
				w.compare(&states[n])
			}
		}
	}
	t.Logf("%+v", *seen)
	require.NotZero(t, seen.Swapped, "no two histories differed by a card alone")
	require.NotZero(t, seen.Ended, "no two histories were played to the end")
	require.NotZero(t, seen.Parted)
	require.NotZero(t, seen.Obeyed, "no standing order made a move")
}

// sightings counts what the comparison covered, so that it cannot pass by comparing nothing.
type sightings struct {
	Pairs, Swapped, Steps, Parted, Ended, Obeyed, Judged int
}

// watch compares two histories for one viewer.
type watch struct {
	t     *testing.T
	rng   *rand.Rand
	v     domain.Viewer
	seen  *sightings
	last  domain.Event
	where string
}

// compare checks that the truth and two fresh deals of what the viewer does not know look the same, and stay the same.
func (w *watch) compare(truth *state.State) {
	a, b := w.deal(truth), w.deal(truth)
	if w.rng.IntN(3) > 0 {
		b = w.swapped(a)
	}
	w.seen.Pairs++
	w.pictured(truth, a, b)
	w.alike(truth, a)
	w.alike(a, b)
	w.judged(a, b)
	w.dealtAlike(a, b)
	w.together(a, b)
}

// dealtAlike checks that a deal depends only on its luck and what the viewer knows: the luck of a branch opens at its
// end, and would reveal how the cards lay before they were dealt afresh.
func (w *watch) dealtAlike(a, b *state.State) {
	seed := w.rng.Uint64()
	x, y := *a, *b
	for _, s := range []*state.State{&x, &y} {
		e := Rulebook.Blind(s, w.v, domain.NewThrowaway(seed).Begin())
		Rulebook.Evolve(s, &e)
	}
	if x != y {
		require.Equal(w.t, x, y, w.where)
	}
}

// deal returns the state with what the viewer does not know dealt afresh.
func (w *watch) deal(truth *state.State) *state.State {
	dealt := *truth
	e := Rulebook.Blind(&dealt, w.v, domain.NewThrowaway(w.rng.Uint64()).Begin())
	Rulebook.Evolve(&dealt, &e)
	return &dealt
}

// swapped returns a state that differs in two cards the viewer does not know, if there are any: such a small difference
// goes unnoticed longest.
func (w *watch) swapped(s *state.State) *state.State {
	for range 12 {
		c := *s
		if w.rng.IntN(2) == 0 {
			w.swapResources(&c)
		} else {
			w.swapCards(&c)
		}
		if c != *s && possible(&c) {
			w.seen.Swapped++
			return &c
		}
	}
	return s
}

// other returns a seat that is not the viewer's.
func (w *watch) other(s *state.State) int8 {
	for {
		if c := int8(w.rng.IntN(int(s.Seats))); domain.Seat(c) != w.v.Seat() {
			return c
		}
	}
}

func (w *watch) swapResources(s *state.State) {
	a, b := w.other(s), w.other(s)
	if s.Size[a] == 0 || s.Size[b] == 0 {
		return
	}
	x, y := s.Hand[a].At(w.rng.IntN(int(s.Size[a]))), s.Hand[b].At(w.rng.IntN(int(s.Size[b])))
	s.Hand[a][x]--
	s.Hand[a][y]++
	s.Hand[b][y]--
	s.Hand[b][x]++
}

func (w *watch) swapCards(s *state.State) {
	a := w.other(s)
	n := s.Cards[a].Len()
	if n == 0 || s.Deck.Len() == 0 {
		return
	}
	x, y := s.Cards[a].At(w.rng.IntN(n)), s.Deck.At(w.rng.IntN(s.Deck.Len()))
	if s.Phase == state.PhaseOver && (x == table.Point || y == table.Point) {
		return // counted in the open
	}
	rules.Exchange(s, a, x, y)
	s.Deck[y]--
	s.Deck[x]++
}

// possible reports whether play can lead to a state: offers can be kept, and the seat in turn has not won.
func possible(s *state.State) bool {
	for c := range s.Seats {
		if !s.Hand[c].Covers(rules.Promised(s, c)) {
			return false
		}
	}
	return s.Phase == state.PhaseOver || s.Points(s.Active) < int(s.Rules.Target)
}

// out returns what the viewer gets of a state, except drawings and descriptions of the view.
func (w *watch) out(s *state.State) (string, *state.View) {
	rb, view := Rulebook, s.View(w.v)
	var b strings.Builder
	put := func(what string, x any) {
		text, err := json.Marshal(x)
		require.NoError(w.t, err)
		b.WriteString(what + " " + string(text) + "\n")
	}
	put("view", view)
	put("awaited", rb.Awaited(s))
	put("standing", rb.Standing(s, w.v))
	if w.v < 0 {
		return b.String(), view
	}
	for _, d := range rb.Awaited(s) {
		if d.Seat != w.v.Seat() {
			continue
		}
		for m := range rb.Legal(s, d.Seat) {
			b.WriteString(rb.FormatMove(m, nil) + "\n")
			put("steps", rb.Steps(s, m))
		}
		put("forms", rb.Forms(s, d.Seat))
		for i := range someOrders {
			if o, ok := rb.Extras().Orders.Obey(someOrders[i:i+1], d, view); ok {
				w.seen.Obeyed++
				put("obeyed", []any{rb.FormatMove(o.Move, nil), o.Left})
			}
		}
	}
	return b.String(), view
}

// someOrders are standing orders of every kind.
var someOrders = []string{
	"order roll", "order discard wool ore", "order discard brick", "order give 1 wool for 1 ore",
	"order give 1 brick for 1 grain counter",
	"order give 1 ore for 1 wool up to 2 not A counter", "order give 1 grain for 1 lumber to A B counter",
	"order decline", "order decline from B",
	"order rob 4", "order rob 9 A", "order rob 14 B", "order knight 4", "order knight 10",
}

func (w *watch) alike(a, b *state.State) {
	w.t.Helper()
	first, va := w.out(a)
	second, vb := w.out(b)
	if first != second {
		require.Equal(w.t, first, second, w.where)
	}
	require.True(w.t, reflect.DeepEqual(va, vb), "%s: views differ where their JSON does not", w.where)
}

// pictured compares the drawings and descriptions of the views.
func (w *watch) pictured(states ...*state.State) {
	rb, last := Rulebook, w.last.Redact(w.v)
	var want []any
	for i, s := range states {
		view := s.View(w.v)
		got := []any{
			rb.Draw(view, domain.Sketch{}), rb.Draw(view, domain.Sketch{Last: []*domain.Event{&last}}),
			rb.Describe(view),
		}
		if i == 0 {
			want = got
		}
		if !reflect.DeepEqual(want, got) {
			require.Equal(w.t, want, got, w.where)
		}
	}
}

// judged checks that the viewer's own moves get the same answer, including a refusal's reason.
func (w *watch) judged(a, b *state.State) {
	if w.v < 0 {
		return
	}
	c := int8(w.v.Seat())
	all := conceivable(a, c)
	for range 60 {
		m := all[w.rng.IntN(len(all))]
		_, first := Rulebook.Decide(a, w.v.Seat(), m, domain.NewThrowaway(1).Begin())
		_, second := Rulebook.Decide(b, w.v.Seat(), m, domain.NewThrowaway(1).Begin())
		if fmt.Sprint(first) != fmt.Sprint(second) {
			require.Equal(w.t, fmt.Sprint(first), fmt.Sprint(second), "%s: %s", w.where, Rulebook.FormatMove(m, nil))
		}
		w.seen.Judged++
	}
}

// together plays the same moves in both, with the same luck, as long as the viewer reads the same of them.
func (w *watch) together(a, b *state.State) {
	x, y := *a, *b
	for range 60 {
		open := Rulebook.Awaited(&x)
		if len(open) == 0 {
			w.seen.Ended++
			return
		}
		seat := open[w.rng.IntN(len(open))].Seat
		m := w.choose(&x, seat)
		luck := w.rng.Uint64()
		ea, err := w.played(&x, seat, &m, luck)
		require.NoError(w.t, err, w.where)
		eb, err := w.played(&y, seat, &m, luck)
		if err != nil {
			require.NotEqual(w.t, w.v.Seat(), seat, "%s: the viewer's %s is refused in one history alone: %v", w.where,
				ea.Move, err)
			return
		}
		if w.read(&x, &ea) != w.read(&y, &eb) {
			w.seen.Parted++
			return
		}
		Rulebook.Evolve(&x, &ea)
		Rulebook.Evolve(&y, &eb)
		w.seen.Steps++
		before := w.where
		w.where += ", " + ea.Move
		w.alike(&x, &y)
		if x.Phase == state.PhaseOver {
			w.pictured(&x, &y)
		}
		w.where = before
	}
}

// choose picks a legal move, or now and then composes an offer.
func (w *watch) choose(s *state.State, seat domain.Seat) state.Move {
	if forms := Rulebook.Forms(s, seat); len(forms) > 0 && w.rng.IntN(4) == 0 {
		b := bazaar{rng: w.rng}
		m := state.NewMove(state.KindNamed(strings.TrimSuffix(forms[0].Key, "-ask")))
		m.Give = b.some(s.Hand[seat], table.Hand{})
		m.Want = b.some(table.Hand{9, 9, 9, 9, 9}, m.Give)
		m.Ask = m.Kind == state.KindOffer && w.rng.IntN(2) == 0
		if m.Give.Len() > 0 && m.Want.Len() > 0 {
			return m
		}
	}
	var all []state.Move
	for m := range Rulebook.Legal(s, seat) {
		all = append(all, m.(state.Move))
	}
	require.NotEmpty(w.t, all, w.where)
	return all[w.rng.IntN(len(all))]
}

func (w *watch) played(s *state.State, seat domain.Seat, m *state.Move, seed uint64) (domain.Event, error) {
	luck := domain.NewThrowaway(seed).Begin()
	e, err := Rulebook.Decide(s, seat, *m, luck)
	e.Seat, e.Move, e.Draws = seat, Rulebook.FormatMove(*m, nil), luck.Used()
	return e, err
}

// read returns what the viewer reads of an event, and how it is told.
func (w *watch) read(s *state.State, e *domain.Event) string {
	redacted := e.Redact(w.v)
	open := *e
	open.Secrets = nil
	var b strings.Builder
	for _, s := range redacted.Secrets {
		b.WriteString(s.To.String())
		if s.Body != nil {
			open.Secrets = append(open.Secrets, s)
		}
	}
	public, secrets, err := Rulebook.Codec().Encode(&open)
	require.NoError(w.t, err)
	b.Write(public)
	for _, s := range secrets {
		b.Write(s.Data)
	}
	said, err := json.Marshal(Rulebook.Tell(&redacted, Rulebook.View(s, w.v)))
	require.NoError(w.t, err)
	b.Write(said)
	return b.String()
}
