package desk

import (
	"context"
	"fmt"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events/calendar"
)

// Commands about people's time: they are away, need longer, want the table to pause, lend their seat to a stand-in,
// or want somebody reminded.

// ProposePause asks the table to stop its deadlines until the end of a day, by the proposer's calendar.
type ProposePause struct {
	Until calendar.Day
	Written
}

// Row returns its wish and its judge.
func (c ProposePause) Row() Row {
	return Row{c.wish("pause " + c.Until.String()),
		func(ctx context.Context, by domain.PersonID, r Case) (domain.TableEvent, error) {
			until, err := r.endOf(ctx, by, c.Until)
			if err != nil {
				return nil, err
			}
			return mayPause(&domain.Proposed{Proposal: domain.Proposal{Kind: domain.ProposePause, Until: until,
				Reason: c.Text}})(ctx, by, r)
		}}
}

// endOf returns the end of a day by a person's calendar, rounded up to a full hour.
func (r Case) endOf(ctx context.Context, by domain.PersonID, day calendar.Day) (time.Time, error) {
	all, err := r.desk.calendarsOf(ctx, []domain.PersonID{by})
	if err != nil {
		return time.Time{}, err
	}
	end := (day + 1).Begins(all[0].Zone).UTC()
	if full := end.Truncate(time.Hour); full.Before(end) {
		end = full.Add(time.Hour)
	}
	return end, nil
}

// GoAway tells a table that somebody is away for some days, which moves their deadlines. What comes up there later
// counts from their return, whatever else their calendar says.
type GoAway struct{ Days calendar.Span }

// Row returns its wish and its judge.
func (c GoAway) Row() Row {
	return Row{"away " + c.Days.From.String() + " " + c.Days.Until.String(),
		func(ctx context.Context, by domain.PersonID, r Case) (domain.TableEvent, error) {
			all, err := r.desk.calendarsOf(ctx, []domain.PersonID{by})
			if err != nil {
				return nil, err
			}
			before, after := all[0], all[0]
			known := func(s calendar.Span) bool { return s == c.Days }
			before.Away = slices.DeleteFunc(slices.Clone(before.Away), known)
			after.Away = append(slices.Clone(before.Away), c.Days)
			now := r.desk.now()
			var due []domain.Deadline
			for _, d := range r.Deadlines() {
				asked := slices.Contains(r.people(d), by)
				if d.Seat == domain.Nobody {
					asked = asked && !r.Table.Proposal.Agreed[by]
				}
				if !asked {
					continue
				}
				from := now
				if r.Table.PausedUntil.After(from) {
					from = r.Table.PausedUntil
				}
				if at := after.Deadline(from, before.Counted(from, d.At)); at.After(d.At) {
					d.At = at
					due = append(due, d)
				}
			}
			until, err := r.endOf(ctx, by, c.Days.Until)
			if err != nil {
				return nil, err
			}
			return r.Decide(ctx, by, &domain.Deferred{Why: domain.DeferAway, Person: by, Until: until, Due: due})
		}}
}

// ComeBack tells a table that somebody who was away is back. Their deadlines stay, since deadlines only move later;
// what comes up there later counts from then on.
type ComeBack struct{}

// Row returns its wish and its judge.
func (ComeBack) Row() Row {
	return Row{"back", func(ctx context.Context, by domain.PersonID, r Case) (domain.TableEvent, error) {
		return r.Decide(ctx, by, &domain.Deferred{Why: domain.DeferAway, Person: by})
	}}
}

// Nudge reminds the holders of a seat of what is awaited of it.
type Nudge struct{ Seat domain.Seat }

// Row returns its wish and its judge.
func (c Nudge) Row() Row {
	return Row{fmt.Sprintf("nudge %d", c.Seat),
		func(ctx context.Context, by domain.PersonID, r Case) (domain.TableEvent, error) {
			if r.Line != nil {
				for _, o := range r.Line.Awaited() {
					if o.Seat == c.Seat {
						return r.Decide(ctx, by, &domain.Nudged{Seat: c.Seat, Line: r.LineName.String(), Since: o.Since,
							At: r.desk.now().UTC().Truncate(time.Hour)})
					}
				}
			}
			if r.Line == nil || r.Table.Status != domain.TableStarted {
				return nil, notPlayed(r.Table)
			}
			return nil, domain.Refuse("not-awaited", "seat", c.Seat)
		}}
}

// MostAsked is the most time a nudged person may ask for, counted from the due time or from now, whichever is later.
const MostAsked = 8 * 24 * time.Hour

