package carcassonne

import (
	"strconv"
	"strings"

	"posthorn/domain"
)

// Steps are the place, the turn, the figure, and the order of scoring where it matters. Their
// keys are the words of the notation, made fit for an address: "1,0", "90", "road.W" or
// "none", "road.E;city.N".
func (showRoom) Steps(s *State, m Move) []domain.Step {
	place := strconv.Itoa(int(m.X)) + "," + strconv.Itoa(int(m.Y))
	degrees := 90 * int(m.Quarter)
	list := []domain.Step{
		{Key: place, Place: place, Label: domain.S("step.place", "x", int(m.X), "y", int(m.Y)), Where: s.whereSay(m.X, m.Y), Spot: place, Ask: domain.S("ask.place")},
		{Key: strconv.Itoa(degrees), Label: domain.S("step.turn", "degrees", degrees), Ask: domain.S("ask.turn")},
		figureStep(m.Follower),
	}
	list[2].Ask = domain.S("ask.figure")
	if m.Order != 0 {
		list = append(list, orderStep(m.X, m.Y, m.Order))
	}
	return list
}

// whereSay names an open place by what its neighbours turn to it.
func (s *State) whereSay(x, y int16) domain.Say {
	var beside []domain.Say
	c := s.cellAt(x, y)
	for e := range 4 {
		if k := c.asks.edge(e); k != NoKind {
			beside = append(beside, domain.S("place."+k.String(), "at", edgeNames[e]))
		}
	}
	return domain.S("where", "list", beside)
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

func orderStep(x, y int16, o Order) domain.Step {
	codes, n := o.list()
	var key []byte
	for i, code := range codes[:n] {
		if i > 0 {
			key = append(key, ';')
		}
		key = appendOrdered(key, x, y, code)
	}
	return domain.Step{Key: stepKey(key), Label: domain.S("step.order", "features", orderSays(x, y, o)), Ask: domain.S("ask.order")}
}

func stepKey(notation []byte) string { return strings.ReplaceAll(string(notation), " ", ".") }

func orderSays(x, y int16, o Order) (says []domain.Say) {
	codes, n := o.list()
	for _, code := range codes[:n] {
		k, edge, dx, dy := orderNamed(code)
		if k == Road || k == City {
			says = append(says, placeSay(Place{k, edge}))
			continue
		}
		says = append(says, domain.S("order."+k.String(), "x", int(x+dx), "y", int(y+dy)))
	}
	return says
}
