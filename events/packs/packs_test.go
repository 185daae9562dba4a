package packs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/logtest"
	"posthorn/events/memory"
	"posthorn/events/packs"
	"posthorn/events/sqlite"
)

var (
	ctx   = context.Background()
	house = sure(events.NewKeys([32]byte{7}))(nil)
)

const room = 1 << 20

// read is a log whose lines are read through packs; something happens to each pack before it is read.
type read struct {
	events.Log
	t       testing.TB
	packs   *packs.Packs
	dir     string
	befalls func(t testing.TB, file string)
	packed  *atomic.Int64 // loads that a pack answered
}

// Load compares the packs' answer with the log's.
func (r read) Load(ctx context.Context, line events.Name, after, upTo uint64) ([]events.Record, error) {
	want, failed := r.Log.Load(ctx, line, after, upTo)
	if r.befalls != nil && failed == nil {
		require.NoError(r.t, r.packs.Make(line))
		files, err := filepath.Glob(filepath.Join(r.dir, line.String()+"-*"))
		require.NoError(r.t, err)
		require.LessOrEqual(r.t, len(files), 1)
		for _, file := range files {
			r.befalls(r.t, file)
		}
	}
	if r.packs.Answers(line) {
		r.packed.Add(1)
	}
	got, err := r.packs.Load(ctx, line, after, upTo)
	require.Equal(r.t, len(want), len(got))
	for i := range want {
		require.Equal(r.t, want[i], got[i])
	}
	if failed != nil {
		require.Error(r.t, err)
	}
	return got, err
}

func TestALogIsReadTheSameWithPacksPresentAbsentAndTorn(t *testing.T) {
	var turn atomic.Int64
	for name, befalls := range map[string]func(testing.TB, string){
		"absent":  nil,
		"present": func(testing.TB, string) {},
		"gone":    func(t testing.TB, file string) { require.NoError(t, os.Remove(file)) },
		"cut": func(t testing.TB, file string) {
			info, err := os.Stat(file)
			require.NoError(t, err)
			require.NoError(t, os.Truncate(file, turn.Add(37)%info.Size()))
		},
		"torn": func(t testing.TB, file string) {
			b, err := os.ReadFile(file)
			require.NoError(t, err)
			b[turn.Add(37)%int64(len(b))] ^= 1
			require.NoError(t, os.WriteFile(file, b, 0o600))
		},
	} {
		for kind, open := range map[string]func(t testing.TB, dir string) events.Log{
			"memory": func(testing.TB, string) events.Log { return memory.New() },
			"sqlite": func(t testing.TB, dir string) events.Log {
				l, err := sqlite.Open(ctx, filepath.Join(dir, "events.db"))
				require.NoError(t, err)
				return l
			},
		} {
			if kind == "sqlite" && name != "present" {
				continue // its disk is slow, and anything not in a pack is read from it anyway
			}
			t.Run(name+", "+kind, func(t *testing.T) {
				var packed atomic.Int64
				over := func(t testing.TB, log events.Log, dir string) events.Log {
					t.Cleanup(func() { require.NoError(t, log.Close()) })
					return read{Log: log, t: t, packs: packs.Headless(t, dir, house, log, room), dir: dir,
						befalls: befalls, packed: &packed}
				}
				o := logtest.Opener{Open: func(t *testing.T) events.Log {
					dir := t.TempDir()
					return over(t, open(t, dir), dir)
				}}
				if kind == "sqlite" {
					o.Reopen = func(t *testing.T, l events.Log) events.Log {
						require.NoError(t, l.Close())
						return over(t, open(t, l.(read).dir), l.(read).dir)
					}
				}
				logtest.Run(t, o)
				require.Equal(t, name == "present", packed.Load() > 0)
			})
		}
	}
}

// grown returns a log with a line of n events, the same each time up to where they diverge.
func grown(t testing.TB, n, part int, other string) (*memory.Log, events.Name) {
	t.Helper()
	log, table, line := memory.New(), events.Name{1}, events.Name{2}
	add := func(d events.Draft) events.Record {
		rec, err := log.Append(ctx, d)
		require.NoError(t, err)
		return rec
	}
	id := func(i int) (id events.CommandID) { id[0], id[1] = byte(i), byte(i>>8); return id }
	d := logtest.Opening(events.Stream{Name: table, Kind: events.KindTable, Rulebook: "suite", Table: table})
	d.Command = id(1)
	head := add(d)
	d = logtest.Opening(events.Stream{Name: line, Kind: events.KindLine, Rulebook: "suite", Table: table,
		Origin: head.Hash})
	d.Command = id(2)
	add(d)
	for v := 1; v < n; v++ {
		d := logtest.Following(line, uint64(v))
		d.Command = id(2 + v)
		if v%3 == 0 {
			d.Parts = logtest.SomeParts()
		}
		if v >= part {
			d.Data = append(d.Data, other...)
		}
		add(d)
	}
	return log, line
}

