package desk

import (
	"context"
	"fmt"

	"posthorn/domain"
	"posthorn/events"
)

// A branch builds on events of other tables. What it knows of a running one opens only once that table has ended. The
// streams say which tables those are; each table's own stream says how it stands.

// ancestor is a table that wrote events a branch goes on from.
type ancestor struct {
	name    events.Name
	version uint64 // of its stream, when it was folded
	over    bool
	study   bool
}

// ancestorsOf lists the tables that wrote the events before a branch's fork, nearest first.
func ancestorsOf(ctx context.Context, log events.Log, b *domain.Branch) ([]ancestor, error) {
	if b == nil {
		return nil, nil
	}
	line, err := events.ParseName(b.Line)
	if err != nil {
		return nil, fmt.Errorf("branched line: %w", err)
	}
	var out []ancestor
	version, seen := b.Version, map[events.Name]bool{}
	for !line.IsZero() {
		s, err := log.Stream(ctx, line)
		if err != nil {
			return nil, fmt.Errorf("branched line %s: %w", line, err)
		}
		if seen[line] {
			return nil, fmt.Errorf("line %s is its own ancestor: %w", line, events.ErrChain)
		}
		seen[line] = true
		if version > s.Fork && (len(out) == 0 || out[len(out)-1].name != s.Table) {
			out = append(out, ancestor{name: s.Table})
		}
		line, version = s.Parent, min(version, s.Fork)
	}
	return out, nil
}

// look brings an ancestor up to its table's stream. One that is over stays over.
func (a *ancestor) look(ctx context.Context, log events.Log) error {
	if a.over {
		return nil
	}
	head, err := log.Head(ctx, a.name)
	if err != nil {
		return fmt.Errorf("table %s: %w", a.name, err)
	}
	if head.Version == a.version {
		return nil
	}
	recs, err := log.Load(ctx, a.name, 0, head.Version)
	if err != nil {
		return fmt.Errorf("table %s: %w", a.name, err)
	}
	t := &domain.Table{}
	if foldTable(t, a.name, recs, nil) != nil {
		a.version, a.over, a.study = head.Version, false, true // nothing opens of a table that cannot be read
		return nil
	}
	a.version, a.over = head.Version, t.IsOver()
	a.study = t.Branch != nil && t.Branch.Kind == domain.BranchStudy
	return nil
}

// inherit sets the fields of a branch that follow from the tables it goes on from. known holds its ancestors as last
// found, or nil. inherit returns them brought up to the log.
func inherit(ctx context.Context, log events.Log, t *domain.Table, known []ancestor) ([]ancestor, error) {
	if t.Branch == nil {
		return nil, nil
	}
	if known == nil {
		var err error
		if known, err = ancestorsOf(ctx, log, t.Branch); err != nil {
			return nil, err
		}
	}
	t.Waits, t.Private = false, t.Branch.Kind == domain.BranchStudy
	for i := range known {
		if err := known[i].look(ctx, log); err != nil {
			return nil, err
		}
		t.Waits = t.Waits || !known[i].over
		t.Private = t.Private || known[i].study
	}
	return known, nil
}

// foldTable folds one table, with what it inherits.
func (d *Desk) foldTable(ctx context.Context, name events.Name) (*domain.Table, error) {
	recs, err := d.log.Load(ctx, name, 0, 0)
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", name, err)
	}
	t := &domain.Table{}
	if err := foldTable(t, name, recs, d.keys); err != nil {
		return nil, err
	}
	_, err = inherit(ctx, d.log, t, nil)
	return t, err
}

// awaitAncestors notes that a table that ended sealed waits for its ancestors that still run; [Desk.Waiting] tells
// when one of them ends. It notes this before it looks at them, so that it misses no end in between.
func (d *Desk) awaitAncestors(ctx context.Context, r *folded) (err error) {
	d.mu.Lock()
	for _, a := range r.ancestors {
		if a.over {
			continue
		}
		if d.waiting[a.name] == nil {
			d.waiting[a.name] = map[events.Name]bool{}
		}
		d.waiting[a.name][r.name] = true
	}
	d.mu.Unlock()
	r.ancestors, err = inherit(ctx, d.log, r.table, r.ancestors)
	return err
}

// Ends reports whether an event of this type ends a table's game, so that branches waiting for it may open.
func Ends(typ string) bool {
	e, _ := domain.NewTableEvent(typ)
	switch e.(type) {
	case *domain.Ended, *domain.EndedSealed, *domain.EndedElsewhere:
		return true
	}
	return false
}

// Waiting lists the branches that ended sealed and wait for this table, which has ended, to open. It names each
// branch once; the caller must then look after it.
func (d *Desk) Waiting(table events.Name) []events.Name {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []events.Name
	for name := range d.waiting[table] {
		out = append(out, name)
	}
	delete(d.waiting, table)
	return out
}
