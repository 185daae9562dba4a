package record_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/programtest"
	"posthorn/events/record"
)

// alike is a record whose reading the page decides in so many words: the kind of fault, or none and the exit status.
type alike struct {
	name   string
	do     func(t testing.TB, g *forgery) []byte
	kind   string
	status int
}

// replaced returns the record with a text in an event's meta or public part replaced, and hashed anew.
func replaced(in func(*record.Event) *json.RawMessage, typ string, n int, from, to string) func(testing.TB,
	*forgery) []byte {
	return func(t testing.TB, g *forgery) []byte {
		text := in(g.find(t, typ, n))
		require.Contains(t, string(*text), from)
		*text = bytes.Replace(*text, []byte(from), []byte(to), 1)
		return g.written(t)
	}
}

func metaOf(e *record.Event) *json.RawMessage { return &e.Meta }
func dataOf(e *record.Event) *json.RawMessage { return &e.Data }

// lined returns the record with a text of its lines replaced.
func lined(from, to string) func(testing.TB, *forgery) []byte {
	return func(t testing.TB, g *forgery) []byte {
		file := g.written(t)
		require.Contains(t, string(file), from)
		return resummed(file, from, to)
	}
}

// inserted puts an event of a type that nobody knows at the end of a stream.
func inserted(stream func(*forgery) events.Name, typ, data string) func(testing.TB, *forgery) []byte {
	return func(t testing.TB, g *forgery) []byte {
		name, last := stream(g), 0
		for i := range g.Events {
			if g.Events[i].Stream == name {
				last = i
			}
		}
		e := g.Events[last]
		e.Version, e.Type, e.Command[3], e.Parts = e.Version+1, typ, e.Command[3]^1, nil
		e.Meta, e.Data = json.RawMessage(`{"door":"runner"}`), json.RawMessage(data)
		all := append([]record.Event{}, g.Events[:last+1]...)
		g.Events = append(append(all, e), g.Events[last+1:]...)
		return g.written(t)
	}
}

// retyped gives an event a type that nobody knows.
func retyped(typ string, n int, to string) func(testing.TB, *forgery) []byte {
	return func(t testing.TB, g *forgery) []byte {
		g.find(t, typ, n).Type = to
		return g.written(t)
	}
}

func ownTable(g *forgery) events.Name { return g.Header.Table }

