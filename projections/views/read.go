package views

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
	"posthorn/events/desk"
)

// Item is a table as a list shows it.
type Item struct {
	Table    events.Name
	Rulebook string
	Status   domain.TableStatus
	End      domain.EndReason
	Opener   domain.PersonID
	Seats    int
	Open     int
	Branch   string
	Fork     *domain.Branch // for a branch, where it forked from; nil also if its row is older than this field
	Version  uint64         // of its main line
	Opened   time.Time
	Moved    time.Time
	Awaited  []Awaited // of the person the list is for
	Roles    []string  // of that person: "plays", "invited", "opened", "resigned"
}

// Awaited is a decision awaited from a person.
type Awaited struct {
	domain.Open
	At  time.Time // since when
	Due time.Time // until when; zero for no limit
}

const columns = `t.name, t.rulebook, t.status, t.ending, t.opener, t.seats, t.open, t.branch, t.fork, t.version, t.opened, t.moved`

// Seated reports whether a person holds a seat at some table, or held one to its end.
func (v *Views) Seated(ctx context.Context, person domain.PersonID) (yes bool, err error) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	yes, err = database.Value[bool](v.db.QueryRowContext(ctx,
		`SELECT EXISTS (SELECT 1 FROM places WHERE person = ? AND role = 'plays')`, string(person)))
	if err != nil {
		return false, fmt.Errorf("read views: %w", err)
	}
	return yes, nil
}

// Mates lists who held seats together with a person at tables that were opened before a time and have started: those
// at whose tables somebody moved last first.
func (v *Views) Mates(ctx context.Context, person domain.PersonID, before time.Time) ([]domain.PersonID, error) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	out, err := database.All(ctx, v.db, func(row database.Row) (id domain.PersonID, err error) {
		return id, row.Scan(&id)
	}, `SELECT o.person FROM places p JOIN tables t ON t.name = p.table_name JOIN places o ON o.table_name = t.name
		WHERE p.person = ?1 AND p.role = 'plays' AND o.role = 'plays' AND o.person <> ?1 AND t.version > 0
		AND t.opened <= ?2 GROUP BY o.person ORDER BY max(t.moved) DESC, o.person`, string(person), before.UnixMilli())
	if err != nil {
		return nil, fmt.Errorf("read views: %w", err)
	}
	return out, nil
}

// Lobby lists tables with a seat that anybody may take, newest first; it leaves out those whose opener does not let
// strangers find them.
func (v *Views) Lobby(ctx context.Context, limit int) ([]Item, error) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.items(ctx, `SELECT `+columns+
		` FROM tables t WHERE t.status = 'open' AND t.open > 0 AND t.listed = 1 ORDER BY t.opened DESC, t.name LIMIT ?`,
		limit)
}

// Watched lists tables with a board that strangers may find: those being played, the most recent move first, and then
// those that have ended.
func (v *Views) Watched(ctx context.Context, limit int) ([]Item, error) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.items(ctx, `SELECT `+columns+
		` FROM tables t WHERE t.status IN ('started', 'ended') AND t.listed = 1 AND t.version > 0 ORDER BY t.status = 'ended', t.moved DESC, t.name LIMIT ?`, limit)
}

// Branches lists the tables that branched from a table, as far as a person may see them.
func (v *Views) Branches(ctx context.Context, table events.Name, person domain.PersonID) ([]Item, error) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.items(ctx, `SELECT `+columns+` FROM tables t WHERE t.branch = ?1
		AND (t.hidden = 0 OR t.name IN (SELECT table_name FROM places WHERE person = ?2 AND person <> '')) ORDER BY t.opened, t.name`,
		table.String(), string(person))
}

// Live lists the tables where something may still happen on its own: those that have not ended, or that ended sealed.
// It also returns the log position up to which that is known.
func (v *Views) Live(ctx context.Context) (tables []events.Name, at uint64, err error) {
	return v.names(ctx, `(t.status IN ('open', 'started') OR t.sealed = 1)`)
}

// Waiting lists the tables that wait for the house, and the log position up to which that is known. A branch that ended
// sealed waits from the end of the table that it branched from.
func (v *Views) Waiting(ctx context.Context) (tables []events.Name, at uint64, err error) {
	return v.names(ctx, `t.name IN (SELECT name FROM tables WHERE house = 1 UNION ALL SELECT s.name FROM tables s
		WHERE s.sealed = 1 AND NOT EXISTS (SELECT 1 FROM tables p WHERE p.name = s.branch AND p.status IN ('open', 'started')))`)
}

