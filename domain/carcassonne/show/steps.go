package show

import (
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/carcassonne/notation"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// Steps are the place, the turn, the figure, and the order of scoring where it matters. Their
// keys are the words of the notation, made fit for an address: "1,0", "90", "road.W" or
// "none", "road.E;city.N".
func (Room) Steps(s *state.State, m state.Move) []domain.Step {
	place := strconv.Itoa(int(m.X)) + "," + strconv.Itoa(int(m.Y))
	degrees := 90 * int(m.Quarter)
	list := []domain.Step{
		{Key: place, Place: place, Label: domain.S("step.place", "x", int(m.X), "y", int(m.Y)), Where: whereSay(s, m.X, m.Y), Spot: place, Ask: domain.S("ask.place")},
		{Key: strconv.Itoa(degrees), Label: domain.S("step.turn", "degrees", degrees), Spot: turnSpot, Ask: domain.S("ask.turn")},
		figureStep(m.Follower),
	}
	list[2].Ask = domain.S("ask.figure")
	if m.Order != 0 {
		list = append(list, orderStep(m.X, m.Y, m.Order))
	}
	return list
}

// turnSpot is the arrow at the tried tile, which turns it: all turns are pressed there.
const turnSpot = "turn"

// whereSay names an open place by what its neighbours turn to it.
func whereSay(s *state.State, x, y int16) domain.Say {
	var beside []domain.Say
	c := s.CellAt(x, y)
	for e := range 4 {
		if k := c.Asks.Edge(e); k != table.NoKind {
			beside = append(beside, domain.S("place."+k.String(), "at_word", state.SideKey(table.EdgeNames[e])))
		}
	}
	return domain.S("where", "list", beside)
}

func figureStep(c table.Choice) domain.Step {
	p, abbot, figure := c.Place()
	switch {
	case c == table.Recall:
		return domain.Step{Key: "recall", Label: domain.S("step.recall")}
	case !figure:
		return domain.Step{Key: "none", Label: domain.S("step.nobody")}
	}
	key := stepKey(notation.AppendChoice(nil, c))
	if abbot {
		return domain.Step{Key: key, Label: domain.S("step.abbot", "on", state.PlaceSay(p)), Spot: key}
	}
	return domain.Step{
		Key: key, Label: domain.S("step.figure", "figure_word", "figure."+p.Kind.String(), "on", state.PlaceSay(p)), Spot: key,
	}
}

func orderStep(x, y int16, o state.Order) domain.Step {
	var key []byte
	for i, code := range o.All() {
		if i > 0 {
			key = append(key, ';')
		}
		key = notation.AppendOrdered(key, x, y, code)
	}
	return domain.Step{Key: stepKey(key), Label: domain.S("step.order", "features", state.OrderSays(x, y, o)), Ask: domain.S("ask.order")}
}

func stepKey(notation []byte) string { return strings.ReplaceAll(string(notation), " ", ".") }
