package desk

import (
	"context"
	"errors"
	"fmt"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// Rate is how often something may be done: Burst at once, and one more after each pause. The zero value means no
// limit.
type Rate struct {
	Burst int
	Every time.Duration
}

// Limits are how much people may write. They cover what people ask for themselves, on pages, in mails and by the API.
// What the house does, orders included, does not count.
type Limits struct {
	Commands  Rate // commands by one person, at all tables
	Acts      Rate // commands by one person, at all tables, that are no moves: nothing in a game ends them
	Tables    Rate // tables opened by one person
	Chats     Rate // lines of chat by one person at one table
	AllChats  Rate // lines of chat at one table
	Proposals Rate // proposals by one person at one table: each writes to everybody there
	// moves by one person at one table that ask others but do not pass the turn, such as offers: each writes to those
	// asked
	Asks Rate
	// Mailed is called before a person's proposal writes to the others at a table. It counts those mails over all
	// tables and returns how long to wait, 0 for not at all. It may be nil.
	Mailed func(ctx context.Context, by domain.PersonID) (wait time.Duration, err error)
}

// DefaultLimits are far above what people do, and far below what does any harm.
var DefaultLimits = Limits{
	Commands:  Rate{600, 200 * time.Millisecond},
	Acts:      Rate{500, 3 * time.Minute},
	Tables:    Rate{30, 4 * time.Minute},
	Chats:     Rate{40, 5 * time.Second},
	AllChats:  Rate{120, 2 * time.Second},
	Proposals: Rate{10, 6 * time.Minute},
	Asks:      Rate{40, 2 * time.Minute},
}

// TooFast is returned to a person who does something more often than [Limits] allow.
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

// Limit sets how much people may write; without it there is no limit. Call it before you use the desk.
func (d *Desk) Limit(l Limits) { d.limits = &l }

// paceKey names what is counted together.
type paceKey struct {
	what string
	by   domain.PersonID // "" for everybody
}

// paces say how far each key is ahead of its rate: the time at which it will have caught up. One instant says as much
// as a token bucket would, so the log alone is enough to count from, and a restart forgets nothing.
type paces map[paceKey]time.Time

// charge is one action, counted under a key at a rate.
type charge struct {
	paceKey
	Rate
}

// wait returns how long until there is room for one more of each.
func (p paces) wait(now time.Time, charges ...charge) (wait time.Duration) {
	for _, t := range charges {
		if ahead := p[t.paceKey]; t.Burst > 0 && ahead.After(now) {
			wait = max(wait, ahead.Sub(now)-time.Duration(t.Burst-1)*t.Every)
		}
	}
	return wait
}

// count counts one of each.
func (p paces) count(at time.Time, charges ...charge) {
	for _, t := range charges {
		if t.Burst == 0 {
			continue
		}
		next, most := at, at.Add(time.Duration(t.Burst)*t.Every) // never further ahead than a full burst
		if p[t.paceKey].After(at) {
			next = p[t.paceKey]
		}
		if next = next.Add(t.Every); next.After(most) {
			next = most
		}
		p[t.paceKey] = next
	}
}

// maxPaces is how many paces are kept before those that have caught up are dropped.
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

// The kinds of action that are counted.
const (
	paceCommand  = "command"
	paceAct      = "act"
	paceTable    = "table"
	paceChat     = "chat"
	paceProposal = "proposal"
	paceAsks     = "asks at "
)

var (
	typeSaid     = domain.TableEventType(&domain.Said{})
	typeProposed = domain.TableEventType(&domain.Proposed{})
)

// typed reports whether a person asked for something themselves.
func typed(a events.Actor) bool {
	return a.Person != "" && (a.Door == domain.DoorPage || a.Door == "mail" || a.Door == domain.DoorAPI ||
		a.Door == domain.DoorReply)
}

// admit refuses banned people, and counts a person's command, over all tables. opens says that the command opens a
// table.
func (d *Desk) admit(ctx context.Context, a events.Actor, opens bool) error {
	if err := d.mayAct(ctx, a); err != nil {
		return err
	}
	if d.limits == nil || !typed(a) {
		return nil
	}
	charges := []charge{{paceKey{paceCommand, a.Person}, d.limits.Commands}}
	if opens {
		charges = append(charges, charge{paceKey{paceTable, a.Person}, d.limits.Tables})
	}
	return d.take(charges...)
}

// admitAct counts what somebody does at a table that is no move.
func (d *Desk) admitAct(a events.Actor) error {
	if d.limits == nil || !typed(a) {
		return nil
	}
	return d.take(charge{paceKey{paceAct, a.Person}, d.limits.Acts})
}

// take counts one of each if all have room.
func (d *Desk) take(charges ...charge) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	if d.paces == nil {
		d.paces = paces{}
	}
	if wait := d.paces.wait(now, charges...); wait > 0 {
		return &TooFast{wait}
	}
	d.paces.tidy(now)
	d.paces.count(now, charges...)
	return nil
}

// chargesOf returns how an event that a person causes counts at its table.
func (l *Limits) chargesOf(typ string, by domain.PersonID) []charge {
	switch typ {
	case typeSaid:
		return []charge{{paceKey{paceChat, by}, l.Chats}, {paceKey{paceChat, ""}, l.AllChats}}
	case typeProposed:
		return []charge{{paceKey{paceProposal, by}, l.Proposals}}
	}
	return nil
}

// admitAt judges a person's event at one table by the table's log.
func (d *Desk) admitAt(ctx context.Context, r *folded, a events.Actor, e domain.TableEvent) error {
	if d.limits == nil || !typed(a) {
		return nil
	}
	wait := r.paces.wait(d.now(), d.limits.chargesOf(domain.TableEventType(e), a.Person)...)
	if _, asks := e.(*domain.Proposed); asks && wait == 0 && d.limits.Mailed != nil && len(r.table.People()) > 1 {
		var err error
		if wait, err = d.limits.Mailed(ctx, a.Person); err != nil {
			return fmt.Errorf("count a proposal: %w", err)
		}
	}
	if wait > 0 {
		return &TooFast{wait}
	}
	return d.admitAct(a)
}

// countsAsks reports whether somebody's moves that ask others are counted.
func (d *Desk) countsAsks(a events.Actor) bool {
	return d.limits != nil && d.limits.Asks.Burst > 0 && typed(a)
}

// admitAsk judges a decided move by the line after it: whether it asks others once too often, and whether it counts
// once it is written. A move that passes the turn does not count: those it asks answer before its mover can ask them
// again.
func (d *Desk) admitAsk(r *folded, a events.Actor, after *domain.Line) (asks bool, err error) {
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

// countAsk counts a move if admitAsk said so.
func (d *Desk) countAsk(r *folded, a events.Actor) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.paces.count(d.now(), d.asking(r, a))
}

func (d *Desk) asking(r *folded, a events.Actor) charge {
	return charge{paceKey{paceAsks + r.name.String(), a.Person}, d.limits.Asks}
}

// tally counts the records of a folded table.
func (d *Desk) tally(r *folded, records []events.Record) error {
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
		meta, err := events.ReadMeta(&records[i])
		if err != nil {
			return err
		}
		r.paces.count(records[i].At, d.limits.chargesOf(records[i].Type, meta.By)...)
	}
	return nil
}
