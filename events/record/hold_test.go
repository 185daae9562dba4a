package record_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/programtest"
	"posthorn/events/record"
)

// keptBy is a finished game as the server of some keys keeps it that it came to with a branch of it. Nobody needs more
// for that than the public record.
func keptBy(t testing.TB, file []byte, keys *events.Keys) []byte {
	t.Helper()
	g := forgers(t, file, keys)
	data, err := json.Marshal(map[string]any{"key": []byte(g.Header.Key), "receipts": g.Header.Heads})
	require.NoError(t, err)
	g.follows(g.find(t, "table.ended.v3", 0), "table.arrived.v1", `{"door":"host"}`, string(data))
	return g.written(t)
}

// follows inserts an event of the table after another one, and returns it.
func (g *forgery) follows(after *record.Event, typ, meta, data string) *record.Event {
	at := slices.IndexFunc(g.Events, func(e record.Event) bool { return e.Hash == after.Hash }) + 1
	e := record.Event{Stream: after.Stream, Version: after.Version + 1, Type: typ, Codec: "json", At: after.At,
		Command: events.CommandID(after.Hash[:16]), Meta: []byte(meta), Data: []byte(data), Hash: events.Hash{1}}
	g.Events = slices.Insert(g.Events, at, e)
	for i := range g.Events[at+1:] {
		if later := &g.Events[at+1+i]; later.Stream == e.Stream {
			later.Version++
		}
	}
	return &g.Events[at]
}

// Given a finished game that somebody says came to them, then it is the game that its server signed, and nothing says
// that they are who keeps it: whoever knows that server's key does not take theirs for it.
func TestAFinishedGameProvesNobodyWhoKeepsIt(t *testing.T) {
	file := keptBy(t, story(t), otherKeys(t))
	kind, err := both(t, file)
	require.NoError(t, err, kind)
	f, err := record.Read(bytes.NewReader(file))
	require.NoError(t, err)
	r, err := record.Verify(f, desktest.Named)
	require.NoError(t, err)
	require.Len(t, r.Hands, 1)
	require.False(t, r.Hands[0].Proved)
	path := filepath.Join(t.TempDir(), "kept.jsonl")
	require.NoError(t, os.WriteFile(path, file, 0o600))
	theirs, genuine := base64.StdEncoding.EncodeToString(otherKeys(t).PublicKey()),
		base64.StdEncoding.EncodeToString(desktest.Keys(t).PublicKey())
	require.Nil(t, independent(t, programtest.Python(t), path, "--key", theirs).Fault)
	said := independent(t, programtest.Python(t), path, "--key", genuine)
	require.NotNil(t, said.Fault, "the key of the former server is not proved to be followed by that of this one")
	require.Equal(t, "other-key", said.Fault.Kind)
}

// watched is the record of a running game as anybody may see it, with a line that goes on after a rewind.
func watched(t testing.TB) []byte {
	t.Helper()
	h := newHouseOf(t)
	table := h.StartsBy(ana, "carcassonne", nil, desktest.Player(ana), desktest.Player(bo))
	h.play(table, 4)
	h.Rewinds(table, 3)
	h.play(table, 3)
	return h.export(table, domain.Spectator)
}

// dealtBack is a game of the Rivals in which a move was taken back, and with it the deal of fresh luck before it:
// written by somebody with a server's key, who signed all anew.
func dealtBack(t testing.TB) []byte {
	t.Helper()
	file, err := os.ReadFile("testdata/forged/taken-back-over-the-deal.jsonl")
	require.NoError(t, err)
	return file
}

// bought is a game of Catan in which Ana bought a card.
func bought(t testing.TB) []byte {
	t.Helper()
	h := newHouseOf(t)
	table := h.catan(desk.NewTable{})
	h.builds(table, "buy")
	h.Ends(table)
	h.Follows(table)
	return h.export(table, domain.Referee)
}

