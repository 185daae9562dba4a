package rulebooktest

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"path"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

var record = flag.Bool("record-golden", false, "record the golden games that are not there yet; those that are there are never written again")

// Recording names a random game of the golden corpus.
type Recording struct {
	File    string // in testdata/golden, "base-2.jsonl"
	Choices domain.Choices
	Seats   int
	Seed    uint64
	Cap     int // moves to record; 0 is the whole game
}

// goldenEvent is one line of a recorded game.
type goldenEvent struct {
	Type    string          `json:"type"`
	Public  json.RawMessage `json:"public"`
	Secrets []goldenSecret  `json:"secrets,omitempty"`
}

type goldenSecret struct {
	To   domain.Audience `json:"to"`
	Data json.RawMessage `json:"data"`
}

// goldenEnd is the last line: what the events must always fold to.
type goldenEnd struct {
	State    json.RawMessage `json:"state"`
	Scores   []int           `json:"scores"`
	Final    []int           `json:"final"`
	Ended    bool            `json:"ended"`
	Versions int             `json:"versions"`
}

// Disk is the folder in which a rulebook's tests run. They bring it, for the suite touches no file by
// itself: Disk{os.DirFS("."), os.MkdirAll, os.WriteFile}.
type Disk struct {
	fs.FS
	MkdirAll  func(path string, perm fs.FileMode) error
	WriteFile func(path string, data []byte, perm fs.FileMode) error
}

// goldenDir is where a rulebook keeps its recorded games.
const goldenDir = "testdata/golden"

// Golden holds that every game ever recorded in testdata/golden folds to the state recorded
// with it. With -record-golden it first records the games that have no file yet. A file is never
// rewritten: an event type that was once released must fold for ever. Where the referee's view has gained a key since, the recorded keys are compared.
func Golden(t *testing.T, rb domain.Rulebook, disk Disk, games ...Recording) {
	t.Helper()
	for _, g := range games {
		file := path.Join(goldenDir, g.File)
		if _, err := fs.Stat(disk, file); err == nil || !*record {
			require.NoError(t, err, "%s is missing: record it with -record-golden", file)
			continue
		}
		require.NoError(t, disk.MkdirAll(goldenDir, 0o755))
		require.NoError(t, disk.WriteFile(file, recorded(t, rb, g), 0o644))
		t.Log("recorded:", file)
	}
	files, err := fs.ReadDir(disk, goldenDir)
	require.NoError(t, err)
	require.NotEmpty(t, files, "there are no golden games in %s", goldenDir)
	for _, f := range files {
		t.Run(f.Name(), func(t *testing.T) {
			src, err := fs.ReadFile(disk, path.Join(goldenDir, f.Name()))
			require.NoError(t, err)
			foldsAsRecorded(t, rb, src)
		})
	}
}

// recorded plays a random game and writes it.
func recorded(t *testing.T, rb domain.Rulebook, g Recording) []byte {
	choices, err := domain.Complete(rb, g.Choices)
	require.NoError(t, err)
	line := domain.NewLine(rb, domain.NewThrowaway(g.Seed))
	var out bytes.Buffer
	write := func(e *domain.Event) {
		public, secrets, err := rb.Codec().Encode(e)
		require.NoError(t, err)
		row := goldenEvent{Type: e.Type, Public: public}
		for _, s := range secrets {
			row.Secrets = append(row.Secrets, goldenSecret{s.To, s.Data})
		}
		out.WriteString(asJSON(t, row) + "\n")
	}
	e, _, err := line.Setup(domain.Game{Choices: choices, Seats: g.Seats})
	require.NoError(t, err)
	line.Apply(&e)
	write(&e)
	d := newDice(g.Seed)
	for n := 0; len(line.Awaited()) > 0 && (g.Cap == 0 || n < g.Cap); n++ {
		e := move(t, line, d)
		require.NotNil(t, e)
		write(e)
	}
	st := rb.Standing(line.State, domain.Referee)
	out.WriteString(asJSON(t, goldenEnd{
		State: json.RawMessage(asJSON(t, rb.View(line.State, domain.Referee))), Scores: st.Scores, Final: st.Final, Ended: st.Ended, Versions: int(line.Version),
	}) + "\n")
	return out.Bytes()
}

func foldsAsRecorded(t *testing.T, rb domain.Rulebook, src []byte) {
	state := rb.New()
	rows, end := goldenRows(t, rb, src)
	for i := range rows {
		rb.Evolve(state, &rows[i].e)
	}
	require.NotNil(t, end, "the recorded game does not end with its state")
	foldedTo(t, rb, state, end, len(rows))
}

// goldenRow is a recorded event as it was written, and read.
type goldenRow struct {
	row goldenEvent
	e   domain.Event
}

// goldenRows reads the events of a recorded game, and gives its end as it was written.
func goldenRows(t testing.TB, rb domain.Rulebook, src []byte) (rows []goldenRow, end []byte) {
	for line := range bytes.Lines(src) {
		if bytes.HasPrefix(line, []byte(`{"state":`)) {
			return rows, line
		}
		var r goldenRow
		require.NoError(t, json.Unmarshal(line, &r.row), "line %d", len(rows)+1)
		require.NoError(t, r.read(rb.Codec()), "line %d", len(rows)+1)
		rows = append(rows, r)
	}
	return rows, nil
}

// read reads the event as it is written.
func (r *goldenRow) read(c domain.Codec) (err error) {
	var secrets []domain.SecretBytes
	for _, s := range r.row.Secrets {
		secrets = append(secrets, domain.SecretBytes{To: s.To, Data: s.Data})
	}
	r.e, err = c.Decode(r.row.Type, r.row.Public, secrets)
	return err
}

func foldedTo(t *testing.T, rb domain.Rulebook, state domain.State, line []byte, n int) {
	var end goldenEnd
	require.NoError(t, json.Unmarshal(line, &end))
	require.Equal(t, end.Versions, n)
	var want, got map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(end.State, &want))
	require.NoError(t, json.Unmarshal([]byte(asJSON(t, rb.View(state, domain.Referee))), &got))
	for key := range want {
		require.Contains(t, got, key)
		require.JSONEq(t, string(want[key]), string(got[key]), "the recorded %q", key)
	}
	st := rb.Standing(state, domain.Referee)
	require.Equal(t, end.Scores, st.Scores)
	require.Equal(t, end.Final, st.Final)
	require.Equal(t, end.Ended, st.Ended)
}
