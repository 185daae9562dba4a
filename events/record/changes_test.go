package record_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/record"
)

// exported is when these tests' records were written, some weeks after their events.
var exported = time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)

// story returns the record of a game with something of everything: an invitation declined, a chat, a proposal
// refused, a rewind, a stand-in, and a resignation that ends it.
func story(t testing.TB) []byte {
	t.Helper()
	return storyOver(t, memory.New())
}

// olderStory is the same at a table that an older program opened.
func olderStory(t testing.TB) []byte {
	t.Helper()
	return storyOver(t, olderLog{memory.New()})
}

// olderLog is the log of an older program: its tables do not keep their luck when they go back.
type olderLog struct{ events.Log }

func (l olderLog) Append(ctx context.Context, d events.Draft) (events.Record, error) {
	if d.Type == "table.opened.v2" {
		d.Type = "table.opened.v1"
	}
	return l.Log.Append(ctx, d)
}

func storyOver(t testing.TB, log events.Log) []byte {
	t.Helper()
	h := desktest.Over(t, log, desktest.Clock())
	table := h.Opens("carcassonne", nil, desktest.Player(desktest.Ana), desktest.Free(), desktest.StandIn())
	invite := func(who domain.PersonID) {
		h.Does(desktest.Ana, table, desk.Invite{Seat: 1, Person: who})
	}
	invite(desktest.Cid)
	h.Does(desktest.Cid, table, desk.Decline{Seat: 1, Person: desktest.Cid})
	invite(desktest.Bo)
	h.Does(desktest.Bo, table, desk.Say{Written: desk.Written{Text: []byte("sealed")}})
	h.Joins(desktest.Ana, table, 0)
	h.Joins(desktest.Bo, table, 1)
	h.Follows(table)
	rnd := rand.New(rand.NewPCG(3, 3))
	h.Random(table, rnd, 7)
	h.Proposes(desktest.Bo, table, 3)
	h.Does(desktest.Ana, table, desk.Refuse{Since: h.Sees(table).Table.Proposal.Since})
	h.Rewinds(table, 4)
	h.Random(table, rnd, 9)
	h.Resigns(desktest.Bo, table, 1)
	h.Follows(table)
	return exportOf(t, h, table)
}

func exportOf(t testing.TB, h *desktest.House, table events.Name) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, record.Export(h.Ctx, h.Desk, table, domain.Referee, exported, &b))
	return b.Bytes()
}

// finished returns the record of a game played to its end.
func finished(t testing.TB) []byte {
	t.Helper()
	h := desktest.New(t)
	table := h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	h.Random(table, rand.New(rand.NewPCG(1, 2)), 4)
	h.Proposes(desktest.Ana, table, 2)
	h.Agrees(desktest.Bo, table)
	h.Follows(table)
	require.True(t, h.Random(table, rand.New(rand.NewPCG(5, 5)), 60))
	return exportOf(t, h, table)
}

type change struct {
	name string
	of   func(testing.TB) []byte
	do   func(testing.TB, *forgery) *record.Event // the event to be named; nil if it is another
}

