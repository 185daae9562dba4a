package state

import (
	"encoding/json"
	"fmt"
	"slices"

	"posthorn/domain"
	"posthorn/domain/codec"
	"posthorn/domain/rivals/table"
)

// The event types.
const (
	dealtType  = "dealt.v1"
	PlayedType = "played.v1"
)

// Played is the public body of a move: its outcomes, and the queue of what is now to do if that has changed.
type Played struct {
	Ops   Ops     `json:"ops"`            // a list of outcomes
	Tasks []Task  `json:"tasks,omitzero"` // all that is now to be done; nil if that has not changed
	Count Counter `json:"count,omitzero"` // zero if it has not changed
}

// Counter counts a game's decisions and its tasks.
type Counter [2]uint16

// Hidden is a secret part of a move: outcomes that happen where the public part says so, or (Told) notes for the
// audience, with the whole move if the public one hides a card.
type Hidden struct {
	Move string `json:"move,omitempty"`
	Ops  Ops    `json:"ops,omitzero"`  // a list of outcomes
	Told Ops    `json:"told,omitzero"` // a list of notes
}

// Evolve applies an event in place.
func (Room) Evolve(s *State, e *domain.Event) {
	switch body := e.Body.(type) {
	case *Dealt:
		body.evolve(s, e.Secrets)
	case *Played:
		for i := range body.Ops {
			s.ApplyIn(&body.Ops[i], e.Secrets)
		}
		if body.Tasks != nil {
			n := copy(s.Tasks[:], body.Tasks)
			clear(s.Tasks[n:max(n, int(s.TasksN))])
			s.TasksN = uint8(n)
		}
		if body.Count != (Counter{}) {
			s.Serial, s.NextID = body.Count[0], body.Count[1]
		}
	}
}

// ApplyIn applies an outcome of an event with these secret parts.
func (s *State) ApplyIn(o *Op, parts []domain.Secret) {
	if o.Code != OpHidden {
		s.Apply(o)
	} else if h, ok := parts[o.N].Body.(*Hidden); ok {
		s.ApplyAll(h.Ops)
	}
}

// ApplyAll applies outcomes in order.
func (s *State) ApplyAll(ops []Op) {
	for i := range ops {
		s.Apply(&ops[i])
	}
}

// Dealt is the public body of an event that deals: the state as everybody may know it, and who knows which card of a
// stack. Its secret parts fill in what is hidden.
type Dealt struct{ State }

// AppendJSON writes the state.
func (d *Dealt) AppendJSON(dst []byte) []byte {
	dst, err := codec.Append(dst, d.Written())
	if err != nil {
		panic(fmt.Sprintf("rivals: a state that has no JSON: %v", err))
	}
	return dst
}

// MarshalJSON is AppendJSON.
func (d *Dealt) MarshalJSON() ([]byte, error) { return d.AppendJSON(nil), nil }

// UnmarshalJSON reads the state.
func (d *Dealt) UnmarshalJSON(b []byte) (err error) {
	var w Written
	if err := json.Unmarshal(b, &w); err != nil {
		return fmt.Errorf("%w: %w", ErrOdd, err)
	}
	d.State, err = w.read()
	return err
}

// ReadJSON reads the state.
func (d *Dealt) ReadJSON(r *codec.Reader) {
	var w Written
	if !r.Value(&w) {
		return
	}
	var err error
	if d.State, err = w.read(); err != nil {
		r.Fail()
	}
}

// Cards is a secret part of a deal: one for nobody, with Stacks, Events, Spare, Regions and Known, and one for each
// seat, with Seat and Hand. In a set-up or a branch perhaps there are notes for a seat, too, without Seat: a verifier
// passes over them.
type Cards struct {
	Stacks  [][]table.Card `json:"stacks,omitempty"` // the cards of each, the top first
	Events  []table.Card   `json:"events,omitempty"` // the top first
	Spare   []table.Card   `json:"spare,omitempty"`
	Regions []table.Land   `json:"regions,omitempty"`
	Seat    seatWord       `json:"seat,omitempty"` // its letter
	Hand    []table.Card   `json:"hand,omitempty"`
	Known   [][]Seen       `json:"known,omitempty"` // of both hands: who knows each card, or null: its owner alone
}

