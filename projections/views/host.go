package views

import (
	"context"
	"fmt"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
)

// Census counts tables, and the people at them.
type Census struct {
	Open, Started, Ended int // tables waiting for people, being played, over
	Playing              int // people who hold a seat at a table being played
}

// Census counts the tables of the house.
func (v *Views) Census(ctx context.Context) (c Census, err error) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	err = v.db.QueryRowContext(ctx,
		`SELECT coalesce(sum(status = 'open'), 0), coalesce(sum(status = 'started'), 0), coalesce(sum(status = 'ended'), 0),
		(SELECT count(DISTINCT p.person) FROM places p JOIN tables s ON s.name = p.table_name WHERE p.role = 'plays' AND s.status = 'started') FROM tables`).
		Scan(&c.Open, &c.Started, &c.Ended, &c.Playing)
	if err != nil {
		return c, v.noted(fmt.Errorf("read views: %w", err))
	}
	return c, nil
}

// Waits is a table being played, and the people it waits for.
type Waits struct {
	Table    events.Name
	Rulebook string
	Hidden   bool       // visible only to its people
	For      []WaitsFor // empty while the house or a stand-in is to move
}

// WaitsFor is somebody whom a table asks for something.
type WaitsFor struct {
	Person domain.PersonID
	At     time.Time // since when
	Due    time.Time // until when; zero for no limit
}

// Longest lists tables being played, the one that has waited longest first.
func (v *Views) Longest(ctx context.Context, limit int) ([]Waits, error) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	out, err := all(ctx, v, func(row database.Row) (w Waits, err error) {
		var name string
		if err := row.Scan(&name, &w.Rulebook, &w.Hidden); err != nil {
			return w, err
		}
		w.Table, err = events.ParseName(name)
		return w, err
	}, `SELECT name, rulebook, hidden FROM tables WHERE status = 'started'
		ORDER BY coalesce((SELECT min(since_at) FROM awaited a WHERE a.table_name = name), moved), name LIMIT ?`, limit)
	for i := range out {
		if err != nil {
			break
		}
		out[i].For, err = all(ctx, v, func(row database.Row) (f WaitsFor, err error) {
			var at, due int64
			err = row.Scan(&f.Person, &at, &due)
			f.At, f.Due = fromMilli(at), fromMilli(due)
			return f, err
		}, `SELECT person, min(since_at), min(due) FROM awaited WHERE table_name = ? GROUP BY person ORDER BY min(since_at), person`, out[i].Table.String())
	}
	return out, err
}
