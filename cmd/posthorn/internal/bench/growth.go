package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	nethttp "net/http"
	"os"
	"slices"
	"time"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/domain"
	"posthorn/events"
)

// GrowthCmd measures what things cost as something grows.
type GrowthCmd struct {
	benchSettings
	Of    string `help:"What grows: the events of a game, the branches of a table, or the games of a house." default:"events" enum:"events,branches,games"`
	Sizes []int  `help:"How many of them, each greater than the one before." default:"10,100,1000"`
	SVG   string `name:"svg" help:"Draw what was measured into this file." type:"path"`
}

// Help returns the long help of the sub-command.
func (GrowthCmd) Help() string {
	return `At each size a house of its own is filled, and the same things are done there. With events: a
game of Catan whose players only pass after a while; its table and its past as pages, a move,
and the whole game read and folded. With branches: a table that has gone back by consent again
and again; its page, the page of its tree, and a move. With games: running games of all kinds;
a start until the first page, the lists made anew, and a move.`
}

// grown is the result for one size.
type grown struct {
	Size int        `json:"size"`
	Rows []benchRow `json:"rows"`
}

// Run measures and prints.
func (c *GrowthCmd) Run(ctx context.Context, con console.Console) error {
	if len(c.Sizes) == 0 || !slices.IsSorted(c.Sizes) || c.Sizes[0] < 1 {
		return errors.New("--sizes must be numbers from 1, the least first")
	}
	fill := map[string]func(context.Context, *house.House, int) ([]benchPart, error){
		"events": longParts, "branches": branchParts, "games": gamesParts}[c.Of]
	var all []grown
	for _, n := range c.Sizes {
		err := c.atHouse(ctx, house.Settings{}, false, func(ctx context.Context, h *house.House) error {
			h.Desk.Limit(events.Limits{})
			parts, err := fill(ctx, h, n)
			if err != nil {
				return err
			}
			rows, err := c.inTurn(ctx, parts)
			all = append(all, grown{n, rows})
			return err
		})
		if err != nil {
			return fmt.Errorf("%d %s: %w", n, c.Of, err)
		}
	}
	if c.SVG != "" {
		if err := os.WriteFile(c.SVG, plotGrowth(c.Of, all), 0o644); err != nil {
			return fmt.Errorf("draw: %w", err)
		}
	}
	if c.JSON {
		return json.NewEncoder(con.Out).Encode(all)
	}
	for _, g := range all {
		if err := printRows(con, fmt.Sprintf("%d %s", g.Size, c.Of), g.Rows); err != nil {
			return err
		}
		fmt.Fprintln(con.Out)
	}
	return nil
}

// growing is the table to measure.
type growing struct {
	house *house.House
	table events.Name
	rnd   *rand.Rand
	pages int // pages requested so far, each by a different person
}

// some is how often to repeat something that changes what is measured.
const some = 4

func (g *growing) move() benchPart {
	return benchPart{name: "a move", ready: func(context.Context) error { return nil },
		once: func(ctx context.Context) (int, error) {
			look, err := g.house.Desk.Look(ctx, g.table)
			if err != nil {
				return 0, err
			}
			_, err = benchPlay(ctx, g.house.Desk, g.table, look.LineHead.Version+some, lastingMove, g.rnd)
			return some, err
		}}
}

func (g *growing) page(name string, path func() string) benchPart {
	return benchPart{name: name, once: func(ctx context.Context) (int, error) { return 1, g.get(ctx, path()) }}
}

// get requests a page without a network.
func (g *growing) get(ctx context.Context, path string) error {
	r, err := nethttp.NewRequestWithContext(ctx, nethttp.MethodGet, g.house.Config.PublicURL+path, nil)
	if err != nil {
		return fmt.Errorf("a page: %w", err)
	}
	g.pages++
	r.RemoteAddr = fmt.Sprintf("10.%d.%d.%d:1", g.pages>>16&255, g.pages>>8&255, g.pages&255)
	w := &unreadPage{header: nethttp.Header{}, status: nethttp.StatusOK}
	g.house.Server.ServeHTTP(w, r)
	if w.status != nethttp.StatusOK {
		return fmt.Errorf("%s was answered with %d", path, w.status)
	}
	return nil
}

// unreadPage is an answer that nobody reads.
type unreadPage struct {
	header nethttp.Header
	status int
}

func (u *unreadPage) Header() nethttp.Header      { return u.header }
func (u *unreadPage) Write(b []byte) (int, error) { return len(b), nil }
func (u *unreadPage) WriteHeader(status int)      { u.status = status }

