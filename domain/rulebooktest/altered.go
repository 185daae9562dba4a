package rulebooktest

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// Choices turns a fuzzer's bytes into choices; once they are used up, it always picks the first.
type Choices []byte

// Pick returns a number below n.
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

// Alter changes one leaf, or one list, of a JSON text, as pick chooses. A text that is not JSON stays as it is.
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

var oddNumbers = []any{-1, 0, 1, 2, 7, 8, 31, 64, 100, 127, 128, 255, -128, 1000, 65536, 1 << 31, -1 << 31, 1<<62 - 1,
	1.5, nil}

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
		return []any{"", v + v, "roll", "x", "-1,-1", nil, 3}[pick(7)] // including words of the games
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

// Fold fuzzes folding: it alters, exchanges or leaves out up to three events of a recorded game, and folds it to the
// end. An event that no rulebook writes must be an error when it is read; everything that can be read must fold, to a
// state that everybody can look at. Unlike the house, Fold does not guard the rulebook, so a panic is a failure: it is
// for games in which every body is a [domain.Checker] that leaves no panic.
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

// alterRow alters an event as choices say. It returns the error of reading the altered event.
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
			rb.Tell(&rows[n].e, rb.View(line.State, domain.Spectator))
			lookAll(rb, line)
		}
	}
}

// lookAll asks a rulebook for everything that a page shows of a position.
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
