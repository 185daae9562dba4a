package rulebooktest

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"path"
	"slices"
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

// Disk is how files are reached. A rulebook's tests bring it, for the suite touches none by itself:
// Disk[os.FileMode]{filepath.Glob, os.ReadFile, os.MkdirAll, os.WriteFile}.
type Disk[Mode ~uint32] struct {
	Glob      func(pattern string) ([]string, error)
	ReadFile  func(name string) ([]byte, error)
	MkdirAll  func(path string, perm Mode) error
	WriteFile func(name string, data []byte, perm Mode) error
}

// golden are the recorded games that are there, in order of their names.
func (d Disk[Mode]) golden(t testing.TB) []string {
	t.Helper()
	files, err := d.Glob(path.Join(goldenDir, "*"))
	require.NoError(t, err)
	return files
}

// goldenDir is where a rulebook keeps its recorded games.
const goldenDir = "testdata/golden"

// Golden holds that every game ever recorded in testdata/golden folds to the state recorded
// with it. With -record-golden it first records the games that have no file yet. A file is never
// rewritten: an event type that was once released must fold for ever. Where the referee's view has gained a key since, the recorded keys are compared.
func Golden[Mode ~uint32](t *testing.T, rb domain.Rulebook, disk Disk[Mode], games ...Recording) {
	t.Helper()
	there := disk.golden(t)
	for _, g := range games {
		file := path.Join(goldenDir, g.File)
		if slices.Contains(there, file) {
			continue
		}
		require.True(t, *record, "%s is missing: record it with -record-golden", file)
		require.NoError(t, disk.MkdirAll(goldenDir, 0o755))
		require.NoError(t, disk.WriteFile(file, recorded(t, rb, g), 0o644))
		t.Log("recorded:", file)
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

// Choices makes choices of the bytes of a fuzzer; once they are used up, the first of what there is.
type Choices []byte

// Pick gives a number below n.
func (c *Choices) Pick(n int) int {
	if n < 2 || len(*c) == 0 {
		return 0
	}
	x := int((*c)[0])
	*c = (*c)[1:]
	if n > 256 && len(*c) > 0 {
		x = x<<8 | int((*c)[0])
		*c = (*c)[1:]
	}
	return x % n
}

// Alter changes one leaf, or one list, of a JSON text, as pick chooses. A text that is no JSON
// stays as it is.
func Alter(text []byte, pick func(int) int) []byte {
	var root any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&root) != nil {
		return text
	}
	var sites []func()
	var walk func(v any, set func(any))
	walk = func(v any, set func(any)) {
		sites = append(sites, func() { set(other(v, pick)) })
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				walk(v[k], func(x any) { v[k] = x })
			}
		case []any:
			for i := range v {
				walk(v[i], func(x any) { v[i] = x })
			}
		}
	}
	walk(root, func(x any) { root = x })
	sites[pick(len(sites))]()
	out, err := json.Marshal(root)
	if err != nil {
		return text
	}
	return out
}

var oddNumbers = []any{-1, 0, 1, 2, 7, 8, 31, 64, 100, 127, 128, 255, -128, 1000, 65536, 1 << 31, -1 << 31, 1<<62 - 1, 1.5, nil}

func other(v any, pick func(int) int) any {
	switch v := v.(type) {
	case json.Number:
		n, _ := v.Int64()
		k := pick(len(oddNumbers) + 2)
		if k < len(oddNumbers) {
			return oddNumbers[k]
		}
		return n + int64(2*(k-len(oddNumbers))-1)
	case string:
		return []any{"", v + v, "roll", "x", "-1,-1", nil, 3}[pick(7)] // words of the games among them
	case bool:
		return []any{!v, nil}[pick(2)]
	case []any:
		switch k := pick(4); {
		case k == 0:
			return []any{}
		case k == 1 && len(v) > 0:
			return v[1:]
		case k == 2 && len(v) > 0:
			return append(slices.Clone(v), v[pick(len(v))])
		}
		return nil
	case map[string]any:
		m := maps.Clone(v)
		keys := slices.Sorted(maps.Keys(m))
		if len(keys) == 0 || pick(4) == 0 {
			return nil
		}
		delete(m, keys[pick(len(keys))])
		return m
	}
	return []any{0, "", []any{}, map[string]any{}}[pick(4)]
}

// Fold fuzzes folding: up to three events of a recorded game are altered, exchanged or left out,
// and all is folded to the end. An event that no rulebook writes is an error where it is read;
// whatever is read folds, and what it comes to can be looked at by everybody. Nothing guards the
// rulebook here, as the house does, so a panic is a failure: it is for games whose bodies are each a
// [domain.Checker] that leaves none.
func Fold[Mode ~uint32](f *testing.F, rb domain.Rulebook, disk Disk[Mode]) {
	var games [][]goldenRow
	for _, file := range disk.golden(f) {
		src, err := disk.ReadFile(file)
		require.NoError(f, err)
		rows, _ := goldenRows(f, rb, src)
		games = append(games, rows)
	}
	for n := range games {
		f.Add([]byte{byte(n)})
		f.Add([]byte{byte(n), 0, 1, 1, 7, 9, 2})
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c := Choices(b)
		rows := slices.Clone(games[c.Pick(len(games))])
		altered := map[int]bool{}
		for range 1 + c.Pick(3) {
			n := c.Pick(len(rows))
			if err := alterRow(rb.Codec(), rows, n, &c); err != nil {
				return
			}
			altered[n] = true
		}
		foldAltered(rb, rows, altered)
	})
}

// alterRow alters an event as choices say. The error is that of whoever reads it then.
func alterRow(codec domain.Codec, rows []goldenRow, n int, c *Choices) error {
	row := rows[n].row
	row.Secrets = slices.Clone(row.Secrets)
	switch what := c.Pick(8); {
	case what == 0:
		rows[n] = rows[c.Pick(len(rows))]
		return nil
	case what < 4 && len(row.Secrets) > 0:
		s := &row.Secrets[c.Pick(len(row.Secrets))]
		s.Data = Alter(s.Data, c.Pick)
	case what == 4 && len(row.Secrets) > 0:
		row.Secrets = row.Secrets[1:]
	default:
		row.Public = Alter(row.Public, c.Pick)
	}
	rows[n].row = row
	return rows[n].read(codec)
}

// foldAltered folds a game and looks at it after each altered event, the one after, and the last.
func foldAltered(rb domain.Rulebook, rows []goldenRow, altered map[int]bool) {
	line := domain.NewLine(rb, domain.NewThrowaway(1))
	for n := range rows {
		line.Apply(&rows[n].e)
		if altered[n] || n > 0 && altered[n-1] || n == len(rows)-1 {
			rb.Tell(&rows[n].e)
			lookAll(rb, line)
		}
	}
}

// lookAll asks a rulebook for all that a page shows of a position.
func lookAll(rb domain.Rulebook, line *domain.Line) {
	for v := domain.Referee; v < 3; v++ {
		view := rb.View(line.State, v)
		rb.Describe(view)
		rb.Draw(view, domain.Sketch{})
		rb.Standing(line.State, v)
	}
	for _, o := range line.Awaited() {
		rb.Forms(line.State, o.Seat)
		n := 0
		for m := range rb.Legal(line.State, o.Seat) {
			rb.FormatMove(m, nil)
			rb.Steps(line.State, m)
			if n++; n == 40 {
				break
			}
		}
	}
	rb.Clone(line.State)
}
