package outages

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
	"golang.org/x/time/rate"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/porttest"
)

// The environment variables that make a test process a NATS server: its folder and its port.
const brokerDir, brokerPort = "POSTHORN_TEST_NATS_DIR", "POSTHORN_TEST_NATS_PORT"

// beBroker runs a NATS server until it is killed.
func beBroker(dir string) {
	port, err := strconv.Atoi(os.Getenv(brokerPort))
	if err != nil {
		panic(err)
	}
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: dir,
		NoLog: true, NoSigs: true})
	if err != nil {
		panic(err)
	}
	s.Start()
	select {}
}

// broker is a NATS server in its own process, which can be killed as abruptly as by a power cut.
type broker struct {
	t    *testing.T
	dir  string
	port int
	cmd  *exec.Cmd // nil while it is dead
}

func newBroker(t *testing.T) *broker {
	t.Helper()
	b := &broker{t: t, dir: t.TempDir(), port: porttest.Take(t)}
	t.Cleanup(b.kill)
	return b
}

func (b *broker) url() string { return fmt.Sprintf("nats://127.0.0.1:%d", b.port) }

func (b *broker) start() error {
	b.cmd = exec.Command(os.Args[0])
	b.cmd.Env = append(os.Environ(), brokerDir+"="+b.dir, brokerPort+"="+strconv.Itoa(b.port))
	return b.cmd.Start()
}

func (b *broker) kill() {
	if b.cmd != nil {
		_ = b.cmd.Process.Kill()
		_ = b.cmd.Wait() // it was meant to be killed
		b.cmd = nil
	}
}

// dies starts the server and kills it at random, the given number of times (0: until the context ends), and then starts
// it once more. It lets the server live for a while once the house has found it. Now and then the server comes back
// empty.
func (b *broker) dies(ctx context.Context, times int, longest time.Duration,
	found func(context.Context) error) (kills int, err error) {
	for kills < times || times == 0 {
		if err := b.start(); err != nil {
			return kills, err
		}
		if found(ctx) != nil || rest(ctx, rand.N(longest)) != nil {
			return kills, nil
		}
		b.kill()
		if kills++; kills%5 == 0 {
			if err := os.RemoveAll(filepath.Join(b.dir, "jetstream")); err != nil {
				return kills, err
			}
		}
		if rest(ctx, rand.N(longest/2)) != nil {
			break
		}
	}
	return kills, b.start() // it is there at the end
}

