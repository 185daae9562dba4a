package show

import (
	"strconv"
	"strings"
	"sync/atomic"

	"posthorn/domain"
	"posthorn/domain/carcassonne/notation"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// Steps returns the place, the turn, the figure, and the order of scoring where it matters. Their keys are the words
// of the notation, made safe for a URL: "1,0", "90", "road.W" or "none", "road.E;city.N".
func (Room) Steps(s *state.State, m state.Move) []domain.Step {
	n := 3
	if m.Order != 0 {
		n++
	}
	list := append(make([]domain.Step, 0, n), placeStep(s, m.X, m.Y), turnSteps[m.Quarter&3],
		figureSteps[min(m.Follower, table.Recall)])
	if like := s.Current.Like(int(m.Quarter)); like < int(m.Quarter) {
		list[1].Like = strconv.Itoa(90 * like)
	}
	if s.Solo && (m.Follower == table.Nobody || m.Follower == table.Recall) && endsWithout(s, m) {
		list[2].Label.Key += "-ends"
	}
	if m.Order != 0 {
		list = append(list, orderStep(m.X, m.Y, m.Order))
	}
	return list
}

// endsWithout reports whether a solo game ends by a legal move that places nobody: the colour must place a follower,
// and has none left (S0, placing a follower).
func endsWithout(s *state.State, m state.Move) bool {
	if s.Hand[s.ToMove] > 0 {
		return false
	}
	c := s.CellAt(m.X, m.Y)
	var p state.Placing
	p.Lay(s, s.Current, m.Quarter, &c)
	a := s.Look(&c)
	return p.Sh.Shrine == table.Cloister || p.Sh.Claims&^p.Sh.Fields&a.FreeParts(p.Sh, p.R) != 0
}

// turnSteps are the four turns, and figureSteps the steps for every choice of a figure. They are the same in every
// game, and a list of moves has each of them dozens of times.
var turnSteps = func() (all [4]domain.Step) {
	for q := range all {
		all[q] = domain.Step{Key: strconv.Itoa(90 * q), Label: domain.S("step.turn", "degrees", 90*q), Spot: turnSpot,
			Ask: domain.S("ask.turn")}
	}
	return all
}()

var figureSteps = func() (all [table.Recall + 1]domain.Step) {
	for c := range all {
		all[c] = figureStep(table.Choice(c))
		all[c].Ask = domain.S("ask.figure")
	}
	return all
}()

// turnSpot is the arrow at the tried tile that turns it: it serves all turns.
const turnSpot = "turn"

// nearSteps caches the steps for the places that most games reach, without their surroundings; wheres caches the
// descriptions of an open place's neighbours. Each is made on first use and never changed.
var (
	nearSteps [2*near + 1][2*near + 1]atomic.Pointer[domain.Step]
	wheres    [len(table.Fitting[0])]atomic.Pointer[domain.Say]
)

// near is how far from the middle nearSteps reaches.
const near = 15

func placeStep(s *state.State, x, y int16) domain.Step {
	step := keptStep(x, y)
	c := s.CellAt(x, y)
	step.Where = whereSay(c.Asks)
	return step
}

func keptStep(x, y int16) domain.Step {
	if x < -near || x > near || y < -near || y > near {
		return bareStep(x, y)
	}
	at := &nearSteps[x+near][y+near]
	if kept := at.Load(); kept != nil {
		return *kept
	}
	step := bareStep(x, y)
	at.Store(&step)
	return step
}

func bareStep(x, y int16) domain.Step {
	place := strconv.Itoa(int(x)) + "," + strconv.Itoa(int(y))
	return domain.Step{Key: place, Place: place, Label: domain.S("step.place", "x", int(x), "y", int(y)), Spot: place,
		Ask: domain.S("ask.place")}
}

// whereSay describes an open place by the sides its neighbours turn towards it.
func whereSay(asks table.Asks) domain.Say {
	if kept := wheres[asks].Load(); kept != nil {
		return *kept
	}
	var beside []domain.Say
	for e := range 4 {
		if k := asks.Edge(e); k != table.NoKind {
			beside = append(beside, domain.S("place."+k.String(), "at_word", state.SideKey(table.EdgeNames[e])))
		}
	}
	where := domain.S("where", "list", beside)
	wheres[asks].Store(&where)
	return where
}

func figureStep(c table.Choice) domain.Step {
	p, abbot, figure := c.Place()
	switch {
	case c == table.Recall:
		return domain.Step{Key: "recall", Label: domain.S("step.recall")}
	case !figure:
		return domain.Step{Key: "none", Label: domain.S("step.nobody"), Preset: 1}
	}
	key := stepKey(notation.AppendChoice(nil, c))
	if abbot {
		return domain.Step{Key: key, Label: domain.S("step.abbot", "on", state.PlaceSay(p)), Spot: key}
	}
	return domain.Step{
		Key: key, Label: domain.S("step.figure", "figure_word", "figure."+p.Kind.String(), "on", state.PlaceSay(p)),
		Spot: key,
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
	return domain.Step{Key: stepKey(key), Label: domain.S("step.order", "features", state.OrderSays(x, y, o)),
		Ask: domain.S("ask.order")}
}

func stepKey(notation []byte) string { return strings.ReplaceAll(string(notation), " ", ".") }
