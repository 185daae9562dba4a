package desk

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/recent"
)

// Desk runs every command from every door: load, fold, decide, append, answer. It takes commands at one table one
// after the other, and answers a repeated command as it did the first time.
type Desk struct {
	log   events.Log
	keys  *events.Keys
	named func(string) (domain.Rulebook, bool)
	now   func() time.Time

	tables *recent.Store[events.Name, *folded]
	past   past
	shown  *recent.Store[events.Name, Look] // what recent glances showed
	calls  *recent.Store[call, heard]

	mu      sync.Mutex
	stamped time.Time // the time of the last event
	// waiting holds the branches that ended sealed, by the ancestor whose end they wait for.
	waiting map[events.Name]map[events.Name]bool

	calendars Calendars // nil for none

	limits *Limits                                              // nil for none
	barred func(context.Context, domain.PersonID) (bool, error) // nil if nobody is banned
	paces  paces                                                // of what each person writes, at all tables

	unreadable announcer
}

const (
	maxFolded = 512 // tables that the desk keeps folded
	maxShown  = 64  // copies of them shown to glances: as many as the events that the slowest reader is behind
)

// NewDesk returns a desk over a log. named finds rulebooks; now is the clock.
func NewDesk(log events.Log, keys *events.Keys, named func(string) (domain.Rulebook, bool),
	now func() time.Time) *Desk {
	return &Desk{log: log, keys: keys, named: named, now: now,
		tables: recent.New[events.Name, *folded](maxFolded, nil), past: newPast(),
		shown: recent.New[events.Name, Look](maxShown, nil),
		calls: recent.New[call, heard](maxCalls, nil), waiting: map[events.Name]map[events.Name]bool{}}
}

// Log returns the log the desk writes to.
func (d *Desk) Log() events.Log { return d.log }

// Keys returns the server's keys.
func (d *Desk) Keys() *events.Keys { return d.keys }

// Answer is the result of a command.
type Answer struct {
	Record  events.Record
	Table   events.Name
	Receipt string // signed, for the stream's head after the command
	Again   bool   // the command is a repeat; this is the first answer
}

// folded is a table that the desk keeps folded, with its main line.
type folded struct {
	mu        sync.Mutex
	name      events.Name
	table     *domain.Table
	tableHead events.Head
	rulebook  domain.Rulebook
	line      *domain.Line // nil before the first line's first event
	lent      bool         // somebody is reading the line and its open decisions, so neither may be changed in place
	lineName  events.Name
	lineHead  events.Head
	openings  openings // of what is open on the line, if the table has a clock
	orders    map[domain.Seat]*Orders
	paces     paces       // of what people wrote here
	broken    *Unreadable // once a history cannot be read it never can be: it only ever grows
	ancestors []ancestor  // of a branch
	seen      uint64      // how far the log went when the table was last brought up to it
}

// own makes the line the table's alone, so that it may be changed.
func (r *folded) own() {
	if r.lent {
		r.line, r.openings, r.lent = r.line.Clone(), maps.Clone(r.openings), false
	}
}

// follow replaces the line with its state after an event.
func (r *folded) follow(e *domain.Event, after *domain.Line) {
	if after == nil {
		r.own()
		r.line.Apply(e)
		return
	}
	if r.lent {
		r.openings, r.lent = maps.Clone(r.openings), false
	}
	r.line = after
}

func (d *Desk) folded(name events.Name) *folded {
	return d.tables.Keep(name, func() *folded { return &folded{name: name} })
}

// refresh brings a locked table up to the log. If something cannot be read, the error is an *Unreadable.
func (d *Desk) refresh(ctx context.Context, r *folded) error {
	if r.broken != nil {
		return r.broken
	}
	last, err := d.log.Last(ctx)
	if err != nil {
		return fmt.Errorf("table %s: %w", r.name, err)
	}
	if r.seen == last && last > 0 {
		return nil // nothing at all has happened since; asking each stream would cost more
	}
	r.seen = 0
	err = d.Guard(r.name, func() error { return d.catchUp(ctx, r) })
	if errors.As(err, &r.broken) {
		r.table, r.line, r.lent = nil, nil, false // half applied
	}
	if err == nil {
		r.seen = last
	}
	return err
}