func rest(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// crowd is many tables, each of a person and a stand-in.
type crowd struct {
	t      *testing.T
	h      *house.House
	tables []events.Name
	moves  atomic.Int64
}

func who(i int) domain.PersonID { return domain.PersonID(fmt.Sprintf("p%07d", i)) }

// gathers opens n tables while the house runs.
func (c *crowd) gathers(ctx context.Context, n int) error {
	c.tables = make([]events.Name, n)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(16)
	for i := range n {
		g.Go(func() error {
			by := events.Actor{Person: who(i), Door: "page"}
			ans, err := c.h.Desk.Open(ctx, by, events.NewCommandID(),
				desk.NewTable{Rulebook: "carcassonne", Pace: "weekly", Places: []domain.TablePlace{
					{Kind: domain.SeatPlayer, Invited: []domain.PersonID{who(i)}},
					{Kind: domain.SeatStandIn, StandIn: "random"}}})
			if err != nil {
				return err
			}
			c.tables[i] = ans.Table
			_, err = c.h.Desk.Do(ctx, by, ans.Table, events.NewCommandID(),
				desk.Join{Seat: 0, Chance: []byte("sixteen bytes and more")})
			return err
		})
	}
	return g.Wait()
}

// plays makes the people of all tables move where they are awaited, round and round, until the context ends.
func (c *crowd) plays(ctx context.Context, pace *rate.Limiter) error {
	for i := 0; ; i = (i + 1) % len(c.tables) {
		if pace.Wait(ctx) != nil {
			return nil
		}
		if err := c.turn(ctx, i); err != nil && ctx.Err() == nil {
			return err
		}
	}
}

func (c *crowd) turn(ctx context.Context, i int) error {
	look, err := c.h.Desk.Look(ctx, c.tables[i])
	if err != nil || look.Line == nil {
		return err
	}
	for _, o := range look.Line.Awaited() {
		if o.Seat != 0 {
			continue
		}
		for m := range look.Rulebook.Legal(look.Line.State, 0) {
			_, err := c.h.Desk.Play(ctx, events.Actor{Person: who(i), Door: "page"},
				desk.Move{ID: events.NewCommandID(),
					Table: look.Name, Line: look.LineName, Seat: 0, Decision: o, Move: m})
			c.moves.Add(1)
			return err
		}
	}
	return nil
}

// settles waits until no table waits for the house.
func (c *crowd) settles(ctx context.Context) {
	c.t.Helper()
	for {
		last, err := c.h.Log.Last(ctx)
		require.NoError(c.t, err)
		waits := 0
		for _, name := range c.tables {
			look, err := c.h.Desk.Look(ctx, name)
			require.NoError(c.t, err)
			waiting, err := c.h.Desk.AwaitsHouse(ctx, look)
			require.NoError(c.t, err)
			if waiting {
				waits++
			}
		}
		if waits == 0 {
			return
		}
		require.NoError(c.t, c.h.Log.Wait(ctx, last), "%d tables wait for the house, and it does nothing", waits)
	}
}

// longest returns the longest time that a table waited for the house, from the event that left something to the house
// until the house did it, and how many such waits there were.
func (c *crowd) longest() (longest time.Duration, times int) {
	c.t.Helper()
	before := map[events.Name]time.Time{}
	for after := uint64(0); ; {
		recs, err := c.h.Log.Read(context.Background(), after, 1000)
		require.NoError(c.t, err)
		if len(recs) == 0 {
			return longest, times
		}
		for i := range recs {
			s, err := c.h.Log.Stream(context.Background(), recs[i].Stream)
			require.NoError(c.t, err)
			meta, err := events.ReadMeta(&recs[i])
			require.NoError(c.t, err)
			if meta.Door == events.House.Door {
				longest, times = max(longest, recs[i].At.Sub(before[s.Table])), times+1
			}
			before[s.Table] = recs[i].At
		}
		after = recs[len(recs)-1].Pos
	}
}

// Given many games against stand-ins, when an external NATS is killed and started at random during play, then every
// table goes on: none waits for the house in the end, and at full length none has waited longer than a minute.
func TestNoTableWaitsForTheHouseWhenNATSDies(t *testing.T) {
	t.Parallel()
	tables, pause, kills, length := 24, 50*time.Millisecond, 6, time.Duration(0)
	alive, pace := 400*time.Millisecond, rate.Limit(100)
	long := os.Getenv("POSTHORN_LONG") == "1"
	if long {
		tables, pause, kills, length, alive, pace = 1000, 4*time.Second, 0, 10*time.Minute, 15*time.Second, 40
	}
	b, told := newBroker(t), &posthorntest.Tail{}
	h, err := house.Open(t.Context(),
		house.Settings{Settings: folder.Settings{Data: t.TempDir()}, Listen: "127.0.0.1:0", From: "posthorn@localhost",
			Opening: "anyone", NATSSettings: house.NATSSettings{NATS: b.url()}, Pause: pause},
		slog.New(slog.NewTextHandler(told, nil)))
	require.NoError(t, err)
	defer func() { require.NoError(t, h.Close()) }()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var parts, people errgroup.Group
	parts.Go(func() error { return h.Views.Run(ctx, h.Relay) })
	parts.Go(func() error { return h.Runner().Run(ctx, h.Relay) })
	c := &crowd{t: t, h: h}
	playing, enough := context.WithCancel(ctx)
	people.Go(func() error {
		if err := c.gathers(ctx, tables); err != nil {
			return err
		}
		return c.plays(playing, rate.NewLimiter(pace, 1))
	})
	dying := ctx
	if long {
		var cancel context.CancelFunc
		dying, cancel = context.WithTimeout(ctx, length)
		defer cancel()
	}
	died, err := b.dies(dying, kills, alive, func(ctx context.Context) error { return h.Relay.Synced(ctx, 1) })
	require.NoError(t, err)
	enough()
	require.NoError(t, people.Wait())
	late, cancel := context.WithTimeout(ctx, posthorntest.Patient)
	defer cancel()
	c.settles(late)
	longest, times := c.longest()
	last, err := h.Log.Last(ctx)
	require.NoError(t, err)
	t.Logf("%d tables, NATS killed %d times, %d events, %d moves of people, %d times the house was waited for, "+
		"longest %v (a stand-in thinks for %v); alarm: %v; %s",
		tables, died, last, c.moves.Load(), times, longest, pause, h.Relay.Health().Alarm, told)
	require.Positive(t, c.moves.Load())
	if long {
		require.Less(t, longest, time.Minute)
	}
	stop()
	require.ErrorIs(t, parts.Wait(), context.Canceled)
}
