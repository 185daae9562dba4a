package catan

import (
	"iter"

	"posthorn/domain"
)

// Rulebook is Catan: the base game for three and four, and with two seats Catan for two.
type Rulebook struct{}

// Name is the game's word.
func (Rulebook) Name() string { return "catan" }

// Edition names the rules that decide.
func (Rulebook) Edition() string { return "2" }

// Options are the variants; see docs/notation-catan.md.
func (Rulebook) Options() []domain.Option { return options() }

// Seats is two to four; the beginner's starting positions are for three and four.
func (Rulebook) Seats(o domain.Choices) (least, most int) {
	if o["founding"] == "beginner" {
		return 3, 4
	}
	return 2, 4
}

// New is an empty state.
func (Rulebook) New() domain.State {
	return &State{winner: noColour, longest: noColour, army: noColour}
}

// Setup makes a line's first event: the board, and a position given by hand.
func (Rulebook) Setup(g domain.Game, luck *domain.Luck) (domain.Event, error) { return setup(g, luck) }

// Decide judges a move.
func (Rulebook) Decide(s domain.State, seat domain.Seat, m domain.Move, luck *domain.Luck) (domain.Event, error) {
	mv, ok := m.(Move)
	if !ok {
		return domain.Event{}, domain.Refuse("unreadable")
	}
	return s.(*State).decide(seat, &mv, luck)
}

// Evolve applies an event in place.
func (Rulebook) Evolve(s domain.State, e *domain.Event) { s.(*State).evolve(e) }

// Clone copies a state: a state is arrays, and a board that nothing changes.
func (Rulebook) Clone(s domain.State) domain.State {
	c := *s.(*State)
	return &c
}

// Awaited lists the decisions awaited.
func (Rulebook) Awaited(s domain.State) []domain.Decision {
	st := s.(*State)
	if st.seats == 0 {
		return nil
	}
	return st.awaited()
}

// Legal yields every legal move of a closed choice.
func (Rulebook) Legal(s domain.State, seat domain.Seat) iter.Seq[domain.Move] {
	return s.(*State).legal(seat)
}

// PickLegal counts the legal moves and gives one of them.
func (Rulebook) PickLegal(s domain.State, seat domain.Seat, pick func(n int) int) (domain.Move, int) {
	return s.(*State).pick(seat, pick)
}

// View is what a viewer may know: a *[View].
func (Rulebook) View(s domain.State, viewer domain.Viewer) domain.View {
	return s.(*State).view(viewer)
}

// Codec lists every event type ever released.
func (Rulebook) Codec() domain.Codec { return codec() }

// ParseMove reads notation; see docs/notation-catan.md.
func (Rulebook) ParseMove(text string, names []string) (domain.Move, error) {
	m, err := parseMove(text, names)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// FormatMove writes the canonical form.
func (Rulebook) FormatMove(m domain.Move, names []string) string {
	mv, ok := m.(Move)
	if !ok {
		return ""
	}
	return formatMove(&mv, names)
}

// Blind deals afresh everything the viewer does not know.
func (Rulebook) Blind(s domain.State, viewer domain.Viewer, luck *domain.Luck) domain.Event {
	return s.(*State).blind(viewer, luck)
}

// Value estimates how well a seat stands, in points.
func (Rulebook) Value(s domain.State, seat domain.Seat) float64 { return s.(*State).value(int8(seat)) }

// ChanceKinds are the kinds of outcome that a script may dictate.
func (Rulebook) ChanceKinds() []string { return []string{"dice", "steal", "card", "take", "board"} }

// Extras are a count of the legal moves, and orders for the market.
func (Rulebook) Extras() domain.Extras {
	return domain.Extras{Picker: Rulebook{}, Orders: Rulebook{}}
}

// Cards are none that say more than their name.
func (Rulebook) Cards(domain.View) []domain.CardText { return nil }

// Forms are the offers and counter-offers a seat may compose now.
func (Rulebook) Forms(s domain.State, seat domain.Seat) []domain.Form { return s.(*State).forms(seat) }

// Standing is the points, as far as the viewer may count them.
func (Rulebook) Standing(s domain.State, viewer domain.Viewer) domain.Standing {
	return s.(*State).standing(viewer)
}

// Steps splits a legal move into choices.
func (Rulebook) Steps(s domain.State, m domain.Move) []domain.Step {
	mv, ok := m.(Move)
	if !ok {
		return nil
	}
	return s.(*State).steps(&mv)
}

// Tell says an event in sentences.
func (Rulebook) Tell(e *domain.Event) []domain.Say { return tell(e) }

// Describe is the board in words.
func (Rulebook) Describe(v domain.View) domain.Description { return describe(v.(*View)) }

// Draw is the board as a drawing for a viewer.
func (Rulebook) Draw(v domain.View, sketch domain.Sketch) []domain.Panel {
	return draw(v.(*View), sketch)
}

// Catalogue is the rulebook's words in every language of the house.
func (Rulebook) Catalogue() map[string][]byte { return catalogue() }