var alikes = []alike{
	{"a space in meta", lined(`"meta":{"by"`, `"meta":{ "by"`), "rewritten", 1},
	{"a space in the public part", lined(`"data":{"seat"`, `"data":{"seat" `), "rewritten", 1},
	{"a null in meta", replaced(metaOf, "table.joined.v1", 0, `"door":"page"`, `"door":"page","reply":null`), "meta",
		1},
	{"a wish of null", func(t testing.TB, g *forgery) []byte {
		meant(g.find(t, "table.said.v1", 0), set("wish", nil))
		return g.written(t)
	}, "meta", 1},
	{"deadlines of null", replaced(metaOf, "table.joined.v1", 0, `"door":"page"`, `"door":"page","due":null`), "meta",
		1},
	{"two deadlines of one seat", func(t testing.TB, g *forgery) []byte {
		meant(g.find(t, "table.said.v1", 0),
			set("due", []any{map[string]any{"seat": 0, "at": "2026-02-01T00:00:00Z"},
				map[string]any{"seat": 0, "at": "2026-02-02T00:00:00Z"}}))
		return g.written(t)
	}, "meta", 1},
	{"a line of 16 MiB", func(t testing.TB, g *forgery) []byte {
		edit(g.find(t, "table.said.v1", 0), set("text", strings.Repeat("A", 16<<20)))
		return g.written(t)
	}, "malformed", 1},
	{"a person's name in capitals", replaced(metaOf, "table.joined.v1", 0, `"by":`, `"BY":`), "meta", 1},
	{"the line's cause in capitals", func(t testing.TB, g *forgery) []byte {
		g.written(t)
		for i := range g.Events {
			if at := bytes.Index(g.Events[i].Meta, []byte(`"opened":"`)); at >= 0 {
				hash := g.Events[i].Meta[at+10 : at+74]
				g.Events[i].Meta = bytes.Replace(g.Events[i].Meta, hash, bytes.ToUpper(hash), 1)
				break
			}
		}
		return g.written(t)
	}, "meta", 1},
	{"an unlisted member of meta",
		replaced(metaOf, "table.joined.v1", 0, `"door":"page"`, `"door":"page","more":{"a":null}`), "", 0},
	{"an unlisted member in a rewind", func(t testing.TB, g *forgery) []byte {
		edit(g.find(t, "table.agreed.v1", 0), sub("rewound", set("more", 1)))
		return g.written(t)
	}, "table-differs", 1},
	{"an unlisted member in a place", func(t testing.TB, g *forgery) []byte {
		edit(g.find(t, "table.opened.v2", 0), func(m map[string]any) {
			m["seats"].([]any)[0].(map[string]any)["more"] = 1
		})
		return g.written(t)
	}, "table-differs", 1},
	{"spare bits in what somebody brought", func(t testing.TB, g *forgery) []byte {
		e := g.find(t, "table.said.v1", 0)
		require.Contains(t, string(e.Data), `"text":"c2VhbGVk"`)
		return replaced(dataOf, "table.said.v1", 0, `"text":"c2VhbGVk"`, `"text":"c2VhbGV="`)(t, g)
	}, "table-differs", 1},
	{"a proposal of an earlier version", func(t testing.TB, g *forgery) []byte {
		edit(g.find(t, "table.proposed.v1", 0), sub("proposal", set("since", 4)))
		return g.written(t)
	}, "table-differs", 1},
	{"a member more in a body", func(t testing.TB, g *forgery) []byte {
		edit(g.move(t, 1, nil), sub("body", set("more", 1)))
		return g.written(t)
	}, "luck", 1},
	{"a member more beside a body", func(t testing.TB, g *forgery) []byte {
		edit(g.move(t, 1, nil), set("more", 1))
		return g.written(t)
	}, "luck", 1},
	{"a member more inside a body", func(t testing.TB, g *forgery) []byte {
		edit(g.find(t, "carcassonne.set-up.v2", 0), sub("body", sub("view", set("more", 1))))
		return g.written(t)
	}, "luck", 1},
	{"points of a seat more", func(t testing.TB, g *forgery) []byte {
		edit(g.move(t, 1, nil), func(m map[string]any) { m["points"] = append(m["points"].([]any), 0) })
		return g.written(t)
	}, "points", 1},
	{"points of a seat more at the end", func(t testing.TB, g *forgery) []byte {
		edit(g.find(t, "table.ended.v3", 0), func(m map[string]any) { m["points"] = append(m["points"].([]any), 0) })
		return g.written(t)
	}, "points", 1},
	{"a stray sealed part", func(t testing.TB, g *forgery) []byte {
		g.Events[0].Parts[0].Sealed = []byte("sealed")
		return g.written(t)
	}, "sealed-stray", 1},
	{"a salt without a text", func(t testing.TB, g *forgery) []byte {
		g.Events[0].Parts[0].Text = nil
		return g.written(t)
	}, "secret-altered", 1},
	{"spare bits in a receipt", func(t testing.TB, g *forgery) []byte {
		g.written(t)
		head := g.Header.Heads[0]
		last := strings.IndexByte(letters64, head[len(head)-1])
		g.Header.Heads[0] = head[:len(head)-1] + string(letters64[last|3])
		return g.lines(t)
	}, "receipt-signature", 1},
	{"spare bits in a salt", func(t testing.TB, g *forgery) []byte {
		file := g.written(t)
		salt := file[bytes.Index(file, []byte(`"salt":"`))+8:][:44]
		last := strings.IndexByte(letters64, map[byte]byte{'+': '-', '/': '_'}[salt[42]]|salt[42])
		other := append(bytes.Clone(salt[:42]), strings.NewReplacer("-", "+", "_", "/").
			Replace(string(letters64[last|3]))[0], '=')
		require.NotEqual(t, salt, other)
		return resummed(file, string(salt), string(other))
	}, "rewritten", 1},
	{"a seed in capitals", func(t testing.TB, g *forgery) []byte {
		text := strings.ToUpper(*g.Events[0].Parts[0].Text)
		g.Events[0].Parts[0].Text = &text
		return g.written(t)
	}, "seed-form", 1},
	{"the end's seed in capitals", func(t testing.TB, g *forgery) []byte {
		edit(g.find(t, "table.ended.v3", 0), func(m map[string]any) { m["seed"] = strings.ToUpper(m["seed"].(string)) })
		return g.written(t)
	}, "seed-other", 1},
	{"an event of the table that nobody knows", inserted(ownTable, "table.sung.v1", `{"song":1}`), "", 3},
	{"a newer event of the table", inserted(ownTable, "table.said.v2", `{"person":"Ana","text":5}`), "", 3},
	{"a newer opening of a place", retyped("table.declined.v1", 0, "table.declined.v2"), "", 3},
	{"a newer start", retyped("table.started.v1", 0, "table.started.v2"), "", 3},
	{"a newer yes", retyped("table.agreed.v1", 0, "table.agreed.v2"), "", 3},
	{"a newer end", retyped("table.ended.v3", 0, "table.ended.v5"), "", 3},
	{"a newer move", retyped("carcassonne.played.v2", 1, "carcassonne.played.v3"), "", 3},
	{"a newer move that says its draws otherwise", func(t testing.TB, g *forgery) []byte {
		e := g.find(t, "carcassonne.played.v2", 2)
		e.Type, e.Data = "carcassonne.played.v3", json.RawMessage(`{"drew":"nothing"}`)
		return g.written(t)
	}, "", 3},
	{"an event of play that nobody knows", retyped("carcassonne.played.v2", -1, "carcassonne.flown.v1"), "", 3},
	{"a newer first event of a line", retyped("line.forked.v1", 0, "line.forked.v2"), "", 3},
	{"a newer opening", retyped("table.opened.v2", 0, "table.opened.v3"), "", 3},
	{"an event of another game", retyped("carcassonne.played.v2", 1, "catan.played.v2"), "not-of-the-game", 1},
	{"a game that nobody knows", func(t testing.TB, g *forgery) []byte {
		edit(&g.Events[0], set("rulebook", "chess"))
		g.Header.Rulebook = "chess"
		for i := range g.Header.Streams {
			g.Header.Streams[i].Rulebook = "chess"
		}
		for i := range g.Events {
			g.Events[i].Type = strings.Replace(g.Events[i].Type, "carcassonne.", "chess.", 1)
		}
		return g.written(t)
	}, "", 3},
	{"a draw of nothing", func(t testing.TB, g *forgery) []byte {
		edit(g.move(t, 2, nil), func(m map[string]any) { m["draws"] = []any{[]any{"tile", 0, 0}} })
		return g.written(t)
	}, "luck", 1},
}

