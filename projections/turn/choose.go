package turn

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/projections/words"
)

// Choice is how far a person has got on the way to a move.
type Choice struct {
	Chosen   []Option    // so far, including steps that left no choice
	Keys     []string    // of Chosen
	Options  []Option    // what to choose next; empty once the move is complete
	Ask      string      // the next question, in words; "" if the game does not say
	Move     domain.Move // once it is complete
	Notation string      // the move's, canonical, seats by letter
	Label    string      // the move in words, all its steps
	Pressed  []string    // of a filling, see [Model.Fill]: the keys that its person chose, in their order
	fills    []Other     // of a filling: what may be pressed next
}

// choices lists the legal moves of the model's seat by the steps that lead to them.
func (mod *Model) choices(line *domain.Line) {
	at, loose := map[string]*node{}, [][]domain.Step(nil)
	var moves []domain.Move // the moves of loose
	for m := range mod.rulebook.Legal(line.State, mod.Seat) {
		steps := mod.rulebook.Steps(line.State, m)
		mod.tree.Count++
		mod.tree.grow(at, steps, m, func(n *node) *[]*node { return &n.next })
		if len(steps) > 1 && steps[0].Any {
			loose, moves = append(loose, steps), append(moves, m)
		}
	}
	for i, steps := range loose {
		for order := range orders(steps) {
			mod.tree.grow(at, order, moves[i], func(n *node) *[]*node { return &n.also })
		}
	}
	mod.tree.call(0)
	mod.chains(line.State)
	mod.Forms = mod.rulebook.Forms(line.State, mod.Seat)
	mod.inWords = func(m domain.Move) string { return InWords(mod.printer, line, m) }
}

func (mod *Model) options(list []*node) []Option { return each(list, mod.option) }

func each[A, B any](list []A, f func(A) B) []B {
	out := make([]B, len(list))
	for i, a := range list {
		out[i] = f(a)
	}
	return out
}

