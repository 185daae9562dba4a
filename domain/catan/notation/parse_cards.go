package notation

import (
	"fmt"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// The words of moves that name cards, and of the neutrals' pieces.

func (r *reader) resource() (table.Resource, error) {
	if len(r.left) == 0 {
		return table.NoResource, domain.Refuse("resource-missing")
	}
	k, ok := table.ResourceNamed(r.left[0])
	if !ok {
		return table.NoResource, domain.Refuse("unknown-resource", "text", r.left[0])
	}
	r.left = r.left[1:]
	return k, nil
}

// hand reads amounts: "2 wool 1 ore", or "wool ore" for one each.
func (r *reader) hand() (table.Hand, error) {
	var h table.Hand
	for len(r.left) > 0 {
		if r.skip(wordsAnd) {
			continue
		}
		n := int8(1)
		if r.isNumber() {
			var err error
			if n, err = r.number(); err != nil {
				return h, err
			}
			r.skip(wordsFrom)
		} else if _, ok := table.ResourceNamed(r.left[0]); !ok {
			break
		}
		k, err := r.resource()
		if err != nil {
			return h, err
		}
		if h[k]+n > table.CardsOfKind*2 || h[k]+n < 0 {
			return h, domain.Refuse("too-many-cards")
		}
		h[k] += n
	}
	if h.Len() == 0 {
		return h, domain.Refuse("resource-missing")
	}
	return h, nil
}

func (r *reader) plenty() (state.Move, error) {
	h, err := r.hand()
	if err != nil {
		return state.Move{}, err
	}
	if n := h.Len(); n > 2 {
		return state.Move{}, domain.Refuse("plenty-two")
	} else if n == 1 {
		return state.MoveAt(state.KindPlenty, int8(h.At(0)), table.NoPlace), nil
	}
	return state.MoveAt(state.KindPlenty, int8(h.At(0)), int8(h.At(1))), nil
}

func (r *reader) token() (state.Move, error) {
	switch {
	case r.skip(wordsTrade):
		return state.NewMove(state.KindTokenTrade), nil
	case r.skip(wordsDesert):
		return state.NewMove(state.KindTokenDesert), nil
	}
	return state.Move{}, domain.Refuse("token-what")
}

// neutral reads "neutral road 30 settle 41": the first neutral's piece, then the second's;
// letters say whose: "neutral M road 30". A single piece without a letter is whoever's can.
func (r *reader) neutral() (state.Move, error) {
	m := state.NewMove(state.KindNeutral)
	next, pieces := 0, 0
	for len(r.left) > 0 {
		if r.skip(wordsAnd) {
			continue
		}
		who := -1
		switch r.peek() {
		case "n":
			who = 0
		case "m":
			who = 1
		}
		if who >= 0 {
			r.left = r.left[1:]
			next = who
		}
		sort := state.NoPiece
		switch verbs[r.peek()] {
		case "road":
			sort = state.RoadPiece
		case "settle":
			sort = state.SettlementPiece
		}
		if sort == state.NoPiece || next > 1 || m.Neutral[next].Sort != state.NoPiece {
			return m, domain.Refuse("neutral-what")
		}
		r.left = r.left[1:]
		at, err := r.number()
		if err != nil {
			return m, err
		}
		m.Neutral[next] = state.NeutralPiece{Sort: sort, At: at}
		m.Loose = who < 0 && pieces == 0
		pieces++
		next++
	}
	if pieces == 0 {
		return m, domain.Refuse("neutral-what")
	}
	if pieces > 1 {
		m.Loose = false
	}
	return m, nil
}

// ParseTaken reads the cards that a script says are taken out of a hand; why says why not.
func ParseTaken(words string, hand table.Hand, n int) (table.Hand, string) {
	var r reader
	r.split(words)
	took, err := r.hand()
	switch {
	case err != nil || len(r.left) > 0:
		return table.Hand{}, fmt.Sprintf("%d resources are wanted", n)
	case took.Len() != n:
		return table.Hand{}, fmt.Sprintf("%d cards are taken", n)
	case !hand.Covers(took):
		return table.Hand{}, "no such cards there"
	}
	return took, ""
}