// Due lists the tables with a deadline up to a moment. It also returns the first later deadline (zero if there is
// none), and the log position up to which that is known.
func (v *Views) Due(ctx context.Context, upTo time.Time) (tables []events.Name, next time.Time, pos uint64, err error) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	items, err := v.items(ctx, `SELECT `+columns+` FROM tables t WHERE t.due > 0 AND t.due <= ? ORDER BY t.due, t.name`,
		milli(upTo))
	if err != nil {
		return nil, next, 0, err
	}
	for i := range items {
		tables = append(tables, items[i].Table)
	}
	later, err := database.Value[int64](v.db.QueryRowContext(ctx,
		`SELECT coalesce(min(due), 0) FROM tables WHERE due > ?`, max(milli(upTo), 0)))
	if err != nil {
		return nil, next, 0, v.noted(fmt.Errorf("read views: %w", err))
	}
	return tables, fromMilli(later), v.Position(), nil
}

// Reminder says that it is time to remind somebody of what a table asked them.
type Reminder struct {
	Table  events.Name
	Person domain.PersonID
	domain.Open
	Due  time.Time
	Part string // of its time: "half" of it has passed, or a "tenth" is left
}

// Of reports whether a reminder is of an ask as it stands.
func (r Reminder) Of(a desk.Ask) bool {
	return r.Person == a.Person && r.Open == a.Open && r.Due.Equal(a.Due)
}

// Reminders lists whom it is time to remind, since one moment and up to another; of what both parts are over, only that
// a tenth is left. It leaves out whose deadline has passed. It waits until the views know what the log says now.
func (v *Views) Reminders(ctx context.Context, since, upTo time.Time) ([]Reminder, error) {
	last, err := v.desk.Log().Last(ctx)
	if err := errors.Join(err, v.Await(ctx, last)); err != nil {
		return nil, err
	}
	v.mu.RLock()
	defer v.mu.RUnlock()
	return all(ctx, v, func(row database.Row) (r Reminder, err error) {
		var name string
		var due int64
		if err := row.Scan(&name, &r.Person, &r.Seat, &r.Kind, &r.Serial, &r.Since, &due, &r.Part); err != nil {
			return r, err
		}
		r.Due = fromMilli(due)
		r.Table, err = events.ParseName(name)
		return r, err
	}, `SELECT table_name, person, seat, kind, serial, since, due, part FROM (
		SELECT *, 'tenth' AS part FROM awaited WHERE tenth > ?1 AND tenth <= ?2 UNION ALL
		SELECT *, 'half' FROM awaited WHERE half > ?1 AND half <= ?2 AND (tenth IS NULL OR tenth > ?2))
		WHERE due > ?2 ORDER BY table_name, person, seat, kind, serial`, milli(since), milli(upTo))
}

func (v *Views) names(ctx context.Context, which string) (tables []events.Name, at uint64, err error) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	items, err := v.items(ctx, `SELECT `+columns+` FROM tables t WHERE `+which+` ORDER BY t.moved, t.name`)
	if err != nil {
		return nil, 0, err
	}
	names := make([]events.Name, len(items))
	for i := range items {
		names[i] = items[i].Table
	}
	return names, v.Position(), nil
}

func (v *Views) items(ctx context.Context, query string, args ...any) ([]Item, error) {
	return all(ctx, v, func(row database.Row) (it Item, err error) {
		var name, fork string
		var opened, moved int64
		if err := row.Scan(&name, &it.Rulebook, &it.Status, &it.End, &it.Opener, &it.Seats, &it.Open, &it.Branch, &fork,
			&it.Version, &opened, &moved); err != nil {
			return it, err
		}
		if fork != "" {
			if err := json.Unmarshal([]byte(fork), &it.Fork); err != nil {
				return it, fmt.Errorf("fork of table %s: %w", name, err)
			}
		}
		it.Opened, it.Moved = fromMilli(opened), fromMilli(moved)
		it.Table, err = events.ParseName(name)
		return it, err
	}, query, args...)
}

// all reads rows. If the file proves damaged, the views will soon be rebuilt.
func all[T any](ctx context.Context, v *Views, scan func(database.Row) (T, error), query string, args ...any) ([]T,
	error) {
	out, err := database.All(ctx, v.db, scan, query, args...)
	if err != nil {
		return nil, v.noted(fmt.Errorf("read views: %w", err))
	}
	return out, nil
}
