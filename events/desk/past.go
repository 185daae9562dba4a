package desk

import (
	"context"
	"errors"
	"fmt"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/recent"
)

// moment is a version of a line.
type moment struct {
	line    events.Name
	version uint64
}

// past keeps recently folded states of lines, so that a position costs no more in a long game than in a short one. An
// append-only log never changes up to a version, so nothing kept here is ever wrong.
type past struct {
	folded *recent.Store[moment, *domain.Line]
	closed *recent.Store[events.Name, events.Head] // heads of closed lines
}

const (
	pastEvery  = 32      // a line is kept every so many events: the most to fold for a position near one already seen
	pastLines  = 640     // how many are kept: enough for a game of 20,000 events, or a few hundred ordinary ones
	pastClosed = 1 << 14 // a head is 40 bytes
)

func newPast() past {
	return past{recent.New[moment, *domain.Line](pastLines, nil), recent.New[events.Name, events.Head](pastClosed, nil)}
}

// nearest returns a copy of the line as last kept at or before a version; nil if there is none.
func (p past) nearest(line events.Name, version uint64) *domain.Line {
	for at := version - version%pastEvery; at > 0; at -= pastEvery {
		if l, ok := p.folded.Get(moment{line, at}); ok {
			return l.Clone()
		}
	}
	return nil
}

// foldTo folds one of a table's lines up to a version (0: its head). It returns ErrNoStream if the table has no such
// line.
func (d *Desk) foldTo(ctx context.Context, table events.Name, t *domain.Table, rb domain.Rulebook, line events.Name,
	version uint64) (*domain.Line, error) {
	src, err := sourceOf(table, t, line)
	if err != nil {
		return nil, err
	}
	if version == 0 {
		head, err := d.log.Head(ctx, line)
		if err != nil {
			return nil, fmt.Errorf("line %s: %w", line, err)
		}
		version = head.Version
	}
	l := d.past.nearest(line, version)
	if l == nil {
		l = domain.NewLine(rb, src)
	}
	recs, err := d.log.Load(ctx, line, l.Version, version)
	if err != nil {
		return nil, fmt.Errorf("line %s: %w", line, err)
	}
	for len(recs) > 0 {
		n := min(uint64(len(recs)), pastEvery-l.Version%pastEvery)
		if err := foldLine(new(events.Decoder), l, table, recs[:n], d.keys); err != nil {
			return nil, err
		}
		if recs = recs[n:]; l.Version%pastEvery == 0 {
			d.past.folded.Put(moment{line, l.Version}, l.Clone())
		}
	}
	return l, nil
}

// sourceOf returns the luck of one of a table's lines.
func sourceOf(table events.Name, t *domain.Table, line events.Name) (*domain.Source, error) {
	for _, l := range t.Lines {
		if l.Name == line.String() {
			return t.SourceOf(l), nil
		}
	}
	return nil, fmt.Errorf("line %s of table %s: %w", line, table, events.ErrNoStream)
}

// LineHead returns the head of one of a table's lines, or the zero Head if the line is not open yet. A closed line
// never changes, so its head is looked up only once.
func (d *Desk) LineHead(ctx context.Context, l domain.TableLine) (events.Name, events.Head, error) {
	name, err := events.ParseName(l.Name)
	if err != nil {
		return name, events.Head{}, fmt.Errorf("line %q: %w", l.Name, err)
	}
	if head, ok := d.past.closed.Get(name); ok {
		return name, head, nil
	}
	head, err := d.log.Head(ctx, name)
	if errors.Is(err, events.ErrNoStream) {
		return name, events.Head{}, nil
	}
	if err != nil {
		return name, events.Head{}, fmt.Errorf("line %s: %w", name, err)
	}
	if l.Closed {
		d.past.closed.Put(name, head)
	}
	return name, head, nil
}