// Deal returns the event that makes this state from nothing, with notes for anybody who knows more than their own
// hand.
func (s *State) Deal() domain.Event {
	e := s.LaidOut()
	e.Secrets = append(e.Secrets, s.notes()...)
	return e
}

// LaidOut returns the event that makes this state, without notes.
func (s *State) LaidOut() domain.Event {
	d := &Dealt{s.SeenBy(domain.Spectator)}
	d.Discard = s.Discard
	for i := range d.Decks {
		d.Decks[i].mark(&s.Decks[i])
	}
	d.Events.mark(&s.Events)
	all := s.Written()
	nobodys := &Cards{Stacks: s.stacks(), Events: all.Events, Spare: append([]table.Card(nil), all.Spare...),
		Regions: all.Centre.Regions}
	parts := []domain.Secret{{Body: nobodys}}
	for seat, side := range all.Seats {
		if side.Known != nil {
			nobodys.Known = [][]Seen{all.Seats[0].Known, all.Seats[1].Known}
		}
		parts = append(parts, domain.Secret{To: domain.To(domain.Seat(seat)),
			Body: &Cards{Seat: wordSeat(domain.Seat(seat)), Hand: side.Hand}})
	}
	return domain.Event{Type: dealtType, Seat: domain.Nobody, Body: d, Secrets: parts}
}

// mark notes who knows the cards of a stack.
func (d *Deck) mark(from *Deck) {
	for i := range d.Slots {
		d.Slots[i].Seen = from.Slots[i].Seen
	}
}

func (s *State) stacks() (list [][]table.Card) {
	for i := range s.Decks[:s.DecksN] {
		cards, _ := s.Decks[i].Write()
		list = append(list, cards)
	}
	return list
}

// notes returns the parts from which a seat may read what it knows of stacks, and of the other's hand, if that is not
// public. Evolve does not need them.
func (s *State) notes() (parts []domain.Secret) {
	for seat := range domain.Seat(2) {
		seen := slices.ContainsFunc(s.Realms[Other(seat)].Held(), func(slot Slot) bool {
			return slot.Known(domain.ViewOf(seat))
		})
		for i := range s.Decks {
			seen = seen || slices.ContainsFunc(s.Decks[i].All(), func(slot Slot) bool {
				return slot.Seen&Bit(seat) != 0
			})
		}
		if seen {
			own := s.SeenBy(domain.ViewOf(seat))
			hand := &own.Realms[Other(seat)]
			cards, _ := writeSlots(hand.Held(), 0)
			parts = append(parts, domain.Secret{To: domain.To(seat), Body: &Cards{Stacks: own.stacks(), Hand: cards}})
		}
	}
	return parts
}

// evolve rebuilds the state.
func (d *Dealt) evolve(s *State, parts []domain.Secret) {
	*s = d.State
	var known [2][]Seen
	for _, part := range parts {
		c, ok := part.Body.(*Cards)
		switch {
		case !ok:
		case part.To == 0:
			copy(known[:], c.Known)
			s.Events.lay(c.Events, s.Events.seen())
			for i, cards := range c.Stacks {
				s.Decks[i].lay(cards, s.Decks[i].seen())
			}
			s.SpareN = uint8(copy(s.Spare[:], c.Spare))
			s.LandsN = uint8(copy(s.Lands[:], Backward(c.Regions)))
		case c.Seat != 0:
			seat := SeatOf(c.Seat)
			s.Realms[seat].Hold(seat, c.Hand, known[seat])
		}
	}
}

// seen returns who knows the cards of a stack, the top first.
func (d *Deck) seen() []Seen {
	_, known := d.Write()
	return known
}
