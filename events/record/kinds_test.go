package record_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/record"
)

// faultKind is a kind of fault, as docs/format.md and docs/faults.json name it.
type faultKind struct {
	kind, needs string // needs: "record" alone, "table", "luck", "judge" or "game"
	says        *regexp.Regexp
}

// ours reports whether the independent verifier leaves a kind to this one.
func (k faultKind) ours() bool { return k.needs == "game" || k.needs == "judge" }

// faultKinds returns the kinds of docs/faults.json.
func faultKinds(t testing.TB) (out []faultKind) {
	t.Helper()
	text, err := os.ReadFile("../../docs/faults.json")
	require.NoError(t, err)
	var list []struct{ Kind, Needs, Says string }
	require.NoError(t, json.Unmarshal(text, &list))
	for _, k := range list {
		says := strings.ReplaceAll(regexp.QuoteMeta(k.Says), "…", ".+")
		out = append(out, faultKind{k.Kind, k.Needs, regexp.MustCompile("^" + says)})
	}
	require.GreaterOrEqual(t, len(out), 70)
	return out
}

// The page says of each kind when it is found.
func TestThePageTellsOfEachKind(t *testing.T) {
	text := page(t)
	for _, k := range faultKinds(t) {
		require.Contains(t, text, "`"+k.kind+"`")
		require.Contains(t, []string{"record", "table", "luck", "judge", "game"}, k.needs, k.kind)
	}
}

// kindOf returns the kind of a verification message.
func kindOf(kinds []faultKind, says string) (faultKind, bool) {
	for _, k := range kinds {
		if k.says.MatchString(says) {
			return k, true
		}
	}
	return faultKind{}, false
}

// Every message that names a fault has a kind.
func TestEveryFaultHasAKind(t *testing.T) {
	kinds := faultKinds(t)
	files, err := filepath.Glob("verify*.go")
	require.NoError(t, err)
	found := 0
	for _, file := range append(files, "record.go") {
		if file == "verify_log.go" { // about a house's own log, which no record shows
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		ast.Inspect(tree, func(n ast.Node) bool {
			if f, ok := n.(*ast.FuncDecl); ok && f.Name.Name == "exportStream" { // about a house's own log, too
				return false
			}
			for _, says := range faultsIn(n, file == "verify_meta.go") {
				found++
				_, ok := kindOf(kinds, says)
				require.True(t, ok, "docs/faults.json has no kind of fault for %q of %s", says, file)
			}
			return true
		})
	}
	require.Greater(t, found, 60)
}

// Every kind that the page names where it says what is checked is one.
func TestThePageNamesNoOtherKinds(t *testing.T) {
	text := page(t)
	kinds := map[string]bool{}
	for _, k := range faultKinds(t) {
		kinds[k.kind] = true
	}
	used := regexp.MustCompile("\\((?:\\*needs the game\\*: "+
		")?`([a-z]+-[a-z0-9-]+|altered|codec|commitment|mover|sum|malformed|rewritten)`\\)").
		FindAllStringSubmatch(text, -1)
	require.Greater(t, len(used), 40)
	for _, m := range used {
		require.True(t, kinds[m[1]], "docs/format.md says %s, and docs/faults.json does not", m[1])
	}
}

var verbs = regexp.MustCompile(`%[.\d]*[a-z]`)

// faultsIn returns the fault messages in a piece of source: arguments of must, mustAt and fault, and values of What;
// errors too if they are reported as they are.
func faultsIn(n ast.Node, errorsToo bool) (out []string) {
	text := func(e ast.Expr) {
		more := ""
		if call, ok := e.(*ast.CallExpr); ok && len(call.Args) > 0 {
			e = call.Args[0]
		}
		if sum, ok := e.(*ast.BinaryExpr); ok {
			e, more = sum.X, "X"
		}
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, _ := strconv.Unquote(lit.Value); s != "%s" && s != "%v" {
				out = append(out, verbs.ReplaceAllString(s, "X")+more)
			}
		}
	}
	switch n := n.(type) {
	case *ast.CallExpr:
		name := ""
		switch f := n.Fun.(type) {
		case *ast.Ident:
			name = f.Name
		case *ast.SelectorExpr:
			name = f.Sel.Name
		}
		at, ok := map[string]int{"must": 2, "mustAt": 3, "fault": 1, "New": 0, "Errorf": 0}[name]
		if told := name == "New" || name == "Errorf"; told && !errorsToo {
			ok = false
		}
		if name == "must" && len(n.Args) == 2 {
			at = 1 // header's own
		}
		if ok && at < len(n.Args) {
			text(n.Args[at])
		}
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && key.Name == "What" {
			text(n.Value)
		}
	}
	return out
}

