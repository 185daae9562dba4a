package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"time"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/bench"
)

// FoldCmd reads and folds whole games.
type FoldCmd struct {
	benchSettings
	Events uint64 `help:"Games of so many events, whose players only pass after a while; Carcassonne ends before. By default random games to their end."`
}

// Help returns the long help of the sub-command.
func (FoldCmd) Help() string {
	return `Plays a game of each kind, and looks at it as a page of a finished game does: its line is
loaded, and folded event by event. Beside that stands the bare scan of the same rows, which
makes nothing of them. Figures are for an event.`
}

// benchGames are the games to measure.
var benchGames = []string{"carcassonne", "catan", "rivals"}

// Run measures and prints.
func (c *FoldCmd) Run(ctx context.Context, con console.Console) error {
	return c.measured(ctx, con, "whole games read and folded, for an event", house.Settings{}, c.parts)
}

func (c *FoldCmd) parts(ctx context.Context, h *house.House) (parts []benchPart, err error) {
	for i, game := range benchGames {
		rnd := rand.New(rand.NewPCG(7, uint64(i)))
		table, err := benchOpens(ctx, h.Desk, game, rnd, "ana", "bo")
		if err != nil {
			return nil, err
		}
		version, choose := uint64(math.MaxUint64), chooser(drawnMove)
		if c.Events > 0 {
			version, choose = c.Events, lastingMove
		}
		look, err := benchPlay(ctx, h.Desk, table, version, choose, rnd)
		if err != nil {
			return nil, err
		}
		of, err := foldParts(ctx, h, look)
		if err != nil {
			return nil, err
		}
		parts = append(parts, of...)
	}
	return parts, nil
}

// foldParts returns the ways to read a line; the last is how a page does it.
func foldParts(ctx context.Context, h *house.House, look events.Look) ([]benchPart, error) {
	line, n := look.LineName, int(look.LineHead.Version)
	scan, err := bench.BareScan(ctx, h.Path("events.db"), line)
	if err != nil {
		return nil, err
	}
	h.Closers = append(h.Closers, scan)
	load := func(ctx context.Context) ([]events.Record, error) { return h.Log.Load(ctx, line, 0, 0) }
	walk := func(ctx context.Context) error {
		return h.Desk.Walk(ctx, look, line, func(*domain.Line, *events.Record) error { return nil })
	}
	way := func(name string, once func(context.Context) error) benchPart {
		return benchPart{name: fmt.Sprintf("%s, %d events: %s", look.Table.Rulebook, n, name),
			once: func(ctx context.Context) (int, error) { return n, once(ctx) }}
	}
	parts := []benchPart{
		way("bare scan", scan.Once),
		way("loaded", func(ctx context.Context) error { _, err := load(ctx); return err }),
		way("loaded and folded", func(ctx context.Context) error {
			records, err := load(ctx)
			if err != nil {
				return err
			}
			return events.FoldLine(domain.NewLine(look.Rulebook, domain.NewThrowaway(0)), records, h.Keys)
		}),
	}
	packed, err := packedBy(ctx, walk, filepath.Join(h.Path(house.PacksFolder), line.String()+"-*"))
	if err != nil || !packed {
		return parts, err
	}
	return append(parts, way("at the desk, from its pack", walk)), nil
}

// packedBy reads a line until it is packed, and reports whether it was. The line must be long enough for packing.
func packedBy(ctx context.Context, read func(context.Context) error, pack string) (bool, error) {
	for until := time.Now().Add(5 * time.Second); time.Now().Before(until); time.Sleep(time.Millisecond) {
		if there, err := filepath.Glob(pack); err != nil || len(there) > 0 {
			return err == nil, errors.Join(err, read(ctx)) // once more: the first read computes the chain
		}
		if err := read(ctx); err != nil {
			return false, err
		}
	}
	return false, nil
}
