package notation

import (
	"fmt"
	"strconv"

	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// The words of moves that name cards, and of the neutrals' pieces.

func (r *reader) resource() table.Resource {
	if len(r.left) == 0 {
		r.refuse("resource-missing")
		return table.NoResource
	}
	k, ok := table.ResourceNamed(r.left[0])
	if !ok {
		r.refuse("unknown-resource", "text", r.left[0])
		return table.NoResource
	}
	r.left = r.left[1:]
	return k
}

// hand reads amounts: "2 wool 1 ore", or "wool ore" for one each.
func (r *reader) hand() (h table.Hand) {
	for len(r.left) > 0 {
		if r.skip(wordsAnd) {
			continue
		}
		n := int8(1)
		if r.isNumber() {
			n = r.number()
			r.skip(wordsFrom)
		} else if _, ok := table.ResourceNamed(r.left[0]); !ok {
			break
		}
		k := r.resource()
		if r.err == nil && (h[k]+n > table.CardsOfKind*2 || h[k]+n < 0) {
			r.refuse("too-many-cards")
		}
		if r.err != nil {
			return h
		}
		h[k] += n
	}
	if h.Len() == 0 {
		r.refuse("resource-missing")
	}
	return h
}

// swap reads "1 wool for 1 ore".
func (r *reader) swap() (give, want table.Hand) {
	if give = r.hand(); !r.skip(wordsFor) {
		r.refuse("for-missing")
		return give, want
	}
	return give, r.hand()
}

// bank reads "wool ore", and "3 wool 1 ore" from whoever says how many: Give then has them.
func (r *reader) bank() state.Move {
	n := int8(0)
	if r.isNumber() {
		if n = r.number(); n < 2 || n > 4 {
			r.refuse("bank-rate-none", "n", int(n))
		}
		r.skip(wordsFrom)
	}
	give := r.resource()
	r.skip(wordsFor)
	if r.isNumber() { // one, of whatever comes for it
		if one, _ := strconv.Atoi(r.left[0]); one != 1 {
			r.refuse("bank-one")
		}
		r.left = r.left[1:]
	}
	m := state.MoveAt(state.KindBank, int8(give), int8(r.resource()))
	if r.err == nil {
		m.Give[give] = n
	}
	return m
}

// neutral reads "neutral road 30 settle 41": the first neutral's piece, then the second's;
// letters say whose: "neutral M road 30". A single piece without a letter is whoever's can.
func (r *reader) neutral() state.Move {
	m := state.NewMove(state.KindNeutral)
	next, pieces := 0, 0
	for len(r.left) > 0 && r.err == nil {
		if r.skip(wordsAnd) {
			continue
		}
		who := r.peek()
		if who == "n" || who == "m" {
			next = int('n' - who[0])
			r.left = r.left[1:]
		}
		sort := map[string]state.Sort{"road": state.RoadPiece, "settle": state.SettlementPiece}[verbs[r.peek()]]
		if sort == state.NoPiece || next > 1 || m.Neutral[next].Sort != state.NoPiece {
			break
		}
		r.verb()
		m.Neutral[next] = state.NeutralPiece{Sort: sort, At: r.number()}
		m.Loose = who != "n" && who != "m" && pieces == 0
		pieces++
		next++
	}
	if len(r.left) > 0 || pieces == 0 {
		r.refuse("neutral-what")
	}
	m.Loose = m.Loose && pieces == 1
	return m
}

// ParseTaken reads the cards that a script says are taken out of a hand; why says why not.
func ParseTaken(words string, hand table.Hand, n int) (table.Hand, string) {
	r := read(words, nil)
	took := r.hand()
	switch {
	case r.err != nil || len(r.left) > 0:
		return table.Hand{}, fmt.Sprintf("%d resources are wanted", n)
	case took.Len() != n:
		return table.Hand{}, fmt.Sprintf("%d cards are taken", n)
	case !hand.Covers(took):
		return table.Hand{}, "no such cards there"
	}
	return took, ""
}