// changes are forgeries by somebody who has the server's key. None of them changes everything that depends on what it
// changed: without a receipt nobody could find that.
var changes = []change{
	{"ranks swapped", finished, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.ended.v3", 0), func(m map[string]any) {
			r := m["ranks"].([]any)
			r[0], r[1] = json.Number("3"), r[0]
		})
	}},
	{"ranks of a game that was broken off", story, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.ended.v3", 0), set("ranks", []int{2, 1, 1}))
	}},
	{"no ranks", finished, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.ended.v3", 0), func(m map[string]any) { delete(m, "ranks") })
	}},
	{"a false reason of the end", story, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.ended.v3", 0), set("reason", "agreed"))
	}},
	{"finished that was not", story, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.ended.v3", 0), set("reason", "finished"))
	}},
	{"abandoned that was played", finished, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.ended.v3", 0), set("reason", "abandoned"))
	}},
	{"a false version of the end", finished, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.ended.v3", 0), set("version", 3))
	}},
	{"a false line of the end", finished, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.ended.v3", 0), set("line", g.Header.Streams[1].Name.String()))
	}},
	{"three moves cut off", finished, func(_ testing.TB, g *forgery) *record.Event { g.cut(g.main(), 3); return nil }},
	{"a move cut off in a game that was broken off", story, func(_ testing.TB, g *forgery) *record.Event {
		g.cut(g.main(), 1)
		return nil
	}},
	{"another seed", finished, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.ended.v3", 0), set("seed", strings.Repeat("ab", 32)))
	}},
	{"another seed, committed to as well", finished, func(t testing.TB, g *forgery) *record.Event {
		seed := strings.Repeat("cd", 32)
		g.Events[0].Parts[0].Text = &seed
		edit(g.find(t, "table.ended.v3", 0), set("seed", seed))
		return nil
	}},
	{"the commitment of another seed", finished, func(_ testing.TB, g *forgery) *record.Event {
		seed := strings.Repeat("cd", 32)
		g.Events[0].Parts[0].Text = &seed
		return nil
	}},
	{"a commitment that a seat may read", story, func(_ testing.TB, g *forgery) *record.Event {
		g.Events[0].Parts[0].To = domain.To(0)
		return &g.Events[0]
	}},
	{"a commitment taken out", story, func(_ testing.TB, g *forgery) *record.Event {
		g.Events[0].Parts = nil
		return &g.Events[0]
	}},
	{"another opener", story, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.opened.v2", 0), set("opener", "Bo"))
	}},
	{"an option that changes the play", story, func(t testing.TB, g *forgery) *record.Event {
		edit(g.find(t, "table.opened.v2", 0), sub("options", set("river", "on")))
		return nil
	}},
	{"an option that there is not", story, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.opened.v2", 0), sub("options", set("dragons", "on")))
	}},
	{"another pace, which there is not", story, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.opened.v2", 0), set("pace", "hourly"))
	}},
	{"another contribution", story, func(t testing.TB, g *forgery) *record.Event {
		edit(g.find(t, "table.joined.v1", 1), set("bytes", "AAAAAAAAAAAAAAAAAAAAAAAA"))
		return nil
	}},
	{"a contribution that is too short", story, func(t testing.TB, g *forgery) *record.Event {
		edit(g.find(t, "table.joined.v1", 1), set("bytes", "AAAA"))
		return nil
	}},
	{"joined by another", story, func(t testing.TB, g *forgery) *record.Event {
		return meant(g.find(t, "table.joined.v1", 1), set("by", "Ana"))
	}},
	{"joined in another's place", story, func(t testing.TB, g *forgery) *record.Event {
		e := g.find(t, "table.joined.v1", 1)
		meant(e, set("by", "Cid"))
		return edit(e, set("person", "Cid"))
	}},
	{"joined at another seat", story, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.joined.v1", 1), set("seat", 0))
	}},
	{"invited by another", story, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.invited.v1", 0), set("by", "Bo"))
	}},
	{"invited by somebody who is not the opener", story, func(t testing.TB, g *forgery) *record.Event {
		e := g.find(t, "table.invited.v1", 0)
		meant(e, set("by", "Bo"))
		return edit(e, set("by", "Bo"))
	}},
	{"declined for another", story, func(t testing.TB, g *forgery) *record.Event {
		return meant(g.find(t, "table.declined.v1", 0), set("by", "Bo"))
	}},
	{"started by a person", story, func(t testing.TB, g *forgery) *record.Event {
		e := g.find(t, "table.started.v1", 0)
		meant(e, set("door", "page"))
		return meant(e, set("by", "Ana"))
	}},
	{"started by another door", story, func(t testing.TB, g *forgery) *record.Event {
		return meant(g.find(t, "table.started.v1", 0), set("door", "host"))
	}},
	{"a door that there is not", story, func(t testing.TB, g *forgery) *record.Event {
		return meant(g.find(t, "table.said.v1", 0), set("door", "window"))
	}},
	{"said by a stranger", story, func(t testing.TB, g *forgery) *record.Event {
		e := g.find(t, "table.said.v1", 0)
		meant(e, set("by", "Eva"))
		return edit(e, set("person", "Eva"))
	}},
	{"said by another", story, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.said.v1", 0), set("person", "Ana"))
	}},
	{"proposed by another", story, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.proposed.v1", 0), sub("proposal", set("by", "Ana")))
	}},
	{"consent by the proposer", finished, func(t testing.TB, g *forgery) *record.Event {
		e := g.find(t, "table.agreed.v1", 0)
		meant(e, set("by", "Ana"))
		return edit(e, set("person", "Ana"))
	}},
	{"consent by a stranger", finished, func(t testing.TB, g *forgery) *record.Event {
		e := g.find(t, "table.agreed.v1", 0)
		meant(e, set("by", "Eva"))
		return edit(e, set("person", "Eva"))
	}},
	{"consent through the house", finished, func(t testing.TB, g *forgery) *record.Event {
		return meant(g.find(t, "table.agreed.v1", 0), func(m map[string]any) { delete(m, "by"); m["door"] = "runner" })
	}},
	{"fresh luck in the proposal alone", finished, func(t testing.TB, g *forgery) *record.Event {
		edit(g.find(t, "table.proposed.v1", 0), sub("proposal", set("fresh", true)))
		return nil
	}},
	{"fresh luck in the rewind alone", finished, func(t testing.TB, g *forgery) *record.Event {
		edit(g.find(t, "table.agreed.v1", 0), sub("rewound", set("fresh", true)))
		return nil
	}},
	{"draws that are not taken over", olderStory, func(t testing.TB, g *forgery) *record.Event {
		edit(g.find(t, "table.agreed.v1", -1), sub("rewound", func(m map[string]any) { delete(m, "taken") }))
		return nil
	}},
	{"draws that are taken over from another line", story, func(t testing.TB, g *forgery) *record.Event {
		edit(g.find(t, "table.agreed.v1", -1),
			sub("rewound", set("taken", []any{map[string]any{"p": "tile", "k": 2, "line": 1}})))
		return nil
	}},
	{"an opening of an older program, whose rewinds took over what they drew", story,
		func(t testing.TB, g *forgery) *record.Event {
			g.find(t, "table.opened.v2", 0).Type = "table.opened.v1"
			return nil
		}},
	{"a rewind to another version", story, func(t testing.TB, g *forgery) *record.Event {
		edit(g.find(t, "table.proposed.v1", -1), sub("proposal", set("to", 5)))
		return nil
	}},
	{"a rewind that closed elsewhere", story, func(t testing.TB, g *forgery) *record.Event {
		edit(g.find(t, "table.agreed.v1", -1), sub("rewound", set("version", 5)))
		return nil
	}},
	{"what was seen, counted wrongly", story, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.proposed.v1", 0), sub("proposal", set("seen", nil)))
	}},
	{"dismissed by a stranger", story, func(t testing.TB, g *forgery) *record.Event {
		e := g.find(t, "table.dismissed.v1", 0)
		meant(e, set("by", "Eva"))
		return edit(e, set("person", "Eva"))
	}},
	{"lapsed that nothing overtook", story, func(t testing.TB, g *forgery) *record.Event {
		e := g.find(t, "table.dismissed.v1", 0)
		meant(e, func(m map[string]any) { delete(m, "by"); m["door"] = "page" })
		return edit(e, set("person", ""))
	}},
	{"resigned by another", story, func(t testing.TB, g *forgery) *record.Event {
		e := g.find(t, "table.resigned.v1", 0)
		meant(e, set("by", "Ana"))
		return edit(e, set("person", "Ana"))
	}},
	{"resigned at another seat", story, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.resigned.v1", 0), set("seat", 0))
	}},
	{"resigned without the end", story, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.resigned.v1", 0), func(m map[string]any) { delete(m, "end") })
	}},
	{"another mover", story, func(t testing.TB, g *forgery) *record.Event {
		return meant(g.move(t, 1, byWho("Bo")), set("by", "Ana"))
	}},
	{"a player's move by the house", story, func(t testing.TB, g *forgery) *record.Event {
		return meant(g.move(t, 1, byWho("Bo")), func(m map[string]any) { delete(m, "by"); m["door"] = "runner" })
	}},
	{"a stand-in's move by a player", story, func(t testing.TB, g *forgery) *record.Event {
		return meant(g.move(t, 0, byHouse), func(m map[string]any) { m["by"] = "Ana"; m["door"] = "page" })
	}},
	{"a stand-in's move by another door", story, func(t testing.TB, g *forgery) *record.Event {
		return meant(g.move(t, 0, byHouse), set("door", "host"))
	}},
	{"another seat's move", story, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.move(t, 1, byWho("Bo")), set("seat", 0))
	}},
	{"an empty move, the tile laid elsewhere", story, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.move(t, -2, nil), func(m map[string]any) { m["move"] = ""; m["body"].(map[string]any)["x"] = 9 })
	}},
	{"a tile laid elsewhere", story, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.move(t, -1, nil), sub("body", set("x", 9)))
	}},
	{"another tile drawn", story, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.move(t, 2, nil), sub("body", func(m map[string]any) {
			if m["next"] == "A" {
				m["next"] = "B"
			} else {
				m["next"] = "A"
			}
		}))
	}},
	{"another draw named", story, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.move(t, 2, nil), func(m map[string]any) { m["draws"] = []any{[]any{"tile", 55, 60}} })
	}},
	{"a move of another type", story, func(t testing.TB, g *forgery) *record.Event {
		e := g.move(t, 2, nil)
		e.Type = "carcassonne.set-up.v1"
		return e
	}},
	{"a move of another game", story, func(t testing.TB, g *forgery) *record.Event {
		e := g.move(t, 2, nil)
		e.Type = "catan.played.v1"
		return e
	}},
	{"a move taken out", story, func(t testing.TB, g *forgery) *record.Event {
		e := g.move(t, 2, nil)
		at := slices.IndexFunc(g.Events, func(x record.Event) bool { return x.Hash == e.Hash })
		g.Events = slices.Delete(g.Events, at, at+1)
		for i := range g.Events[at:] {
			if x := &g.Events[at+i]; x.Stream == g.main() {
				x.Version--
			}
		}
		edit(g.find(t, "table.ended.v3", 0), func(m map[string]any) {
			n, _ := m["version"].(json.Number).Int64()
			m["version"] = n - 1
		})
		return nil
	}},
	{"a line without its opening", story, func(t testing.TB, g *forgery) *record.Event {
		return meant(g.find(t, "line.forked.v1", 0), func(m map[string]any) { delete(m, "opened") })
	}},
	{"a line opened by a person", story, func(t testing.TB, g *forgery) *record.Event {
		return meant(g.find(t, "line.forked.v1", 0), func(m map[string]any) { m["by"] = "Ana"; m["door"] = "page" })
	}},
	{"a whole line taken out", story, func(_ testing.TB, g *forgery) *record.Event {
		gone := g.main()
		g.cut(gone, 1000)
		g.Header.Streams = g.Header.Streams[:len(g.Header.Streams)-1]
		return nil
	}},
	{"a move a year later", story, func(t testing.TB, g *forgery) *record.Event {
		e := g.move(t, 3, nil)
		e.At += year
		return e
	}},
	{"the last move a year later", story, func(t testing.TB, g *forgery) *record.Event {
		e := g.move(t, -1, nil)
		e.At += year
		return e
	}},
	{"a move a year earlier", story, func(t testing.TB, g *forgery) *record.Event {
		e := g.move(t, 3, nil)
		e.At -= year
		return e
	}},
	{"the end a year later", story, func(t testing.TB, g *forgery) *record.Event {
		e := g.find(t, "table.ended.v3", 0)
		e.At += year
		return e
	}},
	{"the whole table a year earlier, its play not", story, func(_ testing.TB, g *forgery) *record.Event {
		for i := range g.Events {
			if g.Events[i].Stream == g.Header.Table {
				g.Events[i].At -= year
			}
		}
		return nil
	}},
	{"all a year later", story, func(_ testing.TB, g *forgery) *record.Event {
		for i := range g.Events {
			g.Events[i].At += year
		}
		return &g.Events[0]
	}},
	{"a time before there were any", story, func(_ testing.TB, g *forgery) *record.Event {
		g.Events[0].At = -1 << 62
		return &g.Events[0]
	}},
	{"another way of writing", story, func(_ testing.TB, g *forgery) *record.Event {
		g.Events[2].Codec = "xml"
		return &g.Events[2]
	}},
	{"a command done twice", story, func(_ testing.TB, g *forgery) *record.Event {
		g.Events[5].Command = g.Events[4].Command
		return &g.Events[5]
	}},
	{"the header's game", story, func(_ testing.TB, g *forgery) *record.Event {
		g.Header.Rulebook = "tiny"
		return nil
	}},
	{"the header's edition", story, func(_ testing.TB, g *forgery) *record.Event {
		g.Header.Edition = "77"
		return nil
	}},
	{"a stream's game", story, func(_ testing.TB, g *forgery) *record.Event {
		g.Header.Streams[1].Rulebook = "catan"
		return nil
	}},
	{"a stream's kind", story, func(_ testing.TB, g *forgery) *record.Event {
		g.Header.Streams[1].Kind = events.KindSeat
		return nil
	}},
	{"a stream's fork", story, func(_ testing.TB, g *forgery) *record.Event {
		g.Header.Streams[2].Fork = 3
		return nil
	}},
	{"a stream that is its own parent", story, func(_ testing.TB, g *forgery) *record.Event {
		g.Header.Streams[2].Parent = g.Header.Streams[2].Name
		return nil
	}},
}
