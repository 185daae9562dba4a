package rivals

import (
	"errors"
	"slices"

	"posthorn/domain"
)

// errOdd is why an event is refused that no move makes.
var errOdd = errors.New("it names a seat, a place, a stack or a card that there is not")

// opStacks, opSites and opColumns say which numbers of an outcome are stacks, sites and columns.
var (
	opStacks = map[opCode]func(Op) []int16{
		opDraw: func(o Op) []int16 { return []int16{o.B} }, opSeeDeck: func(o Op) []int16 { return []int16{o.B} },
		opUnder: func(o Op) []int16 { return []int16{o.C} }, opTake: func(o Op) []int16 { return []int16{o.C} },
	}
	opSites = map[opCode]func(Op) []int16{
		opBuild: func(o Op) []int16 { return []int16{o.C} }, opOpen: func(o Op) []int16 { return []int16{o.C} },
		opRaze: func(o Op) []int16 { return []int16{o.C} }, opSwapCrd: func(o Op) []int16 { return []int16{o.B, o.C} },
	}
	opColumns = map[opCode]bool{opRoad: true, opSettle: true, opCity: true}
)

func under(most int, list []int16) bool {
	for _, n := range list {
		if n < 0 || int(n) >= most {
			return false
		}
	}
	return true
}

// fits tells whether an outcome is of what there is.
func (o Op) fits(secrets int) bool {
	if o.Code == opHidden {
		return o.A >= 0 && int(o.A) < secrets
	}
	if o.A < -1 || o.A > 1 || o.Code >= opCodes {
		return false
	}
	if stacks := opStacks[o.Code]; stacks != nil && !under(decksN, stacks(o)) {
		return false
	}
	if sites := opSites[o.Code]; sites != nil && !under(columns*4, sites(o)) {
		return false
	}
	switch o.Code {
	case opGain, opPay:
		return o.A >= 0 && under(places, []int16{o.B}) && under(len(Goods{}), []int16{o.D})
	case opDice:
		return under(len(faceNames), []int16{o.C}) && o.A >= 0
	case opRaze:
		return o.D == razeOpen || o.D >= 0 && o.D <= decksN
	case opLand, opSwapReg:
		return under(regionsN, []int16{o.C}) && (o.Code == opLand || under(regionsN, []int16{o.B}))
	case opLandAt:
		return under(len(State{}.Lands), []int16{o.C})
	case opEventAt:
		return under(maxDeck, []int16{o.C})
	case opEventN:
		return o.B >= 0 && o.B <= maxDeck
	case opDraw, opScore:
		return o.A >= 0
	}
	return !opColumns[o.Code] || under(columns-1, []int16{o.B})
}

// Check implements domain.Checker.
func (p *Played) Check(e *domain.Event) error {
	if e.Seat < 0 || e.Seat > 1 || len(p.Tasks) > len(State{}.Tasks) {
		return errOdd
	}
	for _, o := range p.Ops {
		if !o.fits(len(e.Secrets)) {
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
		if !under(decksN, []int16{t.Arg}) {
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
		if !o.fits(0) {
			return errOdd
		}
	}
	return nil
}
