package turn

import (
	"context"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// Course is how the points of a table's main line went, as everybody could follow them: what was hidden while it
// was played counts from the end.
type Course struct {
	Points []Point // after the first event, after each that changed a score, and after the last
	Gains  []Gain  // every change, in the order of play
	Began  time.Time
	Last   time.Time
}

// Point is the scores after an event.
type Point struct {
	Version uint64
	Scores  []int
}

// Gain is one change of one score, with what the event that made it says. Version 0 is the end, at which hidden
// points are shown.
type Gain struct {
	Version   uint64
	Entry     int // of the standing: the seat, but where a game says otherwise
	Points    int // also below zero
	Sentences []string
}

// Course walks through the main line of a table, for an asker who may look at it.
func (m *Maker) Course(ctx context.Context, table events.Name, lang string) (c Course, err error) {
	look, err := m.desk.Look(ctx, table)
	if err != nil || look.Line == nil {
		return c, err
	}
	rb, now := look.Rulebook, []int(nil)
	last := look.Line.Version
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
			return nil
		})
	})
	if err != nil {
		return c, err
	}
	if look.Table.Open() { // what was hidden is seen now
		all := rb.Standing(look.Line.State, domain.Referee)
		scores := all.Scores
		if len(all.Final) == len(scores) && all.Ended {
			scores = all.Final
		}
		if c.gain(0, now, scores); !slices.Equal(now, scores) {
			c.Points = append(c.Points, Point{last, scores})
		}
	}
	return c, m.explain(ctx, look, lang, &c)
}

// gain notes how scores changed.
func (c *Course) gain(version uint64, before, after []int) {
	for i, n := range after {
		if i < len(before) {
			n -= before[i]
		}
		if n != 0 {
			c.Gains = append(c.Gains, Gain{Version: version, Entry: i, Points: n})
		}
	}
}

// explain adds what the events say, as a stranger is told them.
func (m *Maker) explain(ctx context.Context, look events.Look, lang string, c *Course) error {
	told, err := m.Timeline(ctx, look.Name, look.LineName, Asker{Seat: domain.Nobody, Lang: lang}, 0, 0)
	if err != nil {
		return err
	}
	says := map[uint64][]string{}
	for _, h := range told {
		says[h.Version] = h.Sentences
	}
	for i := range c.Gains {
		c.Gains[i].Sentences = says[c.Gains[i].Version]
	}
	return nil
}