// packOf returns a log's pack of a line.
func packOf(t testing.TB, log events.Log, line events.Name, change func([]events.Record) []events.Record) []byte {
	t.Helper()
	recs, err := log.Load(ctx, line, 0, 0)
	require.NoError(t, err)
	if change != nil {
		recs = change(slices.Clone(recs))
	}
	return packs.Pack(house, line, recs)
}

func TestAPackThatSaysSomethingElseThanTheLogIsThrownAway(t *testing.T) {
	log, line := grown(t, 50, 50, "")
	longer, _ := grown(t, 60, 60, "")
	other, _ := grown(t, 50, 40, " ")
	later := memory.New() // the same line, at other positions
	_, err := later.Append(ctx, logtest.Opening(events.Stream{Name: events.Name{9}, Kind: events.KindTable,
		Rulebook: "suite", Table: events.Name{9}}))
	require.NoError(t, err)
	streams, err := log.Streams(ctx, events.Name{1})
	require.NoError(t, err)
	all, err := log.Read(ctx, 0, 100)
	require.NoError(t, err)
	require.NoError(t, later.Adopt(ctx, streams, all))

	// each from something that made the pack, and sealed it
	forged := func(change func(r *events.Record)) []byte {
		return packOf(t, log, line, func(recs []events.Record) []events.Record { change(&recs[20]); return recs })
	}
	foreign := packs.Pack(sure(events.NewKeys([32]byte{8}))(t), line, sure(log.Load(ctx, line, 0, 0))(t))
	named := packs.Pack(house, events.Name{3}, sure(log.Load(ctx, line, 0, 0))(t))
	for what, b := range map[string][]byte{
		"of a log that was taken back":    packOf(t, longer, line, nil),
		"of a log that went on otherwise": packOf(t, other, line, nil),
		"at other positions":              packOf(t, later, line, nil),
		"of another house":                foreign,
		"of another line":                 named,
		"with another type":               forged(func(r *events.Record) { r.Type = "other.v1" }),
		"with other data":                 forged(func(r *events.Record) { r.Data = []byte("{}") }),
		"with other meta data":            forged(func(r *events.Record) { r.Meta = nil }),
		"with another hash":               forged(func(r *events.Record) { r.Hash[0]++ }),
		"with another command":            forged(func(r *events.Record) { r.Command[5]++ }),
		"of another stream":               forged(func(r *events.Record) { r.Stream[5]++ }),
		"at another time":                 forged(func(r *events.Record) { r.At = r.At.Add(time.Millisecond) }),
		"with one more part": forged(func(r *events.Record) {
			r.Parts = append(r.Parts, logtest.SomeParts()[1])
		}),
		"with a position that goes back": forged(func(r *events.Record) { r.Pos-- }),
		"with one that is left out": packOf(t, log, line, func(recs []events.Record) []events.Record {
			return slices.Delete(recs, 20, 21)
		}),
		"with one there twice": packOf(t, log, line, func(recs []events.Record) []events.Record {
			return slices.Insert(recs, 20, recs[20])
		}),
		"with none":                       packOf(t, log, line, func([]events.Record) []events.Record { return nil }),
		"which is empty":                  {},
		"which a power cut left as zeros": make([]byte, 4096),
		"with more behind it":             append(packOf(t, log, line, nil), 0),
		"which is named after its half": packOf(t, log, line, func(recs []events.Record) []events.Record {
			return recs[:25]
		}),
		"of another version of the format": bytes.Replace(packOf(t, log, line, nil), []byte("pack 2"), []byte("pack 3"),
			1),
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, line.String()+"-50")
		if what == "of a log that was taken back" {
			file = filepath.Join(dir, line.String()+"-60")
		}
		require.NoError(t, os.WriteFile(file, b, 0o600))
		p := packs.Headless(t, dir, house, log, room)
		want, err := log.Load(ctx, line, 0, 0)
		require.NoError(t, err)
		got, err := p.Load(ctx, line, 0, 0)
		require.NoError(t, err, what)
		require.Equal(t, want, got, "a pack %s", what)
		require.NoFileExists(t, file, "a pack %s", what)
		require.NoError(t, p.Make(line))
		require.True(t, p.Answers(line), "a pack %s is made again", what)
	}
	p := packs.Headless(t, t.TempDir(), house, log, room)
	require.NoError(t, p.Make(line))
	require.True(t, p.Answers(line), "and a good one answers")
}

func sure[T any](answer T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		if err != nil {
			panic(err)
		}
		return answer
	}
}

