package record_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/programtest"
	"posthorn/events/record"
)

// forging is a change for a kind of fault, by one of three forgers: one who computes the file's sum anew, one who
// computes all hashes anew as well, and one who has the server's key and signs all receipts anew. The third one's is
// named by this kind.
type forging struct {
	kind   string
	of     func(testing.TB) []byte
	do     func(t testing.TB, g *forgery)                     // before anything is computed anew
	signed func(g *forgery)                                   // in the header, after
	text   func(t testing.TB, file []byte, g *forgery) []byte // in the file, after
	// against, if there is one, says which of the true record and the forged one is held against which other.
	against func(genuine, forged []byte) (file, other []byte)
}

const (
	sumAlone = iota
	hashesToo
	receiptsToo
	forgers3
)

// by returns what one of the forgers writes.
func (x forging) by(t testing.TB, g *forgery, who int) []byte {
	t.Helper()
	if x.do != nil {
		x.do(t, g)
	}
	if who >= hashesToo {
		g.hash(t)
	}
	if who == receiptsToo {
		g.sign()
	}
	if x.signed != nil {
		x.signed(g)
	}
	file := g.lines(t)
	if x.text != nil {
		file = x.text(t, file, g)
	}
	return file
}

// handedOver is the record of a game that was handed over, and ended at the other server.
func handedOver(t testing.TB) []byte {
	file, _, _, _ := handed(t)
	return file
}

// running is the record of a game that is being played, as a spectator may know it.
func running(t testing.TB) []byte {
	t.Helper()
	h := newHouseOf(t)
	table := h.StartsBy(ana, "carcassonne", nil, desktest.Player(ana), desktest.Player(bo))
	h.play(table, 5)
	return h.export(table, domain.Spectator)
}

// branchOfAGame is the record of a branch that ended, and of what it goes on from.
func branchOfAGame(t testing.TB) []byte {
	t.Helper()
	h := newHouseOf(t)
	places := []domain.TablePlace{desktest.Player(ana), desktest.Player(bo)}
	table := h.StartsBy(ana, "carcassonne", nil, places...)
	h.play(table, 4)
	branch := h.StartsBy(ana, "carcassonne", h.BranchOf(table, 3, "game"), places...)
	h.play(branch, 1)
	for _, name := range []events.Name{table, branch} {
		h.Ends(name)
		h.Follows(name)
	}
	return h.export(branch, domain.Referee)
}

// overtaken is the record of a game in which somebody moved on while a proposal was open.
func overtaken(t testing.TB) []byte {
	t.Helper()
	h := newHouseOf(t)
	table := h.StartsBy(ana, "carcassonne", nil, desktest.Player(ana), desktest.Player(bo))
	h.play(table, 4)
	h.Proposes(bo, table, 2)
	h.play(table, 1)
	h.Follows(table)
	h.Ends(table)
	h.Follows(table)
	return h.export(table, domain.Referee)
}

func newHouseOf(t testing.TB) *house { return &house{desktest.New(t)} }

// stray puts a stream with one event into a record, a copy of another line's first.
func stray(g *forgery, table events.Name) {
	line := g.Header.Streams[1]
	e := g.Events[slices.IndexFunc(g.Events, func(e record.Event) bool { return e.Stream == line.Name })]
	line.Name[3], line.Table, line.Origin = line.Name[3]^1, table, events.Hash{}
	e.Stream, e.Command[3], e.Hash = line.Name, e.Command[3]^1, events.Hash{7}
	g.Header.Streams, g.Events = append(g.Header.Streams, line), append(g.Events, e)
}

func otherTable(g *forgery) events.Name {
	name := g.Header.Table
	name[2] ^= 1
	return name
}

func changedText(from, to string) func(testing.TB, []byte, *forgery) []byte {
	return func(t testing.TB, file []byte, _ *forgery) []byte {
		require.Contains(t, string(file), from)
		return resummed(file, from, to)
	}
}