func (d *Desk) catchUp(ctx context.Context, r *folded) error {
	head, err := d.log.Head(ctx, r.name)
	if err != nil {
		return fmt.Errorf("table %s: %w", r.name, err)
	}
	if r.table == nil || r.tableHead.Version > head.Version {
		r.table, r.tableHead = &domain.Table{}, events.Head{}
		r.line, r.lineName, r.lineHead, r.orders, r.paces, r.lent = nil, events.Name{}, events.Head{}, nil, nil, false
	}
	if head.Version > r.tableHead.Version {
		recs, err := d.log.Load(ctx, r.name, r.tableHead.Version, head.Version)
		if err != nil {
			return fmt.Errorf("load table %s: %w", r.name, err)
		}
		if err := foldTable(r.table, r.name, recs, d.keys); err != nil {
			return err
		}
		if err := d.tally(r, recs); err != nil {
			return err
		}
		r.tableHead = head
	}
	if r.ancestors, err = inherit(ctx, d.log, r.table, r.ancestors); err != nil {
		return err
	}
	return d.refreshLine(ctx, r)
}

func (d *Desk) refreshLine(ctx context.Context, r *folded) error {
	rb, ok := d.named(r.table.Rulebook)
	if !ok {
		return &Unreadable{Table: r.name, Err: fmt.Errorf("there is no game %q here", r.table.Rulebook)}
	}
	r.rulebook = rb
	main, ok := r.table.Main()
	if !ok {
		return nil
	}
	name, err := events.ParseName(main.Name)
	if err != nil {
		return &Unreadable{Table: r.name, Err: fmt.Errorf("its line: %w", err)}
	}
	head, err := d.log.Head(ctx, name)
	if errors.Is(err, events.ErrNoStream) {
		r.line, r.lineName, r.lineHead, r.lent = nil, name, events.Head{}, false
		return nil
	}
	if err != nil {
		return fmt.Errorf("line %s: %w", name, err)
	}
	if r.line == nil || r.lineName != name || r.lineHead.Version > head.Version {
		r.line, r.lineName, r.lineHead, r.openings = domain.NewLine(rb, r.table.SourceOf(main)), name, events.Head{},
			openings{}
		r.lent = false
	}
	if head.Version > r.lineHead.Version {
		recs, err := d.log.Load(ctx, name, r.lineHead.Version, head.Version)
		if err != nil {
			return fmt.Errorf("load line %s: %w", name, err)
		}
		r.own()
		if r.table.Clock == nil {
			err = foldLine(new(events.Decoder), r.line, r.name, recs, d.keys)
		} else {
			err = foldTimed(r.line, r.openings, main.Fork, r.name, recs, d.keys)
		}
		if err != nil {
			r.line, r.lent = nil, false
			return err
		}
		r.lineHead = head
	}
	return nil
}

// Case is a table as whoever judges a command at it sees it. Do not change it.
type Case struct {
	Look
	door string // that the command came through
	desk *Desk
}

// Decide judges an event that a person wants, or the house: see [domain.Judge].
func (r Case) Decide(ctx context.Context, by domain.PersonID, want domain.TableEvent) (domain.TableEvent, error) {
	j := r.judge()
	j.By, j.Door, j.At, j.Next = by, r.door, r.desk.now(), r.NextLine()
	j.Played = func(to uint64) (domain.Played, error) { return r.Played(ctx, to) }
	return j.Decide(want)
}

// Played returns what a rewind to a version, or an end, must know of the main line.
func (r Case) Played(ctx context.Context, to uint64) (domain.Played, error) {
	if r.Line == nil {
		return domain.Played{First: 1}, notPlayed(r.Table)
	}
	return r.desk.played(ctx, r.Name, r.Table, r.Line, r.LineName, to)
}

