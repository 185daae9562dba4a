package turn

import (
	"context"
	"iter"
	"slices"
	"strings"
	"unicode"

	"posthorn/domain"
	"posthorn/events"
)

// Choice is where a person stands on the way to a move.
type Choice struct {
	Chosen   []Option    // so far, including what there was no choice about
	Keys     []string    // of Chosen
	Options  []Option    // what comes next; empty once the move is complete
	Ask      string      // what is asked next, in words; "" if the game does not say
	Move     domain.Move // once complete
	Notation string      // of it, canonical, seats by letter
	Label    string      // of it, all its steps
}

// node is a choice on the way to a move, with those that may follow it.
type node struct {
	Option
	step  domain.Step
	said  bool // label and where are rendered
	first bool // nothing was chosen before it
	one   bool // it leads to one move, but for those that look the same
	spare bool // and whatever else could be chosen looks like it: its letter need not be said
	next  []*node
	move  domain.Move // nil while there is more to choose
}

// choices lists the legal moves of the model's seat, by the steps that lead to them.
func (mod *Model) choices(line *domain.Line) {
	at := map[string]*node{}
	for m := range mod.rulebook.Legal(line.State, mod.Seat) {
		n, path := &mod.tree, ""
		n.Count++
		for _, s := range mod.rulebook.Steps(line.State, m) {
			path += "/" + s.Key
			child := at[path]
			if child == nil {
				child = &node{step: s, first: n == &mod.tree, Option: Option{Key: s.Key, Spot: s.Spot, Like: s.Like}}
				at[path], n.next = child, append(n.next, child)
			}
			n = child
			n.Count++
		}
		n.move = m
	}
	mod.tree.call(0)
	mod.chains(line.State)
	mod.Forms = mod.rulebook.Forms(line.State, mod.Seat)
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
	var only *node // of those that look otherwise than each other
	apart := 0
	for _, c := range n.next {
		if c.Like == "" {
			only = c
			apart++
		}
	}
	n.one = len(n.next) == 0 || apart == 1 && only.one && n.move == nil
	if len(n.next) > 0 && n.one {
		only.spare = depth > 0 && !only.Place
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

func (mod *Model) options(list []*node) []Option { return each(list, mod.option) }

func each[A, B any](list []A, f func(A) B) []B {
	out := make([]B, len(list))
	for i, a := range list {
		out[i] = f(a)
	}
	return out
}

// Choose goes along the keys of steps chosen so far. Keys that lead nowhere are left out
// from the first wrong one on. Where only one choice is left, it is taken by itself.
func (mod *Model) Choose(keys []string) Choice {
	var c Choice
	n := &mod.tree
	for depth := 0; len(n.next) > 0; depth++ {
		pick := n.pick(keys, depth)
		if pick == nil {
			c.Options, c.Ask = mod.options(n.next), mod.printer.Say(n.next[0].step.Ask)
			return c
		}
		c.Chosen, c.Keys = append(c.Chosen, mod.option(pick)), append(c.Keys, pick.Key)
		n = pick
	}
	if n.move != nil {
		c.Move, c.Notation, c.Label = n.move, mod.rulebook.FormatMove(n.move, nil), labels(c.Chosen)
	}
	return c
}

// Leads is the notation of the first move that a first choice leads to; "" if there is no such choice.
func (mod *Model) Leads(key string) string {
	for _, n := range mod.tree.next {
		if n.Key != key {
			continue
		}
		for n.move == nil && len(n.next) > 0 {
			n = n.next[0]
		}
		return mod.rulebook.FormatMove(n.move, nil)
	}
	return ""
}

// Ahead are the places on the board that can be chosen before it is said what they are chosen for, see
// [domain.Step.Ahead]: of two with one spot the first, or none.
func (mod *Model) Ahead(c Choice) (list []Other) {
	if len(c.Keys) > 0 || mod.Decision == nil {
		return nil
	}
	taken, ways := map[string]bool{}, map[string]int{}
	for _, first := range mod.tree.next {
		for _, n := range first.next {
			ways[n.Spot]++
		}
	}
	for _, first := range mod.tree.next {
		for _, n := range first.next {
			if (n.step.Ahead || n.step.Alone && ways[n.Spot] == 1) && n.move != nil && len(n.next) == 0 && !taken[n.Spot] {
				taken[n.Spot] = true
				o := mod.option(n)
				o.Label = mod.option(first).Label + ", " + o.Label
				list = append(list, Other{o, []string{first.Key, n.Key}})
			}
		}
	}
	return list
}

// Other is another choice than one that was made.
type Other struct {
	Option
	Keys []string // to it
}

// Others are the choices on the board that could be made in place of those that were. Choices that have one
// spot together are made one after the other by pressing it, as a tile is turned: of them it is the next that looks
// otherwise.
func (mod *Model) Others(c Choice) (list []Other) {
	n := &mod.tree
	for depth, key := range c.Keys {
		at := slices.IndexFunc(n.next, func(c *node) bool { return c.Key == key })
		if at < 0 {
			return list
		}
		for i := 1; i < len(n.next); i++ {
			o := n.next[(at+i)%len(n.next)]
			if o.Spot == "" || o.Like != "" || o.Key == n.next[at].Like {
				continue
			}
			list = append(list, Other{mod.option(o), append(c.Keys[:depth:depth], o.Key)})
			if o.Spot == n.next[at].Spot {
				break
			}
		}
		n = n.next[at]
	}
	return list
}

// pick is what was chosen at a depth, or the only choice there; nil if that is open.
func (n *node) pick(keys []string, depth int) *node {
	if depth < len(keys) {
		if i := slices.IndexFunc(n.next, func(c *node) bool { return c.Key == keys[depth] }); i >= 0 {
			return n.next[i]
		}
	} else if len(n.next) == 1 && depth > 0 {
		return n.next[0]
	}
	return nil
}

func labels(path []Option) string {
	if slices.ContainsFunc(path, func(o Option) bool { return !o.None }) {
		path = slices.DeleteFunc(slices.Clone(path), func(o Option) bool { return o.None })
	}
	return strings.Join(each(path, func(o Option) string { return o.Label }), ", ")
}

// AsMailed is the table as it stood at a version of its main line, with the moves that the asker's
// seat had then, called as a mail written then called them.
func (m *Maker) AsMailed(ctx context.Context, table events.Name, version uint64, who Asker) (*Model, error) {
	look, err := m.desk.Look(ctx, table)
	if err != nil {
		return nil, err
	}
	mod, err := m.At(ctx, table, look.LineName, version, who)
	if err != nil {
		return nil, err
	}
	line, err := m.desk.LineAt(ctx, look, look.LineName, version)
	if err != nil {
		return nil, err
	}
	if mod.Decision == nil && mod.Seat != domain.Nobody && line.Awaits(mod.Seat) {
		mod.choices(line)
	}
	return mod, nil
}

// HasBoard tells whether there is anything to draw yet.
func (mod *Model) HasBoard() bool { return mod.view != nil }

// View is what the viewer may know of the state, for encoding/json.
func (mod *Model) View() domain.View { return mod.view }

// Group is a first choice with the moves it leads to, as a mail lists them.
type Group struct {
	Option
	Moves []Named
}

// Named is a move with what it is called: the names of the choices that lead to it, "1,0 b".
type Named struct {
	Name     string
	Short    string // Name without the letters beside which there is no other; "" for a move that looks like another
	Notation string
	Path     []Option // the choices that lead to it, the group's own first
	Move     domain.Move
}

// Label is the whole move in words.
func (n Named) Label() string { return labels(n.Path) }

// Keys are those of its path.
func (n Named) Keys() []string { return each(n.Path, func(o Option) string { return o.Key }) }

// From lists the moves that begin with a choice, or all with "".
func (mod *Model) From(key string) (list []Named) {
	for _, first := range mod.tree.next {
		if key != "" && first.Key != key {
			continue
		}
		for path := range first.paths(nil) {
			list = append(list, mod.named(path, true))
		}
	}
	return list
}

// Groups lists all legal moves by their first choice.
func (mod *Model) Groups() []Group {
	out := make([]Group, len(mod.tree.next))
	for i, first := range mod.tree.next {
		out[i].Option = mod.option(first)
		for path := range first.paths(nil) {
			out[i].Moves = append(out[i].Moves, mod.named(path, true))
		}
	}
	return out
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

// Legal tells how many moves there are.
func (mod *Model) Legal() int { return mod.tree.Count }

// Example is the notation of a move that may be made; "" where there is none in the list.
func (mod *Model) Example() string {
	for path := range mod.tree.paths(nil) {
		return mod.rulebook.FormatMove(path[len(path)-1].move, nil)
	}
	return ""
}

// Wants tells whether a move is of those that are asked now, by the word it begins with; where a game writes places
// first, every move is.
func (mod *Model) Wants(m domain.Move) bool {
	verb := func(m domain.Move) string {
		word, _, _ := strings.Cut(mod.rulebook.FormatMove(m, nil), " ")
		return word
	}
	is := verb(m)
	if is == "" || !unicode.IsLetter(rune(is[0])) {
		return true
	}
	for path := range mod.tree.paths(nil) {
		if verb(path[len(path)-1].move) == is {
			return true
		}
	}
	return slices.ContainsFunc(mod.Forms, func(f domain.Form) bool { return strings.HasPrefix(f.Pattern, is) })
}

// KeysOf are the keys of the steps to a legal move; ok is false for any other.
func (mod *Model) KeysOf(m domain.Move) (keys []string, ok bool) {
	for path := range mod.tree.paths(nil) {
		if path[len(path)-1].move == m {
			return each(path[1:], func(n *node) string { return n.Key }), true
		}
	}
	return nil, false
}

// Parse reads a move as a person types it: its name in this model, or notation with names.
func (mod *Model) Parse(text string) (domain.Move, error) {
	want := strings.Join(strings.Fields(text), " ")
	for path := range mod.tree.paths(nil) {
		if strings.EqualFold(nameOf(path), want) {
			return path[len(path)-1].move, nil
		}
	}
	return mod.rulebook.ParseMove(text, mod.Names())
}

// Names are those of the seats.
func (mod *Model) Names() []string { return each(mod.Players, func(p Player) string { return p.Name }) }

// Refusal says why something was refused, in the asker's language.
func (mod *Model) Refusal(r *domain.Refusal) string { return mod.printer.Say(r.Say()) }

// Say is something said in the game's words.
func (mod *Model) Say(s domain.Say) string { return mod.printer.Say(s) }

// Text is a sentence about this table.
func (mod *Model) Text(key string, pairs ...any) string { return mod.printer.Text(key, pairs...) }

// Lang is the asker's language.
func (mod *Model) Lang() string { return mod.printer.Lang() }