func TestWhateverIsWrongWithAPackIsSeenAndPanicsNobody(t *testing.T) {
	log, line := grown(t, 8, 8, "")
	good := packOf(t, log, line, nil)
	want, err := log.Load(ctx, line, 0, 0)
	require.NoError(t, err)
	got, err := packs.Unpack(good, house, line)
	require.NoError(t, err)
	require.Equal(t, want, got)
	for n := range good {
		_, err := packs.Unpack(good[:n], house, line)
		require.Error(t, err, "cut to %d bytes", n)
		for _, to := range []byte{good[n] ^ 1, good[n] ^ 0x80, 0xff ^ good[n]} {
			bad := slices.Clone(good)
			bad[n] = to
			_, err := packs.Unpack(bad, house, line)
			require.Error(t, err, "byte %d", n)
		}
	}
	plain := packs.Plain(house, want)
	for n := range plain {
		_, err := packs.Parsed(slices.Clone(plain[:n]))
		require.Error(t, err, "cut to %d bytes under its seal", n)
		for _, to := range []byte{plain[n] ^ 1, plain[n] ^ 0x80, 0xff ^ plain[n]} {
			bad := slices.Clone(plain)
			bad[n] = to
			_, _ = packs.Parsed(bad) // it may be good to read, and is then checked against the log
		}
	}
}

func TestSecretPartsLieOpenInAPackUnderTheSealOfItsHouse(t *testing.T) {
	log, line := grown(t, 1, 1, "")
	texts := []string{`{"hand":["the secret card"]}`, "", `{}`}
	for v := range uint64(60) {
		d := logtest.Following(line, v+1)
		for n, text := range texts[:v%4] {
			d.Parts = append(d.Parts, house.SealIn(512, line, v+2, n, domain.To(0), []byte(text)))
		}
		if v == 50 { // as if made under a key that is lost
			d.Parts = append(d.Parts, sure(events.NewKeys([32]byte{8}))(t).
				Seal(line, v+2, 2, domain.To(1), []byte("lost")))
		}
		_, err := log.Append(ctx, d)
		require.NoError(t, err)
	}
	dir := t.TempDir()
	p := packs.Headless(t, dir, house, log, room)
	require.NoError(t, p.Make(line))
	require.True(t, p.Answers(line))
	want, err := log.Load(ctx, line, 0, 0)
	require.NoError(t, err)
	got, err := p.Load(ctx, line, 0, 0)
	require.NoError(t, err)
	for i := range want {
		require.Len(t, got[i].Parts, len(want[i].Parts))
		for n := range want[i].Parts {
			salt, text, failed := house.Unseal(&want[i], n)
			s, t2, err := house.Unseal(&got[i], n)
			require.Equal(t, failed, err)
			require.Equal(t, string(text), string(t2))
			require.Equal(t, salt, s)
			require.Equal(t, want[i].Parts[n].Digest, got[i].Parts[n].Digest)
			require.Equal(t, want[i].Parts[n].To, got[i].Parts[n].To)
		}
	}
	file, err := os.ReadFile(filepath.Join(dir, line.String()+"-61"))
	require.NoError(t, err)
	require.NotContains(t, string(file), "secret card")
	require.NotContains(t, string(file), "after", "nothing lies open in the file")
	require.Less(t, len(file), 60*300, "nor is it padded")
	_, err = packs.Unpack(file, sure(events.NewKeys([32]byte{8}))(t), line)
	require.Error(t, err)
}

func TestALineGoesOnPastItsPackAndIsPackedAnewOnceItIsMuchLonger(t *testing.T) {
	log, line := grown(t, 40, 40, "")
	dir := t.TempDir()
	p := packs.Headless(t, dir, house, log, room)
	require.NoError(t, p.Make(line))
	for v := uint64(40); v < 90; v++ {
		_, err := log.Append(ctx, logtest.Following(line, v))
		require.NoError(t, err)
		require.NoError(t, p.Make(line))
		for _, span := range [][2]uint64{{0, 0}, {0, v + 1}, {3, 0}, {39, 0}, {40, 0}, {v, 0}, {0, 12}, {20, 41},
			{v + 1, 0}} {
			want, err := log.Load(ctx, line, span[0], span[1])
			require.NoError(t, err)
			got, err := p.Load(ctx, line, span[0], span[1])
			require.NoError(t, err)
			require.Equal(t, len(want), len(got))
			for i := range want {
				require.Equal(t, want[i], got[i])
			}
		}
	}
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.Equal(t, line.String()+"-90", files[0].Name(), "after 60, by a half each time")
}

