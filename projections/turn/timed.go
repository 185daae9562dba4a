package turn

import (
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events/desk"
)

// What a table's clock says and did, in words.

// Timing is what a table's clock says right now.
type Timing struct {
	Clock    *domain.Clock // nil: the table waits forever
	Proposal time.Time     // when the open proposal lapses; zero for never
	Paused   time.Time     // until when deadlines stand still; zero if they do not
	Now      time.Time
	Lines    []string // the open deadlines in sentences, the asker's own first
}

// Away reports whether the table takes the model's person, who alone holds the seat, for away.
func (mod *Model) Away() bool {
	return mod.Seat != domain.Nobody && !mod.Players[mod.Seat].Away.IsZero()
}

// time fills in what the table's clock says, and by when players must act.
func (m *Maker) time(mod *Model, look desk.Look) {
	t := look.Table
	mod.Time.Clock = t.Clock
	now := func() time.Time {
		if mod.Time.Now.IsZero() {
			mod.Time.Now = m.desk.Now()
		}
		return mod.Time.Now
	}
	for i := range mod.Players {
		p := &mod.Players[i]
		p.Lent, p.Spare = t.Places[i].Lent, t.SpareLeft(p.Seat)
		for _, id := range p.People {
			if until := t.AwayUntil(id); !until.IsZero() && until.After(now()) && len(p.People) == 1 {
				p.Away = until
			}
		}
	}
	if mod.Status != domain.TableStarted || t.Due != "" || look.Line == nil {
		return
	}
	for _, o := range look.Line.Awaited() {
		p := &mod.Players[o.Seat]
		if at := look.Deadline(o); !at.IsZero() && !p.StandIn && !look.TakenOver(o) &&
			(p.Due.IsZero() || at.Before(p.Due)) {
			p.Due = at
		}
		if version, by, ok := t.Nudge(look.LineName.String(), o.Seat, o.Since); ok && !p.StandIn {
			p.Nudged, p.NudgedBy = version, by
		}
	}
	if t.PausedUntil.After(time.Time{}) && t.PausedUntil.After(now()) {
		mod.Time.Paused = t.PausedUntil
	}
	if mod.Proposal != nil {
		mod.Time.Proposal = look.ProposalDeadline()
	}
	if t.Clock != nil {
		now()
	}
	mod.Time.Lines = mod.times()
}

// times returns the deadlines in sentences. Others who have the same time share a sentence.
func (mod *Model) times() (out []string) {
	p, t := mod.printer, mod.Time
	alike, later := map[string][]domain.Seat{}, []string(nil)
	if !t.Proposal.IsZero() {
		key := "time.answers"
		if mod.Proposal.MayAgree {
			key = "time.answer"
		}
		out = append(out, p.Text(key, "when", mod.When(t.Proposal)))
	}
	for _, of := range slices.Concat(mine(mod.Players, true), mine(mod.Players, false)) {
		switch over := !of.Due.After(t.Now); {
		case of.Due.IsZero():
		case of.You && over:
			out = append(out, p.Text("time.over.you", "when", mod.When(of.Due)))
		case of.You:
			line := p.Text("time.you", "when", mod.When(of.Due))
			if of.Spare > 0 {
				line += " " + p.Text("time.spare", "n", of.Spare)
			} else {
				line += " " + p.Text("time.then."+string(t.Clock.TimeOut))
			}
			out = append(out, line)
		case over:
			out = append(out, p.Text("time.over.other", "who", of.Seat, "when", mod.When(of.Due)))
		default:
			when := mod.When(of.Due)
			if alike[when] == nil {
				later = append(later, when)
			}
			alike[when] = append(alike[when], of.Seat)
		}
	}
	for _, when := range later {
		key := "time.other"
		if len(alike[when]) > 1 {
			key = "time.others"
		}
		out = append(out, p.Text(key, "who", alike[when], "when", when))
	}
	if !t.Paused.IsZero() {
		out = append(out, p.Text("time.paused", "when", mod.When(t.Paused)))
	}
	for _, of := range mod.Players {
		if !of.Away.IsZero() && mod.Status == domain.TableStarted {
			out = append(out, p.Text("time.away", "who", of.Seat, "day", p.Day(mod.in(of.Away.Add(-12*time.Hour)))))
		}
		if of.Lent {
			out = append(out, p.Text("time.lent", "letter", of.Letter))
		}
	}
	return out
}

func mine(all []Player, you bool) []Player {
	return slices.DeleteFunc(slices.Clone(all), func(p Player) bool { return p.You != you })
}

// When formats a moment as the asker's clock shows it.
func (mod *Model) When(t time.Time) string { return mod.printer.Moment(mod.in(t)) }

// Hour formats a moment of today as the asker's clock shows it.
func (mod *Model) Hour(t time.Time) string {
	if mod.zone == nil {
		return t.UTC().Format("15:04 MST")
	}
	return mod.in(t).Format("15:04")
}

func (mod *Model) in(t time.Time) time.Time {
	if mod.zone == nil {
		return t.UTC()
	}
	return t.In(mod.zone)
}

// timed tells an event that is about time, or of whose type there is one sentence.
func timed(e domain.TableEvent, name func(domain.PersonID) string) []domain.Say {
	switch e := e.(type) {
	case *domain.Deferred:
		return deferred(e, name)
	case *domain.TimedOut:
		return []domain.Say{domain.S("table.timed-out."+string(e.Does), "letter", e.Due.Seat.Letter())}
	case *domain.Carried:
		return append(append([]domain.Say{domain.S("table.carried")}, rewound(e.Rewound)...), paused(e.Paused)...)
	case *domain.Nudged:
		return []domain.Say{domain.S("table.nudged", "who", name(e.By), "letter", e.Seat.Letter())}
	case *domain.Offered:
		return []domain.Say{domain.S("table.offered", "who", name(e.By), "whom", name(e.Person), "letter",
			e.Seat.Letter())}
	}
	return []domain.Say{plainly(e, name)}
}

func deferred(e *domain.Deferred, name func(domain.PersonID) string) (out []domain.Say) {
	if e.Person != "" && e.Why == domain.DeferAway && e.Until.IsZero() {
		return []domain.Say{domain.S("table.deferred.back", "who", name(e.Person))}
	}
	if e.Person != "" {
		return []domain.Say{domain.S("table.deferred."+string(e.Why), "who", name(e.Person), "day", dayOf(e.Until))}
	}
	for _, d := range e.Due {
		key := "table.deferred." + string(e.Why)
		switch {
		case d.Seat == domain.Nobody:
			key = "table.deferred.answers"
		case e.Why == domain.DeferAway:
			key = "table.deferred.absent"
		}
		out = append(out, domain.S(key, "letter", d.Seat.Letter()))
	}
	return out
}

func proposed(p *domain.Proposal, who string) domain.Say {
	if p.Kind == domain.ProposePause {
		return domain.S("table.pause-proposed", "who", who, "day", dayOf(p.Until))
	}
	return domain.S("table."+string(p.Kind)+"-proposed", "who", who, "to", int(p.To))
}

func paused(p *domain.Paused) []domain.Say {
	if p == nil {
		return nil
	}
	return []domain.Say{domain.S("table.paused", "day", dayOf(p.Until))}
}

// dayOf returns the last day before a moment that is midnight somewhere.
func dayOf(until time.Time) time.Time { return until.UTC().Add(-12 * time.Hour) }
