package desk

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"posthorn/domain"
	"posthorn/events"
)

// Look is a copy of a table and its main line as they stand; the caller may keep it. It holds secrets: only a view
// made for a viewer may leave the house.
type Look struct {
	Name      events.Name
	Table     *domain.Table
	TableHead events.Head
	Rulebook  domain.Rulebook
	Line      *domain.Line // nil before the main line's first event
	LineName  events.Name
	LineHead  events.Head
	openings  openings
}

// look returns a locked, refreshed table as it stands, valid until it changes.
func (r *folded) look() Look {
	return Look{r.name, r.table, r.tableHead, r.rulebook, r.line, r.lineName, r.lineHead, r.openings}
}

// judge returns the judge of the table as it stands.
func (l Look) judge() *domain.Judge {
	return &domain.Judge{Table: l.Table, Line: l.Line, Opened: l.openings.of}
}

// Look reads a table. It returns ErrNoStream if there is none.
func (d *Desk) Look(ctx context.Context, table events.Name) (Look, error) {
	r := d.folded(table)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := d.refresh(ctx, r); err != nil {
		return Look{}, err
	}
	return r.copied(), nil
}

// Glance is Look for callers that only read. Everybody who glances at the same state of a table shares one copy,
// which nobody may change or decide on. It returns ErrNoStream if there is no such table.
func (d *Desk) Glance(ctx context.Context, table events.Name) (Look, error) {
	r := d.folded(table)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := d.refresh(ctx, r); err != nil {
		return Look{}, err
	}
	if l, ok := d.shown.Get(table); ok && l.TableHead == r.tableHead && l.LineName == r.lineName &&
		l.LineHead == r.lineHead {
		return l, nil
	}
	l := r.lends()
	d.shown.Set(table, l)
	return l, nil
}

// Peek shows a table as it stands, without copying it, to see, which must finish at once: nothing happens at the
// table meanwhile. see must not keep, change or decide on what it is shown, or call the desk about this table. Peek
// returns ErrNoStream if there is none.
func (d *Desk) Peek(ctx context.Context, table events.Name, see func(Look) error) error {
	r := d.folded(table)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := d.refresh(ctx, r); err != nil {
		return err
	}
	return see(r.look())
}

// copied returns a copy of a locked, refreshed table.
func (r *folded) copied() Look {
	l := r.look()
	if l.Table = r.table.Clone(); r.line != nil {
		l.Line, l.openings = r.line.Clone(), maps.Clone(r.openings)
	}
	return l
}

// lends returns a locked, refreshed table with its line in place: the next move then works on a copy.
func (r *folded) lends() Look {
	l := r.look()
	if l.Table = r.table.Clone(); r.line != nil {
		l.Line, r.lent = r.line.Lend(), true
	}
	return l
}

// SeenBy reports whether a person may look at a table at all (see domain.Table.SeenBy). It returns ErrNoStream if
// there is no such table.
func (d *Desk) SeenBy(ctx context.Context, table events.Name, who domain.PersonID) (bool, error) {
	r := d.folded(table)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := d.refresh(ctx, r); err != nil {
		return false, err
	}
	return r.table.SeenBy(who), nil
}

// LineAt folds any line of a table up to a version (0: its head). The result has the table's luck only if the line is
// the table's own. It returns ErrNoStream if the table has no such line.
func (d *Desk) LineAt(ctx context.Context, look Look, line events.Name, version uint64) (*domain.Line, error) {
	if line == look.LineName && look.Line != nil && (version == 0 || version == look.Line.Version) {
		return look.Line.Clone(), nil
	}
	return d.foldTo(ctx, look.Name, look.Table, look.Rulebook, line, version)
}

// Walk folds any line of a table event by event. It shows the line after each, with the record that led to it; each
// must not keep or change the line.
func (d *Desk) Walk(ctx context.Context, look Look, line events.Name,
	each func(*domain.Line, *events.Record) error) error {
	src, err := sourceOf(look.Name, look.Table, line)
	if err != nil {
		return err
	}
	recs, err := d.log.Load(ctx, line, 0, 0)
	if err != nil {
		return fmt.Errorf("line %s: %w", line, err)
	}
	l := domain.NewLine(look.Rulebook, src)
	var dec events.Decoder
	for i := range recs {
		if err := foldLine(&dec, l, look.Name, recs[i:i+1], d.keys); err != nil {
			return err
		}
		if err := each(l, &recs[i]); err != nil {
			return err
		}
	}
	return nil
}

