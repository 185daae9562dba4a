package record_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/programtest"
	"posthorn/events/record"
)

// takenOver is somebody's finished game in the hands of a forger without its server's key: they insert an arrival from
// that server, with its genuine receipts, let the other player resign, and sign the rest with a key of their own.
func takenOver(t testing.TB, file []byte, arrived func(*record.Event)) (forged []byte, receipts []string) {
	t.Helper()
	g := forgers(t, file, otherKeys(t))
	receipts = g.Header.Heads
	resigned := g.find(t, "table.resigned.v1", 0)
	at := slices.IndexFunc(g.Events, func(e record.Event) bool { return e.Hash == resigned.Hash })
	lines := slices.DeleteFunc(slices.Clone(receipts), func(line string) bool {
		r, err := events.ParseReceipt(line)
		return err != nil || r.Stream == r.Table
	})
	data, err := json.Marshal(map[string]any{"key": []byte(g.Header.Key), "receipts": lines})
	require.NoError(t, err)
	came := record.Event{Stream: resigned.Stream, Version: resigned.Version, Type: "table.arrived.v1", Codec: "json",
		At:      resigned.At,
		Command: events.NewCommandID(), Hash: events.Hash{1}, Meta: []byte(`{"door":"host"}`), Data: data}
	arrived(&came)
	edit(resigned, set("seat", 0))
	edit(resigned, set("person", "Ana"))
	meant(resigned, set("by", "Ana"))
	edit(g.find(t, "table.ended.v3", 0), set("ranks", []int{3, 1, 1}))
	g.Events = slices.Insert(g.Events, at, came)
	for i := range g.Events[at+1:] {
		if e := &g.Events[at+1+i]; e.Stream == came.Stream {
			e.Version++
		}
	}
	return g.written(t), receipts
}

func otherKeys(t testing.TB) *events.Keys {
	t.Helper()
	keys, err := events.NewKeys([32]byte{99})
	require.NoError(t, err)
	return keys
}

// twoHouses returns a house and another one with keys of its own, by one clock.
func twoHouses(t testing.TB) (here, there *desktest.House) {
	t.Helper()
	now := desktest.Clock()
	return desktest.Over(t, memory.New(), now), desktest.With(t, otherKeys(t), memory.New(), now)
}

// handsOver hands a table over to the other house, and returns the file.
func handsOver(t testing.TB, here, there *desktest.House, table events.Name) []byte {
	t.Helper()
	key, err := record.PublicKey(there.Keys())
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, record.Handover(here.Ctx, here.Desk, table, key, exported, &b))
	return b.Bytes()
}

// both asks both verifiers about a record and receipts, and returns the kind of fault that they agree on, and ours.
func both(t *testing.T, file []byte, receipts ...string) (kind string, ours error) {
	t.Helper()
	dir := t.TempDir()
	path, mail := filepath.Join(dir, "record.jsonl"), filepath.Join(dir, "mail.txt")
	require.NoError(t, os.WriteFile(path, file, 0o600))
	require.NoError(t, os.WriteFile(mail, []byte(strings.Join(receipts, "\n")), 0o600))
	f, ours := record.Read(bytes.NewReader(file))
	if ours == nil {
		_, ours = record.Verify(f, desktest.Named, receipts...)
	}
	args := []string{path}
	if len(receipts) > 0 {
		args = append(args, "--receipts", mail)
	}
	said := independent(t, programtest.Python(t), args...)
	if ours == nil {
		require.Nil(t, said.Fault, "%v", said)
		return "", nil
	}
	var fault *record.Fault
	require.ErrorAs(t, ours, &fault)
	k, ok := kindOf(faultKinds(t), fault.What)
	require.True(t, ok, "%v", ours)
	require.NotNil(t, said.Fault, "%v", ours)
	require.Equal(t, k.kind, said.Fault.Kind, "%v, and: %s", ours, said.Fault.Text)
	require.Equal(t, fmt.Sprintf("%s %d", fault.Stream, fault.Version),
		fmt.Sprintf("%s %d", said.Fault.Stream, said.Fault.Version), "%v", ours)
	return k.kind, ours
}