// Choose follows the keys of the steps chosen so far. It ignores keys from the first that leads nowhere. If only one
// choice is left, it takes that choice.
func (mod *Model) Choose(keys []string) Choice {
	var c Choice
	n := &mod.tree
	for depth := 0; len(n.next)+len(n.also) > 0; depth++ {
		all := n.all()
		pick, also := pick(all, keys, depth), len(n.also)
		if pick == nil {
			c.Options, c.Ask = mod.options(all), mod.printer.Say(all[0].step.Ask)
			for i, n := range all {
				c.Options[i].Name, c.Options[i].aside = cmp.Or(c.Options[i].Name, n.aside), i >= len(all)-also
			}
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

// Open returns the choice of a move that is in no list, such as an offer, without options.
func (mod *Model) Open(m domain.Move) Choice {
	return Choice{Move: m, Notation: mod.rulebook.FormatMove(m, nil), Label: mod.inWords(m)}
}

// Leads returns the notation of the first move that a first choice leads to; "" if there is no such choice.
func (mod *Model) Leads(key string) string {
	for _, n := range mod.tree.all() {
		if n.Key != key {
			continue
		}
		for n.move == nil && len(n.next)+len(n.also) > 0 {
			n = n.all()[0]
		}
		return mod.rulebook.FormatMove(n.move, nil)
	}
	return ""
}

// Ahead returns the places on the board that people can choose before they say what for (see [domain.Step.Ahead]),
// without those that several first choices lead to: they ask which.
func (mod *Model) Ahead(c Choice) (list []Other) {
	if len(c.Keys) > 0 || mod.Decision == nil {
		return nil
	}
	ways := map[string]int{}
	for _, first := range mod.tree.next {
		for _, n := range first.next {
			ways[n.Spot]++
		}
	}
	for _, first := range mod.tree.next {
		for _, n := range first.next {
			if n.step.Ahead && ways[n.Spot] == 1 && n.move != nil && len(n.next) == 0 {
				o := mod.option(n)
				o.Label = mod.option(first).Label + ", " + o.Label
				list = append(list, Other{o, []string{first.Key, n.Key}})
			}
		}
	}
	return list
}

// Other is a choice that could replace one already made.
type Other struct {
	Option
	Keys []string // that lead to it
}

// Others returns the choices on the board that could replace those already made. Pressing a spot again cycles through
// the choices that share it, as when turning a tile: of these, Others returns the next one that looks different.
func (mod *Model) Others(c Choice) (list []Other) {
	if c.fills != nil {
		return c.fills
	}
	n := &mod.tree
	for depth, key := range c.Keys {
		all := n.all()
		at := slices.IndexFunc(all, func(c *node) bool { return c.Key == key })
		if at < 0 {
			return list
		}
		for i := 1; i < len(all) && len(n.also) == 0; i++ { // steps that may come in any order are added, not replaced
			o := all[(at+i)%len(all)]
			if o.Spot == "" || o.Like != "" || o.Key == all[at].Like {
				continue
			}
			list = append(list, Other{mod.option(o), append(c.Keys[:depth:depth], o.Key)})
			if o.Spot == all[at].Spot {
				break
			}
		}
		n = all[at]
	}
	return list
}

// pick returns what was chosen at a depth, or the only choice there; nil if it is still open.
func pick(from []*node, keys []string, depth int) *node {
	if depth < len(keys) {
		if i := slices.IndexFunc(from, func(c *node) bool { return c.Key == keys[depth] }); i >= 0 {
			return from[i]
		}
	} else if len(from) == 1 && depth > 0 {
		return from[0]
	}
	return nil
}

// InWords returns a move of a line's position in words, all its steps.
func InWords(p words.Printer, at *domain.Line, m domain.Move) string {
	steps := at.Rulebook.Steps(at.State, m)
	said := labels(each(steps, func(s domain.Step) Option { return Option{Label: p.Say(s.Label), None: s.None} }))
	if len(steps) > 0 && steps[0].Whole.Key != "" {
		return p.Say(steps[0].Whole) + ": " + said
	}
	return said
}

// Lies returns where a move of a line's position is made, in words for people: "" if its own words say it all.
func Lies(p words.Printer, at *domain.Line, m domain.Move) string {
	for _, s := range at.Rulebook.Steps(at.State, m) {
		if s.Where.Key != "" {
			return p.Say(s.Where)
		}
	}
	return ""
}

func labels(path []Option) string {
	if slices.ContainsFunc(path, func(o Option) bool { return !o.None }) {
		path = slices.DeleteFunc(slices.Clone(path), func(o Option) bool { return o.None })
	}
	return strings.Join(each(path, func(o Option) string { return o.Label }), ", ")
}

// AsMailed returns the table as it stood at a version of its main line, with the asker's seat's moves at that version,
// named as a mail written then named them.
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

// HasBoard reports whether there is anything to draw yet.
func (mod *Model) HasBoard() bool { return mod.view != nil }

// View returns what the viewer may know of the state, for encoding/json.
func (mod *Model) View() domain.View { return mod.view }

// ListOf returns a seat's moves at a position as a mail about it would list them.
func ListOf(p words.Printer, at *domain.Line, seat domain.Seat) []Named {
	mod := &Model{Seat: seat, printer: p, rulebook: at.Rulebook}
	mod.choices(at)
	return mod.From("")
}

// Group is a first choice with the moves that it leads to, as a mail lists them.
type Group struct {
	Option
	Moves []Named
}

// Named is a move with its name: the names of the choices that lead to it, "1,0 b".
type Named struct {
	Name     string
	Short    string // Name without the letters that have no alternative; "" if the move looks like another
	Whole    string // what all that the question asks for is called; "" if nothing is
	Notation string
	Path     []Option // the choices that lead to it, starting with the group's own
	Move     domain.Move
}

// Label returns the whole move in words.
func (n Named) Label() string { return labels(n.Path) }

// Keys returns the keys of its path.
func (n Named) Keys() []string { return each(n.Path, func(o Option) string { return o.Key }) }

// From lists the moves that begin with a choice, or all moves for "".
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

// Legal returns how many moves there are.
func (mod *Model) Legal() int { return mod.tree.Count }

// Example returns the notation of a legal move; "" if the list is empty.
func (mod *Model) Example() string {
	for path := range mod.tree.paths(nil) {
		return mod.rulebook.FormatMove(path[len(path)-1].move, nil)
	}
	return ""
}

// Wants reports whether a move is of a kind that is asked for now, judging by its first word. In a game whose notation
// begins with a place, every move is.
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

// KeysOf returns the keys of the steps to a legal move; ok is false for any other move.
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

// Names returns the names of the seats.
func (mod *Model) Names() []string { return each(mod.Players, func(p Player) string { return p.Name }) }

// Refusal says why something was refused, in the asker's language.
func (mod *Model) Refusal(r *domain.Refusal) string { return mod.printer.Say(r.Say()) }

// Say returns something said in the game's words.
func (mod *Model) Say(s domain.Say) string { return mod.printer.Say(s) }

// Text returns a sentence about this table.
func (mod *Model) Text(key string, pairs ...any) string { return mod.printer.Text(key, pairs...) }

// Lang returns the asker's language.
func (mod *Model) Lang() string { return mod.printer.Lang() }
