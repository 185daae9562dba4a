package views

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
)

// Inbox lists a person's tables: first those waiting for them, the longest wait first, then the others, the latest move
// first.
func (v *Views) Inbox(ctx context.Context, person domain.PersonID) ([]Item, error) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	items, err := v.items(ctx, `SELECT `+columns+` FROM tables t
		WHERE t.name IN (SELECT table_name FROM places WHERE person = ?1)
		ORDER BY coalesce((SELECT min(since_at) FROM awaited a WHERE a.person = ?1 AND a.table_name = t.name), 1<<62), t.moved DESC, t.name`, string(person))
	if err != nil {
		return nil, err
	}
	return items, v.about(ctx, items, person)
}

// Part is a part of a person's list of tables.
type Part struct {
	// that have not ended: those waiting for the person, the longest wait first; invitations; then the others, the
	// latest move first
	Live  []Item
	Ended []Item // the latest that ended
	Total int    // how many tables have not ended, in all parts
}

// Part lists up to most (0: all) of a person's tables that have not ended, starting at from, and up to ended of those
// that have.
func (v *Views) Part(ctx context.Context, person domain.PersonID, from, most, ended int) (p Part, err error) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	if most == 0 {
		most = math.MaxInt32
	}
	var waiting int
	if err := v.db.QueryRowContext(ctx,
		`SELECT (SELECT count(DISTINCT table_name) FROM places WHERE person = ?1 AND ended = 0),
		(SELECT count(DISTINCT table_name) FROM awaited WHERE person = ?1)`, string(person)).Scan(&p.Total, &waiting); err != nil {
		return p, v.noted(fmt.Errorf("read views: %w", err))
	}
	if from < waiting {
		if p.Live, err = v.items(ctx, `SELECT `+columns+` FROM tables t JOIN
				(SELECT table_name, min(since_at) AS at FROM awaited WHERE person = ? GROUP BY table_name ORDER BY at, table_name LIMIT ? OFFSET ?) w
			ON t.name = w.table_name ORDER BY w.at, t.name`, string(person), most, from); err != nil {
			return p, err
		}
	}
	if left := most - len(p.Live); left > 0 {
		rest, err := v.items(ctx, `SELECT `+columns+` FROM tables t JOIN
				(SELECT table_name, max(role = 'invited') AS invited FROM places WHERE person = ?1 AND ended = 0
				AND table_name NOT IN (SELECT table_name FROM awaited WHERE person = ?1) GROUP BY table_name) p
			ON t.name = p.table_name ORDER BY p.invited DESC, t.moved DESC, t.name LIMIT ?2 OFFSET ?3`, string(person), left, max(0, from-waiting))
		if err != nil {
			return p, err
		}
		p.Live = append(p.Live, rest...)
	}
	if p.Ended, err = v.items(ctx,
		`SELECT `+columns+` FROM tables t WHERE t.name IN (SELECT table_name FROM places WHERE person = ?1 AND ended = 1)
		ORDER BY t.moved DESC, t.name LIMIT ?2`, string(person), ended); err != nil {
		return p, err
	}
	for _, items := range [][]Item{p.Live, p.Ended} {
		if err := v.about(ctx, items, person); err != nil {
			return p, err
		}
	}
	return p, nil
}

// Awaiting lists the tables that wait for a person, the longest wait first.
func (v *Views) Awaiting(ctx context.Context, person domain.PersonID) ([]events.Name, error) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return all(ctx, v, func(row database.Row) (n events.Name, err error) {
		var name string
		if err := row.Scan(&name); err != nil {
			return n, err
		}
		return events.ParseName(name)
	}, `SELECT table_name FROM awaited WHERE person = ? GROUP BY table_name ORDER BY min(since_at), table_name`,
		string(person))
}

// about fills in a person's own part in tables.
func (v *Views) about(ctx context.Context, items []Item, person domain.PersonID) error {
	if len(items) == 0 {
		return nil
	}
	at := make(map[string]*Item, len(items))
	for i := range items {
		at[items[i].Table.String()] = &items[i]
	}
	names, err := json.Marshal(slices.Collect(maps.Keys(at)))
	if err != nil {
		return fmt.Errorf("read views: %w", err)
	}
	_, err = all(ctx, v, func(row database.Row) (none struct{}, err error) {
		var name string
		var a Awaited
		var since, due int64
		if err := row.Scan(&name, &a.Seat, &a.Kind, &a.Serial, &a.Since, &since, &due); err != nil {
			return none, err
		}
		a.At, a.Due = fromMilli(since), fromMilli(due)
		if it := at[name]; it != nil {
			it.Awaited = append(it.Awaited, a)
		}
		return none, nil
	}, `SELECT table_name, seat, kind, serial, since, since_at, due FROM awaited WHERE person = ? AND table_name IN (SELECT value FROM json_each(?)) ORDER BY since_at, seat, kind`, string(person), string(names))
	if err != nil {
		return err
	}
	_, err = all(ctx, v, func(row database.Row) (none struct{}, err error) {
		var name, role string
		if err := row.Scan(&name, &role); err != nil {
			return none, err
		}
		if it := at[name]; it != nil {
			it.Roles = append(it.Roles, role)
		}
		return none, nil
	}, `SELECT DISTINCT table_name, role FROM places WHERE person = ? AND table_name IN (SELECT value FROM json_each(?)) ORDER BY role`, string(person), string(names))
	return err
}