// forgedElsewhere are kinds that other tests forge three times, as they hold themselves: of several records, and of
// what only the command compares a record with.
var forgedElsewhere = map[string]string{
	"bundle-form": inBundles, "bundle-open": inBundles, "bundle-key": inBundles, "bundle-twice": inBundles,
	"bundle-stranger": inBundles, "bundle-missing": inBundles, "bundle-fork": inBundles, "bundle-other": inBundles,
	"other-key": byTheCommand, "other-table": byTheCommand,
}

const (
	inBundles    = "bundle_tampered_test.go"
	byTheCommand = "../../cmd/posthorn/verify_known_test.go"
)

// Each kind of fault is forged by three forgers, and both verifiers find each.
func TestEveryKindIsForgedByThreeForgers(t *testing.T) {
	kinds, dir := faultKinds(t), t.TempDir()
	all := slices.Clone(forgings)
	for _, c := range slices.Concat(changes, clockChanges, pointsChanges, closedChanges) {
		if !slices.Contains(gameAlone, c.name) && toldOtherwise[strings.Map(plainLetters, c.name)] == "" {
			all = append(all, forging{of: c.of, do: func(t testing.TB, g *forgery) { c.do(t, g) }})
		}
	}
	played, forged, ours := map[uintptr][]byte{}, map[string]int{}, map[string]string{}
	for _, x := range all {
		if x.of == nil {
			x.of = story
		}
		game := reflect.ValueOf(x.of).Pointer()
		if played[game] == nil {
			played[game] = x.of(t)
		}
		kind := ""
		for who := forgers3 - 1; who >= 0; who-- {
			keys := desktest.Keys(t)
			if x.kind == "closing" || x.kind == "not-handed-over" || x.kind == "former-signature" {
				keys = otherKeys(t)
			}
			file, other := x.by(t, forgers(t, played[game], keys), who), []byte(nil)
			if x.against != nil {
				file, other = x.against(played[game], file)
			}
			found := faultOf(t, kinds, file, other, x.kind, who)
			if who == receiptsToo {
				if kind = found; x.kind != "" {
					require.Equal(t, x.kind, kind)
				} else if forged[kind] >= forgers3 {
					break
				}
			}
			forged[kind]++
			name := strings.Join([]string{kind, string(rune('a' + forged[kind])), string(rune('0' + who))}, "-") +
				".jsonl"
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), file, 0o600))
			if other != nil {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name+".other"), other, 0o600))
			}
			if ours[name] = ""; who == receiptsToo {
				ours[name] = kind
			}
		}
	}
	for _, k := range kinds {
		if file := forgedElsewhere[k.kind]; file != "" {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Contains(t, string(text), `"`+k.kind+`"`, file)
		} else if notForged[k.kind] == "" {
			require.GreaterOrEqual(t, forged[k.kind], forgers3, k.kind)
		}
	}
	theirs := allIndependent(t, dir)
	for name, kind := range ours {
		if kind != "" && kindNamed(kinds, kind).ours() {
			continue // which it does not know
		}
		require.NotEmpty(t, theirs[name].Kind, "%s: the independent verifier finds nothing", name)
		if kind != "" {
			require.Equal(t, kind, theirs[name].Kind, name)
		}
	}
}

func kindNamed(kinds []faultKind, kind string) (k faultKind) {
	for _, k := range kinds {
		if k.kind == kind {
			return k
		}
	}
	return k
}

// faultOf returns the kind of fault in a file, held against another one if there is one; there must be a fault.
func faultOf(t testing.TB, kinds []faultKind, file, other []byte, of ...any) string {
	t.Helper()
	var others []*record.File
	if other != nil {
		o, err := record.Read(bytes.NewReader(other))
		require.NoError(t, err)
		others = append(others, o)
	}
	f, err := record.Read(bytes.NewReader(file))
	if err == nil {
		_, err = record.VerifyAgainst(f, others, desktest.Named)
	}
	require.Error(t, err, "%v", of)
	says := record.ErrFormat.Error()
	if fault, is := err.(*record.Fault); is {
		says = fault.What
	} else {
		require.ErrorIs(t, err, record.ErrFormat)
	}
	k, ok := kindOf(kinds, says)
	require.True(t, ok, "%v: %s", of, says)
	return k.kind
}