// NeedTime answers a nudge: the seat needs until the end of a day.
type NeedTime struct {
	Seat  domain.Seat
	Until calendar.Day
}

// Row returns its wish and its judge.
func (c NeedTime) Row() Row {
	return Row{fmt.Sprintf("need %d %s", c.Seat, c.Until),
		func(ctx context.Context, by domain.PersonID, r Case) (domain.TableEvent, error) {
			until, err := r.endOf(ctx, by, c.Until)
			if err != nil {
				return nil, err
			}
			if err := r.Table.Plays(by, c.Seat); err != nil {
				return nil, err
			}
			if r.Line == nil {
				return nil, notPlayed(r.Table)
			}
			for _, o := range r.Line.Awaited() {
				if _, _, nudged := r.Table.Nudge(r.LineName.String(), o.Seat, o.Since); o.Seat != c.Seat || !nudged {
					continue
				}
				due := r.Deadline(o)
				if due.IsZero() {
					return nil, domain.Refuse("no-clock")
				}
				latest := r.desk.now()
				if due.After(latest) {
					latest = due
				}
				if !until.After(due) || until.Sub(latest) > MostAsked {
					return nil, domain.Refuse("need-days", "most", int(MostAsked.Hours()/24)-1)
				}
				return r.Decide(ctx, by, &domain.Deferred{Why: domain.DeferAsked, Person: by,
					Due: []domain.Deadline{{Line: r.LineName.String(), Seat: o.Seat, Since: o.Since, At: until}}})
			}
			return nil, domain.Refuse("not-nudged")
		}}
}

// Lend gives one of the caller's seats to a stand-in until the caller is back.
type Lend struct{ Seat domain.Seat }

// Row returns its wish and its judge.
func (c Lend) Row() Row {
	return Row{fmt.Sprintf("lend %d", c.Seat), wants(&domain.Lent{Seat: c.Seat})}
}

// Return takes back a seat that a stand-in has kept.
type Return struct{ Seat domain.Seat }

// Row returns its wish and its judge.
func (c Return) Row() Row {
	return Row{fmt.Sprintf("return %d", c.Seat), sitDown(c.Seat, func(due []domain.Deadline) domain.TableEvent {
		return &domain.Returned{Seat: c.Seat, Due: due}
	})}
}

// sitDown judges whether somebody may take up a seat in the middle of play. They get the full time for what is open
// there.
func sitDown(seat domain.Seat, want func(due []domain.Deadline) domain.TableEvent) Judge {
	return func(ctx context.Context, by domain.PersonID, r Case) (domain.TableEvent, error) {
		due, err := r.anew(ctx, seat, by)
		if err != nil {
			return nil, err
		}
		return r.Decide(ctx, by, want(due))
	}
}

// anew returns the deadline of what is open at a seat for somebody who takes it up now.
func (r Case) anew(ctx context.Context, seat domain.Seat, who domain.PersonID) ([]domain.Deadline, error) {
	if r.Table.Clock == nil || r.Line == nil {
		return nil, nil
	}
	for _, o := range r.Line.Awaited() {
		if o.Seat == seat {
			at, err := r.desk.dueOf(ctx, r.Table, r.desk.now(), time.Duration(r.Table.Clock.Hours)*time.Hour,
				[]domain.PersonID{who})
			return []domain.Deadline{{Line: r.LineName.String(), Seat: o.Seat, Since: o.Since, At: at}}, err
		}
	}
	return nil, nil
}

// OfferSeat asks somebody to take over a seat in a running game.
type OfferSeat struct {
	Seat   domain.Seat
	Person domain.PersonID
}

// Row returns its wish and its judge.
func (c OfferSeat) Row() Row {
	return Row{fmt.Sprintf("offer %d %s", c.Seat, c.Person), wants(&domain.Offered{Seat: c.Seat, Person: c.Person})}
}

// WithdrawOffer withdraws the offer of a seat, or declines it.
type WithdrawOffer struct{ Seat domain.Seat }

// Row returns its wish and its judge.
func (c WithdrawOffer) Row() Row {
	return Row{fmt.Sprintf("withdraw %d", c.Seat), wants(&domain.Withdrawn{Seat: c.Seat})}
}

// TakeOver takes over a seat that was offered to the caller.
type TakeOver struct{ Seat domain.Seat }

// Row returns its wish and its judge.
func (c TakeOver) Row() Row {
	return Row{fmt.Sprintf("take over %d", c.Seat), sitDown(c.Seat, func(due []domain.Deadline) domain.TableEvent {
		return &domain.Substituted{Seat: c.Seat, Due: due}
	})}
}
