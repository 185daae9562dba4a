package mail

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// Notifier finds out from the log who is to be written to.
type Notifier struct {
	Desk   *events.Desk
	Outbox *Outbox
	// Patience is how long a mail waits about what its person's own move on a page has brought
	// up: the page has led them on to it, and they are mostly still there. If they have gone,
	// the mail goes out then; if they play, it is dropped.
	Patience time.Duration
}

// Run follows the log until the context ends.
func (n *Notifier) Run(ctx context.Context, f events.Follower) error {
	pos, err := n.Outbox.Position(ctx)
	if err != nil {
		return err
	}
	return f.Follow(ctx, pos, func(ctx context.Context, recs []events.Record) error {
		tables := map[events.Name]bool{}
		for i := range recs {
			s, err := n.Desk.Log().Stream(ctx, recs[i].Stream)
			if err != nil {
				return fmt.Errorf("notifier: position %d: %w", recs[i].Pos, err)
			}
			if s.Kind != events.KindHouse { // a standing order that is taken back leaves a decision to its people
				tables[s.Table] = true
			}
		}
		notices, err := n.notices(ctx, tables)
		if err != nil {
			return err
		}
		return n.Outbox.Want(ctx, recs[len(recs)-1].Pos, notices...)
	})
}

// Remind wants the mails about everything that is open at these tables now. The host asks
// for it after the mail queue was lost; what was written already is not written again.
func (n *Notifier) Remind(ctx context.Context, tables []events.Name) error {
	notices, err := n.Wanted(ctx, tables...)
	if err != nil {
		return err
	}
	return n.Outbox.Want(ctx, 0, notices...)
}

// Wanted lists the mails that tables as they stand call for, written already or not.
func (n *Notifier) Wanted(ctx context.Context, tables ...events.Name) ([]Notice, error) {
	set := map[events.Name]bool{}
	for _, t := range tables {
		set[t] = true
	}
	return n.notices(ctx, set)
}

func (n *Notifier) notices(ctx context.Context, tables map[events.Name]bool) ([]Notice, error) {
	names := make([]events.Name, 0, len(tables))
	for t := range tables {
		names = append(names, t)
	}
	sort.Slice(names, func(i, j int) bool { return names[i].String() < names[j].String() })
	var out []Notice
	for _, name := range names {
		var wanted []Notice
		err := n.Desk.Guard(name, func() error {
			look, err := n.Desk.Look(ctx, name)
			if err == nil {
				wanted, err = n.wanted(ctx, look)
			}
			return err
		})
		if errors.As(err, new(*events.Unreadable)) {
			continue // nobody can be told how it stands; the host is, by the desk
		}
		if err != nil {
			return nil, fmt.Errorf("notifier: table %s: %w", name, err)
		}
		out = append(out, wanted...)
	}
	return out, nil
}

// wanted lists the mails that a table as it stands calls for.
func (n *Notifier) wanted(ctx context.Context, look events.Look) ([]Notice, error) {
	switch t := look.Table; {
	case t.Status == domain.TableOpen:
		return n.invitations(ctx, look)
	case t.Status == domain.TableStarted && t.Due == "" && look.Line != nil:
		turns, err := n.turns(ctx, look)
		if err != nil || t.Proposal == nil {
			return turns, err
		}
		asked, err := n.consents(ctx, look)
		return append(turns, asked...), err
	case t.Status == domain.TableEnded && t.End != domain.EndAbandoned && len(t.Lines) > 0:
		return n.overs(ctx, look)
	default:
		return nil, nil
	}
}

func (n *Notifier) invitations(ctx context.Context, look events.Look) ([]Notice, error) {
	var out []Notice
	var history []events.TableEntry
	for i, p := range look.Table.Places {
		for _, id := range p.Invited {
			if id == look.Table.Opener {
				continue // they are on the page, looking at the commitment
			}
			if history == nil {
				var err error
				if history, err = n.Desk.TableHistory(ctx, look.Name, 0); err != nil {
					return nil, err
				}
			}
			asked := history[0].Record
			for _, e := range history {
				if inv, ok := e.Event.(*domain.Invited); ok && inv.Person == id && inv.Seat == domain.Seat(i) {
					asked = e.Record
				}
			}
			out = append(out, Notice{Kind: KindInvitation, Person: id, Table: look.Name, Stream: look.Name, Head: asked.Hash,
				Open: domain.Open{Decision: domain.Decision{Seat: domain.Seat(i), Kind: string(KindInvitation)}, Since: asked.Version}})
		}
	}
	return out, nil
}

func (n *Notifier) turns(ctx context.Context, look events.Look) ([]Notice, error) {
	var out []Notice
	for _, o := range look.Line.Awaited() {
		p := look.Table.Places[o.Seat]
		if !p.Humans() {
			continue
		}
		if ordered, err := n.Desk.Obeys(ctx, look, o); ordered || err != nil {
			if err != nil {
				return nil, err
			}
			continue // their order answers, which may bring up the next decision
		}
		rec, err := n.recordAt(ctx, look.LineName, o.Since)
		if err != nil {
			return nil, err
		}
		cause, err := events.ReadMeta(&rec)
		if err != nil {
			return nil, &events.Unreadable{Table: look.Name, Stream: rec.Stream, Version: rec.Version, Err: err}
		}
		for _, id := range p.Holders {
			notice := Notice{Kind: KindTurn, Person: id, Table: look.Name, Stream: look.LineName, Open: o, Head: rec.Hash}
			if cause.By == id && cause.Door == "page" {
				notice.Wait = n.Patience
			}
			out = append(out, notice)
		}
	}
	return out, nil
}

func (n *Notifier) consents(ctx context.Context, look events.Look) ([]Notice, error) {
	p := look.Table.Proposal
	rec, err := n.recordAt(ctx, look.Name, p.Since)
	if err != nil {
		return nil, err
	}
	var out []Notice
	for _, id := range look.Table.People() {
		if p.Agreed[id] {
			continue
		}
		out = append(out, Notice{Kind: KindConsent, Person: id, Table: look.Name, Stream: look.Name, Head: rec.Hash,
			Open: domain.Open{Decision: domain.Decision{Seat: look.Table.SeatsOf(id)[0], Kind: string(KindConsent)}, Since: p.Since}})
	}
	return out, nil
}

func (n *Notifier) overs(ctx context.Context, look events.Look) ([]Notice, error) {
	history, err := n.Desk.TableHistory(ctx, look.Name, 0)
	if err != nil {
		return nil, err
	}
	var end events.Record
	for _, e := range history {
		if _, ok := e.Event.(*domain.Ended); ok {
			end = e.Record
		}
	}
	if end.Version == 0 {
		return nil, nil // handed over: the other server writes
	}
	var out []Notice
	for _, id := range look.Table.Everybody() {
		out = append(out, Notice{Kind: KindOver, Person: id, Table: look.Name, Stream: look.Name, Head: end.Hash,
			Open: domain.Open{Decision: domain.Decision{Seat: look.Table.SeatsOf(id)[0], Kind: string(KindOver)}, Since: end.Version}})
	}
	return out, nil
}

func (n *Notifier) recordAt(ctx context.Context, stream events.Name, version uint64) (events.Record, error) {
	recs, err := n.Desk.Log().Load(ctx, stream, version-1, version)
	if err != nil {
		return events.Record{}, fmt.Errorf("version %d of %s: %w", version, stream, err)
	}
	if len(recs) != 1 {
		return events.Record{}, fmt.Errorf("version %d of %s: %w", version, stream, events.ErrNoRecord)
	}
	return recs[0], nil
}