// tampering is a changed record, and what should be found in it.
type tampering struct {
	name    string
	file    []byte
	kind    faultKind
	stream  events.Name // zero if the fault is in no stream
	version uint64
	says    string
	ours    bool // only this verifier finds it, or gives it that name: it takes the game's rules, or who may move
}

// gameAlone are changes that only the rules of the game show to be wrong, or what is wrong: that a tile cannot lie
// there, that nobody had won. A verifier without the rules names another kind, or nothing.
var gameAlone = []string{"ranks swapped", "no ranks", "finished that was not", "another seed, committed to as well",
	"another seat's move", "a tile laid elsewhere",
	"a move of another type", "a move taken out"}

// tamperings returns records changed in every way that this package's tests know, by somebody who has the server's
// key, and some by somebody who does not.
func tamperings(t testing.TB) (out []tampering) {
	t.Helper()
	kinds := faultKinds(t)
	named := map[string]bool{}
	tampered := func(name string, file []byte) {
		f, err := record.Read(bytes.NewReader(file))
		var fault, chain *record.Fault
		if err == nil {
			_, err = record.Verify(f, desktest.Named)
		} else if errors.As(err, &fault) && f != nil {
			// as posthorn verify says it: the sum says that, the chain says where
			if _, also := record.Verify(f, desktest.Named); errors.As(also, &chain) && chain.Line > 1 &&
				chain.Line < fault.Line {
				err = chain
			}
		}
		x := tampering{name: strings.Map(plainLetters, name), file: file}
		require.False(t, named[x.name], name)
		named[x.name] = true
		if errors.As(err, &fault) {
			x.stream, x.version, x.says = fault.Stream, fault.Version, fault.What
		} else {
			require.ErrorIs(t, err, record.ErrFormat, name)
			x.says = record.ErrFormat.Error()
		}
		var ok bool
		x.kind, ok = kindOf(kinds, x.says)
		require.True(t, ok, "%s: %s", name, x.says)
		x.ours = x.kind.ours() && x.kind.kind != "rules" || slices.Contains(gameAlone, name)
		out = append(out, x)
	}
	whole := story(t)
	played := map[uintptr][]byte{} // each game once: a change alters a copy
	for _, c := range slices.Concat(changes, clockChanges, pointsChanges, closedChanges) {
		game := reflect.ValueOf(c.of).Pointer()
		if played[game] == nil {
			played[game] = c.of(t)
		}
		g := forgers(t, played[game], desktest.Keys(t))
		c.do(t, g)
		tampered(c.name, g.written(t))
	}
	for _, p := range plainTamperings {
		tampered(p.name, p.do(t, forgers(t, whole, desktest.Keys(t)), bytes.Clone(whole)))
	}
	return out
}

func plainLetters(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return r
	}
	return '-'
}

