package desk

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"sync"

	"posthorn/domain"
	"posthorn/domain/codec"
	"posthorn/events"
)

// Unreadable is a table whose history this program cannot read: an event does not decode, a rulebook is missing, or
// no play can lead to a state. The table stands still and is shown to nobody; the rest of the house goes on.
type Unreadable struct {
	Table   events.Name
	Stream  events.Name // where it stands; the zero name if no single event is at fault
	Version uint64      // of the stream
	Err     error
}

func (u *Unreadable) Error() string {
	if u.Version == 0 {
		return fmt.Sprintf("table %s cannot be read: %v", u.Table, u.Err)
	}
	return fmt.Sprintf("table %s cannot be read: stream %s, version %d: %v", u.Table, u.Stream, u.Version, u.Err)
}

func (u *Unreadable) Unwrap() error { return u.Err }

// Guard runs code that works on a table's state. A panic there means a broken state: Guard turns it into an
// *Unreadable, so that one table cannot take the house down.
func (d *Desk) Guard(table events.Name, f func() error) error {
	err := guarded(table, f)
	if u := (*Unreadable)(nil); errors.As(err, &u) {
		d.unreadable.announce(u)
	}
	return err
}

func guarded(table events.Name, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &Unreadable{Table: table, Err: fmt.Errorf("panic: %v\n%s", p, debug.Stack())}
		}
	}()
	return f()
}

// reading runs code that reads one record, whatever the record holds.
func reading(table events.Name, r *events.Record, f func() error) error {
	err := guarded(table, f)
	if err == nil {
		return nil
	}
	if u, ok := err.(*Unreadable); ok { //nolint:errorlint // a panic's own, not one that it wraps
		err = u.Err
	}
	return &Unreadable{Table: table, Stream: r.Stream, Version: r.Version, Err: err}
}

// foldTable applies records of a table's stream. The error is an *Unreadable.
func foldTable(t *domain.Table, table events.Name, recs []events.Record, keys *events.Keys) error {
	for i := range recs {
		err := reading(table, &recs[i], func() error {
			if _, err := events.ReadMeta(&recs[i]); err != nil {
				return err
			}
			return events.FoldTable(t, recs[i:i+1], keys)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// foldLine applies records of a line. The error is an *Unreadable.
func foldLine(o *events.Decoder, l *domain.Line, table events.Name, recs []events.Record, keys *events.Keys) error {
	for i := range recs {
		err := reading(table, &recs[i], func() error {
			if meta := recs[i].Meta; !codec.Flat(meta) && !json.Valid(meta) { // reading it in full finds the rest
				return errors.New("its meta data is no JSON")
			}
			return o.Fold(l, &recs[i], keys)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// announcer announces each unreadable table once.
type announcer struct {
	mu   sync.Mutex
	told map[events.Name]*Unreadable
	tell func(*Unreadable)
}

func (a *announcer) announce(u *Unreadable) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.tell == nil || a.told[u.Table] != nil {
		return
	}
	if a.told == nil {
		a.told = map[events.Name]*Unreadable{}
	}
	a.told[u.Table] = u
	a.tell(u)
}

// Unreadables lists the unreadable tables announced so far, by name.
func (d *Desk) Unreadables() []*Unreadable {
	d.unreadable.mu.Lock()
	defer d.unreadable.mu.Unlock()
	return slices.SortedFunc(maps.Values(d.unreadable.told), func(x, y *Unreadable) int {
		return bytes.Compare(x.Table[:], y.Table[:])
	})
}

// TellUnreadable sets the function to call for each unreadable table, once, when the table is first asked for.
func (d *Desk) TellUnreadable(tell func(*Unreadable)) {
	d.unreadable.mu.Lock()
	defer d.unreadable.mu.Unlock()
	d.unreadable.tell = tell
}
