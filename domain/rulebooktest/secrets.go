package rulebooktest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// outputs is everything a viewer gets of a state: texts by what they are, and the view from which drawing and
// description are made.
type outputs struct {
	texts map[string]string
	view  domain.View
}

func (g *game) outputs(s domain.State, v domain.Viewer) outputs {
	view := g.rb.View(s, v)
	out := map[string]string{
		"view":     asJSON(g.t, view),
		"awaited":  asJSON(g.t, g.rb.Awaited(s)),
		"standing": asJSON(g.t, g.rb.Standing(s, v)),
	}
	for _, d := range g.rb.Awaited(s) {
		if v < 0 || d.Seat != v.Seat() {
			continue
		}
		var moves, steps strings.Builder
		for _, m := range legal(g.rb, s, d.Seat) {
			moves.WriteString(g.rb.FormatMove(m, g.names) + "\n")
			steps.WriteString(asJSON(g.t, g.rb.Steps(s, m)) + "\n")
		}
		out["moves"], out["steps"] = moves.String(), steps.String()
		out["forms"] = asJSON(g.t, g.rb.Forms(s, d.Seat))
	}
	return outputs{out, view}
}

// same compares outputs, and shows where those that differ begin to. Drawing and description are functions of the view:
// they are only made if two views differ in something that their JSON does not show.
func (g *game) same(want, got outputs, format string, args ...any) {
	g.t.Helper()
	// The view first: drawing and description only follow from it.
	for _, what := range append([]string{"view"}, slices.Sorted(maps.Keys(want.texts))...) {
		g.alike(want.texts[what], got.texts[what], "the "+what+" differs", format, args...)
	}
	require.Len(g.t, got.texts, len(want.texts), g.where)
	if !reflect.DeepEqual(want.view, got.view) {
		drawn := func(o outputs) string { return asJSON(g.t, g.rb.Draw(o.view, domain.Sketch{})) }
		g.alike(drawn(want), drawn(got), "the drawing differs", format, args...)
		said := func(o outputs) string { return asJSON(g.t, g.rb.Describe(o.view)) }
		g.alike(said(want), said(got), "the description differs", format, args...)
	}
}

// alike compares two texts, and shows where long ones begin to differ.
func (g *game) alike(want, got, what, format string, args ...any) {
	g.t.Helper()
	if want == got {
		return
	}
	i := 0
	for i < len(want) && i < len(got) && want[i] == got[i] {
		i++
	}
	from := max(0, i-100)
	require.Fail(g.t, fmt.Sprintf(format, args...), "%s: %s from byte %d:\n…%s\n…%s", g.where, what, i,
		want[from:min(len(want), i+100)], got[from:min(len(got), i+100)])
}

// deal returns a copy of a state in which what a viewer does not know is dealt afresh.
func (g *game) deal(s domain.State, v domain.Viewer) domain.State {
	luck := domain.NewThrowaway(g.dice.seed()).Begin()
	e := g.rb.Blind(s, v, luck)
	e.Seat, e.Draws = domain.Nobody, luck.Used()
	dealt, back := g.logged(s, &e)
	for _, viewer := range []domain.Viewer{v, domain.Spectator} {
		redacted := back.Redact(viewer)
		g.words.hold(g.rb.Tell(&redacted, g.rb.View(dealt, viewer)), g.where)
	}
	return dealt
}

// logged returns a copy of a state after an event, and the event as read back from the log.
func (g *game) logged(s domain.State, e *domain.Event) (domain.State, domain.Event) {
	public, secrets, err := g.codec.Encode(e)
	require.NoError(g.t, err, "%s: a deal is an event", g.where)
	back, err := g.codec.Decode(e.Type, public, secrets)
	require.NoError(g.t, err)
	c := g.rb.Clone(s)
	g.rb.Evolve(c, &back)
	return c, back
}

