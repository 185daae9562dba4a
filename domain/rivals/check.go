package rivals

import (
	"errors"
	"slices"

	"posthorn/domain"
)

// errOdd is why an event is refused that no move makes.
var errOdd = errors.New("it names a seat, a place, a stack or a card that there is not")

// Check implements domain.Checker.
func (p *Played) Check(e *domain.Event) error {
	if e.Seat < 0 || e.Seat > 1 || len(p.Tasks) > len(State{}.Tasks) {
		return errOdd
	}
	for _, o := range p.Ops {
		if o.Code == opHidden && (o.N < 0 || int(o.N) >= len(e.Secrets)) {
			return errOdd
		}
	}
	for i := range p.Tasks {
		if !p.Tasks[i].fits() {
			return errOdd
		}
	}
	return nil
}

// fits tells whether a task is somebody's or nobody's, of a card's site and a stack there are.
func (t *Task) fits() bool {
	switch t.Kind {
	case taskPick, taskHand, taskLook:
		if t.Arg < 0 || t.Arg >= decksN {
			return false
		}
	}
	return t.Kind < taskKinds && t.Seat >= domain.Nobody && t.Seat <= 1 && (t.Site == noSite || int(t.Site) < columns*4)
}

// Check implements domain.Checker.
func (d *Dealt) Check(e *domain.Event) error {
	fits := len(d.Seats) == 2 && slices.Index(playNames[:], d.Play) >= 0 && slices.Index(phaseNames[:], d.Phase) >= 0 && len(d.Stacks) <= decksN &&
		len(d.Centre.Regions) <= len(State{}.Lands) && len(d.Discard) <= len(State{}.Discard) && len(d.Events) <= maxDeck &&
		len(d.Spare) <= len(State{}.Spare) && len(d.Tasks) <= len(State{}.Tasks)
	for _, name := range []string{d.First, d.Active} {
		fits = fits && (name == "A" || name == "B")
	}
	for i := range d.Stacks {
		fits = fits && slices.Index(setNames[:], d.Stacks[i].Back) >= 0 && len(d.Stacks[i].Cards) <= maxDeck
	}
	for i := range d.Seats {
		fits = fits && d.Seats[i].fits()
	}
	for i := range d.Tasks {
		t := readTask(&d.Tasks[i])
		fits = fits && d.Tasks[i].Site >= 0 && d.Tasks[i].Site < 256 && t.fits()
	}
	for _, part := range e.Secrets {
		if c, ok := part.Body.(*Cards); ok {
			fits = fits && len(c.Stacks) <= len(d.Stacks) && c.fits()
		}
	}
	if !fits {
		return errOdd
	}
	return nil
}

func (b *Side) fits() bool {
	fits := len(b.Hand) <= maxHand && len(b.Towns) > 0
	for _, t := range b.Towns {
		fits = fits && t.At+origin >= 0 && t.At+origin < columns && len(t.Above) <= 2 && len(t.Below) <= 2
	}
	for _, at := range b.Roads {
		fits = fits && at+origin >= 0 && at+origin < columns
	}
	for _, q := range b.Regions {
		_, place := placeNamed(q.At)
		_, terrain := terrainNamed(q.Terrain)
		fits = fits && place && terrain && q.Stored >= 0 && q.Stored <= capacity
	}
	if b.Cache != nil {
		_, place := placeNamed(b.Cache.At)
		fits = fits && place && b.Cache.Gold >= 0 && b.Cache.Gold <= capacity
	}
	return fits
}

func (c *Cards) fits() bool {
	fits := len(c.Known) <= 2 && len(c.Hand) <= maxHand && len(c.Events) <= maxDeck && len(c.Spare) <= len(State{}.Spare) && len(c.Regions) <= len(State{}.Lands)
	for _, stack := range c.Stacks {
		fits = fits && len(stack) <= maxDeck
	}
	return fits
}

// Check implements domain.Checker.
func (h *Hidden) Check(*domain.Event) error {
	for _, o := range h.Ops {
		if o.Code == opHidden {
			return errOdd
		}
	}
	return nil
}
