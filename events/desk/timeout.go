package desk

import (
	"context"
	"fmt"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/calendar"
)

// What follows from a deadline is a command through the door clock, judged like any other: is its subject still open,
// is the deadline still the same, has it passed?

// Deadlines lists what is open at a table, with its deadlines, as far as they have consequences: the decisions of
// people that no stand-in takes over, and the open proposal. It leaves out those already noted as timed out.
func (l Look) Deadlines() []domain.Deadline {
	if l.Table.Clock == nil || !l.plays() {
		return nil
	}
	var out []domain.Deadline
	for _, o := range l.Line.Awaited() {
		d := domain.Deadline{Line: l.LineName.String(), Seat: o.Seat, Since: o.Since, At: l.Deadline(o)}
		known := slices.ContainsFunc(out, func(e domain.Deadline) bool { return e.Seat == d.Seat })
		if known || d.At.IsZero() || !l.Table.Places[o.Seat].Humans() || l.TakenOver(o) || l.Table.Passed(d) {
			continue
		}
		out = append(out, d)
	}
	if at := l.ProposalDeadline(); !at.IsZero() && !l.Table.Overtaken(l.Line.Version) {
		out = append(out, domain.Deadline{Seat: domain.Nobody, Since: l.Table.Proposal.Since, At: at})
	}
	return out
}

// NextDeadline returns the first of a table's deadlines or invitation expiries; zero if there is none.
func (l Look) NextDeadline() (next time.Time) {
	for _, e := range l.Expiries() {
		if next.IsZero() || e.Until.Before(next) {
			next = e.Until
		}
	}
	for _, d := range l.Deadlines() {
		if next.IsZero() || d.At.Before(next) {
			next = d.At
		}
	}
	return next
}

// AsksOf lists the asks that a deadline is for.
func (l Look) AsksOf(d domain.Deadline) []Ask {
	return slices.DeleteFunc(l.Asks(), func(a Ask) bool {
		if d.Seat == domain.Nobody {
			return a.Kind != AskConsent
		}
		return a.Kind != AskTurn || a.Open.Seat != d.Seat || a.Open.Since != d.Since
	})
}

// standing checks that a deadline is one of the table's as it stands.
func (r Case) standing(d domain.Deadline) error {
	for _, now := range r.Deadlines() {
		if now.Line == d.Line && now.Seat == d.Seat && now.Since == d.Since && now.At.Equal(d.At) {
			return nil
		}
	}
	return domain.Refuse("overtaken")
}

// people returns those whom a deadline is for.
func (r Case) people(d domain.Deadline) []domain.PersonID {
	if d.Seat == domain.Nobody {
		return r.Table.People()
	}
	return r.Table.Places[d.Seat].Holders
}

func (r Case) dueOf(ctx context.Context, d domain.Deadline, from time.Time, allowed time.Duration) (domain.Deadline,
	error) {
	at, err := r.desk.dueOf(ctx, r.Table, from, allowed, r.people(d))
	d.At = at
	return d, err
}

func wishOf(what string, d domain.Deadline) string {
	return fmt.Sprintf("%s %s %d %d %s", what, d.Line, d.Seat, d.Since, d.At.UTC().Format(time.RFC3339))
}

// CauseOf returns the cause of what the clock does, once, about a deadline.
func CauseOf(what string, table events.Name, d domain.Deadline) events.Cause {
	return events.Because("clock", table[:], []byte(wishOf(what, d)))
}

// stands judges what follows from a deadline, which must be one of the table's as it stands.
func stands(d domain.Deadline, judge Judge) Judge {
	return func(ctx context.Context, by domain.PersonID, r Case) (domain.TableEvent, error) {
		if err := r.standing(d); err != nil {
			return nil, err
		}
		return judge(ctx, by, r)
	}
}

// postpones judges whether a deadline may move, to the allowed time from a moment on.
func postpones(why domain.DeferReason, d domain.Deadline, from time.Time, allowed time.Duration) Judge {
	return stands(d, func(ctx context.Context, by domain.PersonID, r Case) (domain.TableEvent, error) {
		next, err := r.dueOf(ctx, d, from, allowed)
		if err != nil {
			return nil, err
		}
		return r.Decide(ctx, by, &domain.Deferred{Why: why, Due: []domain.Deadline{next}})
	})
}

