package record_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/programtest"
	"posthorn/events/record"
)

// against holds a record against others with both verifiers, and returns our report and the kind of fault they agree
// on.
func against(t *testing.T, file []byte, others ...[]byte) (r *record.Report, kind string) {
	t.Helper()
	dir := t.TempDir()
	read := func(name string, text []byte) (*record.File, string) {
		path := filepath.Join(dir, name+".jsonl")
		require.NoError(t, os.WriteFile(path, text, 0o600))
		f, err := record.Read(bytes.NewReader(text))
		require.NoError(t, err)
		return f, path
	}
	f, path := read("record", file)
	args, all := []string{path}, []*record.File{}
	for n, text := range others {
		o, path := read(string(rune('a'+n)), text)
		args, all = append(args, "--against", path), append(all, o)
	}
	r, err := record.VerifyAgainst(f, all, desktest.Named)
	said := independent(t, programtest.Python(t), args...)
	var fault *record.Fault
	if err == nil {
		require.Nil(t, said.Fault, "%v", said)
		require.Equal(t, r.Compared, said.Checked["events compared with other records"])
		require.ElementsMatch(t, r.Open, said.Open, "%v, and %v", r.Skipped, said.Unchecked)
		return r, ""
	}
	require.ErrorAs(t, err, &fault)
	k, ok := kindOf(faultKinds(t), fault.What)
	require.True(t, ok, "%v", err)
	require.NotNil(t, said.Fault, "%v", err)
	require.Equal(t, k.kind, said.Fault.Kind, "%v, and: %s", err, said.Fault.Text)
	return r, k.kind
}

// Two records of a game must tell one history; that of the game which a branch goes on from proves what the branch
// leaves open.
func TestRecordsAreHeldAgainstEachOther(t *testing.T) {
	h := newHouse(t, 1)
	starts := func(branch *domain.Branch) events.Name {
		return h.StartsBy(ana, "carcassonne", branch, desktest.Player(ana), desktest.Player(bo))
	}
	ends := func(table events.Name) {
		h.Ends(table)
		h.Follows(table)
	}
	table := starts(nil)
	h.play(table, 6)
	branch := starts(h.BranchOf(table, 4, "game"))
	h.play(branch, 3)
	running := h.export(table, domain.Spectator)
	ends(table)
	ends(branch)
	file := h.export(table, domain.Referee)

	_, kind := against(t, file, running)
	require.Empty(t, kind, "an earlier record of the same game")
	alone, kind := against(t, h.export(branch, domain.Referee))
	require.Empty(t, kind)
	require.Equal(t, []record.Open{record.OpenElsewhere}, alone.Open)
	whole, kind := against(t, h.export(branch, domain.Referee), file)
	require.Empty(t, kind)
	require.Empty(t, whole.Open, "%v", whole.Skipped)

	g := forgers(t, running, h.Keys())
	g.Events[len(g.Events)-1].At++
	_, kind = against(t, file, g.written(t))
	require.Equal(t, "other-history", kind)
	g.Events[2].Hash[0] ^= 1
	_, kind = against(t, file, g.lines(t))
	require.Equal(t, "other-record", kind)
}

// A game that was handed over goes on at one server and is closed at the other: that is one history, but only where the
// one names the event with which the other closed it.
func TestBothServersRecordsAreOneHistory(t *testing.T) {
	file, _, here, _ := handed(t)
	closed := exportOf(t, here, forgers(t, file, here.Keys()).Header.Table)
	_, kind := against(t, file, closed)
	require.Empty(t, kind)
	_, kind = against(t, closed, file)
	require.Empty(t, kind)
	g := forgers(t, closed, here.Keys())
	g.find(t, "table.handed-over.v1", 0).At++
	_, kind = against(t, file, g.written(t))
	require.Equal(t, "other-history", kind)
}
