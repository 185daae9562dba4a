package rulebooktest

import (
	"bytes"
	"encoding/json"
	"flag"
	"path"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/script"
)

var record = flag.Bool("record-golden", false,
	"record the golden games that are not there yet; those that are there are never written again")

// Recording names a random game of the golden corpus.
type Recording struct {
	File    string // in testdata/golden, "base-2.jsonl"
	Choices domain.Choices
	Seats   int
	Seed    uint64
	Cap     int // moves to record; 0 means the whole game
	// Edition is that of the rules under which it was recorded; "" is today's. Under others its events still fold, but
	// they need not allow its moves.
	Edition string
}

// now reports whether a game was recorded under today's rules.
func (g Recording) now(rb domain.Rulebook) bool { return g.Edition == "" || g.Edition == rb.Edition() }

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

// goldenEnd is the last line: the state to which the events must always fold.
type goldenEnd struct {
	State    json.RawMessage `json:"state"`
	Scores   []int           `json:"scores"`
	Final    []int           `json:"final"`
	Ended    bool            `json:"ended"`
	Versions int             `json:"versions"`
}

// Disk gives access to files. A rulebook's tests supply it, as the suite touches no files itself:
// Disk[os.FileMode]{filepath.Glob, os.ReadFile, os.MkdirAll, os.WriteFile}.
type Disk[Mode ~uint32] struct {
	Glob      func(pattern string) ([]string, error)
	ReadFile  func(name string) ([]byte, error)
	MkdirAll  func(path string, perm Mode) error
	WriteFile func(name string, data []byte, perm Mode) error
}

// golden lists the recorded games, ordered by name.
func (d Disk[Mode]) golden(t testing.TB) []string {
	t.Helper()
	files, err := d.Glob(path.Join(goldenDir, "*"))
	require.NoError(t, err)
	return files
}

// goldenDir is where a rulebook keeps its recorded games.
const goldenDir = "testdata/golden"

// Golden checks that every game ever recorded in testdata/golden folds to its recorded state and to the points logged
// with its events, and that a script of its moves plays to that state. With -record-golden it first records the games
// that have no file yet. A file is never rewritten: an event type once released must fold forever. If the referee's
// view has gained keys since, Golden compares only the recorded ones. Until a game is recorded under a new edition of
// the rules, those that were recorded before are played anew, as scripts only.
func Golden[Mode ~uint32](t *testing.T, rb domain.Rulebook, disk Disk[Mode], games ...Recording) {
	t.Helper()
	there := disk.golden(t)
	for _, g := range games {
		file := path.Join(goldenDir, g.File)
		if slices.Contains(there, file) {
			continue
		}
		require.True(t, *record && g.now(rb), "%s is missing: record it with -record-golden", file)
		require.NoError(t, disk.MkdirAll(goldenDir, 0o755))
		require.NoError(t, disk.WriteFile(file, recorded(t, rb, g), 0o644))
		t.Log("recorded:", file)
	}
	some := slices.ContainsFunc(games, func(g Recording) bool { return g.now(rb) })
	for _, g := range games {
		if some && !g.now(rb) || g.Seats == 0 {
			continue
		}
		t.Run("script of "+g.File, func(t *testing.T) {
			if !some {
				playsAsRecorded(t, rb, g, recorded(t, rb, g))
				return
			}
			src, err := disk.ReadFile(path.Join(goldenDir, g.File))
			require.NoError(t, err)
			playsAsRecorded(t, rb, g, src)
		})
	}
	files := disk.golden(t)
	require.NotEmpty(t, files, "there are no golden games in %s", goldenDir)
	for _, f := range files {
		t.Run(path.Base(f), func(t *testing.T) {
			src, err := disk.ReadFile(f)
			require.NoError(t, err)
			foldsAsRecorded(t, rb, src)
		})
	}
}

// recorded plays a random game and returns its recording.
func recorded(t *testing.T, rb domain.Rulebook, g Recording) []byte {
	choices, err := domain.Complete(rb, g.Choices)
	require.NoError(t, err)
	line := domain.NewLine(rb, domain.NewThrowaway(g.Seed))
	var out bytes.Buffer
	before := domain.NewLine(rb, domain.NewThrowaway(0)) // the line before the event being written
	write := func(e *domain.Event) {
		before.CountPoints(e)
		public, secrets, err := rb.Codec().Encode(e)
		require.NoError(t, err)
		back, err := rb.Codec().Decode(e.Type, public, secrets)
		require.NoError(t, err)
		before.Apply(&back)
		row := goldenEvent{Type: rb.Codec().Name(e), Public: public}
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
		State: json.RawMessage(asJSON(t, rb.View(line.State, domain.Referee))), Scores: st.Scores, Final: st.Final,
		Ended: st.Ended, Versions: int(line.Version),
	}) + "\n")
	return out.Bytes()
}

// playsAsRecorded writes a recorded game as a script and plays it: it must reach the recorded end, and give the same
// script when written again.
func playsAsRecorded(t *testing.T, rb domain.Rulebook, g Recording, src []byte) {
	choices, err := domain.Complete(rb, g.Choices)
	require.NoError(t, err)
	rows, end := goldenRows(t, rb, src)
	w := script.Written{Rulebook: rb, Choices: choices, Seats: g.Seats, Seed: &g.Seed}
	for i := range rows {
		e := &rows[i].e
		if e.Move == "" {
			require.Zero(t, i, "only the set-up is no move")
			continue
		}
		m, err := domain.WholeMove(rb, e)
		require.NoError(t, err)
		w.Moves = append(w.Moves, script.Moved{Seat: e.Seat, Move: m})
	}
	text, err := w.Text()
	require.NoError(t, err)
	s, err := script.Parse(text, func(string) (domain.Rulebook, bool) { return rb, true })
	require.NoError(t, err)
	again := script.Written{Rulebook: rb, Choices: s.Choices, Seats: len(s.Names), Seed: s.Seed}
	var last script.Result
	for r, err := range s.Play(nil) {
		require.NoError(t, err)
		require.NoError(t, r.Err, "line %d: %s", r.Line, r.Text)
		m, err := domain.WholeMove(rb, r.Event)
		require.NoError(t, err)
		again.Moves, last = append(again.Moves, script.Moved{Seat: r.Seat, Move: m}), r
	}
	twice, err := again.Text()
	require.NoError(t, err)
	require.Equal(t, string(text), string(twice))
	var said goldenEnd
	require.NoError(t, json.Unmarshal(end, &said))
	var want, got map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(said.State, &want))
	require.NoError(t, json.Unmarshal([]byte(asJSON(t, last.State)), &got))
	for key := range want {
		require.JSONEq(t, string(want[key]), string(got[key]), "the recorded %q", key)
	}
	require.Equal(t, said.Scores, last.Standing.Scores)
	require.Equal(t, said.Final, last.Standing.Final)
}

func foldsAsRecorded(t *testing.T, rb domain.Rulebook, src []byte) {
	state := rb.New()
	rows, end := goldenRows(t, rb, src)
	for i := range rows {
		rb.Evolve(state, &rows[i].e)
		if points := rows[i].e.Points; points != nil { // older recordings have none
			require.Equal(t, rb.Standing(state, domain.Spectator).Points(), points, "the points after event %d", i+1)
		}
	}
	require.NotNil(t, end, "the recorded game does not end with its state")
	foldedTo(t, rb, state, end, len(rows))
}

// goldenRow is a recorded event as written and as read.
type goldenRow struct {
	row goldenEvent
	e   domain.Event
}

// goldenRows reads the events of a recorded game, and returns its end as written.
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

// read decodes the event as written.
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
