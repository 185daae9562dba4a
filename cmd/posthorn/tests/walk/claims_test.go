package walk

import (
	"slices"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// claim is what a refusal says of a table, for the person who was refused.
type claim func(look desk.Look, who domain.PersonID, body object) bool

func seatIn(look desk.Look, body object) (domain.TablePlace, domain.Seat, bool) {
	n, ok := body["seat"].(int)
	if !ok || n < 0 || n >= len(look.Table.Places) {
		return domain.TablePlace{}, domain.Nobody, false
	}
	return look.Table.Places[n], domain.Seat(n), true
}

func status(s domain.TableStatus) claim {
	return func(look desk.Look, _ domain.PersonID, _ object) bool { return look.Table.Status == s }
}

// claims are the refusals of tables, each with what must be true of the table for it. A refusal of a game's rules is
// judged in the games' own tests.
var claims = map[string]claim{
	"table-ended": func(look desk.Look, _ domain.PersonID, _ object) bool {
		return look.Table.Status == domain.TableEnded || look.Table.Due != "" || look.Line != nil &&
			len(look.Line.Awaited()) == 0
	},
	"table-started": func(look desk.Look, _ domain.PersonID, _ object) bool {
		return look.Table.Status != domain.TableOpen
	},
	"not-started": func(look desk.Look, _ domain.PersonID, _ object) bool {
		return look.Table.Status == domain.TableOpen
	},
	"not-running": func(look desk.Look, _ domain.PersonID, _ object) bool {
		return look.Table.Status != domain.TableStarted
	},
	"not-ended": func(look desk.Look, _ domain.PersonID, _ object) bool {
		return look.Table.Status != domain.TableEnded
	},
	"rewind-ended": status(domain.TableEnded),
	"opener-only":  func(look desk.Look, who domain.PersonID, _ object) bool { return look.Table.Opener != who },
	"not-a-player": func(look desk.Look, who domain.PersonID, _ object) bool {
		// whose seat a stand-in keeps does not play now
		return !slices.Contains(look.Table.People(), who)
	},
	"not-your-seat": func(look desk.Look, who domain.PersonID, body object) bool {
		p, _, ok := seatIn(look, body)
		return !ok || !p.Holds(who) || !p.Humans() && !p.Lent
	},
	"seat-kept": func(look desk.Look, who domain.PersonID, _ object) bool {
		return slices.ContainsFunc(look.Table.Places, func(p domain.TablePlace) bool { return p.Holds(who) && p.Lent })
	},
	"not-invited": func(look desk.Look, who domain.PersonID, body object) bool {
		if body.text("person") != "" {
			return true // it is about somebody else, whom nobody knows
		}
		_, seat, ok := seatIn(look, body)
		at, invited := look.Table.InvitedTo(who)
		return !ok || !invited || at != seat
	},
	"seat-taken": func(look desk.Look, who domain.PersonID, body object) bool {
		p, _, ok := seatIn(look, body)
		return ok && (len(p.Holders) > 0 || len(p.Invited) > 0 || p.Kind == domain.SeatStandIn)
	},
	"seated-already": func(look desk.Look, _ domain.PersonID, body object) bool {
		p, _, ok := seatIn(look, body)
		return ok && len(p.Holders) > 0
	},
	"no-proposal": func(look desk.Look, _ domain.PersonID, body object) bool {
		return look.Table.Proposal == nil || look.Table.Proposal.Since != since(body)
	},
	"proposal-open": func(look desk.Look, _ domain.PersonID, _ object) bool { return look.Table.Proposal != nil },
	"agreed-already": func(look desk.Look, who domain.PersonID, _ object) bool {
		return look.Table.Proposal != nil && look.Table.Proposal.Agreed[who]
	},
	"no-clock": func(look desk.Look, _ domain.PersonID, _ object) bool { return look.Table.Clock == nil },
	"undo-off": func(look desk.Look, _ domain.PersonID, _ object) bool { return look.Table.NoUndo },
	"nudge-self": func(look desk.Look, who domain.PersonID, body object) bool {
		p, _, ok := seatIn(look, body)
		return ok && p.Holds(who)
	},
	"nudge-stand-in": func(look desk.Look, _ domain.PersonID, body object) bool {
		p, _, ok := seatIn(look, body)
		return ok && !p.Humans()
	},
	"no-seat": func(look desk.Look, _ domain.PersonID, body object) bool {
		_, _, ok := seatIn(look, body)
		return !ok
	},
	"overtaken": func(look desk.Look, _ domain.PersonID, body object) bool { // nothing is awaited there now
		_, seat, ok := seatIn(look, body)
		if !ok || look.Line == nil {
			return false
		}
		for _, o := range look.Line.Awaited() {
			if o.Seat == seat {
				return false
			}
		}
		return true
	},
}

func since(body object) uint64 {
	switch n := body["proposal"].(type) {
	case int:
		return uint64(n)
	case float64:
		return uint64(n)
	}
	return 0
}

// claimed judges what a refusal says: it must be true of the table as it stands.
func (w *walk) claimed(p *person, route, table, code, text string, body any) {
	name, err := events.ParseName(table)
	if err != nil || code == "" {
		return
	}
	w.reached["refusal "+code]++
	holds, ok := claims[code]
	if !ok {
		return
	}
	look, err := w.house.Desk.Look(w.house.ctx, name)
	if err != nil {
		return
	}
	sent, _ := body.(object)
	for id, address := range w.people() {
		if address == p.address && !holds(look, id, sent) {
			w.wrong("untrue refusal", route+" "+code, "%s calls %s with %v at a table that is %s: %q", p, route, sent,
				look.Table.Status, text)
		}
	}
}
