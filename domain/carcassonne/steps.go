package carcassonne

import (
	"strconv"
	"strings"

	"posthorn/domain"
)

// ChanceKinds is the one kind of chance: the tile drawn.
func (Rules) ChanceKinds() []string { return []string{drawKind} }

// Steps are the place, the turn, the figure, and the order of scoring where it matters. Their
// keys are the words of the notation, made fit for an address: "1,0", "90", "road.W" or
// "none", "road.E;city.N".
func (Rules) Steps(st domain.State, mv domain.Move) []domain.Step {
	m, ok := mv.(Move)
	if !ok {
		return nil
	}
	place := strconv.Itoa(int(m.X)) + "," + strconv.Itoa(int(m.Y))
	degrees := 90 * int(m.Quarter)
	list := []domain.Step{
		{Key: place, Label: domain.S("step.place", "x", int(m.X), "y", int(m.Y)), Spot: place},
		{Key: strconv.Itoa(degrees), Label: domain.S("step.turn", "degrees", degrees)},
		figureStep(m.Follower),
	}
	if m.Order != 0 {
		list = append(list, orderStepOf(&m))
	}
	return list
}

func figureStep(c Choice) domain.Step {
	p, abbot, figure := c.Place()
	switch {
	case c == Recall:
		return domain.Step{Key: "recall", Label: domain.S("step.recall")}
	case !figure:
		return domain.Step{Key: "none", Label: domain.S("step.nobody")}
	}
	key := stepKey(appendChoice(nil, c))
	if abbot {
		return domain.Step{Key: key, Label: domain.S("step.abbot", "on", placeSay(p)), Spot: key}
	}
	return domain.Step{
		Key: key, Label: domain.S("step.figure", "figure_word", "figure."+p.Kind.String(), "on", placeSay(p)), Spot: key,
	}
}

func orderStepOf(m *Move) domain.Step {
	codes, n := m.Order.list()
	var key []byte
	for i, code := range codes[:n] {
		if i > 0 {
			key = append(key, ';')
		}
		key = appendOrdered(key, m, code)
	}
	says := orderSays(m)
	return domain.Step{Key: stepKey(key), Label: domain.S("step.order", "features", says)}
}

func stepKey(notation []byte) string { return strings.ReplaceAll(string(notation), " ", ".") }

func orderSays(m *Move) (says []domain.Say) {
	codes, n := m.Order.list()
	for _, code := range codes[:n] {
		k, edge, dx, dy := orderNamed(code)
		if k == Road || k == City {
			says = append(says, placeSay(Place{k, edge}))
			continue
		}
		says = append(says, domain.S("order."+k.String(), "x", int(m.X+dx), "y", int(m.Y+dy)))
	}
	return says
}
