package tiny

import (
	"encoding/json"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/domain/kit"
)

// Setup deals. What Game.Given leaves open is as at the start of a game, or drawn.
func (game) Setup(g domain.Game, luck *domain.Luck) (domain.Event, error) {
	s := &state{
		Rounds: int(g.Choices["rounds"][0] - '0'), Low: g.Choices.On("low"), Roller: g.First, Round: 1,
		Chosen: make([]string, g.Seats),
		Hidden: kit.Hidden[int]{Hands: make([]int, g.Seats)}, Peeked: make([]bool, g.Seats),
		Scores: make([]int, g.Seats), Laid: []int{},
	}
	for i := range domain.Seat(g.Seats) {
		s.Known = append(s.Known, domain.To(i))
	}
	if err := s.given(g.Given); err != nil {
		return domain.Event{}, err
	}
	if s.Stack == nil {
		s.Stack = kit.Stack(luck, "stack", s.free())
	}
	for i, card := range s.Hands {
		if card == 0 && !s.Over {
			if len(s.Stack) == 0 {
				return domain.Event{}, domain.Refuse("given-few")
			}
			s.Hands[i], s.Stack = s.Stack[0], s.Stack[1:]
		}
	}
	return domain.Event{Type: typeDealt, Body: s, Secrets: s.Unload()}, nil
}

// free lists the cards that are neither laid open nor held.
func (s *state) free() (free []int) {
	for c := 1; c <= cards; c++ {
		if !slices.Contains(s.Laid, c) && !slices.Contains(s.Hands, c) {
			free = append(free, c)
		}
	}
	return free
}

// Blind deals afresh every card that the viewer does not know.
func (game) Blind(s *state, viewer domain.Viewer, luck *domain.Luck) domain.Event {
	s = game{}.Clone(s)
	if !s.Over && viewer != domain.Referee {
		var places []*int
		for _, card := range s.Unknown(viewer) {
			places = append(places, card)
		}
		kit.Mix(luck, append(places, kit.Places(s.Stack)...))
	}
	return domain.Event{Type: typeBlinded, Body: new(kit.Nothing), Secrets: s.Unload()}
}

// Reshuffle shuffles the stack, which nobody knows; hands stay, known to the same seats.
func (game) Reshuffle(s *state, luck *domain.Luck) domain.Event {
	s = game{}.Clone(s)
	kit.Mix(luck, kit.Places(s.Stack))
	return domain.Event{Type: typeBlinded, Body: new(kit.Nothing), Secrets: s.Unload()}
}

// Uncovered counts the cards drawn, peeked at and, at the roll, shown.
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
	n := len(s.Hands)
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
	*s = state{v.Of, v.Low, domain.Seat(v.Roller[0] - 'A'), v.Round, v.Chosen,
		kit.Hidden[int]{Known: v.Known, Hands: v.Hands, Stack: v.Stack}, v.Peeked, v.Scores, v.Laid, v.Die, v.Over}
	return nil
}

// givenForm says what a position may contain.
func givenForm(seats int) *domain.Schema {
	number, each := domain.NumberOf, func(of *domain.Schema) *domain.Schema { return domain.EachOf(of, seats) }
	audience := domain.TextOf(func(letters string) (domain.Say, bool) {
		return domain.S("given.text"), strings.Trim(letters, "-ABCD"[:seats+1]) == ""
	})
	return domain.ObjectOf(map[string]*domain.Schema{
		"round": number(1, 3), "of": number(1, 3), "low": domain.SwitchOf(),
		"roller": domain.WordOf(strings.Split("ABCD"[:seats], "")...),
		"chosen": each(domain.WordOf("", "keep", "swap", "peek")), "hands": each(number(0, cards)),
		"known":  each(audience),
		"peeked": each(domain.SwitchOf()), "scores": each(number(-99, 99)),
		"laid": domain.ListOf(number(1, cards), cards),
		"left": number(0, cards), "stack": domain.ListOf(number(1, cards), cards), "die": number(0, 6),
		"over": domain.SwitchOf(),
	})
}
