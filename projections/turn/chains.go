package turn

import (
	"strings"

	"posthorn/domain"
)

// Chain is moves that one press makes one after the other; of a single move it is another name for it.
type Chain struct {
	Group string // what it has in common with those beside it, or ""
	Label string
	Title string
	Moves []string // canonical
	Whole bool     // with those beside it, it is all that its first move leads to
}

// Plays is the whole chain as a form sends it.
func (c Chain) Plays() string { return strings.Join(c.Moves, "; ") }

// chains fills in what the decision's seat can make by one press.
func (mod *Model) chains(s domain.State) {
	of := mod.rulebook.Extras().Chains
	if of == nil {
		return
	}
	for _, c := range of.Chains(s, mod.Seat) {
		moves := each(c.Moves, func(m domain.Move) string { return mod.rulebook.FormatMove(m, nil) })
		mod.Chains = append(mod.Chains, Chain{mod.printer.Say(c.Group), mod.printer.Say(c.Label), mod.printer.Say(c.Title), moves, c.Whole})
	}
}
