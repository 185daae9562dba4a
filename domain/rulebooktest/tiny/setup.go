package tiny

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
)

// Setup deals. What Game.Given leaves open is as at the beginning, or drawn.
func (Rules) Setup(g domain.Game, luck *domain.Luck) (domain.Event, error) {
	rounds, err := strconv.Atoi(g.Choices["rounds"])
	if err != nil {
		return domain.Event{}, fmt.Errorf("option rounds: %w", err)
	}
	st := &state{public: public{
		Rounds: rounds, Low: g.Choices.On("low"), Roller: g.First, Round: 1,
		Chosen: make([]string, g.Seats), Known: make([]domain.Audience, g.Seats),
		Peeked: make([]bool, g.Seats), Scores: make([]int, g.Seats), Laid: []int{},
	}, hands: make([]int, g.Seats)}
	for i := range st.Known {
		st.Known[i] = domain.To(domain.Seat(i))
	}
	if g.Given != nil {
		if err := st.given(g.Given); err != nil {
			return domain.Event{}, domain.Refuse("given", "why", err.Error())
		}
	}
	if st.stack == nil {
		st.shuffle(luck)
	}
	for i, card := range st.hands {
		if card != 0 || st.Over {
			continue
		}
		if len(st.stack) == 0 {
			return domain.Event{}, domain.Refuse("given", "why", "too few cards are left")
		}
		st.hands[i], st.stack = st.stack[0], st.stack[1:]
	}
	body := st.clone()
	return domain.Event{Type: typeDealt, Body: &body, Secrets: st.secrets()}, nil
}

// shuffle makes the stack of every card that lies nowhere else. A script's outcome says which
// come first.
func (st *state) shuffle(luck *domain.Luck) {
	free := st.free()
	for _, i := range luck.Shuffle("stack", len(free)) {
		st.stack = append(st.stack, free[i])
	}
	o, ok := luck.Dictated("stack")
	if !ok {
		return
	}
	var top []int
	for _, word := range strings.Fields(o.Words) {
		card, err := strconv.Atoi(word)
		if err != nil || !slices.Contains(free, card) || slices.Contains(top, card) {
			luck.Reject("stack", o, "card "+word+" is not there")
			return
		}
		top = append(top, card)
	}
	st.stack = append(top, slices.DeleteFunc(st.stack, func(c int) bool { return slices.Contains(top, c) })...)
}

// free lists the cards that neither lie open nor are held.
func (st *state) free() []int {
	var free []int
	for c := 1; c <= Cards; c++ {
		if !slices.Contains(st.Laid, c) && !slices.Contains(st.hands, c) {
			free = append(free, c)
		}
	}
	return free
}

// secrets are all the cards, each for those who know it.
func (st *state) secrets() []domain.Secret {
	parts := []domain.Secret{{Body: &secret{Seat: domain.Nobody, Stack: slices.Clone(st.stack)}}}
	for i, card := range st.hands {
		parts = append(parts, domain.Secret{To: st.Known[i], Body: &secret{Seat: domain.Seat(i), Card: card}})
	}
	return parts
}

// Blind deals afresh every card that the viewer does not know.
func (Rules) Blind(s domain.State, viewer domain.Viewer, luck *domain.Luck) domain.Event {
	st := Rules{}.Clone(s).(*state)
	if viewer != domain.Referee && !st.Over {
		var unknown []int
		for i, card := range st.hands {
			if !st.Known[i].Admits(viewer) {
				unknown = append(unknown, card)
			}
		}
		unknown = append(unknown, st.stack...)
		// In the order of the cards: where they truly lie must not show.
		slices.Sort(unknown)
		dealt := make([]int, len(unknown))
		for i, j := range luck.Shuffle("blind", len(unknown)) {
			dealt[i] = unknown[j]
		}
		for i := range st.hands {
			if !st.Known[i].Admits(viewer) {
				st.hands[i], dealt = dealt[0], dealt[1:]
			}
		}
		st.stack = dealt
	}
	return domain.Event{Type: typeBlinded, Body: new(struct{}), Secrets: st.secrets()}
}

// Reshuffle shuffles the stack, which nobody knows; hands stay, each with those who know it.
func (Rules) Reshuffle(s domain.State, luck *domain.Luck) domain.Event {
	st := Rules{}.Clone(s).(*state)
	slices.Sort(st.stack)
	lay := slices.Clone(st.stack)
	for i, j := range luck.Shuffle("blind", len(lay)) {
		st.stack[i] = lay[j]
	}
	return domain.Event{Type: typeBlinded, Body: new(struct{}), Secrets: st.secrets()}
}

// Uncovered counts the cards that are drawn, peeked at and, at the roll, shown.
func (Rules) Uncovered(_ domain.State, e *domain.Event) int {
	n := 0
	switch b := e.Body.(type) {
	case *rolled:
		n = len(b.Hands) + len(e.Secrets)
	case *chose:
		n = len(e.Secrets)
	}
	return n
}

// given reads a position: any subset of the referee's view.
func (st *state) given(raw json.RawMessage) error {
	v := View{Round: st.Round, Of: st.Rounds, Low: st.Low, Roller: st.Roller.Letter()}
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&v); err != nil {
		return err
	}
	n := len(st.hands)
	for name, l := range map[string]int{"hands": len(v.Hands), "scores": len(v.Scores), "chosen": len(v.Chosen), "known": len(v.Known), "peeked": len(v.Peeked)} {
		if l != 0 && l != n {
			return fmt.Errorf("%s has %d entries for %d seats", name, l, n)
		}
	}
	roller := strings.Index("ABCD"[:n], v.Roller)
	if roller < 0 || len(v.Roller) != 1 || v.Round < 1 || v.Round > v.Of || v.Of > 3 || v.Die < 0 || v.Die > 6 {
		return fmt.Errorf("no such round, roller or die")
	}
	st.Roller, st.Round, st.Rounds, st.Low, st.Die, st.Over = domain.Seat(roller), v.Round, v.Of, v.Low, v.Die, v.Over
	for i, c := range v.Chosen {
		if !slices.Contains([]string{"", "keep", "swap", "peek"}, c) {
			return fmt.Errorf("chosen %q", c)
		}
		st.Chosen[i] = c
	}
	for i := range v.Known {
		st.Known[i] |= v.Known[i]
		if st.Known[i] >= 1<<n {
			return fmt.Errorf("known to a seat that is not there")
		}
	}
	copy(st.Peeked, v.Peeked)
	copy(st.Scores, v.Scores)
	copy(st.hands, v.Hands)
	st.Laid = append(st.Laid, v.Laid...)
	st.stack = v.Stack
	return st.check()
}

// check holds that no card is there twice, and no card is made up.
func (st *state) check() error {
	seen := map[int]bool{0: true}
	for _, c := range slices.Concat(slices.DeleteFunc(slices.Clone(st.hands), func(c int) bool { return c == 0 }), st.Laid, st.stack) {
		if c < 1 || c > Cards || seen[c] {
			return fmt.Errorf("card %d is not there, or twice", c)
		}
		seen[c] = true
	}
	return nil
}
