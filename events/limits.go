package events

import (
	"context"
	"errors"
	"fmt"
	"time"

	"posthorn/domain"
)

// Rate is how much may be done: so much at once, and one more after each pause. The zero value
// is as much as anybody likes.
type Rate struct {
	Burst int
	Every time.Duration
}

// Limits are how much people may write. They are for what people ask for by themselves, on
// pages, in mails and by the API: what the house does, orders among it, is not counted.
type Limits struct {
	Commands  Rate // commands by one person, at all tables
	Tables    Rate // tables opened by one person
	Chats     Rate // lines of chat by one person at one table
	AllChats  Rate // lines of chat at one table
	Proposals Rate // proposals by one person at one table: each writes to everybody there
	Asks      Rate // moves by one person at one table that ask others and do not pass the turn, such as offers: each writes to those asked
	// Mailed is asked before a person writes to the others of a table by a proposal; it counts
	// them over all tables, and tells how long to wait, 0 for not at all. It may be nil.
	Mailed func(ctx context.Context, by domain.PersonID) (wait time.Duration, err error)
}

// DefaultLimits are far above what people do, and far below what harms anybody.
var DefaultLimits = Limits{
	Commands:  Rate{600, 200 * time.Millisecond},
	Tables:    Rate{30, 4 * time.Minute},
	Chats:     Rate{40, 5 * time.Second},
	AllChats:  Rate{120, 2 * time.Second},
	Proposals: Rate{10, 6 * time.Minute},
	Asks:      Rate{40, 2 * time.Minute},
}

// TooFast is returned for what a person does more often than [Limits] allow.
type TooFast struct {
	Wait time.Duration // until there is room again
}

func (e *TooFast) Error() string { return fmt.Sprintf("too much at once; there is room in %v", e.Wait) }

// AsTooFast finds a TooFast in an error's chain.
func AsTooFast(err error) (*TooFast, bool) {
	var t *TooFast
	ok := errors.As(err, &t)
	return t, ok
}

// Limit sets how much people may write; without it they may write as much as they like. Call
// it before the desk is used.
func (d *Desk) Limit(l Limits) { d.limits = &l }

// paceKey names what is counted together.
type paceKey struct {
	what string
	by   domain.PersonID // "" for everybody
}

// paces say how far ahead of its rate each is: the time at which it will have nothing left to
// make up for. One instant says all that a bucket of tokens would, so what stands in a log can
// be counted from the log alone, and a restart forgets nothing.
type paces map[paceKey]time.Time

// toll is one that is counted under a key, at a rate.
type toll struct {
	paceKey
	Rate
}

// wait is how long there is no room for one more of each.
func (p paces) wait(now time.Time, tolls ...toll) (wait time.Duration) {
	for _, t := range tolls {
		if ahead := p[t.paceKey]; t.Burst > 0 && ahead.After(now) {
			wait = max(wait, ahead.Sub(now)-time.Duration(t.Burst-1)*t.Every)
		}
	}
	return wait
}

// count counts one of each.
func (p paces) count(at time.Time, tolls ...toll) {
	for _, t := range tolls {
		if t.Burst == 0 {
			continue
		}
		next, most := at, at.Add(time.Duration(t.Burst)*t.Every) // nothing is further ahead than all at once
		if p[t.paceKey].After(at) {
			next = p[t.paceKey]
		}
		if next = next.Add(t.Every); next.After(most) {
			next = most
		}
		p[t.paceKey] = next
	}
}

// maxPaces is how many are kept before those are dropped that have nothing to make up for.
const maxPaces = 10_000

func (p paces) tidy(now time.Time) {
	if len(p) < maxPaces {
		return
	}
	for k, t := range p {
		if !t.After(now) {
			delete(p, k)
		}
	}
}

// The kinds of what is counted.
const (
	paceCommand  = "command"
	paceTable    = "table"
	paceChat     = "chat"
	paceProposal = "proposal"
	paceAsks     = "asks at "
)

var (
	typeSaid     = domain.TableEventType(&domain.Said{})
	typeProposed = domain.TableEventType(&domain.Proposed{})
)

