package turn

import (
	"strings"

	"posthorn/domain"
)

// Chain is a series of moves that one press makes one after the other; for a single move it is another name.
type Chain struct {
	Group string // what it shares with the chains next to it, or ""
	Label string
	Title string
	Moves []string // canonical
	Whole bool     // this chain and those next to it are all that its first move leads to
}

// Plays returns the whole chain as a form sends it.
func (c Chain) Plays() string { return strings.Join(c.Moves, domain.PressSeparator) }

// chains fills in what the decision's seat can play with one press.
func (mod *Model) chains(s domain.State) {
	chains := mod.rulebook.Extras().Chains
	if chains == nil {
		return
	}
	for _, c := range chains(s, mod.Seat) {
		moves := each(c.Moves, func(m domain.Move) string { return mod.rulebook.FormatMove(m, nil) })
		mod.Chains = append(mod.Chains,
			Chain{mod.printer.Say(c.Group), mod.printer.Say(c.Label), mod.printer.Say(c.Title), moves, c.Whole})
	}
}