// TimeOut notes that the deadline of a decision has passed, and does what the table chose.
type TimeOut struct{ Due domain.Deadline }

// Row returns its wish and its judge.
func (c TimeOut) Row() Row {
	return Row{wishOf("time-out", c.Due), stands(c.Due, wants(&domain.TimedOut{Due: c.Due}))}
}

// TakeSpare moves a deadline that has passed by one of the seat's spare days.
type TakeSpare struct{ Due domain.Deadline }

// Row returns its wish and its judge.
func (c TakeSpare) Row() Row {
	return Row{wishOf("spare", c.Due), postpones(domain.DeferSpare, c.Due, c.Due.At, 24*time.Hour)}
}

// Postpone moves a deadline when somebody had less time than they should: to the allowed time from a moment on.
type Postpone struct {
	Why     domain.DeferReason
	Due     domain.Deadline
	From    time.Time
	Allowed time.Duration
}

// Row returns its wish and its judge.
func (c Postpone) Row() Row {
	return Row{fmt.Sprintf("%s %s %s", wishOf("postpone "+string(c.Why), c.Due), c.From.UTC().Format(time.RFC3339),
		c.Allowed), postpones(c.Why, c.Due, c.From, c.Allowed)}
}

// CloseProposal ends the open proposal once its time is over.
type CloseProposal struct{ Due domain.Deadline }

// Row returns its wish and its judge.
func (c CloseProposal) Row() Row {
	return Row{wishOf("close", c.Due), stands(c.Due, mayPause(&domain.Carried{Since: c.Due.Since}))}
}

// mayPause judges what may make the table pause, and works out the deadlines that follow from that.
func mayPause(want domain.TableEvent) Judge {
	return func(ctx context.Context, by domain.PersonID, r Case) (domain.TableEvent, error) {
		e, err := r.Decide(ctx, by, want)
		if err != nil {
			return nil, err
		}
		switch e := e.(type) {
		case *domain.Proposed:
			err = r.pausing(ctx, e.Paused)
		case *domain.Agreed:
			err = r.pausing(ctx, e.Paused)
		case *domain.Carried:
			err = r.pausing(ctx, e.Paused)
		}
		return e, err
	}
}

// pausing works out the deadlines that follow from a pause: the time left when it begins is left when it ends.
func (r Case) pausing(ctx context.Context, p *domain.Paused) error {
	if p == nil {
		return nil
	}
	now := r.desk.now()
	for _, d := range r.Deadlines() {
		if d.Seat == domain.Nobody {
			continue // it is about to be answered
		}
		left := time.Duration(0)
		all, err := r.desk.calendarsOf(ctx, r.people(d))
		if err != nil {
			return err
		}
		for _, c := range all {
			left = max(left, c.Counted(now, d.At))
		}
		next, err := r.dueOf(ctx, d, p.Until, left)
		if err != nil {
			return err
		}
		if next.At.After(d.At) {
			p.Due = append(p.Due, next)
		}
	}
	return nil
}

// untilBack returns a calendar with the holiday that a table knows of added.
func untilBack(c calendar.Calendar, t *domain.Table, who domain.PersonID, from time.Time) calendar.Calendar {
	if back := t.AwayUntil(who); back.After(from) {
		c.Away = append(slices.Clone(c.Away),
			calendar.Span{From: calendar.DayOf(from, c.Zone), Until: calendar.DayOf(back, c.Zone) - 1})
	}
	return c
}

// AwayNow reports whether all of these people are on holiday.
func (d *Desk) AwayNow(ctx context.Context, people []domain.PersonID) (bool, error) {
	all, err := d.calendarsOf(ctx, people)
	if err != nil || len(all) == 0 {
		return false, err
	}
	now := d.now()
	return !slices.ContainsFunc(all, func(c calendar.Calendar) bool { return !c.IsAway(calendar.DayOf(now, c.Zone)) }),
		nil
}
