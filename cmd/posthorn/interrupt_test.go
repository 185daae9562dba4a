package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/events"
	"posthorn/events/archive"
)

// interruption is a context that ends the moment it is asked for the nth time whether it has: the same point of a
// command's work each time, however quick the machine is.
type interruption struct {
	context.Context
	end   context.CancelFunc
	asked atomic.Int64
	at    int64 // 0: never
}

func newInterruption(t *testing.T, at int64) *interruption {
	t.Helper()
	ctx, end := context.WithCancel(context.Background())
	t.Cleanup(end)
	return &interruption{Context: ctx, end: end, at: at}
}

func (i *interruption) ask() {
	if i.asked.Add(1) == i.at {
		i.end()
	}
}

func (i *interruption) Done() <-chan struct{} { i.ask(); return i.Context.Done() }

func (i *interruption) Err() error { i.ask(); return i.Context.Err() }

// guarded is a text that a command which was left where it is may still write to.
type guarded struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (g *guarded) Write(b []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.text.Write(b)
}

func (g *guarded) String() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.text.String()
}

// tried is how the test runs a sub-command. In args, HOUSE, LIVED, THERE and LOST are houses, EMPTY is an empty folder,
// all of its own each time, and OUT a file or folder that is not there yet.
type tried struct {
	args   string
	never  bool    // it ends only when it is told to
	ends   int     // with which status it ends, if not with 0
	points []int64 // when it is interrupted; the default is commonPoints
}

var commonPoints = []int64{1, 3, 8, 21, 55}

// commandsTried has every sub-command, by the words that call it.
func commandsTried(s smallHouse, there string) map[string]tried {
	open, bench := []int64{1, 5, 50}, []int64{1, 30}
	return map[string]tried{
		"run":               {args: "--data HOUSE --listen 127.0.0.1:0", never: true, points: open},
		"setup":             {args: "--env OUT --data EMPTY --dry-run", ends: 2, points: []int64{1, 2}},
		"serve":             {args: "--data HOUSE --listen 127.0.0.1:0", never: true, points: open},
		"play":              {args: s.file("whole.script")},
		"simulate":          {args: "carcassonne --games 3"},
		"export":            {args: "--data HOUSE -o OUT " + s.running},
		"script":            {args: "-o OUT ../../docs/example.jsonl"},
		"verify":            {args: "--data HOUSE"},
		"archive":           {args: "--data HOUSE OUT"},
		"unpack":            {args: "-o OUT " + s.file("whole.archived")},
		"handover":          {args: "--data HOUSE -o OUT --to " + there + " " + s.running},
		"import":            {args: "--data THERE " + s.file("handed")},
		"key":               {args: "--data HOUSE"},
		"claims":            {args: "--data HOUSE"},
		"backup":            {args: "--data HOUSE OUT"},
		"restore":           {args: "--data OUT " + s.file("copy")},
		"restore-from-nats": {args: "--data LOST"},
		"mail list":         {args: "--data LIVED"},
		"mail resend":       {args: "--data LIVED --all", ends: 1},
		"mail reach":        {args: "--data LIVED ana@example.org"},
		"doctor":            {args: "--data LIVED", points: []int64{1, 2, 3}},
		"people list":       {args: "--data LIVED"},
		"people invite":     {args: "--data LIVED cid@example.org", points: open},
		"people ban":        {args: "--data LIVED ana@example.org", points: open},
		"people unban":      {args: "--data LIVED bo@example.org", points: open},
		"people readdress":  {args: "--data LIVED ana@example.org anew@example.org", points: open},
		"people signup":     {args: "--data LIVED closed", points: open},
		"forget":            {args: "--data LIVED ana@example.org", points: open},
		"rebuild":           {args: "--data HOUSE"},
		"words":             {args: "catan."},
		"bench log":         {args: "--dir EMPTY --length 1ms", points: bench},
		"bench http":        {args: "--dir EMPTY --length 1ms --runs 1 --players 1 --tables 1", points: bench},
	}
}

// placed returns a command with its folders, made anew.
func (c tried) placed(t *testing.T, name string, houses map[string]string) (args []string, out, empty string) {
	t.Helper()
	dir := t.TempDir()
	out, empty = filepath.Join(dir, "out"), filepath.Join(dir, "empty")
	require.NoError(t, os.Mkdir(empty, 0o700))
	args = append(strings.Fields(name), strings.Fields(c.args)...)
	for i, arg := range args {
		switch arg {
		case "OUT":
			args[i] = out
		case "EMPTY":
			args[i] = empty
		}
		if from, is := houses[arg]; is {
			args[i] = filepath.Join(dir, arg)
			require.NoError(t, os.CopyFS(args[i], os.DirFS(from)))
			require.NoError(t, os.Chmod(filepath.Join(args[i], "server.key"), 0o600))
		}
	}
	return args, out, empty
}