const letters64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

func TestBothVerifiersReadThePageAlike(t *testing.T) {
	python, dir := programtest.Python(t), t.TempDir()
	file := story(t)
	for _, c := range alikes {
		t.Run(c.name, func(t *testing.T) {
			forged := c.do(t, forgers(t, file, desktest.Keys(t)))
			path := filepath.Join(dir, strings.Map(plainLetters, c.name))
			require.NoError(t, os.WriteFile(path, forged, 0o600))
			f, err := record.Read(bytes.NewReader(forged))
			var r *record.Report
			if err == nil {
				r, err = record.Verify(f, desktest.Named)
			}
			kind, status := "", 0
			if err != nil {
				var fault *record.Fault
				require.ErrorAs(t, err, &fault)
				found, ok := kindOf(faultKinds(t), fault.What)
				kind, status = found.kind, 1
				if !ok {
					kind = fault.What
				}
			} else if len(r.Skipped) > 0 {
				status = 3
			}
			theirs := independent(t, python, path)
			theirKind := ""
			if theirs.Fault != nil {
				theirKind = theirs.Fault.Kind + ": " + theirs.Fault.Text
			}
			t.Logf("ours %d %q, theirs %d %q; %v", status, kind, theirs.Status, theirKind, theirs.Unchecked)
			require.Equal(t, []any{c.kind, c.status}, []any{kind, status}, "%v", err)
			if err == nil && status == 3 {
				require.Equal(t, []record.Open{record.OpenUnknown}, r.Open, r.Skipped)
				require.Equal(t, r.Open, theirs.Open, theirs.Unchecked)
			}
			theirKind, _, _ = strings.Cut(theirKind, ":")
			require.Equal(t, []any{c.kind, c.status}, []any{theirKind, theirs.Status})
		})
	}
}