// notPlayed refuses what only a running game allows, for a table without a line of play.
func notPlayed(t *domain.Table) error {
	if t.Status == domain.TableEnded {
		return domain.Refuse("table-ended")
	}
	return domain.Refuse("not-started")
}

// lineNameOf returns the name of a table's line by its index. It comes from the server's key, so a repeated command
// opens the same line.
func (d *Desk) lineNameOf(table events.Name, index int) events.Name {
	m := hmac.New(sha256.New, d.keys.For("line"))
	_, _ = m.Write(table[:])
	_, _ = m.Write(binary.BigEndian.AppendUint64(nil, uint64(index)))
	return events.Name(m.Sum(nil)[:16])
}

// NextLine returns the name that the table's next line will have.
func (r Case) NextLine() string { return r.desk.lineNameOf(r.Name, len(r.Table.Lines)).String() }

// tries is how often a command is decided again when somebody else got in first.
const tries = 16

// Do runs a command that came through a door, under the id its caller chose. It judges the command again if the table
// has moved on meanwhile. It refuses the same id with another wish or from another person.
func (d *Desk) Do(ctx context.Context, a events.Actor, table events.Name, id events.CommandID, c Command) (Answer,
	error) {
	return d.do(ctx, a, table, d.keys.Asked(id), c)
}

// DoCaused is Do for what the house does on its own, or for somebody, once per cause.
func (d *Desk) DoCaused(ctx context.Context, a events.Actor, table events.Name, because events.Cause,
	c Command) (Answer, error) {
	return d.do(ctx, a, table, d.keys.Own(because), c)
}

func (d *Desk) do(ctx context.Context, a events.Actor, table events.Name, id events.CommandID, c Command) (Answer,
	error) {
	r := d.folded(table)
	r.mu.Lock()
	defer r.mu.Unlock()
	var dues []events.Due
	row := c.Row()
	return d.run(ctx, r, a, id, row.Wish, false, &dues, func(first bool) (events.Draft, error) {
		e, err := row.Judge(ctx, a.Person, d.see(r, a.Door))
		if err == nil && first {
			err = d.admitAt(ctx, r, a, e)
		}
		if err == nil {
			dues, err = d.duesOfTable(ctx, r, e)
		}
		if err != nil {
			return events.Draft{}, err
		}
		return d.draftTable(r, e)
	})
}

// Judge judges a person's command for a table as it stands, and does nothing: whoever offers something asks it first.
// It returns a *domain.Refusal if Do would refuse the command, apart from limits on how much people write.
func (d *Desk) Judge(ctx context.Context, table events.Name, by domain.PersonID, c Command) error {
	r := d.folded(table)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := d.refresh(ctx, r); err != nil {
		return err
	}
	_, err := c.Row().Judge(ctx, by, d.see(r, domain.DoorPage))
	return err
}

// run runs a command at a locked table. It answers a repeated command as it did the first time, and judges a command
// again if somebody else got in first. What decide puts into dues stands beside its draft. fresh says that the
// command is hardly a repeat: run then looks for an earlier one only if the command is refused, or if the log says
// its id is taken.
func (d *Desk) run(ctx context.Context, r *folded, a events.Actor, id events.CommandID, wish string, fresh bool,
	dues *[]events.Due,
	decide func(first bool) (events.Draft, error)) (Answer, error) {
	for try := range tries {
		if try > 0 || !fresh {
			if ans, done, err := d.again(ctx, r.name, id, a, wish); done || err != nil {
				return ans, err
			}
		}
		draft, err := d.judge(ctx, r, a, try == 0, decide)
		if err != nil && try == 0 && fresh {
			if ans, done, failed := d.again(ctx, r.name, id, a, wish); done || failed != nil {
				return ans, failed
			}
		}
		if err != nil {
			return Answer{}, err
		}
		meta := d.meta(a, id, wish)
		meta.Due = *dues
		rec, err := d.append(ctx, draft, id, meta)
		if retry(err) {
			continue
		}
		if err != nil {
			return Answer{}, fmt.Errorf("append %s: %w", draft.Type, err)
		}
		return d.answer(r.name, rec, false), nil
	}
	return Answer{}, fmt.Errorf("table %s: too busy", r.name)
}