// Entry is an event of play as one viewer may know it.
type Entry struct {
	Record events.Record
	Meta   events.Meta
	Event  domain.Event // redacted for the viewer
	Forked bool         // the opening of a forked line, which is no event of play
}

// History reads a line's events with versions above after and up to upTo (0: all), each redacted for a viewer of this
// table. What another table wrote before a branch opens only once that table is open.
func (d *Desk) History(ctx context.Context, look Look, line events.Name, viewer domain.Viewer, after,
	upTo uint64) ([]Entry,
	error) {
	recs, err := d.log.Load(ctx, line, after, upTo)
	if err != nil {
		return nil, fmt.Errorf("history of %s: %w", line, err)
	}
	own := map[events.Name]domain.Viewer{}
	out := make([]Entry, 0, len(recs))
	for i := range recs {
		v, ok := own[recs[i].Stream]
		if !ok {
			if v, err = d.ViewerAt(ctx, look, recs[i].Stream, viewer); err != nil {
				return nil, err
			}
			own[recs[i].Stream] = v
		}
		entry := Entry{Record: recs[i]}
		err := reading(look.Name, &recs[i], func() (err error) {
			var played bool
			if entry.Event, played, err = events.DecodePlay(look.Rulebook, &recs[i], d.keys, v); err != nil {
				return err
			}
			entry.Forked = !played
			entry.Meta, err = events.ReadMeta(&recs[i])
			return err
		})
		if err != nil {
			return nil, err
		}
		out = append(out, entry)
	}
	return out, nil
}

// ViewerAt returns how a viewer of this table sees a stream, which may be another table's: a branch, even one that
// has ended, reveals nothing of the table it branched from.
func (d *Desk) ViewerAt(ctx context.Context, look Look, stream events.Name, viewer domain.Viewer) (domain.Viewer,
	error) {
	s, err := d.log.Stream(ctx, stream)
	if err != nil {
		return domain.Spectator, fmt.Errorf("stream %s: %w", stream, err)
	}
	if s.Table == look.Name {
		return viewer, nil
	}
	other, err := d.foldTable(ctx, s.Table)
	if err != nil {
		return domain.Spectator, err
	}
	return other.ViewerOf("", domain.Nobody), nil
}

// TableEntry is an event of a table.
type TableEntry struct {
	Record events.Record
	Meta   events.Meta
	Event  domain.TableEvent // without the seed
}

// TableHistory reads a table's events with versions above after.
func (d *Desk) TableHistory(ctx context.Context, table events.Name, after uint64) ([]TableEntry, error) {
	return d.TablePart(ctx, table, after, 0)
}

// TablePart reads a table's events with versions above after and up to upTo (0: all).
func (d *Desk) TablePart(ctx context.Context, table events.Name, after, upTo uint64) ([]TableEntry, error) {
	recs, err := d.log.Load(ctx, table, after, upTo)
	if err != nil {
		return nil, fmt.Errorf("history of table %s: %w", table, err)
	}
	out := make([]TableEntry, 0, len(recs))
	for i := range recs {
		entry := TableEntry{Record: recs[i]}
		err := reading(table, &recs[i], func() (err error) {
			if entry.Event, err = events.DecodeTable(&recs[i], nil); err != nil {
				return err
			}
			entry.Meta, err = events.ReadMeta(&recs[i])
			return err
		})
		if err != nil {
			return nil, err
		}
		out = append(out, entry)
	}
	return out, nil
}

// Receipt signs where a stream of a table stands.
func (d *Desk) Receipt(table, stream events.Name, head events.Head) string {
	return d.keys.Sign(events.Receipt{Table: table, Stream: stream, Version: head.Version, Hash: head.Hash})
}

// Done finds what a door's command did at a table. ok is false if it has done nothing.
func (d *Desk) Done(ctx context.Context, table events.Name, id events.CommandID) (rec events.Record, ok bool,
	err error) {
	return d.found(ctx, table, d.keys.Asked(id))
}

func (d *Desk) found(ctx context.Context, table events.Name, id events.CommandID) (events.Record, bool, error) {
	rec, err := d.log.Find(ctx, table, id)
	if errors.Is(err, events.ErrNoRecord) || errors.Is(err, events.ErrNoStream) {
		return events.Record{}, false, nil
	}
	if err != nil {
		return events.Record{}, false, fmt.Errorf("find command: %w", err)
	}
	return rec, true, nil
}
