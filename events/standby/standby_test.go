package standby_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/safe"
)

// client plays at a table of its own: it gives one command after another, and repeats each until it is answered.
type client struct {
	h     *house
	table events.Name
	told  []events.Record // what was acknowledged, in order
}

// run gives commands until the context ends.
func (c *client) run(ctx context.Context) error {
	for n := uint64(0); ctx.Err() == nil; n++ {
		rec, err := c.give(ctx, n, events.NewCommandID())
		if err != nil {
			return err
		}
		if rec != nil {
			c.told = append(c.told, *rec)
		}
	}
	return nil
}

// give tries a command until it is acknowledged; nil if the context ends first.
func (c *client) give(ctx context.Context, n uint64, id events.CommandID) (*events.Record, error) {
	for {
		_, log := c.h.writes(ctx, nil)
		if log == nil {
			return nil, nil
		}
		rec, err := log.Append(ctx, c.draft(ctx, log, id))
		var dup *events.Duplicate
		switch {
		case err == nil:
			return &rec, nil
		case errors.As(err, &dup):
			return &dup.Record, nil
		case ctx.Err() != nil:
			return nil, nil
		case errors.Is(err, events.ErrUnsafe), errors.Is(err, events.ErrClosed), errors.As(err, new(*events.Conflict)),
			errors.Is(err, events.ErrNoStream):
			time.Sleep(time.Millisecond)
		default:
			return nil, fmt.Errorf("command %d of %s: %w", n, c.table, err)
		}
	}
}

// draft returns the command's event after what the log shows of its table.
func (c *client) draft(ctx context.Context, log *safe.Log, id events.CommandID) events.Draft {
	d := events.Draft{Stream: c.table, Command: id, Type: "table.said.v1", Codec: "json", At: time.Now(),
		Meta: []byte(`{"door":"test"}`), Data: []byte(`{"person":"Ana"}`)}
	head, err := log.Head(ctx, c.table)
	if err != nil {
		d.Type, d.Data = domain.TableEventType(&domain.Opened{}), []byte(`{"rulebook":"tiny"}`)
		d.Open = &events.Stream{Name: c.table, Kind: events.KindTable, Rulebook: "tiny", Table: c.table}
	}
	d.Expect = head.Version
	return d
}

// check compares what was acknowledged with a log: all of it is there, in its place, each command once.
func check(t *testing.T, clients []*client, log []events.Record) (acknowledged int) {
	t.Helper()
	at := map[events.CommandID]*events.Record{}
	for i := range log {
		require.EqualValues(t, i+1, log[i].Pos)
		require.NotContains(t, at, log[i].Command, "a command was done twice")
		at[log[i].Command] = &log[i]
	}
	for _, c := range clients {
		for i := range c.told {
			got := at[c.told[i].Command]
			require.NotNil(t, got, "acknowledged at position %d, and lost", c.told[i].Pos)
			require.Equal(t, c.told[i].Hash, got.Hash)
			require.Equal(t, c.told[i].Pos, got.Pos)
			acknowledged++
		}
	}
	return acknowledged
}

// Given a house of two servers under load, when the writing one is killed, again and again, then the other takes over
// each time, nothing acknowledged is lost, nothing is done twice, and in the end both hold the same log.
func TestAStandbyTakesOver(t *testing.T) {
	kills, ttl := 2, time.Second
	if os.Getenv("POSTHORN_LONG") == "1" {
		kills, ttl = 50, 2*time.Second
	}
	h := newHouse(t, ttl)
	nodes := []*node{h.node(t.TempDir(), true), h.node(t.TempDir(), false)}
	for _, n := range nodes {
		n.start()
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Duration(kills+2)*longest)
	defer stop()
	loading, enough := context.WithCancel(ctx)
	var clients []*client
	var load sync.WaitGroup
	failed := make(chan error, 16)
	for range 8 {
		c := &client{h: h, table: events.NewName()}
		clients = append(clients, c)
		load.Go(func() {
			if err := c.run(loading); err != nil {
				failed <- err
			}
		})
	}
	var slowest time.Duration
	for range kills {
		killed, _ := h.underLoad(ctx)
		began := time.Now()
		killed.end(errKilled)
		writer, _ := h.writes(ctx, killed)
		require.NotNil(t, writer, "nobody takes over")
		slowest = max(slowest, time.Since(began))
		killed.start()
	}
	_, end := h.underLoad(ctx)
	enough()
	load.Wait()
	select {
	case err := <-failed:
		t.Fatal(err)
	default:
	}
	for _, c := range clients {
		if n := len(c.told); n > 0 {
			end = max(end, c.told[n-1].Pos)
		}
	}
	for _, n := range nodes {
		n.holds(end)
		n.end(errKilled)
	}
	first, second := nodes[0].records(), nodes[1].records()
	require.GreaterOrEqual(t, uint64(min(len(first), len(second))), end)
	first, second = first[:end], second[:end] // after that may come what nobody was told of
	require.Equal(t, first, second, "both servers hold the same")
	terms := 0
	for i := range first {
		if first[i].Type == events.TypeTookOver {
			terms++
		}
	}
	require.GreaterOrEqual(t, terms, kills+1)
	acknowledged := check(t, clients, first)
	require.Positive(t, acknowledged)
	t.Logf("%d kills, %d acknowledged, %d in the log, %d terms; back after at most %v; set aside %d times", kills,
		acknowledged, len(first), terms,
		slowest.Round(time.Millisecond), len(nodes[0].aside)+len(nodes[1].aside))
}