// judge brings a locked table up to the log and gets a command decided.
func (d *Desk) judge(ctx context.Context, r *folded, a events.Actor, first bool,
	decide func(first bool) (events.Draft, error)) (events.Draft,
	error) {
	if err := d.refresh(ctx, r); err != nil {
		return events.Draft{}, err
	}
	if first {
		if err := d.admit(ctx, a, false); err != nil {
			return events.Draft{}, err
		}
	}
	return decide(first)
}

// append appends a draft that says what happened, with the command it comes from.
func (d *Desk) append(ctx context.Context, draft events.Draft, id events.CommandID, m events.Meta) (events.Record,
	error) {
	draft.Command, draft.Codec, draft.At, draft.Meta = id, "json", d.stamp(), m.Bytes()
	return d.log.Append(ctx, draft)
}

func retry(err error) bool {
	var c *events.Conflict
	var dup *events.Duplicate
	return errors.As(err, &c) || errors.As(err, &dup)
}

func (d *Desk) see(r *folded, door string) Case { return Case{r.look(), door, d} }

func (d *Desk) draftTable(r *folded, e domain.TableEvent) (events.Draft, error) {
	data, err := json.Marshal(e)
	if err != nil {
		return events.Draft{}, fmt.Errorf("marshal: %w", err)
	}
	draft := events.Draft{Stream: r.name, Expect: r.tableHead.Version, Type: domain.TableEventType(e), Data: data}
	switch e.(type) {
	case *domain.Proposed, *domain.Agreed, *domain.Carried, *domain.Undone, *domain.TimedOut, *domain.Ended,
		*domain.EndedSealed, *domain.HandedOver:
		if r.line != nil {
			draft.Guards = []events.Guard{{Stream: r.lineName, Version: r.lineHead.Version}}
		}
	}
	return draft, nil
}

// stamp returns the time as the log keeps it. A clock being corrected may jump back a little: the log's times then
// stand still until the clock has caught up.
func (d *Desk) stamp() time.Time {
	now := d.now().UTC().Truncate(time.Millisecond)
	d.mu.Lock()
	defer d.mu.Unlock()
	if back := d.stamped.Sub(now); back > 0 && back <= events.ClockSet {
		return d.stamped
	}
	d.stamped = now
	return now
}

// again finds the first answer of a repeated command.
func (d *Desk) again(ctx context.Context, table events.Name, id events.CommandID, a events.Actor,
	wish string) (Answer, bool, error) {
	rec, ok, err := d.found(ctx, table, id)
	if err != nil || !ok {
		return Answer{}, false, err
	}
	first, err := events.ReadMeta(&rec)
	if err != nil {
		return Answer{}, false, err
	}
	if mine := d.meta(a, id, wish); first.By != mine.By || first.Wish != mine.Wish {
		return Answer{}, false, domain.Refuse("command-used")
	}
	return d.answer(table, rec, true), true, nil
}

func (d *Desk) answer(table events.Name, rec events.Record, again bool) Answer {
	return Answer{Record: rec, Table: table, Again: again,
		Receipt: d.keys.Sign(events.Receipt{Table: table, Stream: rec.Stream, Version: rec.Version, Hash: rec.Hash})}
}

func (d *Desk) meta(a events.Actor, id events.CommandID, wish string) events.Meta {
	m := hmac.New(sha256.New, d.keys.For("wish"))
	_, _ = m.Write(id[:])
	_, _ = m.Write([]byte(wish))
	return events.Meta{By: a.Person, Door: a.Door, Wish: fmt.Sprintf("%x", m.Sum(nil)[:8]), Reply: a.Reply}
}