// typed reports whether a person has asked for something by themselves.
func typed(a Actor) bool {
	return a.Person != "" && (a.Door == DoorPage || a.Door == "mail" || a.Door == DoorAPI || a.Door == DoorReply)
}

// admit refuses whoever is banned, and counts a command of a person, over all tables; opens says that it
// opens one.
func (d *Desk) admit(ctx context.Context, a Actor, opens bool) error {
	if err := d.mayAct(ctx, a); err != nil {
		return err
	}
	if d.limits == nil || !typed(a) {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	if d.paces == nil {
		d.paces = paces{}
	}
	tolls := []toll{{paceKey{paceCommand, a.Person}, d.limits.Commands}}
	if opens {
		tolls = append(tolls, toll{paceKey{paceTable, a.Person}, d.limits.Tables})
	}
	if wait := d.paces.wait(now, tolls...); wait > 0 {
		return &TooFast{wait}
	}
	d.paces.tidy(now)
	d.paces.count(now, tolls...)
	return nil
}

// tollsOf is what an event that a person brings about at a table is counted as there.
func (l *Limits) tollsOf(typ string, by domain.PersonID) []toll {
	switch typ {
	case typeSaid:
		return []toll{{paceKey{paceChat, by}, l.Chats}, {paceKey{paceChat, ""}, l.AllChats}}
	case typeProposed:
		return []toll{{paceKey{paceProposal, by}, l.Proposals}}
	}
	return nil
}

// admitAt judges an event of a person at one table, by what stands in its log.
func (d *Desk) admitAt(ctx context.Context, r *room, a Actor, e domain.TableEvent) error {
	if d.limits == nil || !typed(a) {
		return nil
	}
	wait := r.paces.wait(d.now(), d.limits.tollsOf(domain.TableEventType(e), a.Person)...)
	if _, asks := e.(*domain.Proposed); asks && wait == 0 && d.limits.Mailed != nil && len(r.table.People()) > 1 {
		var err error
		if wait, err = d.limits.Mailed(ctx, a.Person); err != nil {
			return fmt.Errorf("count a proposal: %w", err)
		}
	}
	if wait > 0 {
		return &TooFast{wait}
	}
	return nil
}

// countsAsks reports whether it is counted how often somebody's moves ask others.
func (d *Desk) countsAsks(a Actor) bool {
	return d.limits != nil && d.limits.Asks.Burst > 0 && typed(a)
}

// admitAsk judges a move that was decided, by the line after it: whether it asks others once too often, and whether it is
// to be counted once it stands. A move that passes the turn is not counted: whoever is asked by it
// answers before its mover can ask them again.
func (d *Desk) admitAsk(r *room, a Actor, after *domain.Line) (asks bool, err error) {
	if !d.countsAsks(a) {
		return false, nil
	}
	others, mine := false, false
	for _, o := range after.Awaited() {
		p := r.table.Places[o.Seat]
		mine = mine || p.Holds(a.Person)
		others = others || o.Since == after.Version && p.Humans() && !p.Holds(a.Person)
	}
	if !others || !mine {
		return false, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if wait := d.paces.wait(d.now(), d.asking(r, a)); wait > 0 {
		return false, &TooFast{wait}
	}
	return true, nil
}

// countAsk counts a move that admitAsk said is to be.
func (d *Desk) countAsk(r *room, a Actor) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.paces.count(d.now(), d.asking(r, a))
}

func (d *Desk) asking(r *room, a Actor) toll {
	return toll{paceKey{paceAsks + r.name.String(), a.Person}, d.limits.Asks}
}

// tally counts what stands in a table's log into its room.
func (d *Desk) tally(r *room, records []Record) error {
	if d.limits == nil {
		return nil
	}
	if r.paces == nil {
		r.paces = paces{}
	}
	for i := range records {
		if records[i].Type != typeSaid && records[i].Type != typeProposed {
			continue
		}
		meta, err := ReadMeta(&records[i])
		if err != nil {
			return err
		}
		r.paces.count(records[i].At, d.limits.tollsOf(records[i].Type, meta.By)...)
	}
	return nil
}
