package turn

import (
	"iter"
	"slices"
	"strings"

	"posthorn/domain"
)

// node is a choice on the way to a move, with the choices that may follow it.
type node struct {
	Option
	step  domain.Step
	said  bool // label and where have been rendered
	one   bool // it leads to one move, not counting those that look the same
	spare bool // every alternative looks like it, so its letter is not needed
	next  []*node
	// what follows if a move's steps are chosen out of their usual order: for pages, not for names and lists
	also  []*node
	aside string      // its name next to also, if mails have no name for it
	move  domain.Move // nil while there is more to choose
}

// all returns the choices that may follow, in any order of a move's steps.
func (n *node) all() []*node { return slices.Concat(n.next, n.also) }

// grow adds the way to a move to the tree. at holds the node at each path; a new node goes into the list that into
// returns.
func (n *node) grow(at map[string]*node, steps []domain.Step, m domain.Move, into func(*node) *[]*node) {
	path := ""
	for _, s := range steps {
		path += "/" + s.Key
		child := at[path]
		if child == nil {
			child = &node{step: s, Option: Option{Key: s.Key, Spot: s.Spot,
				Like: s.Like, Preset: s.Preset}}
			list := into(n)
			at[path], *list = child, append(*list, child)
		}
		n = child
		n.Count++
	}
	n.move = m
}

// orders yields a move's steps in every order. Whatever the order, each position keeps its question and its way of
// being pressed.
func orders(steps []domain.Step) iter.Seq[[]domain.Step] {
	return func(yield func([]domain.Step) bool) {
		order := make([]domain.Step, 0, len(steps))
		var rest func(left []domain.Step) bool
		rest = func(left []domain.Step) bool {
			if len(left) == 0 {
				return yield(order)
			}
			for i, s := range left {
				s.Ask, s.Press = steps[len(order)].Ask, steps[len(order)].Press
				order = append(order, s)
				ok := rest(slices.Delete(slices.Clone(left), i, i+1))
				if order = order[:len(order)-1]; !ok {
					return false
				}
			}
			return true
		}
		rest(steps)
	}
}

// call names every choice: a place by the notation's own name, anything else by small letters, of equal length for
// choices side by side. It skips a letter that could be read as one of the places.
func (n *node) call(depth int) {
	taken, need, width := map[string]bool{}, 0, 1
	for _, c := range n.next {
		place := strings.ToLower(c.step.Place)
		taken[place] = true
		if strings.Trim(place, "abcdefghijklmnopqrstuvwxyz") == "" {
			// it needs letters, or has some that no other name may use
			need++
		}
	}
	for room := 26; room <= need; room *= 26 {
		width++
	}
	i := 0
	for _, c := range n.next {
		switch c.Name, c.Place = c.step.Place, c.step.Place != ""; {
		case c.Place:
		case len(n.next) == 1 && depth > 0: // there is nothing to choose
		default:
			for c.Name == "" || taken[c.Name] {
				c.Name = letters(i, width)
				i++
			}
		}
		c.call(depth + 1)
	}
	if len(n.also) > 0 {
		n.callAlso(i, taken)
	}
	var only *node // of the choices that look different
	apart := 0
	for _, c := range n.next {
		if c.Like == "" {
			only = c
			apart++
		}
	}
	n.one = len(n.next) == 0 || apart == 1 && only.one && n.move == nil
	if depth > 0 && apart == 1 && n.move == nil && !only.Place {
		only.spare = n.one || only.says(n.next)
	}
}

// says reports whether the letters that follow identify a move without this choice's own. This choice is the only one
// that looks different from its neighbours; a single letter is never a whole move of theirs, since each of them has
// more to choose.
func (n *node) says(beside []*node) bool {
	last := func(c *node) bool { return !c.Place && len(c.next) == 0 }
	return n.move == nil && len(n.next) > 1 && !slices.ContainsFunc(n.next, func(c *node) bool { return !last(c) }) &&
		!slices.ContainsFunc(beside, func(c *node) bool { return c.move != nil || len(c.next) < 2 })
}

// callAlso continues with letters for what follows in another order. Letters already given stay: mails use them.
func (n *node) callAlso(i int, taken map[string]bool) {
	width := 1
	for room := 26; room < i+len(n.next)+len(n.also)+len(taken); room *= 26 {
		width++
	}
	call := func(name *string) {
		for *name == "" || taken[*name] {
			*name = letters(i, width)
			i++
		}
	}
	for _, c := range n.also {
		call(&c.Name)
		c.call(1)
	}
	for _, c := range n.next {
		if c.Name == "" {
			call(&c.aside)
		}
	}
}

// letters returns the i-th of a, b, …, or of aa, ab, …
func letters(i, width int) string {
	b := make([]byte, width)
	for at := range b {
		b[width-1-at] = byte('a' + i%26)
		i /= 26
	}
	return string(b)
}

// paths yields the ways from a choice to whole moves, in the order of Legal; before is the way to the choice.
func (n *node) paths(before []*node) iter.Seq[[]*node] {
	return func(yield func([]*node) bool) {
		path := append(before[:len(before):len(before)], n)
		if n.move != nil && !yield(path) {
			return
		}
		for _, c := range n.next {
			for p := range c.paths(path) {
				if !yield(p) {
					return
				}
			}
		}
	}
}

func nameOf(path []*node) string {
	names := each(path, func(n *node) string { return n.Name })
	return strings.Join(slices.DeleteFunc(names, func(name string) bool { return name == "" }), " ")
}

// shortOf is nameOf without the spare letters; "" if a choice on the way looks like another.
func shortOf(path []*node) string {
	if slices.ContainsFunc(path, func(n *node) bool { return n.Like != "" }) {
		return ""
	}
	return nameOf(slices.DeleteFunc(slices.Clone(path), func(n *node) bool { return n.spare }))
}
