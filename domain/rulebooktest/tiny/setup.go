package tiny

import (
	"encoding/json"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/domain/kit"
)

// Setup deals. What Game.Given leaves open is as at the beginning, or drawn.
func (game) Setup(g domain.Game, luck *domain.Luck) (domain.Event, error) {
	s := &state{
		Rounds: int(g.Choices["rounds"][0] - '0'), Low: g.Choices.On("low"), Roller: g.First, Round: 1,
		Chosen: make([]string, g.Seats), Peeked: make([]bool, g.Seats), Scores: make([]int, g.Seats), Laid: []int{}, hands: make([]int, g.Seats),
	}
	for i := range domain.Seat(g.Seats) {
		s.Known = append(s.Known, domain.To(i))
	}
	if err := s.given(g.Given); err != nil {
		return domain.Event{}, err
	}
	if s.stack == nil {
		s.stack = kit.Stack(luck, "stack", s.free())
	}
	for i, card := range s.hands {
		if card == 0 && !s.Over {
			if len(s.stack) == 0 {
				return domain.Event{}, domain.Refuse("given-few")
			}
			s.hands[i], s.stack = s.stack[0], s.stack[1:]
		}
	}
	e := domain.Event{Type: typeDealt, Body: s, Secrets: s.secrets()}
	s.hands, s.stack = nil, nil
	return e, nil
}

// free lists the cards that neither lie open nor are held.
func (s *state) free() (free []int) {
	for c := 1; c <= Cards; c++ {
		if !slices.Contains(s.Laid, c) && !slices.Contains(s.hands, c) {
			free = append(free, c)
		}
	}
	return free
}

// secrets are all the cards, each for those who know it.
func (s *state) secrets() []domain.Secret {
	parts := []domain.Secret{{Body: &secret{Seat: domain.Nobody, Stack: slices.Clone(s.stack)}}}
	for i, card := range s.hands {
		parts = append(parts, domain.Secret{To: s.Known[i], Body: &secret{Seat: domain.Seat(i), Card: card}})
	}
	return parts
}

// Blind deals afresh every card that the viewer does not know.
func (game) Blind(s *state, viewer domain.Viewer, luck *domain.Luck) domain.Event {
	s = game{}.Clone(s)
	if viewer != domain.Referee && !s.Over {
		unknown := slices.Clone(s.stack)
		for i, card := range s.hands {
			if !s.Known[i].Admits(viewer) {
				unknown = append(unknown, card)
			}
		}
		// In the order of the cards: where they truly lie must not show.
		slices.Sort(unknown)
		s.stack = kit.Shuffled(luck, "blind", unknown)
		for i := range s.hands {
			if !s.Known[i].Admits(viewer) {
				s.hands[i], s.stack = s.stack[0], s.stack[1:]
			}
		}
	}
	return domain.Event{Type: typeBlinded, Body: new(kit.Nothing), Secrets: s.secrets()}
}

// Reshuffle shuffles the stack, which nobody knows; hands stay, each with those who know it.
func (game) Reshuffle(s *state, luck *domain.Luck) domain.Event {
	s = game{}.Clone(s)
	slices.Sort(s.stack)
	s.stack = kit.Shuffled(luck, "blind", s.stack)
	return domain.Event{Type: typeBlinded, Body: new(kit.Nothing), Secrets: s.secrets()}
}

// Uncovered counts the cards that are drawn, peeked at and, at the roll, shown.
func (game) Uncovered(_ *state, e *domain.Event) int {
	switch b := e.Body.(type) {
	case *rolled:
		return len(b.Hands) + len(e.Secrets)
	case *chose:
		return len(e.Secrets)
	}
	return 0
}

// given reads a position: any subset of the referee's view.
func (s *state) given(raw json.RawMessage) error {
	n := len(s.hands)
	v := game{}.View(s, domain.Referee)
	if err := kit.Given(raw, givenForm(n), v); err != nil {
		return err
	}
	seen := map[int]bool{}
	for _, c := range slices.Concat(v.Hands, v.Laid, v.Stack) {
		if c > 0 && seen[c] {
			return kit.BadGiven("stack", c, "card")
		}
		seen[c] = true
	}
	for i := range v.Known {
		v.Known[i] = v.Known[i]&(1<<n-1) | domain.To(domain.Seat(i))
	}
	*s = state{v.Of, v.Low, domain.Seat(v.Roller[0] - 'A'), v.Round, v.Chosen, v.Known, v.Peeked, v.Scores, v.Laid, v.Die, v.Over, v.Hands, v.Stack}
	return nil
}

// givenForm says what may stand in a position.
func givenForm(seats int) *domain.Schema {
	number, each := domain.NumberOf, func(of *domain.Schema) *domain.Schema { return domain.EachOf(of, seats) }
	audience := domain.TextOf(func(letters string) (domain.Say, bool) {
		return domain.S("given.text"), strings.Trim(letters, "-ABCD"[:seats+1]) == ""
	})
	return domain.ObjectOf(map[string]*domain.Schema{
		"round": number(1, 3), "of": number(1, 3), "low": domain.SwitchOf(), "roller": domain.WordOf(strings.Split("ABCD"[:seats], "")...),
		"chosen": each(domain.WordOf("", "keep", "swap", "peek")), "hands": each(number(0, Cards)), "known": each(audience),
		"peeked": each(domain.SwitchOf()), "scores": each(number(0, 99)), "laid": domain.ListOf(number(1, Cards), Cards),
		"left": number(0, Cards), "stack": domain.ListOf(number(1, Cards), Cards), "die": number(0, 6), "over": domain.SwitchOf(),
	})
}
