package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/record"
)

// bundled makes a file of several records.
func bundled(records ...[]byte) []byte {
	return append(fmt.Appendf(nil, "{\"format\":\"posthorn-bundle-1\",\"records\":%d}\n", len(records)),
		bytes.Join(records, nil)...)
}

// unbundled returns the records in a file of several.
func unbundled(file []byte) (records [][]byte) {
	var now []byte
	for _, line := range bytes.SplitAfter(file, []byte("\n"))[1:] {
		if now = append(now, line...); bytes.HasPrefix(line, []byte(`{"sum":`)) {
			records, now = append(records, now), nil
		}
	}
	return records
}

// branchesMoved holds handovers of a branch in play, of one that has not begun, and of a branch of a branch, with
// related records.
type branchesMoved struct {
	keys                *events.Keys
	who                 int // of three forgers
	played, open, chain [][]byte
	// the record of the game they go on from, before its end; another game's; that game's by another key
	running, other, alien []byte
}

func moveBranches(t testing.TB) (m branchesMoved) {
	t.Helper()
	one, there := twoHouses(t)
	here := &house{one}
	m.keys, m.who = here.Keys(), receiptsToo
	export := func(table events.Name, v domain.Viewer) []byte {
		var b bytes.Buffer
		require.NoError(t, record.Export(here.Ctx, here.Desk, table, v, exported, &b))
		return b.Bytes()
	}
	source, other := here.Starts("carcassonne", nil, desktest.Player(ana), desktest.Player(bo)),
		here.Starts("carcassonne", nil, desktest.Player(ana), desktest.Player(bo))
	for _, table := range []events.Name{source, other} {
		here.play(table, 5)
	}
	m.running = export(source, domain.Spectator)
	for _, table := range []events.Name{source, other} {
		here.Ends(table)
		here.Follows(table)
	}
	m.other = export(other, domain.Referee)
	m.alien = forgers(t, export(source, domain.Referee), there.Keys()).written(t)
	branch := here.Starts("carcassonne", here.BranchOf(source, 4, "game"), desktest.Player(ana), desktest.Player(bo))
	here.play(branch, 2)
	waits := here.Opens("carcassonne", here.BranchOf(source, 4, "game"), invited(ana), invited(bo))
	middle := here.Starts("carcassonne", here.BranchOf(source, 4, "game"), desktest.Player(ana), desktest.Player(bo))
	here.play(middle, 2)
	here.Ends(middle)
	here.Follows(middle)
	last := here.Starts("carcassonne", here.BranchOf(middle, 6, "game"), desktest.Player(ana), desktest.Player(bo))
	for table, into := range map[events.Name]*[][]byte{branch: &m.played, waits: &m.open, last: &m.chain} {
		file := handsOver(t, one, there, table)
		*into = unbundled(file)
		require.Equal(t, file, bundled(*into...))
	}
	return m
}

// changed returns a record whose events were changed by one of three forgers.
func (m *branchesMoved) changed(t testing.TB, file []byte, change func(g *forgery)) []byte {
	return forging{do: func(_ testing.TB, g *forgery) { change(g) }}.by(t, forgers(t, file, m.keys), m.who)
}

// forked returns the handover of the branch that has not begun, with a change to what it says it branched from.
func (m *branchesMoved) forked(t testing.TB, change func(map[string]any)) []byte {
	return bundled(m.open[0], m.changed(t, m.open[1], func(g *forgery) { edit(&g.Events[0], sub("branch", change)) }))
}

