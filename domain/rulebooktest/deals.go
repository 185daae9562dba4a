package rulebooktest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// dealt is, by part of a deal and viewer, how often it was hidden from the viewer and how often fresh
// deals differed in it.
type dealt map[string]*tally

type tally struct{ hidden, varied int }

// enough is how many positions with something hidden must not all have it lie in one way: here and
// there what is left over follows from what is known.
const enough = 8

// hold holds that nothing that is hidden from somebody was never dealt afresh.
func (d dealt) hold(t T) {
	for _, what := range slices.Sorted(maps.Keys(d)) {
		if c := d[what]; c.hidden >= enough && c.varied == 0 {
			require.Fail(t, "Blind never dealt afresh what it hides", "%s: in none of %d positions", what, c.hidden)
		}
	}
}

// varied notes which of the parts that a viewer may not read lie otherwise in fresh deals. A part is
// told from the others by its audience and, of those, its number.
func (g *game) varied(truth domain.State, deals []domain.State, v domain.Viewer) {
	if len(g.rb.Awaited(truth)) == 0 {
		return // what still lies hidden then may be nothing
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
	empty bool // it hides nothing: no list or object in it has anything in it
}

// parts are the secret parts of an event that carries the whole hidden state.
func (g *game) parts(s domain.State) map[string]part {
	e := g.rb.Blind(s, domain.Referee, domain.NewThrowaway(1).Begin())
	_, secrets, err := g.codec.Encode(&e)
	require.NoError(g.t, err)
	out, count := map[string]part{}, map[domain.Audience]int{}
	for _, p := range secrets {
		count[p.To]++
		out[fmt.Sprintf("part %d of those to %s", count[p.To], p.To)] = part{to: p.To, text: string(p.Data), empty: hollow(p.Data)}
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

// settled holds that a state, freshly dealt or not, is a position, which the set-up takes as given.
func (g *game) settled(s domain.State, what string) *domain.Line {
	want := g.truth(s)
	line := domain.NewLine(g.rb, domain.NewThrowaway(g.dice.seed()))
	e, _, err := line.Setup(g.game(json.RawMessage(want)))
	require.NoError(g.t, err, "%s: %s is a position: %s", g.where, what, want)
	line.Apply(&e)
	g.alike(want, g.truth(line.State), "the state differs", "the position given is the one that is set up")
	return line
}

// shuffledAnew holds that fresh luck leaves everybody the knowledge they have: no viewer can tell
// that anything was shuffled, nor reads in the event what they do not know.
func (g *game) shuffledAnew() {
	r := g.rb.Extras().Reshuffler
	if r == nil {
		return
	}
	seed, truth := g.dice.seed(), g.line.State
	shuffle := func(s domain.State) (domain.State, domain.Event) {
		line := domain.Line{Rulebook: g.rb, State: s, Luck: domain.NewThrowaway(seed)}
		e, _ := line.Reshuffle()
		for _, d := range e.Draws {
			require.True(g.t, d.Unseen, "%s: a shuffle shows nothing: %v", g.where, d)
		}
		require.Zero(g.t, r.Uncovered(s, &e), "%s: a shuffle lets nobody see a card", g.where)
		return g.logged(s, &e)
	}
	now, e := shuffle(truth)
	g.reshuffled = g.reshuffled || g.truth(now) != g.truth(truth)
	g.settled(now, "a fresh deal")
	for v := domain.Viewer(-1); int(v) < g.seats; v++ {
		g.same(g.outputs(truth, v), g.outputs(now, v), "Reshuffle leaves viewer %d what they know", v)
		_, other := shuffle(g.deal(truth, v))
		g.alike(g.read(&e, v), g.read(&other, v), "the event differs", "a shuffle tells viewer %d what they do not know", v)
	}
}