// blinded checks that nothing a viewer gets depends on what the viewer must not know: two fresh deals of that look the
// same as the truth, and stay so as long as the events that the viewer reads are the same.
func (g *game) blinded(v domain.Viewer) {
	truth := g.line.State
	a, b := g.deal(truth, v), g.deal(truth, v)
	if v == domain.Referee {
		g.alike(g.truth(truth), g.truth(a), "the state differs", "the referee knows everything, so nothing is dealt")
		return
	}
	want := g.outputs(truth, v)
	g.same(want, g.outputs(a, v), "Blind keeps what viewer %d knows", v)
	g.same(want, g.outputs(b, v), "Blind keeps what viewer %d knows", v)
	deals := []domain.State{a, b}
	for len(deals) < g.cfg.Deals {
		deals = append(deals, g.deal(truth, v))
	}
	g.varied(truth, deals, v)
	g.settled(a, "a fresh deal")
	if v >= 0 {
		value := g.rb.Value(a, v.Seat())
		require.False(g.t, math.IsNaN(value) || math.IsInf(value, 0), "%s: Value is %v", g.where, value)
		if estimate := g.rb.Extras().Estimate; estimate != nil {
			value = estimate(a, v.Seat())
			require.False(g.t, math.IsNaN(value) || math.IsInf(value, 0), "%s: Estimate is %v", g.where, value)
		}
	}
	g.replaced(a, b)
	g.dealtAlike([]domain.State{truth, a, b}, v)
	g.judgedAlike(a, b, v)
	g.lockstep(append([]domain.State{truth}, deals...), v)
}

// judgedAlike checks that a viewer's own moves get the same answer, including a refusal's reason, in two states that
// the viewer cannot tell apart.
func (g *game) judgedAlike(a, b domain.State, v domain.Viewer) {
	awaited := slices.ContainsFunc(g.rb.Awaited(a), func(d domain.Decision) bool { return d.Seat == v.Seat() })
	if v < 0 || !awaited {
		return
	}
	for _, m := range g.sample(g.pool)[:min(len(g.pool), g.cfg.Tries, 40)] {
		_, first := g.decide(a, v.Seat(), m)
		_, second := g.decide(b, v.Seat(), m)
		require.Equal(g.t, fmt.Sprint(first), fmt.Sprint(second),
			"%s: what viewer %d may not know shows in the answer to %s", g.where, v, g.rb.FormatMove(m, nil))
	}
}

// replaced checks that Blind's event carries the whole hidden state: applied to a state that differs in nothing else,
// it yields the one it was made from.
func (g *game) replaced(a, b domain.State) {
	e := g.rb.Blind(a, domain.Referee, domain.NewThrowaway(1).Begin())
	c := g.rb.Clone(b)
	g.rb.Evolve(c, &e)
	g.alike(g.truth(a), g.truth(c), "the state differs", "evolving a deal replaces every secret")
}

// dealtAlike checks that a deal reveals nothing of what it was made from: with the same luck it is the same in states
// that the viewer cannot tell apart. The luck of a branch opens at its end; anybody who could then undo the deal would
// find what is still hidden at the table it came from.
func (g *game) dealtAlike(states []domain.State, v domain.Viewer) {
	seed, want := uint64(g.moves), ""
	for i, s := range states {
		e := g.rb.Blind(s, v, domain.NewThrowaway(seed).Begin())
		public, secrets, err := g.codec.Encode(&e)
		require.NoError(g.t, err)
		got := e.Type + string(public) + asJSON(g.t, secrets)
		if i == 0 {
			want = got
		}
		g.alike(want, got, "the deal differs", "what viewer %d does not know shows in a deal made for them", v)
	}
}

// read returns what a viewer reads of an event: its public part, the parts for them, and how it is told.
func (g *game) read(e *domain.Event, v domain.Viewer) string {
	redacted := e.Redact(v)
	theirs := slices.DeleteFunc(slices.Clone(redacted.Secrets), func(s domain.Secret) bool { return s.Body == nil })
	public, secrets, err := g.codec.Encode(&domain.Event{Type: e.Type, Seat: e.Seat, Move: e.Move, Draws: e.Draws,
		Body: e.Body, Secrets: theirs})
	require.NoError(g.t, err)
	var b strings.Builder
	b.WriteString(e.Type + string(public))
	for _, s := range e.Secrets {
		b.WriteString("\n" + s.To.String())
	}
	for _, s := range secrets {
		b.WriteString("\n" + string(s.Data))
	}
	for _, say := range g.rb.Tell(&redacted, g.rb.View(g.line.State, domain.Spectator)) {
		g.words.holds(say, g.where)
		b.WriteString("\n" + asJSON(g.t, say))
	}
	return b.String()
}

// dealt counts, by part of a deal and viewer, how often the part was hidden from the viewer and how often fresh deals
// differed in it.
type dealt map[string]*tally

type tally struct{ hidden, varied int }

// enough is the number of positions after which a hidden part must have been dealt differently at least once: in some
// positions what is left over follows from what is known.
const enough = 8