// handed returns the record of a game that was handed over and ended at the other server, the mails' receipts of the
// first one, and the keys of both.
func handed(t testing.TB) (file []byte, receipts []string, here, there *desktest.House) {
	t.Helper()
	here, there = twoHouses(t)
	table := here.Starts("carcassonne", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	here.Random(table, rand.New(rand.NewPCG(3, 4)), 5)
	f, err := record.Read(bytes.NewReader(handsOver(t, here, there, table)))
	require.NoError(t, err)
	_, err = record.Import(there.Ctx, there.Log(), there.Keys(), f, desktest.Named)
	require.NoError(t, err)
	there.Resigns(desktest.Bo, table, 1)
	there.Follows(table)
	return exportOf(t, there, table), f.Header.Heads, here, there
}

// Given somebody's finished game, then nobody without its server's key can go on with it as if it had been handed over
// to them, and end it otherwise.
func TestNobodyTakesOverAGameByAKeyOfTheirOwn(t *testing.T) {
	closing := func(of string, more map[string]any) func(*record.Event) {
		return func(e *record.Event) {
			e.Type = "table.arrived.v2"
			c := map[string]any{"at": 1767323165000, "command": strings.Repeat("ab", 16), "meta": `{"door":"host"}`,
				"data": of}
			edit(e, set("closing", c))
			for name, value := range more {
				edit(e, set(name, value))
			}
		}
	}
	own, err := record.PublicKey(otherKeys(t))
	require.NoError(t, err)
	to := `{"to":"` + own + `"}`
	for name, arrived := range map[string]func(*record.Event){
		"as older programs arrived":      func(*record.Event) {},
		"without any receipt":            func(e *record.Event) { edit(e, set("receipts", []string{})) },
		"with a closing event":           closing(to, nil),
		"with one that closes nothing":   closing(`{}`, nil),
		"with one, and without receipts": closing(to, map[string]any{"receipts": []string{}}),
	} {
		forged, receipts := takenOver(t, story(t), arrived)
		kind, err := both(t, forged, receipts...)
		require.Equal(t, "not-handed-over", kind, "%s: %v", name, err)
	}

	forged, receipts := takenOver(t, olderStory(t), func(*record.Event) {})
	kind, err := both(t, forged, receipts...)
	require.NoError(t, err, kind)
	f, err := record.Read(bytes.NewReader(forged))
	require.NoError(t, err)
	r, err := record.Verify(f, desktest.Named, receipts...)
	require.NoError(t, err)
	require.False(t, r.Hands[0].Proved)
	require.Contains(t, strings.Join(r.Skipped, "\n"), "nothing shows that the former server gave the table away")
}

// A game that was handed over proves it, and whoever has both servers' records or receipts finds what one of them
// changed.
func TestAGameThatWasHandedOverProvesIt(t *testing.T) {
	file, receipts, here, there := handed(t)
	kind, err := both(t, file, receipts...)
	require.NoError(t, err, kind)
	f, err := record.Read(bytes.NewReader(file))
	require.NoError(t, err)
	r, err := record.Verify(f, desktest.Named, receipts...)
	require.NoError(t, err)
	require.Empty(t, r.Hands[1:])
	require.True(t, r.Hands[0].Proved)
	require.Equal(t, []ed25519.PublicKey{here.Keys().PublicKey(), there.Keys().PublicKey()},
		[]ed25519.PublicKey{r.Hands[0].From, r.Hands[0].To})
	require.NotContains(t, strings.Join(r.Skipped, "\n"), "of what a server wrote there when it handed the table over",
		"the receipt of that event counts")

	third, err := events.NewKeys([32]byte{77})
	require.NoError(t, err)
	for want, change := range map[string]func(g *forgery){
		"handed-elsewhere": func(g *forgery) { g.keys = third },
		"receipt-history": func(g *forgery) {
			edit(g.find(t, "table.arrived.v2", 0), sub("closing", func(m map[string]any) { m["at"] = 1 }))
		},
		"not-handed-over": func(g *forgery) {
			edit(g.find(t, "table.arrived.v2", 0), func(m map[string]any) {
				m["receipts"] = slices.DeleteFunc(m["receipts"].([]any), func(line any) bool {
					r, err := events.ParseReceipt(line.(string))
					return err != nil || r.Stream == r.Table
				})
			})
		},
		"former-signature": func(g *forgery) {
			edit(g.find(t, "table.arrived.v2", 0), set("key", []byte(third.PublicKey())))
		},
		"closing": func(g *forgery) {
			edit(g.find(t, "table.arrived.v2", 0), sub("closing", set("command", "ab")))
		},
	} {
		g := forgers(t, file, there.Keys())
		change(g)
		kind, err := both(t, g.written(t))
		require.Equal(t, want, kind, "%v", err)
	}
}

// Whoever keeps the handover itself finds that it says who may go on.
func TestAHandoverNamesTheServerThatMayGoOn(t *testing.T) {
	here := desktest.New(t)
	table := here.Starts("carcassonne", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	key, err := record.PublicKey(otherKeys(t))
	require.NoError(t, err)
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(key, "posthorn-key-"))
	require.NoError(t, err)
	var b bytes.Buffer
	older := "posthorn-key-" + base64.RawURLEncoding.EncodeToString(raw[:32])
	require.ErrorContains(t, record.Handover(here.Ctx, here.Desk, table, older, exported, &b),
		"one of an older program")
	require.NoError(t, record.Handover(here.Ctx, here.Desk, table, key+"@https://games.example.net", exported, &b))
	kind, err := both(t, b.Bytes())
	require.NoError(t, err, kind)
	for name, x := range map[string]struct {
		kind   string
		change func(g *forgery)
		signed bool
	}{
		"no closing event": {"closing", func(g *forgery) { g.Header.Closing = nil }, true},
		"it names nobody": {"closing", func(g *forgery) { g.Header.Closing.Data = []byte(`{"to":"somebody"}`) },
			true},
		"it is of another type": {"closing", func(g *forgery) { g.Header.Closing.Type = "table.said.v1" }, true},
		"it has another hash":   {"closing", func(g *forgery) { g.Header.Closing.Hash[3] ^= 1 }, false},
		"nobody signed it":      {"head-unsigned", func(g *forgery) { g.Header.Heads = g.Header.Heads[1:] }, false},
		"it is in no handover":  {"closing", func(g *forgery) { g.Header.Handover = false; g.bare() }, true},
	} {
		g := forgers(t, b.Bytes(), here.Keys())
		x.change(g)
		file := g.lines(t)
		if x.signed {
			file = g.written(t)
		}
		kind, err := both(t, file)
		require.Equal(t, x.kind, kind, "%s: %v", name, err)
	}
}

// bare takes what is sealed out of a record.
func (g *forgery) bare() {
	for i := range g.Events {
		for n := range g.Events[i].Parts {
			g.Events[i].Parts[n].Sealed = nil
		}
	}
}