// dealtRivals is a game of the Rivals that was broken off at its beginning.
func dealtRivals(t testing.TB) []byte {
	t.Helper()
	h := desktest.New(t)
	table := h.Starts("rivals", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	h.Ends(table)
	h.Follows(table)
	return exportOf(t, h, table)
}

// forWhom exchanges the audience of the first secret part that is for just these seats, of events of a type.
func forWhom(typ string, from, to domain.Audience) func(testing.TB, *forgery) {
	return func(t testing.TB, g *forgery) {
		for i := range g.Events {
			for n := range g.Events[i].Parts {
				if p := &g.Events[i].Parts[n]; strings.HasPrefix(g.Events[i].Type, typ) && p.To == from {
					p.To = to
					return
				}
			}
		}
		t.Fatalf("no part of %s is for %v", typ, from)
	}
}

// contributes gives whoever joined first another say in the luck, which no program does.
func contributes(t testing.TB, g *forgery) {
	joined := g.find(t, "table.joined.v1", 0)
	data := bytes.Replace(joined.Data, []byte(`"seat":0,`), nil, 1)
	g.follows(joined, "table.contributed.v1", string(joined.Meta), string(data))
}

// held is what both verifiers name in a record, although they may know neither its luck nor its game.
var held = []struct {
	name, kind string
	of         func(testing.TB) []byte
	do         func(testing.TB, *forgery)
}{
	{"a running line opened again", "fork-deal", watched, func(t testing.TB, g *forgery) {
		e := g.move(t, -1, nil)
		e.Type, e.Data = "line.forked.v1", []byte("{}")
		meant(e, func(m map[string]any) { delete(m, "by"); m["door"] = "runner" })
	}},
	{"a running line whose opening says something", "fork-deal", watched, func(t testing.TB, g *forgery) {
		edit(g.find(t, "line.forked.v1", 0), set("more", 1))
	}},
	{"dealt anew in a running line", "fork-deal", watched, func(t testing.TB, g *forgery) {
		edit(g.move(t, -1, nil), set("anew", true))
	}},
	{"points that are none at a running table", "luck", watched, func(t testing.TB, g *forgery) {
		edit(g.move(t, -1, nil), set("points", "x"))
	}},
	{"points of a running table left out", "luck", watched, func(t testing.TB, g *forgery) {
		edit(g.move(t, -1, nil), func(m map[string]any) { delete(m, "points") })
	}},
	{"points of a seat more at a running table", "points", watched, func(t testing.TB, g *forgery) {
		edit(g.move(t, -1, nil), func(m map[string]any) { m["points"] = append(m["points"].([]any), 0) })
	}},
	{"an unlisted member at a running table", "luck", watched, func(t testing.TB, g *forgery) {
		edit(g.move(t, -1, nil), set("more", 1))
	}},
	{"draws that are null at a running table", "luck", watched, func(t testing.TB, g *forgery) {
		edit(g.move(t, -1, nil), set("draws", nil))
	}},
	{"no move at a running table", "rules", watched, func(t testing.TB, g *forgery) {
		e := g.move(t, -1, nil)
		edit(e, func(m map[string]any) { delete(m, "move") })
		meant(e, func(m map[string]any) { delete(m, "by"); m["door"] = "runner" })
	}},
	{"randomness that no program brings, of a game that was played", "luck", story, contributes},
	{"randomness that no program brings", "table-refused", watched, contributes},
	{"a move taken back with the deal before it", "table-refused", dealtBack, func(testing.TB, *forgery) {}},
	{"a card bought in Catan, for another seat too", "luck", bought,
		forWhom("catan.played.", domain.To(0), domain.To(0, 1))},
	{"a card bought in Catan, for nobody", "luck", bought, forWhom("catan.played.", domain.To(0), domain.To())},
	{"a hand of the Rivals for the other seat", "luck", dealtRivals,
		forWhom("rivals.dealt.", domain.To(0), domain.To(1))},
	{"the stacks of the Rivals for a seat", "luck", dealtRivals, forWhom("rivals.dealt.", domain.To(), domain.To(1))},
}

func TestBothVerifiersNameWhatNeedsNoGame(t *testing.T) {
	for _, c := range held {
		t.Run(c.name, func(t *testing.T) {
			g := forgers(t, c.of(t), desktest.Keys(t))
			c.do(t, g)
			kind, err := both(t, g.written(t))
			require.Equal(t, c.kind, kind, "%v", err)
		})
	}
}

// A handover whose closing event names nobody is refused by the server that it is for, too.
func TestAClosingEventNamesItsServerExactly(t *testing.T) {
	here, there := twoHouses(t)
	table := here.Starts("carcassonne", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	g := forgers(t, handsOver(t, here, there, table), here.Keys())
	g.Header.Closing.Data = bytes.Replace(g.Header.Closing.Data, []byte(`"to"`), []byte(`"TO"`), 1)
	file := g.written(t)
	kind, err := both(t, file)
	require.Equal(t, "closing", kind, "%v", err)
	f, err := record.Read(bytes.NewReader(file))
	require.NoError(t, err)
	_, err = record.Import(there.Ctx, there.Log(), there.Keys(), f, desktest.Named)
	require.ErrorContains(t, err, "the event that closed the table elsewhere cannot be read")
}

// A house that lost its people gives their seats to whoever comes with a link: no server but it says who they are, and
// both verifiers say so.
func TestASeatClaimedWhereTheTableBeganIsSaid(t *testing.T) {
	h := desktest.New(t)
	table := h.Starts("carcassonne", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	h.Does("new", table, desk.Claim{Seat: 1, Was: desktest.Bo})
	h.Ends(table)
	h.Follows(table)
	file := exportOf(t, h, table)
	r, err := judged(file)
	require.NoError(t, err)
	require.Equal(t, []string{"version 5 of the table gives seat B to another person, and the table " +
		"came from no other server"}, r.Said)
	path := filepath.Join(t.TempDir(), "claimed.jsonl")
	require.NoError(t, os.WriteFile(path, file, 0o600))
	said := independent(t, programtest.Python(t), path)
	require.Nil(t, said.Fault)
	require.Contains(t, said.Notes, r.Said[0])

	moved, _, _, there := handed(t)
	require.NotNil(t, there)
	r, err = judged(moved)
	require.NoError(t, err)
	require.Empty(t, r.Said)
}