func TestThePacksTakeNoMoreThanTheirRoomAndThoseAskedForStay(t *testing.T) {
	log, dir := memory.New(), t.TempDir()
	var lines []events.Name
	for range 20 {
		name := events.NewName()
		_, err := log.Append(ctx, logtest.Opening(events.Stream{Name: name, Kind: events.KindTable, Rulebook: "suite",
			Table: name}))
		require.NoError(t, err)
		d := logtest.Following(name, 1)
		d.Data = make([]byte, 10_000)
		_, err = log.Append(ctx, d)
		require.NoError(t, err)
		lines = append(lines, name)
	}
	size := func() (all int64) {
		files, err := os.ReadDir(dir)
		require.NoError(t, err)
		for _, f := range files {
			info, err := f.Info()
			require.NoError(t, err)
			all += info.Size()
		}
		return all
	}
	p := packs.Headless(t, dir, house, log, 100_000)
	for _, line := range lines {
		require.NoError(t, p.Make(line))
		require.LessOrEqual(t, size(), int64(100_000))
		require.True(t, p.Answers(lines[0]), "it was asked for each time")
	}
	require.False(t, p.Answers(lines[1]))
	require.True(t, p.Answers(lines[19]))

	require.NoError(t, os.WriteFile(filepath.Join(dir, "unfinished-"+lines[0].String()), make([]byte, 10), 0o600))
	p = packs.Headless(t, dir, house, log, 40_000)
	require.LessOrEqual(t, size(), int64(40_000), "with less room, what a crash left gone")
	require.NoFileExists(t, filepath.Join(dir, "unfinished-"+lines[0].String()))
	require.NoError(t, p.Make(lines[0]))

	big := packs.Headless(t, dir, house, log, 40_000)
	d := logtest.Following(lines[0], 2)
	d.Data = make([]byte, 6_000)
	_, err := log.Append(ctx, d)
	require.NoError(t, err)
	require.NoError(t, big.Make(lines[0]))
	require.LessOrEqual(t, size(), int64(40_000))
}

func TestWhatIsReadTwiceIsPackedAfterwardsAndWhatIsReadOnceIsNot(t *testing.T) {
	log, line := grown(t, packs.Least+5, 100, "")
	dir := filepath.Join(t.TempDir(), "packs")
	p := packs.Open(dir, house, log, room, func(err error) { t.Error(err) })
	load := func() []events.Record { return sure(p.Load(ctx, line, 0, 0))(t) }
	want := load()
	require.NoDirExists(t, dir, "once is not enough")
	require.Eventually(t, func() bool {
		require.Equal(t, want, load())
		return p.Answers(line)
	}, time.Minute, time.Millisecond)
	require.NoError(t, p.Close())
	require.Equal(t, want, load(), "what is there is read after the end, too")

	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, "drwx------", info.Mode().String())
	info, err = os.Stat(filepath.Join(dir, fmt.Sprintf("%s-%d", line, packs.Least+5)))
	require.NoError(t, err)
	require.Equal(t, "-rw-------", info.Mode().String())

	again := packs.Open(dir, house, log, room, func(err error) { t.Error(err) })
	require.Eventually(t, func() bool { return again.Answers(line) }, time.Minute, time.Millisecond, "a start finds it")
	require.NoError(t, again.Close())
}

func TestWherePacksCannotBeWrittenTheLogIsRead(t *testing.T) {
	log, line := grown(t, packs.Least, 100, "")
	dir := filepath.Join(t.TempDir(), "a file")
	told := make(chan error, 10)
	require.NoError(t, os.WriteFile(dir, nil, 0o600))
	p := packs.Open(filepath.Join(dir, "packs"), house, log, room, func(err error) { told <- err })
	for range 3 {
		require.Len(t, sure(p.Load(ctx, line, 0, 0))(t), packs.Least)
	}
	select {
	case err := <-told:
		require.Error(t, err)
	case <-time.After(time.Minute):
		t.Fatal("nobody was told")
	}
	require.NoError(t, p.Close())
	require.Empty(t, told)
}

// failing is a log that cannot be read at the moment.
type failing struct {
	events.Log
	fails atomic.Bool
}

var errAway = errors.New("away")

func (f *failing) Load(ctx context.Context, name events.Name, after, upTo uint64) ([]events.Record, error) {
	if f.fails.Load() {
		return nil, errAway
	}
	return f.Log.Load(ctx, name, after, upTo)
}

func TestAPackIsNotThrownAwayBecauseTheLogCannotBeAsked(t *testing.T) {
	inner, line := grown(t, 40, 40, "")
	log, dir := &failing{Log: inner}, t.TempDir()
	require.NoError(t, packs.Headless(t, dir, house, log, room).Make(line))
	p := packs.Headless(t, dir, house, log, room)
	log.fails.Store(true)
	_, err := p.Load(ctx, line, 0, 0)
	require.ErrorIs(t, err, errAway)
	log.fails.Store(false)
	require.True(t, p.Answers(line))
}
