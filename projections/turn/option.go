package turn

import (
	"cmp"
	"slices"
	"strings"

	"posthorn/domain"
)

// Option is one possible next choice.
type Option struct {
	Key    string
	Name   string // what it is called on the board, in lists and for the keyboard; "" if it is the only choice
	Place  bool   // Name is the notation's own, for people who type it: the label describes the place in words
	Label  string
	Where  string // the place for people, next to its number; "" if the label says it all
	Rest   string // the choices after it that leave no choice and are taken with it, in words: "1 grain, 2 ore"; or ""
	Spot   string
	Like   string   // the key of another choice that looks the same; "" for none
	Count  int      // how many moves it leads to
	Plays  string   // the move that it completes; "" if there is more to choose
	Main   bool     // Plays, and is what the seat must do anyway
	Out    bool     // Plays, and ends the turn or passes
	None   bool     // it adds nothing to the move
	Preset int      // the highest of a level is chosen by itself, and may be changed; 0 for never
	Order  string   // the standing order that always chooses like this, or ""
	Every  string   // what that order is called
	then   []string // the keys of the choices that may follow a place
	aside  bool     // only reached by choosing a move's steps out of their usual order
}

// Title returns the choice in one sentence, with its place for people and what is taken with it.
func (o Option) Title() string {
	if o.Where == "" {
		return o.Whole()
	}
	return o.with(o.Label + ": " + o.Where)
}

// Text returns what a list shows next to its name, apart from Rest.
func (o Option) Text() string { return cmp.Or(o.Where, o.Label) }

// Whole returns the choice and what is taken with it.
func (o Option) Whole() string { return o.with(o.Label) }

func (o Option) with(said string) string {
	if o.Rest == "" {
		return said
	}
	return said + ", " + o.Rest
}

// String returns the choice in short, with its name.
func (o Option) String() string {
	switch {
	case o.Name == "" || o.Place && o.says():
		return o.Label
	case o.Place:
		return o.Name + ": " + o.Label
	}
	// keeps a letter from standing alone at the end of a line, apart from what it names
	return o.Name + ")\u00a0" + o.Label
}

// says reports whether the label already contains the name, or names the seat with that letter.
func (o Option) says() bool {
	if len(o.Name) == 1 && o.Name[0] >= 'A' && o.Name[0] <= 'Z' {
		return true
	}
	said := strings.Fields(strings.Map(func(r rune) rune {
		if strings.ContainsRune("\u2068\u2069,;:()", r) {
			return ' '
		}
		return r
	}, o.Label))
	return !slices.ContainsFunc(strings.Fields(o.Name), func(w string) bool { return !slices.Contains(said, w) })
}

// option returns a choice in the reader's words.
func (mod *Model) option(n *node) Option {
	if !n.said {
		n.said, n.Label, n.Where, n.None = true, mod.printer.Say(n.step.Label), mod.printer.Say(n.step.Where),
			n.step.None
		n.Order, n.Every = n.step.Order, mod.printer.Say(n.step.Every)
		if n.Spot != "" {
			n.then = each(n.next, func(n *node) string { return n.Key })
		}
		end, rest := n, []Option(nil)
		for len(end.next)+len(end.also) == 1 && end.move == nil {
			// a step that leaves no choice is taken automatically, see Choose
			end = end.all()[0]
			rest = append(rest, mod.option(end))
		}
		rest = slices.DeleteFunc(rest, func(o Option) bool { return o.None })
		n.Rest = labels(rest)
		if end.move != nil && len(end.next) == 0 {
			n.Plays, n.Out = mod.rulebook.FormatMove(end.move, nil), end.step.Press == domain.PressOut
			n.Main = end.step.Press == domain.PressOnce
		}
	}
	return n.Option
}
