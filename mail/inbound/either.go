package inbound

import (
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/mail/reply"
)

// mostEither is how many words may stand on each side of an "or" as what is one or the other.
const mostEither = 3

// either returns the two moves that a text leaves open: with what stands before an "or", and with what stands behind
// it. It returns none if they are not two; why says so if both are moves, and none can be made. Of several "or" it
// reads none: each would double what there is to read.
func (v *vocabulary) either(text string, at *domain.Line) (which []choice, why string) {
	all := strings.Fields(strings.TrimRight(text, ".!?;, "))
	or := func(word string) bool { return reply.Or(strings.TrimRight(word, ",")) }
	i := slices.IndexFunc(all, or)
	if i < 1 || slices.ContainsFunc(all[i+1:], or) {
		return nil, ""
	}
	for after := 1; after <= mostEither && i+after < len(all); after++ {
		if v.onlyNames(tokens(strings.Join(all[i+1:i+1+after], " "))) {
			continue // "for Bo or Cid" is an offer to both
		}
		for before := 1; before <= mostEither && before <= i; before++ {
			one := slices.Concat(all[:i], all[i+1+after:])
			other := slices.Concat(all[:i-before], all[i+1:])
			a, b := v.statement(strings.Join(one, " "), at), v.statement(strings.Join(other, " "), at)
			switch first, second := a.only(), b.only(); {
			case first != nil && second != nil && first.move != second.move:
				return []choice{*first, *second}, ""
			case !a.tried && !b.tried && b.why != "":
				why = a.why
			}
		}
	}
	return nil, why
}
