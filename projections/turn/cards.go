package turn

// CardGroup is the cards of one place, in words.
type CardGroup struct {
	Place string // "In your hand"
	Hand  bool   // the viewer's own
	Cards []Card
}

// Card is one card whose face the viewer sees, in words.
type Card struct {
	Key   string   `json:"key"` // fit for an address, of its own in the model
	Label string   `json:"label"`
	Lines []string `json:"lines"`         // its kind, cost, points, what it asks for, its effect
	Not   []string `json:"not,omitempty"` // why the viewer cannot use it now; empty where they can, or where it is not theirs to use
	Spot  string   `json:"-"`             // where it lies in the drawing, or ""
}

// Cards lists the cards that the viewer sees, by place and in the order in which they are read;
// nothing where the game has none.
func (mod *Model) Cards() []CardGroup {
	if mod.view == nil {
		return nil
	}
	var out []CardGroup
	for _, c := range mod.rulebook.Cards(mod.view) {
		place := mod.printer.Say(c.Place)
		if n := len(out); n == 0 || out[n-1].Place != place {
			out = append(out, CardGroup{Place: place, Hand: c.Hand})
		}
		g := &out[len(out)-1]
		g.Cards = append(g.Cards, Card{Key: c.Key, Label: mod.printer.Say(c.Label), Lines: mod.printer.Lines(c.Lines),
			Not: mod.printer.Lines(c.Not), Spot: c.Spot})
	}
	return out
}
