package state

import (
	"posthorn/domain"
	"posthorn/domain/codec"
	"posthorn/domain/rivals/table"
)

// Rooms of secret parts, in bytes. A deal's holds the names of all cards there are; a move's, all
// cards of a stack that somebody looks through, or the stack of events shuffled anew.
const (
	dealtRoom  = 4096
	playedRoom = 1024
)

// Codec lists every event type ever released.
func (Room) Codec() domain.Codec {
	return domain.Codec{Types: []domain.EventType{
		{Name: dealtType, Body: func() any { return &Dealt{} }, Secret: func() any { return &Cards{} }, Room: dealtRoom},
		{Name: PlayedType, Body: func() any { return &Played{} }, Secret: func() any { return &Hidden{} }, Room: playedRoom},
	}}
}

// Ops are outcomes, one after the other.
type Ops []Op

// AppendJSON writes what encoding/json reads.
func (list Ops) AppendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = list[i].append(dst)
	}
	return append(dst, ']')
}

// MarshalJSON is AppendJSON.
func (list Ops) MarshalJSON() ([]byte, error) { return list.AppendJSON(nil), nil }

// AppendJSON writes what UnmarshalJSON reads.
func (t *Task) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"kind":"`...)
	dst = append(append(dst, TaskNames[t.Kind]...), '"')
	if t.Seat >= 0 {
		dst = append(dst, `,"seat":"`...)
		dst = append(dst, 'A'+byte(t.Seat), '"')
	}
	dst = appendField(dst, "n", uint64(t.N))
	if t.Res != 0 {
		dst = append(dst, `,"goods":[`...)
		for res := range table.Res(table.Resources) {
			if t.Res.Has(res) {
				dst = append(append(append(dst, '"'), table.ResNames[res]...), '"', ',')
			}
		}
		dst[len(dst)-1] = ']'
	}
	if t.Need != (table.Goods{}) {
		dst = append(dst, `,"need":[`...)
		for _, n := range t.Need {
			dst = append(codec.AppendNumber(dst, int64(n)), ',')
		}
		dst[len(dst)-1] = ']'
	}
	if t.Card != table.NoCard {
		dst = append(dst, `,"card":"`...)
		dst = append(append(dst, t.Card.Name()...), '"')
	}
	dst = appendField(dst, "site", uint64(t.Site))
	if t.Arg != 0 {
		dst = codec.AppendNumber(append(dst, `,"arg":`...), int64(t.Arg))
	}
	dst = appendField(dst, "mask", t.Mask)
	return append(appendField(dst, "id", uint64(t.ID)), '}')
}

func appendField(dst []byte, name string, n uint64) []byte {
	if n == 0 {
		return dst
	}
	dst = append(append(append(dst, ',', '"'), name...), '"', ':')
	return codec.AppendNumber(dst, int64(n))
}

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
	if (t.Kind == TaskPick || t.Kind == TaskHand || t.Kind == TaskLook) && (t.Arg < 0 || t.Arg >= table.DecksN) {
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