// foundAt is a kind of fault and where it was found; empty for a file without one.
type foundAt struct {
	Kind    string
	Line    int
	Version uint64
}

// allIndependent returns the fault that the independent verifier finds in each NAME.jsonl of a folder, held against
// NAME.jsonl.other if there is one, all in one process.
func allIndependent(t *testing.T, dir string) (out map[string]foundAt) {
	t.Helper()
	const script = `import json, pathlib, sys
sys.dont_write_bytecode = True
sys.path.insert(0, "../../docs")
import verify
found = lambda f: {"kind": f.kind, "line": f.line or 0, "version": f.version or 0} if f else {}
others = lambda p: list(p.parent.glob(p.name + ".other"))
print(json.dumps({p.name: found(verify.verify(p, [], others(p)).fault)
                  for p in pathlib.Path(sys.argv[1]).glob("*.jsonl")}))`
	var errs bytes.Buffer
	run := exec.CommandContext(t.Context(), programtest.Python(t), "-I", "-S", "-c", script, dir)
	run.Stderr = &errs
	said, err := run.Output()
	require.NoError(t, err, errs.String())
	require.NoError(t, json.Unmarshal(said, &out))
	return out
}

// unbound are changes that nothing in a record shows once all hashes and receipts are anew, by what the page calls
// them.
var unbound = []struct {
	name string
	of   func(testing.TB) []byte
	do   func(t testing.TB, g *forgery)
}{
	{"other words", story, func(t testing.TB, g *forgery) {
		edit(g.find(t, "table.said.v1", 0), set("text", "b3RoZXI="))
	}},
	{"other commands and wishes", story, func(t testing.TB, g *forgery) {
		e := g.find(t, "table.said.v1", 0)
		e.Command[3] ^= 1
		meant(e, set("wish", "0123456789abcdef"))
	}},
	{"other times", story, func(_ testing.TB, g *forgery) {
		for i := range g.Events {
			g.Events[i].At -= year
		}
	}},
	{"other people", story, func(_ testing.TB, g *forgery) {
		for i := range g.Events {
			e := &g.Events[i]
			e.Data, e.Meta = bytes.ReplaceAll(e.Data, []byte(`"Bo"`), []byte(`"Eva"`)),
				bytes.ReplaceAll(e.Meta, []byte(`"Bo"`), []byte(`"Eva"`))
		}
	}},
	{"an end cut off", running, func(_ testing.TB, g *forgery) { g.cut(g.main(), 1) }},
}

// What only a receipt from outside tells, the page says, and both verifiers find with one.
func TestThePageSaysWhatOnlyReceiptsTell(t *testing.T) {
	text := page(t)
	_, said, _ := strings.Cut(text, "**What only receipts tell")
	said, _, _ = strings.Cut(said, "**What nobody can verify**")
	for _, k := range faultKinds(t) {
		if strings.HasPrefix(k.kind, "other-") || notForged[k.kind] != "" {
			require.Contains(t, said, "`"+k.kind+"`", "what tells it, or why nothing does")
		}
	}
	for _, x := range unbound {
		require.Contains(t, text, "*"+x.name+"*")
		file := x.of(t)
		receipts := forgers(t, file, desktest.Keys(t)).Header.Heads
		forging := forging{do: x.do}
		for who := range forgers3 {
			forged := forging.by(t, forgers(t, file, desktest.Keys(t)), who)
			kind, err := both(t, forged)
			require.Equal(t, who == receiptsToo, err == nil, "%s by %d: %s, %v", x.name, who, kind, err)
			kind, err = both(t, forged, receipts...)
			require.Error(t, err, x.name)
			if who == receiptsToo {
				require.Contains(t, []string{"receipt-history", "receipt-cut"}, kind, x.name)
			}
		}
	}
}