// interrupted interrupts a command at several points, and runs it once more each time.
func (c tried) interrupted(t *testing.T, name string, houses map[string]string) {
	points := c.points
	if points == nil {
		points = commonPoints
	}
	for _, at := range points {
		args, out, empty := c.placed(t, name, houses)
		ctx, said := newInterruption(t, at), &guarded{}
		status := run(ctx, args, console.Console{In: strings.NewReader(""), Out: said, Err: said})
		if at > 1 && (status == 0 || status == c.ends) { // it was done, or it is a server and has stopped
			require.False(t, !c.never && ctx.asked.Load() > at+deaf,
				"interrupted at %d, it went on and asked %d times: %s", at, ctx.asked.Load(), said)
			continue
		}
		require.Equal(t, console.Interrupted, status, "at %d: %s", at, said)
		require.Contains(t, said.String(), "posthorn: interrupted")
		left, err := os.ReadDir(empty)
		require.NoError(t, err)
		require.Empty(t, left, "at %d", at)
		if name != "archive" { // its files are each whole
			require.NoFileExists(t, out)
			require.NoFileExists(t, out+".part")
			inOut, err := filepath.Glob(filepath.Join(out, "*"))
			require.NoError(t, err)
			require.Empty(t, inOut, "at %d", at)
		}
		if c.never || strings.HasPrefix(name, "bench") || name == "doctor" {
			continue
		}
		said = &guarded{}
		status = run(context.Background(), args, console.Console{In: strings.NewReader(""), Out: said, Err: said})
		require.True(t, status == 0 || status == c.ends, "once more, after %d: %d %s", at, status, said)
	}
}

// deaf is how often a command that was interrupted may still ask, while it puts things away.
const deaf = 40

// Somebody presses Ctrl-C while a sub-command works: at once, or at any later point. It ends with the status for that
// and says so, or was done already. What it was writing is not there, and the next run does all of it.
func TestEverySubCommandEndsWhenItIsInterrupted(t *testing.T) {
	s := newSmallHouse(t)
	cfg, _ := inhabited(t)
	done(t, "people", "ban", "--data", cfg.Data, "bo@example.org")
	houses := map[string]string{"HOUSE": s.dir, "LIVED": cfg.Data, "THERE": t.TempDir(), "LOST": t.TempDir()}
	there := strings.TrimSpace(done(t, "key", "--data", houses["THERE"]))
	made := smallHouse{dir: t.TempDir()}
	require.NoError(t, os.WriteFile(made.file("whole.script"), []byte("game carcassonne\nseed 1\nseat Ana\nseat Bo\n"),
		0o600))
	done(t, "archive", "--data", s.dir, made.file("archived"))
	ended, err := events.ParseName(s.ended)
	require.NoError(t, err)
	require.NoError(t, os.Rename(archive.Folder(made.file("archived")).Path(ended), made.file("whole.archived")))
	done(t, "backup", "--data", s.dir, made.file("copy"))
	done(t, "restore", "--data", made.file("elsewhere"), made.file("copy"))
	done(t, "handover", "--data", made.file("elsewhere"), "-o", made.file("handed"), "--to", there, s.running)
	require.NoError(t, os.CopyFS(houses["LOST"], os.DirFS(cfg.Data)))
	posthorntest.RemoveAll(t, house.Settings{Settings: folder.Settings{Data: houses["LOST"]}}, "events.db*")

	made.running = s.running
	tries := commandsTried(made, there)
	var all settings
	parser, err := kong.New(&all, kong.Name("posthorn"), kong.Bind(console.Console{}),
		kong.BindTo(t.Context(), (*context.Context)(nil)))
	require.NoError(t, err)
	for _, leaf := range parser.Model.Leaves(true) {
		name := strings.TrimPrefix(leaf.Path(), "posthorn ")
		c, known := tries[name]
		require.True(t, known, "%s: nothing interrupts it yet", name)
		delete(tries, name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.interrupted(t, name, houses)
		})
	}
	require.Empty(t, tries)
}