// hold checks that everything hidden from somebody was dealt afresh at some point.
func (d dealt) hold(t T) {
	for _, what := range slices.Sorted(maps.Keys(d)) {
		if c := d[what]; c.hidden >= enough && c.varied == 0 {
			require.Fail(t, "Blind never dealt afresh what it hides", "%s: in none of %d positions", what, c.hidden)
		}
	}
}

// varied notes which of the parts that a viewer must not read differ in fresh deals. A part is identified by its
// audience and its number among those with that audience.
func (g *game) varied(truth domain.State, deals []domain.State, v domain.Viewer) {
	if len(g.rb.Awaited(truth)) == 0 {
		return // by then perhaps nothing is hidden
	}
	was := g.parts(truth)
	differs := map[string]bool{}
	for _, s := range deals {
		if g.truth(s) != g.truth(truth) {
			g.dealtAfresh = true
		}
		for name, p := range g.parts(s) {
			differs[name] = differs[name] || p.text != was[name].text
		}
	}
	for name, p := range was {
		if p.to.Admits(v) || p.empty {
			continue
		}
		what := fmt.Sprintf("%d seats, %s for viewer %d", g.seats, name, v)
		if g.dealt[what] == nil {
			g.dealt[what] = &tally{}
		}
		g.dealt[what].hidden++
		if differs[name] {
			g.dealt[what].varied++
		}
	}
}

// part is a secret part of a deal.
type part struct {
	to    domain.Audience
	text  string
	empty bool // it hides nothing: all its lists and objects are empty
}

// parts returns the secret parts of an event that carries the whole hidden state.
func (g *game) parts(s domain.State) map[string]part {
	e := g.rb.Blind(s, domain.Referee, domain.NewThrowaway(1).Begin())
	_, secrets, err := g.codec.Encode(&e)
	require.NoError(g.t, err)
	out, count := map[string]part{}, map[domain.Audience]int{}
	for _, p := range secrets {
		count[p.To]++
		out[fmt.Sprintf("part %d of those to %s", count[p.To], p.To)] = part{to: p.To, text: string(p.Data),
			empty: hollow(p.Data)}
	}
	return out
}

func hollow(data []byte) bool {
	var fields map[string]json.RawMessage
	if json.Unmarshal(data, &fields) != nil {
		return false
	}
	for _, f := range fields {
		if s := string(f); len(s) > 0 && (s[0] == '[' || s[0] == '{') && s != "[]" && s != "{}" {
			return false
		}
	}
	return len(fields) < 2
}

// settled checks that a state, freshly dealt or not, is a position that the set-up accepts as Given.
func (g *game) settled(s domain.State, what string) *domain.Line {
	want := g.truth(s)
	line := domain.NewLine(g.rb, domain.NewThrowaway(g.dice.seed()))
	e, _, err := line.Setup(g.game(json.RawMessage(want)))
	require.NoError(g.t, err, "%s: %s is a position: %s", g.where, what, want)
	line.Apply(&e)
	g.alike(want, g.truth(line.State), "the state differs", "the position given is the one that is set up")
	return line
}

// shuffledAnew checks that fresh luck leaves everybody's knowledge as it is: no viewer can tell that anything was
// shuffled, or reads in the event what they do not know.
func (g *game) shuffledAnew() {
	uncovered := g.rb.Extras().Uncovered
	if uncovered == nil {
		return
	}
	seed, truth := g.dice.seed(), g.line.State
	shuffle := func(s domain.State) (domain.State, domain.Event) {
		line := domain.Line{Rulebook: g.rb, State: s, Luck: domain.NewThrowaway(seed)}
		e, _ := line.Reshuffle()
		for _, d := range e.Draws {
			require.True(g.t, d.Unseen, "%s: a shuffle shows nothing: %v", g.where, d)
		}
		require.Zero(g.t, uncovered(s, &e), "%s: a shuffle lets nobody see a card", g.where)
		return g.logged(s, &e)
	}
	now, e := shuffle(truth)
	g.reshuffled = g.reshuffled || g.truth(now) != g.truth(truth)
	g.settled(now, "a fresh deal")
	for v := domain.Viewer(-1); int(v) < g.seats; v++ {
		g.same(g.outputs(truth, v), g.outputs(now, v), "Reshuffle leaves viewer %d what they know", v)
		_, other := shuffle(g.deal(truth, v))
		g.alike(g.read(&e, v), g.read(&other, v), "the event differs",
			"a shuffle tells viewer %d what they do not know", v)
	}
}
