package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/record"
)

// bundled makes a file of several records.
func bundled(records ...[]byte) []byte {
	return append(fmt.Appendf(nil, "{\"format\":\"posthorn-bundle-1\",\"records\":%d}\n", len(records)), bytes.Join(records, nil)...)
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
	keys                  *events.Keys
	played, open, chain   [][]byte
	running, other, alien []byte // the record of the game they go on from, before its end; another game's; that game's by another key
}

func moveBranches(t testing.TB) (m branchesMoved) {
	t.Helper()
	now := desktest.Clock()
	here := &house{desktest.Over(t, memory.New(), now)}
	keys, err := events.NewKeys([32]byte{9})
	require.NoError(t, err)
	there := &house{desktest.With(t, keys, memory.New(), now)}
	m.keys = here.Keys()
	export := func(table events.Name, v domain.Viewer) []byte {
		var b bytes.Buffer
		require.NoError(t, record.Export(here.Ctx, here.Desk, table, v, exported, &b))
		return b.Bytes()
	}
	source, other := here.Starts("carcassonne", nil, desktest.Player(ana), desktest.Player(bo)), here.Starts("carcassonne", nil, desktest.Player(ana), desktest.Player(bo))
	for _, table := range []events.Name{source, other} {
		here.play(table, 5)
	}
	m.running = export(source, domain.Spectator)
	for _, table := range []events.Name{source, other} {
		here.Ends(table)
		here.Follows(table)
	}
	m.other = export(other, domain.Referee)
	m.alien = forgers(t, export(source, domain.Referee), keys).written(t)
	branch := here.Starts("carcassonne", here.BranchOf(source, 4, "game"), desktest.Player(ana), desktest.Player(bo))
	here.play(branch, 2)
	waits := here.Opens("carcassonne", here.BranchOf(source, 4, "game"), invited(ana), invited(bo))
	middle := here.Starts("carcassonne", here.BranchOf(source, 4, "game"), desktest.Player(ana), desktest.Player(bo))
	here.play(middle, 2)
	here.Ends(middle)
	here.Follows(middle)
	last := here.Starts("carcassonne", here.BranchOf(middle, 6, "game"), desktest.Player(ana), desktest.Player(bo))
	for table, into := range map[events.Name]*[][]byte{branch: &m.played, waits: &m.open, last: &m.chain} {
		key, err := record.PublicKey(there.Keys())
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, record.Handover(here.Ctx, here.Desk, table, key, exported, &b))
		*into = unbundled(b.Bytes())
		require.Equal(t, b.Bytes(), bundled(*into...))
	}
	return m
}

// changed returns a record whose events were changed by a forger who has the key.
func (m *branchesMoved) changed(t testing.TB, file []byte, change func(g *forgery)) []byte {
	g := forgers(t, file, m.keys)
	change(g)
	return g.written(t)
}

var bundleTamperings = []struct {
	kind string
	do   func(t testing.TB, m *branchesMoved) []byte
}{
	{"", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.played...) }},
	{"", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.open...) }},
	{"bundle-form", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.played[1], m.played[0]) }},
	{"bundle-open", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.running, m.played[1]) }},
	{"bundle-key", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.alien, m.played[1]) }},
	{"bundle-twice", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.played[0], m.played[0], m.played[1]) }},
	{"bundle-stranger", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.other, m.played[0], m.played[1]) }},
	{"", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.chain...) }},
	{"bundle-missing", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.chain[1:]...) }},
	{"bundle-missing", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.chain[1], m.chain[0], m.chain[2]) }},
	{"bundle-form", func(_ testing.TB, m *branchesMoved) []byte { return bundled(m.chain[:2]...) }},
	{"bundle-fork", func(t testing.TB, m *branchesMoved) []byte {
		return bundled(m.open[0], m.changed(t, m.open[1], func(g *forgery) { edit(&g.Events[0], sub("branch", set("version", 99))) }))
	}},
	{"bundle-other", func(t testing.TB, m *branchesMoved) []byte {
		return bundled(m.changed(t, m.played[0], func(g *forgery) { g.move(t, 0, byWho(string(ana))).At++ }), m.played[1])
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

// Every change to the handover of a branch is named, and the independent verifier gives the same name, at the same
// line.
func TestAHandoverOfABranchThatWasTamperedWithIsNamed(t *testing.T) {
	m, kinds, dir := moveBranches(t), faultKinds(t), t.TempDir()
	tried := map[string]bool{"altered": true, "malformed": true, "rewritten": true, "cut-short": true, "not-a-record": true} // for single records, too
	for n, x := range bundleTamperings {
		file := x.do(t, &m)
		f, err := record.Read(bytes.NewReader(file))
		if err == nil {
			_, err = record.Verify(f, desktest.Named)
		}
		var fault, chain *record.Fault
		if x.kind == "altered" { // the sum says that, the chain says where
			_, err = record.Verify(f, desktest.Named)
			require.ErrorAs(t, err, &chain)
		}
		switch {
		case x.kind == "":
			require.NoError(t, err)
		case x.kind == "not-a-record":
			require.ErrorIs(t, err, record.ErrFormat)
		default:
			require.ErrorAs(t, err, &fault, x.kind)
			found, ok := kindOf(kinds, fault.What)
			require.True(t, ok && found.kind == x.kind, "%s, and not: %v", x.kind, err)
		}
		if tried[x.kind] && os.Getenv("POSTHORN_LONG") == "" {
			continue
		}
		tried[x.kind] = true
		path := filepath.Join(dir, fmt.Sprintf("%d.jsonl", n))
		require.NoError(t, os.WriteFile(path, file, 0o600))
		t.Run(fmt.Sprint(n, x.kind), func(t *testing.T) {
			t.Parallel()
			said := independent(t, python(t), path)
			if x.kind == "" {
				require.Nil(t, said.Fault)
				require.Positive(t, said.Checked["draws"], "of the game that is over")
				return
			}
			require.NotNil(t, said.Fault, x.kind)
			require.Equal(t, x.kind, said.Fault.Kind, said.Fault.Text)
			if fault != nil && !errors.Is(err, record.ErrFormat) && x.kind != "cut-short" {
				require.Equal(t, fault.Line, said.Fault.Line)
				require.Equal(t, fault.Version, said.Fault.Version)
			}
		})
	}
}
