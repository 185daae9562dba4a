package turn

import (
	"time"

	"posthorn/domain"
)

// What a table's clock did, in words.

// timed tells an event that is about time.
func timed(e domain.TableEvent, name func(domain.PersonID) string) []domain.Say {
	switch e := e.(type) {
	case *domain.Deferred:
		return deferred(e, name)
	case *domain.TimedOut:
		return []domain.Say{domain.S("table.timed-out."+string(e.Does), "letter", e.Due.Seat.Letter())}
	case *domain.Carried:
		return append(append([]domain.Say{domain.S("table.carried")}, rewound(e.Rewound)...), paused(e.Paused)...)
	case *domain.Unanswered:
		return []domain.Say{domain.S("table.unanswered")}
	case *domain.Nudged:
		return []domain.Say{domain.S("table.nudged", "who", name(e.By), "letter", e.Seat.Letter())}
	case *domain.Lent:
		return []domain.Say{domain.S("table.lent", "who", name(e.Person), "letter", e.Seat.Letter())}
	case *domain.Returned:
		return []domain.Say{domain.S("table.returned", "who", name(e.Person), "letter", e.Seat.Letter())}
	}
	return nil
}

func deferred(e *domain.Deferred, name func(domain.PersonID) string) (out []domain.Say) {
	if e.Person != "" {
		return []domain.Say{domain.S("table.deferred."+string(e.Why), "who", name(e.Person))}
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

// dayOf is the last day before a moment that is midnight somewhere.
func dayOf(until time.Time) string { return until.UTC().Add(-12 * time.Hour).Format(time.DateOnly) }
