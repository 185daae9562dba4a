package rulebooktest

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// follow writes an event and folds what it reads back into the mirror. Writing must be repeatable, and what was read
// must be written the same again. The buffers and the event itself are reused for the next one: code may only keep what
// the event refers to.
func (g *game) follow(e *domain.Event) {
	public, secrets, err := g.codec.Encode(e)
	require.NoError(g.t, err, g.where)
	again, _, err := g.codec.Encode(e)
	require.NoError(g.t, err, g.where)
	require.Equal(g.t, string(public), string(again), "%s: an event is written in one way", g.where)
	require.True(g.t, json.Valid(public), "%s: %s", g.where, public)

	text, parts := bytes.Clone(public), slices.Clone(secrets)
	for i := range parts {
		parts[i].Data = bytes.Clone(parts[i].Data)
	}
	back, err := g.decoder.Decode(g.codec, e.Type, text, parts)
	require.NoError(g.t, err, "%s: %s", g.where, public)
	for i := range parts {
		copy(parts[i].Data, bytes.Repeat([]byte("#"), len(parts[i].Data)))
	}
	copy(text, bytes.Repeat([]byte("#"), len(text)))
	rewritten, rewrittenSecrets, err := g.codec.Encode(back)
	require.NoError(g.t, err, g.where)
	require.Equal(g.t, string(public), string(rewritten), "%s: what was read is written as it was", g.where)
	require.Equal(g.t, secrets, rewrittenSecrets, "%s: the secret parts as well", g.where)
	g.rb.Evolve(g.mirror, back)
}

// foldedAlike checks that folding the written events gives the state that was played.
func (g *game) foldedAlike() {
	live, folded := g.line.State, g.mirror
	g.alike(g.truth(live), g.truth(folded), "the state differs", "folded from the log")
	for v := domain.Viewer(-1); int(v) < g.seats; v++ {
		g.same(g.outputs(live, v), g.outputs(folded, v), "folded from the log, as viewer %d sees it", v)
	}
}

// cloneIsApart plays on from a copy and checks that the original did not change, and the other way round.
func (g *game) cloneIsApart() {
	before := g.truth(g.line.State)
	c := g.line.Clone()
	g.alike(before, g.truth(c.State), "the state differs", "a copy is alike")
	d := newDice(g.dice.seed())
	playOn(g.t, c, d, 12)
	g.alike(before, g.truth(g.line.State), "the state differs", "playing a copy changed the original")

	kept := g.rb.Clone(g.line.State)
	other := g.line.Clone()
	other.State = kept
	still := g.rb.Clone(kept)
	playOn(g.t, other, d, 12)
	g.alike(before, g.truth(still), "the state differs", "playing the original changed a copy")

	if over := g.rb.Extras().CopyOver; over != nil {
		over(kept, g.line.State)
		g.alike(before, g.truth(kept), "the state differs", "a copy over another state is alike")
		playOn(g.t, other, d, 12)
		g.alike(before, g.truth(g.line.State), "the state differs", "playing a copy over another changed the original")
	}
}

// givenAgain sets the position up by hand from the referee's view, and from parts of it.
func (g *game) givenAgain() {
	whole := g.truth(g.line.State)
	require.Equal(g.t, g.who(g.line), g.who(g.settled(g.line.State, "the referee's view")),
		"%s: and the same is awaited", g.where)

	var keys map[string]json.RawMessage
	require.NoError(g.t, json.Unmarshal([]byte(whole), &keys), "the referee's view is a JSON object")
	for key, value := range keys {
		one := asJSON(g.t, map[string]json.RawMessage{key: value})
		g.settable(one)
		rest := map[string]json.RawMessage{}
		for k, v := range keys {
			if k != key {
				rest[k] = v
			}
		}
		g.settable(asJSON(g.t, rest))
		g.settable(asJSON(g.t, map[string]any{key: map[string]any{"no-such-key": -1}}))
	}
	for _, odd := range []string{`{`, `[]`, `7`, `null`, `{"no-such-key":1}`, ``} {
		g.settable(odd)
	}
	d := newDice(uint64(g.moves)) // its own dice: the game goes on as it would have
	for range wrongPositions {
		g.settable(string(Alter([]byte(whole), d.below))) // such as a card that is there twice, or a game that is over
	}
}

// wrongPositions is how many altered positions to try.
const wrongPositions = 8

// settable checks that a position, possible or not, is set up or refused with a reason.
func (g *game) settable(given string) {
	line := domain.NewLine(g.rb, domain.NewThrowaway(1))
	e, _, err := line.Setup(g.game(json.RawMessage(given)))
	if err != nil {
		refusal, ok := domain.AsRefusal(err)
		require.True(g.t, ok, "%s: given %s: not a refusal: %v", g.where, given, err)
		g.words.holds(refusal.Say(), "given "+given)
		return
	}
	line.Apply(&e)
	g.truth(line.State)
	g.rb.Standing(line.State, domain.Referee)
	playOn(g.t, line, newDice(1), 3)
}

// who lists the seats awaited, and for what.
func (g *game) who(l *domain.Line) []domain.Decision {
	var all []domain.Decision
	for _, o := range l.Awaited() {
		d := o.Decision
		d.Serial = 0
		all = append(all, d)
	}
	return all
}
