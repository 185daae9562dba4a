package turn

import (
	"context"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// Course is how the points went on a table's main line, as everybody could follow them. Points that were hidden during
// play count from the end.
type Course struct {
	Moves  int     // made by anybody; the start of a game and a takeback do not count
	Points []Point // after the first event, after each that changed a score, and after the last
	Gains  []Gain  // every change, in the order of play
	Began  time.Time
	Last   time.Time
	Luck   []Luck
	Goods  []Good
	// what the points of a game that is over come from; empty if that is not known of every point
	Sources []Source
}

// Source is one kind of thing that points come from, and how many each entry of the standing has from it.
type Source struct {
	Name   string
	Points []int
}

// Luck is what chance brought one entry in one kind of thing, compared with what to expect.
type Luck struct {
	Name  string // of what it counts, in the asker's language
	Help  string
	Entry int // in the standing; -1 for the game as a whole
	Sums  []LuckSum
}

// LuckSum is what chance had brought, and what to expect, up to an event.
type LuckSum struct {
	Version       uint64
	Got, Expected float64
}

// Good is what everybody gained, spent and held of one kind, by entry of the standing.
type Good struct {
	Name          string
	Gained, Spent []int
	Held          [][]Level // what each held after the first event, and after each event that changed it
}

// Level is how much somebody held after an event.
type Level struct {
	Version uint64
	N       int
}

// Size returns roughly how many bytes a course takes.
func (c Course) Size() int {
	n := 128
	for _, p := range c.Points {
		n += 48 + 8*len(p.Scores)
	}
	for _, l := range c.Luck {
		n += 96 + len(l.Name) + len(l.Help) + 24*len(l.Sums)
	}
	for _, g := range c.Goods {
		n += 64 + len(g.Name) + 40*len(g.Gained)
		for _, held := range g.Held {
			n += 16 * len(held)
		}
	}
	for _, s := range c.Sources {
		n += 48 + len(s.Name) + 8*len(s.Points)
	}
	for _, g := range c.Gains {
		n += 64
		for _, s := range g.Sentences {
			n += 16 + len(s)
		}
	}
	return n
}

// Point holds the scores after an event.
type Point struct {
	Version uint64
	Scores  []int
}

// Gain is one change of one score, with the text of the event that made it. Version 0 is the end, when hidden points
// are shown.
type Gain struct {
	Version   uint64
	Entry     int // in the standing: the seat, unless a game says otherwise
	Points    int // may be negative
	Sentences []string
	First     bool // everybody starts with it; no move made it
}

// Course goes through the main line of a table, for an asker who may look at it.
func (m *Maker) Course(ctx context.Context, table events.Name, lang string) (c Course, err error) {
	look, err := m.desk.Look(ctx, table)
	if err != nil || look.Line == nil {
		return c, err
	}
	rb, now := look.Rulebook, []int(nil)
	last := look.Line.Version
	printer, _, err := m.Printer(ctx, look, lang)
	if err != nil {
		return c, err
	}
	book := newAccounts(look, printer, m.desk)
	err = m.desk.Guard(look.Name, func() error {
		return m.desk.Walk(ctx, look, look.LineName, func(line *domain.Line, rec *events.Record) error {
			if c.Last = rec.At; c.Began.IsZero() {
				c.Began = rec.At
			}
			scores := rb.Standing(line.State, domain.Spectator).Scores
			c.gain(rec.Version, now, scores)
			if now == nil || !slices.Equal(now, scores) || rec.Version == last {
				c.Points = append(c.Points, Point{rec.Version, scores})
			}
			now = scores
			return book.add(line, rec)
		})
	})
	if err != nil {
		return c, err
	}
	if c.Luck = book.luck; len(c.Points) > 1 { // something was played
		c.Goods = book.goods
	}
	if look.Table.IsOver() && look.Table.Open() {
		c.Sources = book.sourcesOf(rb.Standing(look.Line.State, domain.Referee).Final)
	}
	if look.Table.Open() { // what was hidden is now visible
		all := rb.Standing(look.Line.State, domain.Referee)
		scores := all.Scores
		if len(all.Final) == len(scores) && (all.Ended || look.Table.IsOver()) { // also if the game was broken off
			scores = all.Final
		}
		if c.gain(0, now, scores); !slices.Equal(now, scores) {
			c.Points = append(c.Points, Point{last, scores})
		}
	}
	return c, m.explain(ctx, look, lang, &c)
}

// gain records how scores changed.
func (c *Course) gain(version uint64, before, after []int) {
	for i, n := range after {
		if i < len(before) {
			n -= before[i]
		}
		if n != 0 {
			c.Gains = append(c.Gains, Gain{Version: version, Entry: i, Points: n, First: before == nil})
		}
	}
}

// explain adds what the events say, as told to a stranger.
func (m *Maker) explain(ctx context.Context, look desk.Look, lang string, c *Course) error {
	told, err := m.Timeline(ctx, look.Name, look.LineName, Asker{Seat: domain.Nobody, Lang: lang}, 0, 0)
	if err != nil {
		return err
	}
	says := map[uint64][]string{}
	for _, h := range told {
		if says[h.Version] = h.Sentences; h.Seat != domain.Nobody {
			c.Moves++
		}
	}
	for i := range c.Gains {
		c.Gains[i].Sentences = says[c.Gains[i].Version]
	}
	return nil
}
