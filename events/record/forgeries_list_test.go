package record_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/record"
)

// forgings has a change for each kind of fault that one record shows and that changes, clockChanges, pointsChanges and
// closedChanges do not make.
var forgings = []forging{
	{kind: "not-a-record", text: changedText("posthorn-record-1", "posthorn-record-9")},
	{kind: "malformed", text: changedText(`"version":2`, `"version":"2"`)},
	{kind: "rewritten", text: changedText(`"codec":"json"`, `"codec": "json"`)},
	{kind: "sum", text: func(_ testing.TB, file []byte, _ *forgery) []byte {
		return bytes.Replace(file, sumOf(file), bytes.Repeat([]byte("1"), 64), 1)
	}},
	{kind: "after-sum", text: func(_ testing.TB, file []byte, _ *forgery) []byte { return append(file, "{}\n"...) }},
	{kind: "cut-short", text: func(_ testing.TB, file []byte, _ *forgery) []byte {
		return file[:bytes.LastIndexByte(file[:len(file)-1], '\n')+1]
	}},
	{kind: "weak-key", signed: func(g *forgery) { g.Header.Key = append([]byte{1}, make([]byte, 31)...) }},
	{kind: "stream-twice", do: func(_ testing.TB, g *forgery) {
		g.Header.Streams = append(g.Header.Streams, g.Header.Streams[1])
	}},
	{kind: "fork-from-nothing", do: func(_ testing.TB, g *forgery) { g.Header.Streams[1].Fork = 3 }},
	{kind: "parent-unknown", do: func(_ testing.TB, g *forgery) { g.Header.Streams[2].Parent[3] ^= 1 }},
	{kind: "stream-unknown", do: func(_ testing.TB, g *forgery) { g.Header.Streams = g.Header.Streams[:2] }},
	{kind: "version-order", do: func(_ testing.TB, g *forgery) { g.Events[3].Version++ }},
	{kind: "before-missing", do: func(_ testing.TB, g *forgery) {
		first := g.Header.Streams[1].Name
		slices.SortStableFunc(g.Events, func(a, b record.Event) int {
			return map[events.Name]int{first: 1}[a.Stream] - map[events.Name]int{first: 1}[b.Stream]
		})
	}},
	{kind: "altered", signed: func(g *forgery) { g.Events[7].Hash[3] ^= 1 }},
	{kind: "said-twice", do: func(_ testing.TB, g *forgery) {
		g.Events[1].Data = append([]byte(`{"SEAT":0,`), g.Events[1].Data[1:]...)
	}},
	{kind: "stream-empty", do: func(_ testing.TB, g *forgery) {
		stray(g, g.Header.Table)
		g.Events = g.Events[:len(g.Events)-1]
	}},
	{kind: "secret-altered", signed: func(g *forgery) { g.Events[0].Parts[0].Text = new(strings.Repeat("5", 64)) }},
	{kind: "seed-form", do: func(_ testing.TB, g *forgery) {
		g.Events[0].Parts[0].Text = new(strings.ToUpper(*g.Events[0].Parts[0].Text))
	}},
	{kind: "commitment-closed", do: func(_ testing.TB, g *forgery) {
		g.Events[0].Parts[0].Text, g.Events[0].Parts[0].Salt = nil, nil
	}},
	{kind: "table-parts", do: func(t testing.TB, g *forgery) {
		g.find(t, "table.said.v1", 0).Parts = []record.Part{{To: domain.To()}}
	}},
	{kind: "no-table", do: func(_ testing.TB, g *forgery) {
		g.cut(g.Header.Table, 1000)
		g.Header.Streams = g.Header.Streams[1:]
	}},
	{kind: "line-name", do: func(t testing.TB, g *forgery) {
		edit(g.find(t, "table.started.v1", 0), set("line", "zz"))
	}},
	{kind: "table-stream", do: func(_ testing.TB, g *forgery) { g.Header.Streams[0].Kind = events.KindLine }},
	{kind: "line-unopened", do: func(_ testing.TB, g *forgery) { stray(g, g.Header.Table) }},
	{kind: "stream-foreign", do: func(_ testing.TB, g *forgery) { stray(g, otherTable(g)) }},
	{kind: "fork-origin", do: func(_ testing.TB, g *forgery) { g.Header.Streams[2].Origin[1] = 1 }},
	{kind: "not-sealed", do: func(_ testing.TB, g *forgery) {
		g.Header.Handover, g.Header.Viewer = true, "another server"
	}},
	{kind: "sealed-stray", do: func(_ testing.TB, g *forgery) { g.Events[0].Parts[0].Sealed = []byte("sealed") }},
	{kind: "viewer", do: func(_ testing.TB, g *forgery) { g.Header.Viewer = "somebody" }},
	{kind: "branch-options", of: branchOfAGame, do: func(_ testing.TB, g *forgery) {
		edit(&g.Events[0], sub("options", set("farmers", "off")))
	}},
	{kind: "branch-elsewhere", of: branchOfAGame, do: func(_ testing.TB, g *forgery) {
		edit(&g.Events[0], sub("branch", set("table", otherTable(g).String())))
	}},
	{kind: "fork-elsewhere", do: func(t testing.TB, g *forgery) {
		edit(g.find(t, "table.agreed.v1", -1), sub("rewound", set("fork", 3)))
	}},
	{kind: "line-origin", do: func(_ testing.TB, g *forgery) { g.Header.Streams[1].Origin[1] ^= 1 }},
	{kind: "meta", do: func(t testing.TB, g *forgery) { meant(g.find(t, "table.said.v1", 0), set("wish", nil)) }},
	{kind: "door-order", do: func(t testing.TB, g *forgery) {
		meant(g.find(t, "table.said.v1", 0), set("door", "order"))
	}},
	{kind: "door-reply", do: func(t testing.TB, g *forgery) {
		meant(g.find(t, "table.said.v1", 0), set("reply", "aa"))
	}},
	{kind: "opened-elsewhere", do: func(t testing.TB, g *forgery) {
		meant(g.find(t, "table.said.v1", 0), set("opened", strings.Repeat("ab", 32)))
	}},
	{kind: "due-no-clock", do: func(t testing.TB, g *forgery) {
		meant(g.move(t, 1, byWho("Bo")), set("due", []any{map[string]any{"seat": 1, "at": "2026-02-01T00:00:00Z"}}))
	}},
	{kind: "receipt-signature", signed: func(g *forgery) {
		g.Header.Heads[0] = g.Header.Heads[0][:len(g.Header.Heads[0])-20] + strings.Repeat("A", 20)
	}},
	{kind: "receipt-table", signed: func(g *forgery) {
		line := g.Header.Streams[1].Name
		g.Header.Heads[1] = g.keys.Sign(events.Receipt{Table: line, Stream: line, Version: 1, Hash: g.Events[0].Hash})
	}},
	{kind: "receipt-cut", signed: func(g *forgery) {
		g.Header.Heads[1] = g.keys.Sign(events.Receipt{Table: g.Header.Table, Stream: g.Header.Streams[1].Name,
			Version: 99})
	}},
	{kind: "receipt-history", signed: func(g *forgery) {
		g.Header.Heads[1] = g.keys.Sign(events.Receipt{Table: g.Header.Table, Stream: g.Header.Streams[1].Name,
			Version: 2})
	}},
	{kind: "head-unsigned", signed: func(g *forgery) { g.Header.Heads = g.Header.Heads[:len(g.Header.Heads)-1] }},
	{kind: "former-signature", of: handedOver, do: func(t testing.TB, g *forgery) {
		edit(g.find(t, "table.arrived.v2", 0), set("key", []byte(desktest.Keys(t).For("another")[:32])))
	}},
	{kind: "closing", of: handedOver, do: func(t testing.TB, g *forgery) {
		edit(g.find(t, "table.arrived.v2", 0), sub("closing", set("command", "ab")))
	}},
	{kind: "not-handed-over", of: handedOver, do: func(t testing.TB, g *forgery) {
		edit(g.find(t, "table.arrived.v2", 0), set("receipts", []string{}))
	}},
	{kind: "handed-elsewhere", of: handedOver, signed: func(g *forgery) {
		g.Header.Key = g.keys.PublicKey() // which is not that of the server it was handed over to
	}},
	{kind: "fork-deal", do: func(t testing.TB, g *forgery) {
		g.find(t, "line.forked.v1", 0).Data = json.RawMessage(`{"more":1}`)
	}},
	{kind: "names-missing", do: func(t testing.TB, g *forgery) {
		edit(g.find(t, "table.proposed.v1", 0), sub("proposal", set("line", 99)))
	}},
	{kind: "not-playing", do: func(t testing.TB, g *forgery) {
		g.move(t, -1, nil).At = g.find(t, "table.ended.v3", 0).At
	}},
	{kind: "mover-waits", of: overtaken, do: func(t testing.TB, g *forgery) {
		meant(g.move(t, -1, nil), set("door", "order"))
	}},
	{kind: "no-seat", of: running, do: func(t testing.TB, g *forgery) { edit(g.move(t, 1, nil), set("seat", 7)) }},
	{kind: "move-form", of: running, do: func(t testing.TB, g *forgery) { edit(g.move(t, 1, nil), set("seat", "A")) }},
	{kind: "not-of-the-game", do: func(t testing.TB, g *forgery) { g.move(t, 2, nil).Type = "catan.played.v2" }},
	{kind: "unreadable", do: func(t testing.TB, g *forgery) {
		edit(g.find(t, "table.joined.v1", 0), set("seat", "A"))
	}},
	{kind: "not-forced", of: rolledAlone, do: func(t testing.TB, g *forgery) {
		meant(g.moveBy(t, `"by":"`+string(desktest.Ana)), func(m map[string]any) { delete(m, "by"); m["door"] = "forced" })
	}},
	{kind: "not-forced", of: rolledWithTokens, do: func(t testing.TB, g *forgery) {
		meant(g.moveBy(t, `"by":"`+string(desktest.Ana)), func(m map[string]any) { delete(m, "by"); m["door"] = "forced" })
	}},
	{kind: "turn-not-over", of: tookOneTurn, do: func(t testing.TB, g *forgery) {
		hers := func(e *record.Event) bool { return byWho("Ana")(e) && bytes.Contains(e.Data, []byte(`"keep"`)) }
		meant(g.move(t, 0, hers), func(m map[string]any) { delete(m, "by"); m["door"] = "clock" })
	}},
	{kind: "not-main", do: func(t testing.TB, g *forgery) {
		// The last two moves of a line that was left, each most of an hour later than what follows it.
		proposed, agreed := g.find(t, "table.proposed.v1", -1).At, g.find(t, "table.agreed.v1", -1).At
		left := 2
		for i := len(g.Events) - 1; i >= 0; i-- {
			switch e := &g.Events[i]; {
			case e.At > agreed:
				e.At += 5 * 24 * time.Hour.Milliseconds()
			case e.Stream == g.Header.Streams[1].Name && left > 0:
				e.At = proposed + int64(3-left)*50*time.Minute.Milliseconds()
				left--
			}
		}
	}},
	{kind: "other-history", do: func(t testing.TB, g *forgery) {
		edit(g.find(t, "table.said.v1", 0), set("text", "b3RoZXI="))
	}, against: func(genuine, forged []byte) (file, other []byte) { return forged, genuine }},
	{kind: "other-record", do: func(t testing.TB, g *forgery) {
		meant(g.find(t, "table.said.v1", 0), set("reply", "aa"))
	}, against: func(genuine, forged []byte) (file, other []byte) { return genuine, forged }},
}

// notForged are kinds that no single record shows, and why.
var notForged = map[string]string{
	"line-empty": "a stream without events is stream-empty, and the first one has the version fork " +
		"+ 1, or is version-order",
}
