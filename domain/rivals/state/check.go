package state

import (
	"posthorn/domain"
	"posthorn/domain/rivals/table"
)

// Check implements domain.Checker.
func (p *Played) Check(e *domain.Event) error {
	if e.Seat < 0 || e.Seat > 1 || len(p.Tasks) > len(State{}.Tasks) {
		return ErrOdd
	}
	for _, o := range p.Ops {
		if o.Code == OpHidden && (o.N < 0 || int(o.N) >= len(e.Secrets)) {
			return ErrOdd
		}
	}
	for i := range p.Tasks {
		if !p.Tasks[i].fits() {
			return ErrOdd
		}
	}
	return nil
}

// fits tells whether a task is somebody's or nobody's, of a card's site and a stack there are.
func (t *Task) fits() bool {
	if t.Kind.ofStack() && (t.Arg < 0 || t.Arg >= table.DecksN) {
		return false
	}
	return t.Kind < TaskKinds && t.Seat >= domain.Nobody && t.Seat <= 1 && (t.Site == table.NoSite || int(t.Site) < table.Columns*4)
}

// Check implements domain.Checker. That the state is one was seen where it was read.
func (d *Dealt) Check(e *domain.Event) error {
	for _, part := range e.Secrets {
		if c, ok := part.Body.(*Cards); ok && (len(c.Stacks) > int(d.DecksN) || !c.fits()) {
			return ErrOdd
		}
	}
	return nil
}

func (c *Cards) fits() bool {
	fits := len(c.Known) <= 2 && len(c.Hand) <= table.MaxHand && len(c.Events) <= table.MaxDeck && len(c.Spare) <= len(State{}.Spare) && len(c.Regions) <= len(State{}.Lands)
	for _, stack := range c.Stacks {
		fits = fits && len(stack) <= table.MaxDeck
	}
	return fits
}

// Check implements domain.Checker.
func (h *Hidden) Check(*domain.Event) error {
	for _, o := range h.Ops {
		if o.Code == OpHidden {
			return ErrOdd
		}
	}
	return nil
}