// Whoever only leaves out, repeats or exchanges whole records computes nothing anew but the file: so these are made in
// three places each.
var bundleTamperings = []struct {
	kind string
	do   func(t testing.TB, m *branchesMoved) []byte
}{
	{"", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.played...) }},
	{"", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.open...) }},
	{"", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.chain...) }},
	{"bundle-form", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.played[1], m.played[0]) }},
	{"bundle-form", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.open[1], m.open[0]) }},
	{"bundle-form", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.chain[:2]...) }},
	{"bundle-open", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.running, m.played[1]) }},
	{"bundle-open", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.running, m.open[1]) }},
	{"bundle-open", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.running, m.chain[1], m.chain[2]) }},
	{"bundle-key", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.alien, m.played[1]) }},
	{"bundle-key", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.alien, m.open[1]) }},
	{"bundle-key", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.alien, m.chain[1], m.chain[2]) }},
	{"bundle-twice", func(_ testing.TB, m *branchesMoved) []byte {
		return bundled(m.played[0], m.played[0], m.played[1])
	}},
	{"bundle-twice", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.open[0], m.open[0], m.open[1]) }},
	{"bundle-twice", func(_ testing.TB, m *branchesMoved) []byte {
		return bundled(m.chain[0], m.chain[1], m.chain[0], m.chain[2])
	}},
	{"bundle-stranger", func(_ testing.TB, m *branchesMoved) []byte {
		return bundled(m.other, m.played[0], m.played[1])
	}},
	{"bundle-stranger", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.open[0], m.other, m.open[1]) }},
	{"bundle-stranger", func(_ testing.TB, m *branchesMoved) []byte {
		return bundled(m.chain[0], m.chain[1], m.other, m.chain[2])
	}},
	{"bundle-missing", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.chain[1:]...) }},
	{"bundle-missing", func(_ testing.TB, m *branchesMoved) []byte {
		return bundled(m.chain[1], m.chain[0], m.chain[2])
	}},
	{"bundle-missing", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.chain[0], m.chain[2]) }},
	{"bundle-fork", func(t testing.TB, m *branchesMoved) []byte { return m.forked(t, set("version", 99)) }},
	{"bundle-fork", func(t testing.TB, m *branchesMoved) []byte {
		return m.forked(t, set("line", strings.Repeat("ab", 16)))
	}},
	{"bundle-fork", func(t testing.TB, m *branchesMoved) []byte {
		return m.forked(t, func(branch map[string]any) { branch["line"] = branch["table"] })
	}},
	{"bundle-other", func(t testing.TB, m *branchesMoved) []byte {
		return bundled(m.changed(t, m.played[0], func(g *forgery) { g.move(t, 0, byWho(string(ana))).At++ }),
			m.played[1])
	}},
	{"bundle-other", func(t testing.TB, m *branchesMoved) []byte {
		return bundled(m.changed(t, m.played[0], func(g *forgery) { g.move(t, 0, byWho(string(bo))).At++ }),
			m.played[1])
	}},
	{"bundle-other", func(t testing.TB, m *branchesMoved) []byte {
		return bundled(m.chain[0], m.changed(t, m.chain[1], func(g *forgery) {
			g.Events[slices.IndexFunc(g.Events, func(e record.Event) bool {
				return e.Stream == g.main() && e.Version == 5
			})].At++
		}), m.chain[2])
	}},
	{"altered", func(_ testing.TB, m *branchesMoved) []byte {
		return bytes.Replace(bundled(m.played...), []byte(`"door":"mail"`), []byte(`"door":"page"`), 1)
	}},
	{"cut-short", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.played[0], nil) }},
	{"after-sum", func(_ testing.TB, m *branchesMoved) []byte { return append(bundled(m.played...), m.other...) }},
	{"not-a-record", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.played[0], bundled(m.open...)) }},
	{"malformed", func(_ testing.TB, m *branchesMoved) []byte {
		return bytes.Replace(bundled(m.played...), []byte(`"records":2`), []byte(`"records":1`), 1)
	}},
	{"rewritten", func(_ testing.TB, m *branchesMoved) []byte {
		return bytes.Replace(bundled(m.played...), []byte(`"records":2`), []byte(`"records": 2`), 1)
	}},
	{"header-game", func(t testing.TB, m *branchesMoved) []byte {
		return bundled(m.played[0], m.changed(t, m.played[1], func(g *forgery) { g.Header.Edition = "7" }))
	}},
}

// Every change to the handover of a branch is named, each kind of a bundle's in three places, and the independent
// verifier gives the same name, at the same line; also of what lesser forgers make of a change.
func TestAHandoverOfABranchThatWasTamperedWithIsNamed(t *testing.T) {
	m, kinds, dir := moveBranches(t), faultKinds(t), t.TempDir()
	forged, ours := map[string]int{}, map[string]foundAt{}
	for n, x := range bundleTamperings {
		files := map[string]bool{}
		for m.who = receiptsToo; m.who >= sumAlone; m.who-- {
			file := x.do(t, &m)
			if files[string(file)] {
				continue // it needed no key
			}
			files[string(file)] = true
			found := bundleFault(t, kinds, file)
			if m.who == receiptsToo {
				require.Equal(t, x.kind, found.Kind, n)
				forged[x.kind]++
			}
			name := fmt.Sprint(n, "-", m.who, x.kind, ".jsonl")
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), file, 0o600))
			ours[name] = found
		}
	}
	for _, k := range kinds {
		if strings.HasPrefix(k.kind, "bundle-") {
			require.GreaterOrEqual(t, forged[k.kind], 3, k.kind)
		}
	}
	for name, theirs := range allIndependent(t, dir) {
		if !strings.HasPrefix(ours[name].Kind, "bundle-") {
			theirs.Line = ours[name].Line // of a receipt, or of what is missing
		}
		require.Equal(t, ours[name], theirs, name)
	}
}

// bundleFault returns the fault in a file of several records. Where the sum says that a record was altered, the chain
// says where.
func bundleFault(t testing.TB, kinds []faultKind, file []byte) (found foundAt) {
	t.Helper()
	f, err := record.Read(bytes.NewReader(file))
	var fault *record.Fault
	if f != nil && (err == nil || errors.As(err, &fault) && strings.HasPrefix(fault.What, "the sum ")) {
		if _, chain := record.Verify(f, desktest.Named); chain != nil {
			err = chain
		}
	}
	switch {
	case err == nil:
		return found
	case errors.As(err, &fault):
		found.Line, found.Version, found.Kind = fault.Line, fault.Version, fault.What
	default:
		require.ErrorIs(t, err, record.ErrFormat)
		found.Kind = record.ErrFormat.Error()
	}
	k, ok := kindOf(kinds, found.Kind)
	require.True(t, ok, found.Kind)
	found.Kind = k.kind
	return found
}
