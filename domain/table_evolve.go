package domain

import (
	"slices"
	"time"
)

// Apply folds an event into the table. It never fails.
func (t *Table) Apply(e TableEvent) {
	t.Version++
	e.apply(t)
}

func (e *Opened) apply(t *Table) {
	t.Status, t.Opener = TableOpen, e.Opener
	t.Rulebook, t.Edition, t.Choices = e.Rulebook, e.Edition, e.Choices
	t.Pace, t.Clock, t.NoUndo, t.Grace = e.Pace, e.Clock, e.NoUndo, e.Grace
	t.Given, t.Branch, t.Listed, t.Seed = e.Given, e.Branch, e.Listed, e.Seed
	t.Places, t.openedUntil, t.KeepsLuck = slices.Clone(e.Places), e.Until, e.KeepsLuck
}

func (e *Contributed) apply(t *Table) { t.Contributions = append(t.Contributions, e.Contribution) }

func (e *Invited) apply(t *Table) {
	t.edit(e.Seat, func(p *TablePlace) {
		if p.Kind == SeatOpen {
			p.Kind = SeatPlayer
		}
		p.Invited = append(without(p.Invited, e.Person), e.Person)
	})
	if t.asked == nil {
		t.asked = map[asking]uint64{}
	}
	t.asked[asking{e.Seat, e.Person}] = t.Version
	if t.askedUntil == nil {
		t.askedUntil = map[asking]time.Time{}
	}
	t.askedUntil[asking{e.Seat, e.Person}] = e.Until
}

func (e *Joined) apply(t *Table) {
	t.edit(e.Seat, func(p *TablePlace) {
		if p.Kind == SeatOpen {
			p.Kind = SeatPlayer
		}
		p.Invited = without(p.Invited, e.Person)
		p.Holders = append(without(p.Holders, e.Person), e.Person)
	})
	if !t.contributed(e.Person) {
		t.Contributions = append(t.Contributions, e.Contribution)
	}
}

func (e *Declined) apply(t *Table) { t.leave(e.Seat, e.Person) }

func (e *Placed) apply(t *Table) { t.edit(e.Seat, func(p *TablePlace) { *p = e.Place }) }

func (e *Started) apply(t *Table) {
	t.Status = TableStarted
	l := TableLine{Name: e.Line, Since: t.Version}
	if t.Branch != nil {
		l.Parent, l.Fork = t.Branch.Line, t.Branch.Version
	}
	t.Lines = append(t.Lines, l)
}

func (e *Proposed) apply(t *Table) {
	p := e.Proposal
	p.Since = t.Version
	p.Agreed = map[PersonID]bool{p.By: true}
	t.Proposal = &p
	t.follow(e.Rewound, e.End)
	t.pause(e.Paused)
}

func (e *Agreed) apply(t *Table) {
	if p := t.Proposal; p != nil {
		p.Agreed[e.Person] = true
	}
	t.follow(e.Rewound, e.End)
	t.pause(e.Paused)
}

func (e *Dismissed) apply(t *Table) { t.Proposal = nil }

func (e *Resigned) apply(t *Table) {
	t.edit(e.Seat, func(p *TablePlace) { p.Resigned, p.StandIn = true, e.StandIn })
	t.follow(nil, e.End)
}

func (e *Ended) apply(t *Table) {
	t.Status, t.End, t.Ranks, t.Seed, t.Proposal, t.Due = TableEnded, e.Reason, e.Ranks, e.Seed, nil, ""
	t.Over, t.Revealed = t.Version, true
}

func (e *Said) apply(*Table) {}

func (e *Claimed) apply(t *Table) {
	t.edit(e.Seat, func(p *TablePlace) { p.Holders = append(without(p.Holders, e.Was), e.Person) })
}

func (e *HandedOver) apply(t *Table) {
	t.Status, t.End, t.Proposal, t.HandedTo = TableEnded, EndHanded, nil, e.To
}

func (e *Arrived) apply(t *Table) {
	t.Former = append(t.Former, FormerServer{Key: e.Key, Receipts: e.Receipts, Closing: e.Closing, Since: t.Version})
}

func (t *Table) follow(r *Rewound, end EndReason) {
	if end != "" {
		t.Due, t.Proposal = end, nil
	}
	if r == nil {
		return
	}
	t.Proposal = nil
	if len(t.Lines) > 0 {
		t.Lines[len(t.Lines)-1].Closed = true
	}
	t.Lines = append(t.Lines, TableLine{Name: r.Line, Index: r.Index, Keyed: t.keyed(r), Parent: r.Closed, Fork: r.Fork,
		Since: t.Version, Taken: r.Taken, Fresh: r.Fresh, Deal: r.Deal})
}

func (t *Table) edit(s Seat, change func(*TablePlace)) {
	if s < 0 || int(s) >= len(t.Places) {
		return
	}
	p := t.Places[s]
	p.Invited, p.Holders = slices.Clone(p.Invited), slices.Clone(p.Holders)
	change(&p)
	t.Places[s], t.seated = p, t.Version
}

func without(ids []PersonID, id PersonID) []PersonID {
	return slices.DeleteFunc(slices.Clone(ids), func(x PersonID) bool { return x == id })
}
