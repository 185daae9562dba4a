package record_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"posthorn/events/desktest"
	"posthorn/events/programtest"
	"posthorn/events/record"
)

// spot is a value in a JSON text: where it stands, and what goes with it if it is left out.
type spot struct {
	path     string // with [] for every element of a list
	from, to int
	cut      [2]int // none in a list
}

// spots returns all values inside a JSON text without spaces.
func spots(t testing.TB, text []byte) (all []spot) {
	dec := json.NewDecoder(bytes.NewReader(text))
	at := func() int { return int(dec.InputOffset()) }
	var value func(path string)
	value = func(path string) {
		token, err := dec.Token()
		require.NoError(t, err, "%s", text)
		for n := 0; (token == json.Delim('{') || token == json.Delim('[')) && dec.More(); n++ {
			begins, inner, cut := at(), path+"[]", [2]int{}
			if n > 0 {
				begins++
			}
			from := begins
			if token == json.Delim('{') {
				name, err := dec.Token()
				require.NoError(t, err)
				inner, from = fmt.Sprint(path, ".", name), at()+1
			}
			i := len(all)
			all = append(all, spot{path: inner})
			value(inner)
			if token == json.Delim('{') {
				cut = [2]int{begins, at()}
				if n > 0 {
					cut[0]--
				} else if text[at()] == ',' {
					cut[1]++
				}
			}
			all[i].from, all[i].to, all[i].cut = from, at(), cut
		}
		if _, opened := token.(json.Delim); opened {
			_, err = dec.Token()
			require.NoError(t, err)
		}
	}
	value("")
	return all
}

// misshapen returns a text in which the value at a spot is another, or left out, by what was done.
func (s spot) misshapen(text []byte) map[string][]byte {
	out := map[string][]byte{}
	others := []string{`null`, `"x"`, `5`, `[]`, `{}`}
	if strings.HasPrefix(s.path, ".body.") {
		others = others[:2] // there are many of them
	}
	for _, other := range others {
		if other != string(text[s.from:s.to]) {
			out[s.path+" is "+other] = slices.Concat(text[:s.from], []byte(other), text[s.to:])
		}
	}
	if text[s.from] == '{' {
		more := `{"more":1,`
		if text[s.from+1] == '}' {
			more = `{"more":1`
		}
		out[s.path+" has one more"] = slices.Concat(text[:s.from], []byte(more), text[s.from+1:])
	}
	if s.cut != [2]int{} {
		out[s.path+" left out"] = slices.Concat(text[:s.cut[0]], text[s.cut[1]:])
	}
	return out
}

// misshapes returns a record with each member of each kind of line misshapen in turn, everything else computed anew.
func misshapes(t testing.TB, file []byte) map[string][]byte {
	out, seen, keys := map[string][]byte{}, map[string]bool{}, desktest.Keys(t)
	each := func(of string, text []byte, then func(name string, other []byte)) {
		for _, s := range spots(t, text) {
			if name := of + s.path; !seen[name] {
				seen[name] = true
				for what, other := range s.misshapen(text) {
					then(of+what, other)
				}
			}
		}
	}
	lines := bytes.SplitAfter(forgers(t, file, keys).written(t), []byte("\n"))
	for i, line := range lines[:len(lines)-2] {
		of := "header"
		if i > 0 {
			of = "event"
		}
		each(of, bytes.TrimSpace(line), func(name string, other []byte) {
			if strings.Contains(name, "event.data.") || strings.Contains(name, "event.meta.") {
				return
			}
			all := slices.Clone(lines[:len(lines)-2])
			all[i] = append(other, '\n')
			out[name] = summed(bytes.Join(all, nil))
		})
	}
	for i, e := range forgers(t, file, keys).Events {
		in := func(of string, text json.RawMessage, at func(*record.Event) *json.RawMessage) {
			each(of, text, func(name string, other []byte) {
				g := forgers(t, file, keys)
				*at(&g.Events[i]) = other
				out[name] = g.written(t)
			})
		}
		in("meta", e.Meta, metaOf)
		in(e.Type, e.Data, dataOf)
		for n, p := range e.Parts {
			if p.Text == nil || !strings.HasPrefix(*p.Text, "{") {
				continue
			}
			each(e.Type+" part", []byte(*p.Text), func(name string, other []byte) {
				g := forgers(t, file, keys)
				said := string(other)
				g.Events[i].Parts[n].Text = &said
				out[name] = g.written(t)
			})
		}
	}
	return out
}

// allAtOnce verifies many files with the independent verifier, in one process.
const allAtOnce = `
import sys, pathlib
sys.path.insert(0, "../../docs"); sys.dont_write_bytecode = True
import verify
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.jsonl")):
    fault = verify.verify(path, [], []).fault
    print(fault.kind + " " + fault.text.replace("\n", " ") if fault else "-")
`

// leftOpen are kinds of which the page leaves open which is reported where more than one thing is wrong: of an event of
// the table, and of one of play, which a verifier without the rules of the game may also find nothing in.
var leftOpen = [][]string{
	{"table-differs", "table-refused", "names-missing"},
	{"rules", "luck", "not-of-the-game", "move-form", "no-seat", "mover", "points"},
}

func TestBothNameWhatIsMisshapenAlike(t *testing.T) {
	python, dir := programtest.Python(t), t.TempDir()
	file, err := os.ReadFile("../../docs/example.jsonl")
	require.NoError(t, err)
	all := misshapes(t, file)
	names := slices.Sorted(maps.Keys(all))
	require.Greater(t, len(names), 500)
	if os.Getenv("POSTHORN_LONG") != "1" { // each is verified twice: one in three, of every kind of line
		n := 0
		names = slices.DeleteFunc(names, func(string) bool { n++; return n%3 != 0 })
	}
	for i, name := range names {
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%05d.jsonl", i)), all[name], 0o600))
	}
	var said bytes.Buffer
	run := exec.CommandContext(t.Context(), python, "-I", "-S", "-c", allAtOnce, dir)
	run.Stdout, run.Stderr = &said, os.Stderr
	require.NoError(t, run.Start())
	kinds, ours := faultKinds(t), make([]string, len(names))
	for i, name := range names {
		ours[i] = kindSaid(t, kinds, all[name])
	}
	require.NoError(t, run.Wait())
	theirs := strings.Split(strings.TrimSpace(said.String()), "\n")
	require.Len(t, theirs, len(names))
	for i, line := range theirs {
		kind, text, _ := strings.Cut(line, " ")
		kind = strings.Trim(kind, "-")
		if kind == ours[i] || slices.ContainsFunc(leftOpen, func(open []string) bool {
			return slices.Contains(open, ours[i]) && slices.Contains(open, kind)
		}) {
			continue
		}
		needsGame := slices.Contains(leftOpen[1], ours[i]) && kind == ""
		assert.True(t, needsGame, "%s: ours %q, theirs %q %s", names[i], ours[i], kind, text)
	}
}

// kindSaid returns the kind of the fault that the program finds in a file; empty if it finds none.
func kindSaid(t testing.TB, kinds []faultKind, file []byte) string {
	f, err := record.Read(bytes.NewReader(file))
	if err == nil {
		_, err = record.Verify(f, desktest.Named)
	}
	var fault *record.Fault
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &fault):
		return "not-a-record"
	}
	found, ok := kindOf(kinds, fault.What)
	require.True(t, ok, fault.What)
	return found.kind
}