// newGrowing starts a game of Catan.
func newGrowing(ctx context.Context, h *house.House) (*growing, error) {
	g := &growing{house: h, rnd: rand.New(rand.NewPCG(7, 0))}
	var err error
	g.table, err = benchOpens(ctx, h.Desk, "catan", g.rnd, "ana", "bo")
	return g, err
}

// longParts returns the measurements for a game of n events.
func longParts(ctx context.Context, h *house.House, n int) ([]benchPart, error) {
	g, err := newGrowing(ctx, h)
	if err != nil {
		return nil, err
	}
	look, err := benchPlay(ctx, h.Desk, g.table, uint64(n), lastingMove, g.rnd)
	if err != nil {
		return nil, err
	}
	home := "/t/" + g.table.String()
	return []benchPart{
		g.page("its page", func() string { return home }),
		g.page("a page of its past", func() string {
			return fmt.Sprintf("%s/line/%s/%d", home, look.LineName, 1+g.rnd.IntN(n))
		}),
		{name: "read and folded", once: func(ctx context.Context) (int, error) {
			return 1, h.Desk.Walk(ctx, look, look.LineName, func(*domain.Line, *events.Record) error { return nil })
		}},
		g.move(),
	}, nil
}

// branchParts returns the measurements for a table with n lines, each forked from the one before.
func branchParts(ctx context.Context, h *house.House, n int) ([]benchPart, error) {
	g, err := newGrowing(ctx, h)
	if err != nil {
		return nil, err
	}
	look, err := benchPlay(ctx, h.Desk, g.table, 30, lastingMove, g.rnd)
	for ; err == nil && len(look.Table.Lines) < n; look, err = h.Desk.Look(ctx, g.table) {
		if err := g.fork(ctx, look.LineHead.Version); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, err
	}
	home := "/t/" + g.table.String()
	return []benchPart{g.page("its page", func() string { return home }),
		g.page("its tree", func() string { return home + "/tree" }), g.move()}, nil
}

// fork plays a little and rewinds, but not all the way.
func (g *growing) fork(ctx context.Context, from uint64) error {
	desk := g.house.Desk
	if _, err := benchPlay(ctx, desk, g.table, from+3, lastingMove, g.rnd); err != nil {
		return err
	}
	do := func(by domain.PersonID, c events.Command) error {
		_, err := desk.Do(ctx, events.Actor{Person: by, Door: events.DoorHost}, g.table, events.NewCommandID(), c)
		return err
	}
	if err := do("ana", events.ProposeRewind{To: from + 1}); err != nil {
		return fmt.Errorf("propose to go back: %w", err)
	}
	look, err := desk.Look(ctx, g.table)
	if err != nil {
		return err
	}
	if err := do("bo", events.Agree{Since: look.Table.Proposal.Since}); err != nil {
		return fmt.Errorf("agree to go back: %w", err)
	}
	_, err = desk.Chores(ctx, g.table)
	return err
}

// gamesParts returns the measurements for a house with n running games.
func gamesParts(ctx context.Context, h *house.House, n int) ([]benchPart, error) {
	tables, err := gamesInTurns(ctx, h, n, 2*movesInTurn)
	if err != nil {
		return nil, err
	}
	last, err := h.Log.Last(ctx)
	if err != nil {
		return nil, err
	}
	g := &growing{house: h, rnd: rand.New(rand.NewPCG(7, 0)), table: tables[min(1, n-1)]}
	start := benchPart{name: "a start until the first page", ready: func(context.Context) error {
		return g.house.Close()
	}}
	start.once = func(ctx context.Context) (_ int, err error) {
		if g.house, err = house.Open(ctx, h.Config, slog.New(slog.DiscardHandler)); err != nil {
			return 0, err
		}
		h.Closers = append(h.Closers[:0], g.house) // closed once, by the owner of that house
		g.house.Desk.Limit(events.Limits{})
		return 1, g.get(ctx, "/")
	}
	lists := benchPart{name: "lists made anew, an event", ready: func(context.Context) error { return nil },
		once: func(ctx context.Context) (int, error) {
			return int(last), g.house.Views.Rebuild(ctx, nil)
		}}
	return []benchPart{start, lists, g.move()}, nil
}

// took returns the median processor time of a part.
func (r *benchRow) took() time.Duration {
	mid, _, _ := spread(r.Runs, func(s benchShare) time.Duration { return s.CPU })
	return mid
}
