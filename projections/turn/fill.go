package turn

import (
	"cmp"
	"slices"
	"strings"
)

// Fill returns the choice that people make who press, in any order, some of the places that a payment comes from or
// that goods go to: the rest is taken from where the game would take it by itself. Pressing the same place once more
// takes one more of there; once there is nothing left to fill, a place takes the place of the one pressed last. The
// keys are those of the places pressed; of those that do not fit together only the first are used, and the choice has
// them in Pressed. Where only its player may choose, the choice has a move once that is all chosen. ok is false where
// moves are not made of such places alone.
func (mod *Model) Fill(keys []string) (c Choice, ok bool) {
	var ways [][]*node
	lies := false
	for path := range mod.tree.paths(nil) {
		path = path[1:]
		if slices.ContainsFunc(path, func(n *node) bool { return n.Preset == 0 }) {
			return Choice{}, false
		}
		ways, lies = append(ways, path), lies || slices.ContainsFunc(path, func(n *node) bool { return n.Spot != "" })
	}
	if len(ways) < 2 || !lies {
		return Choice{}, false
	}
	for _, key := range keys {
		more := append(c.Pressed[:len(c.Pressed):len(c.Pressed)], key)
		if len(fitting(ways, more)) == 0 {
			break
		}
		c.Pressed = more
	}
	open := fitting(ways, c.Pressed)
	at := len(c.Pressed)
	best := slices.MaxFunc(open, func(a, b []*node) int { return presets(a) - presets(b) })
	if len(open) == 1 || !slices.ContainsFunc(best, func(n *node) bool { return n.Preset < 0 }) {
		end := best[len(best)-1]
		c.Chosen, c.Keys = each(best, mod.option), each(best, func(n *node) string { return n.Key })
		c.Move, c.Notation, c.Label = end.move, mod.rulebook.FormatMove(end.move, nil), labels(c.Chosen)
	} else {
		c.Keys = c.Pressed
	}
	if len(open) == 1 && len(open[0]) == at {
		at--
	}
	c.fills = mod.fills(fitting(ways, c.Pressed[:at]), c.Pressed[:at])
	return c, true
}

// fills returns the places that may be pressed next, once each; open are the ways over those that were.
func (mod *Model) fills(open [][]*node, pressed []string) (list []Other) {
	seen := map[string]bool{}
	add := func(way []*node, n *node) {
		more := append(pressed[:len(pressed):len(pressed)], n.Key)
		place := cmp.Or(n.Spot, unnumbered(n.Key)) // what is lost lies nowhere, and is listed
		if !seen[place] && len(fitting([][]*node{way}, more)) > 0 {
			seen[place] = true
			list = append(list, Other{mod.option(n), more})
		}
	}
	for _, way := range open { // by the key that a place has at this turn, if it has one
		if len(pressed) < len(way) {
			add(way, way[len(pressed)])
		}
	}
	for _, way := range open {
		for _, n := range way {
			add(way, n)
		}
	}
	return list
}

// fitting returns the ways that have all that was pressed, each as often as it was.
func fitting(ways [][]*node, pressed []string) (list [][]*node) {
	for _, way := range ways {
		left := each(way, func(n *node) string { return unnumbered(n.Key) })
		if !slices.ContainsFunc(pressed, func(key string) bool {
			i := slices.Index(left, unnumbered(key))
			if i >= 0 {
				left = slices.Delete(left, i, i+1)
			}
			return i < 0
		}) {
			list = append(list, way)
		}
	}
	return list
}

// unnumbered returns what a key chooses, whichever step of its move it is: see [domain.Step.Key].
func unnumbered(key string) string { return strings.TrimLeft(key, "0123456789-") }

func presets(way []*node) (sum int) {
	for _, n := range way {
		sum += n.Preset
	}
	return sum
}
