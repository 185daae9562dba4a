package turn

import (
	"iter"
	"slices"
	"strings"

	"posthorn/domain"
)

// node is a choice on the way to a move, with those that may follow it.
type node struct {
	Option
	step  domain.Step
	said  bool // label and where are rendered
	first bool // nothing was chosen before it
	one   bool // it leads to one move, but for those that look the same
	spare bool // and whatever else could be chosen looks like it: its letter need not be said
	next  []*node
	also  []*node     // what follows where the steps of a move are made in another order than its own: for pages, not for names and lists
	aside string      // what it is called beside also, where a mail has no name for it
	move  domain.Move // nil while there is more to choose
}

// all are the choices that may follow, in whatever order the steps of a move are made.
func (n *node) all() []*node { return slices.Concat(n.next, n.also) }

// grow adds the way to a move to the tree; at has what stands at each path, and what is new there goes into a list.
func (n *node) grow(at map[string]*node, steps []domain.Step, m domain.Move, into func(*node) *[]*node) {
	root, path := n, ""
	for _, s := range steps {
		path += "/" + s.Key
		child := at[path]
		if child == nil {
			child = &node{step: s, first: n == root, Option: Option{Key: s.Key, Spot: s.Spot, Like: s.Like}}
			list := into(n)
			at[path], *list = child, append(*list, child)
		}
		n = child
		n.Count++
	}
	n.move = m
}

// orders yields the steps of a move in every order. What is asked first is asked first in each, and the last plays as the last.
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

// call gives every choice its name: the notation's own for a place, a small letter for anything
// else, of as many characters for all of those that stand beside each other. A letter that could be
// read as one of the places is left out.
func (n *node) call(depth int) {
	taken, need, width := map[string]bool{}, 0, 1
	for _, c := range n.next {
		place := strings.ToLower(c.step.Place)
		taken[place] = true
		if strings.Trim(place, "abcdefghijklmnopqrstuvwxyz") == "" { // it needs letters, or has some that nothing else may have
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
	var only *node // of those that look otherwise than each other
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

// says reports whether the letters that follow say a move without this one's, which is the only one beside the others that
// look otherwise: one letter is then no whole move of those either, since each of them has more to choose.
func (n *node) says(beside []*node) bool {
	last := func(c *node) bool { return !c.Place && len(c.next) == 0 }
	return n.move == nil && len(n.next) > 1 && !slices.ContainsFunc(n.next, func(c *node) bool { return !last(c) }) &&
		!slices.ContainsFunc(beside, func(c *node) bool { return c.move != nil || len(c.next) < 2 })
}

// callAlso goes on with the letters for what follows in another order. Those that were given stay: mails have them.
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

// letters counts a, b, …, or aa, ab, …
func letters(i, width int) string {
	b := make([]byte, width)
	for at := range b {
		b[width-1-at] = byte('a' + i%26)
		i /= 26
	}
	return string(b)
}

// paths yields the ways from a choice to whole moves, in the order of Legal; before is the way to it.
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

// shortOf is nameOf without what is spare; "" where a choice on the way looks like another.
func shortOf(path []*node) string {
	if slices.ContainsFunc(path, func(n *node) bool { return n.Like != "" }) {
		return ""
	}
	return nameOf(slices.DeleteFunc(slices.Clone(path), func(n *node) bool { return n.spare }))
}
