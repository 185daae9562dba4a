package rivals

import (
	"encoding/json"
	"strings"

	"posthorn/domain"
)

// Dealt is the public body of an event that deals: the whole state but for what is hidden,
// which its secret parts fill in.
type Dealt struct{ Board }

// Cards is a secret part of a deal. A stack's part is nobody's, a hand's its owner's.
type Cards struct {
	Stacks  [][]string `json:"stacks,omitempty"` // the top first
	Events  []string   `json:"events,omitempty"`
	Spare   []string   `json:"spare,omitempty"`
	Regions []string   `json:"regions,omitempty"`
	Seat    string     `json:"seat,omitempty"`
	Hand    []string   `json:"hand,omitempty"`
	Known   [][]string `json:"known,omitempty"` // of both hands: who knows each card
}

// New is an empty state.
func (Rulebook) New() domain.State { return &State{Winner: domain.Nobody} }

// Clone copies a state.
func (Rulebook) Clone(st domain.State) domain.State {
	c := *st.(*State)
	return &c
}

// Setup makes a line's first event. Seat A is red, seat B blue.
func (Rulebook) Setup(game domain.Game, luck *domain.Luck) (domain.Event, error) {
	given := &Board{}
	if len(game.Given) > 0 {
		if m := givenSchema.Fits(game.Given); m != nil {
			return domain.Event{}, m.Refusal("given")
		}
		if err := json.Unmarshal(game.Given, given); err != nil {
			return domain.Event{}, domain.MisfitAt("given", "…", domain.S("given.json")).Refusal("given")
		}
	} else {
		given = nil
	}
	l := &layer{luck: luck, given: given}
	s, err := l.lay(game)
	if err != nil {
		return domain.Event{}, err
	}
	return s.deal(), nil
}

// deal is the event that makes a state, from nothing, with notes for whoever knows more than their
// own hand.
func (s *State) deal() domain.Event {
	e := s.laidOut()
	e.Secrets = append(e.Secrets, s.notes()...)
	return e
}

// laidOut is the event that makes a state, without notes.
func (s *State) laidOut() domain.Event {
	open := s.board(domain.Spectator)
	all := s.board(domain.Referee)
	open.Discard, open.Passed = all.Discard, all.Passed
	for i := range open.Stacks {
		open.Stacks[i].Known = all.Stacks[i].Known
	}
	var parts []domain.Secret
	nobodys := &Cards{Events: all.Events, Spare: all.Spare, Regions: all.Centre.Regions}
	for _, p := range all.Stacks {
		nobodys.Stacks = append(nobodys.Stacks, p.Cards)
	}
	parts = append(parts, domain.Secret{Body: nobodys})
	if all.Seats[0].Known != nil || all.Seats[1].Known != nil {
		nobodys.Known = [][]string{all.Seats[0].Known, all.Seats[1].Known}
	}
	for seat := range domain.Seat(2) {
		parts = append(parts, domain.Secret{To: domain.To(seat), Body: &Cards{Seat: seat.Letter(), Hand: all.Seats[seat].Hand}})
	}
	return domain.Event{Type: dealtType, Seat: domain.Nobody, Body: &Dealt{*open}, Secrets: parts}
}

// notes are the parts by which a seat may read what it knows of stacks, and of the other's
// hand, where that is not public. Evolve does not need them.
func (s *State) notes() (parts []domain.Secret) {
	for seat := range domain.Seat(2) {
		if !s.hasSeen(seat) {
			continue
		}
		own := s.board(domain.ViewOf(seat))
		c := &Cards{}
		some := false
		for i, p := range own.Stacks {
			c.Stacks = append(c.Stacks, p.Cards)
			for j := range int(s.Decks[i].N) {
				some = some || s.Decks[i].Slots[j].Seen&bit(seat) != 0
			}
		}
		if other := own.Seats[other(seat)].Hand; len(other) > 0 {
			for _, name := range other {
				some = some || !strings.HasPrefix(name, "?")
			}
			c.Hand = other
		}
		if some {
			parts = append(parts, domain.Secret{To: domain.To(seat), Body: c})
		}
	}
	return parts
}

// hasSeen tells whether a seat knows a card that lies in a stack or in the other's hand.
func (s *State) hasSeen(seat domain.Seat) bool {
	for i := range int(s.DecksN) {
		for _, slot := range s.Decks[i].Slots[:s.Decks[i].N] {
			if slot.Seen&bit(seat) != 0 {
				return true
			}
		}
	}
	o := &s.Realms[other(seat)]
	for _, slot := range o.Hand[:o.HandN] {
		if slot.known(domain.ViewOf(seat)) {
			return true
		}
	}
	return false
}

// evolve makes the state anew.
func (d *Dealt) evolve(s *State, parts []domain.Secret) {
	b := d.Board
	b.Seats = append([]Side(nil), b.Seats...)
	b.Stacks = append([]Pile(nil), b.Stacks...)
	for _, part := range parts {
		c, ok := part.Body.(*Cards)
		switch {
		case !ok:
		case part.To == 0:
			b.Events, b.Spare, b.Centre.Regions = c.Events, c.Spare, c.Regions
			for i := range c.Known {
				b.Seats[i].Known = c.Known[i]
			}
			for i := range c.Stacks {
				b.Stacks[i].Cards = c.Stacks[i]
			}
		case c.Seat == "A":
			b.Seats[0].Hand = c.Hand
		case c.Seat == "B":
			b.Seats[1].Hand = c.Hand
		}
	}
	*s = State{}
	s.read(&b)
}