// plainTamperings change the file, or one thing in it that no rule of the table covers.
var plainTamperings = []struct {
	name string
	do   func(t testing.TB, g *forgery, file []byte) []byte
}{
	{"a byte of an event", func(_ testing.TB, _ *forgery, file []byte) []byte {
		return bytes.Replace(file, []byte(`"door":"page"`), []byte(`"door":"pagf"`), 1)
	}},
	{"a byte of the sum", func(_ testing.TB, _ *forgery, file []byte) []byte {
		at := len(file) - 5
		file[at] = map[bool]byte{true: '1', false: '0'}[file[at] == '0']
		return file
	}},
	{"the last line cut off", func(_ testing.TB, _ *forgery, file []byte) []byte {
		return file[:bytes.LastIndexByte(file[:len(file)-1], '\n')+1]
	}},
	{"a line behind the sum", func(_ testing.TB, _ *forgery, file []byte) []byte { return append(file, "{}\n"...) }},
	{"another format", func(_ testing.TB, _ *forgery, file []byte) []byte {
		return bytes.Replace(file, []byte("posthorn-record-1"), []byte("posthorn-record-9"), 1)
	}},
	{"a space in a line", func(t testing.TB, g *forgery, _ []byte) []byte {
		return resummed(g.lines(t), `"codec":"json"`, `"codec": "json"`)
	}},
	{"a member more", func(t testing.TB, g *forgery, _ []byte) []byte {
		return resummed(g.lines(t), `"codec":"json"`, `"codec":"json","more":1`)
	}},
	{"a version that is a text", func(t testing.TB, g *forgery, _ []byte) []byte {
		return resummed(g.lines(t), `"version":2`, `"version":"2"`)
	}},
	{"a hash altered", func(t testing.TB, g *forgery, _ []byte) []byte { g.Events[7].Hash[3] ^= 1; return g.lines(t) }},
	{"a time altered", func(t testing.TB, g *forgery, _ []byte) []byte { g.Events[9].At++; return g.lines(t) }},
	{"a secret altered", func(t testing.TB, g *forgery, _ []byte) []byte {
		g.Events[0].Parts[0].Text = new(strings.Repeat("5", 64))
		return g.lines(t)
	}},
	{"said twice", func(t testing.TB, g *forgery, _ []byte) []byte {
		g.Events[1].Data = append([]byte(`{"SEAT":0,`), g.Events[1].Data[1:]...)
		return g.written(t)
	}},
	{"a stream named twice", func(t testing.TB, g *forgery, _ []byte) []byte {
		g.Header.Streams = append(g.Header.Streams, g.Header.Streams[1])
		return g.lines(t)
	}},
	{"a parent that is not there", func(t testing.TB, g *forgery, _ []byte) []byte {
		g.Header.Streams[2].Parent[3] ^= 1
		return g.lines(t)
	}},
	{"a stream that is not there", func(t testing.TB, g *forgery, _ []byte) []byte {
		g.Header.Streams = g.Header.Streams[:2]
		return g.lines(t)
	}},
	{"a receipt of another version", func(t testing.TB, g *forgery, _ []byte) []byte {
		g.written(t)
		g.Header.Heads[1] = g.keys.Sign(events.Receipt{Table: g.Header.Table, Stream: g.Header.Streams[1].Name,
			Version: 99})
		return g.lines(t)
	}},
	{"a receipt of another table", func(t testing.TB, g *forgery, _ []byte) []byte {
		g.written(t)
		g.Header.Heads[1] = g.keys.Sign(events.Receipt{Table: g.Header.Streams[1].Name,
			Stream: g.Header.Streams[1].Name, Version: 1, Hash: g.Events[0].Hash})
		return g.lines(t)
	}},
	{"a receipt of another history", func(t testing.TB, g *forgery, _ []byte) []byte {
		g.written(t)
		g.Header.Heads[1] = g.keys.Sign(events.Receipt{Table: g.Header.Table, Stream: g.Header.Streams[1].Name,
			Version: 2})
		return g.lines(t)
	}},
	{"a receipt that nobody signed", func(t testing.TB, g *forgery, _ []byte) []byte {
		g.written(t)
		g.Header.Heads[0] = g.Header.Heads[0][:len(g.Header.Heads[0])-20] + strings.Repeat("A", 20)
		return g.lines(t)
	}},
	{"a head without a receipt", func(t testing.TB, g *forgery, _ []byte) []byte {
		g.written(t)
		g.Header.Heads = g.Header.Heads[:len(g.Header.Heads)-1]
		return g.lines(t)
	}},
	{"a game that calls itself a handover", func(t testing.TB, g *forgery, _ []byte) []byte {
		g.Header.Handover = true
		return g.written(t)
	}},
	{"a mail that came by a page", func(t testing.TB, g *forgery, _ []byte) []byte {
		meant(g.find(t, "table.said.v1", 0), set("reply", "aa"))
		return g.written(t)
	}},
	{"a deadline without a clock", func(t testing.TB, g *forgery, _ []byte) []byte {
		meant(g.move(t, 1, byWho("Bo")), set("due", []any{map[string]any{"seat": 1, "at": "2026-02-01T00:00:00Z"}}))
		return g.written(t)
	}},
}

func resummed(file []byte, old, by string) []byte {
	lines := bytes.SplitAfter(bytes.Replace(file, []byte(old), []byte(by), 1), []byte("\n"))
	return summed(bytes.Join(lines[:len(lines)-2], nil))
}

// makeTampered writes tampered records into a folder, each as NAME.jsonl.
func makeTampered(t testing.TB, dir string) (out []tampering) {
	t.Helper()
	out = tamperings(t)
	for _, x := range out {
		require.NoError(t, os.WriteFile(filepath.Join(dir, x.name+".jsonl"), x.file, 0o600))
	}
	return out
}

func TestTamperingsAreOfManyKinds(t *testing.T) {
	alone := map[string]bool{}
	for _, x := range makeTampered(t, t.TempDir()) {
		if !x.ours {
			alone[x.kind.kind] = true
		}
	}
	require.GreaterOrEqual(t, len(alone), 40)
}
