package turn

import (
	"cmp"
	"slices"
	"strings"

	"posthorn/domain"
)

// Option is one next choice.
type Option struct {
	Key   string
	Name  string // what it is called on the board, in lists and for the keyboard; "" where nothing else can be chosen
	Place bool   // Name is the notation's own, for whoever types it: the label says the place in words
	Label string
	Where string // the place for people, beside its number; "" if the label says all
	Spot  string
	Like  string // the key of a choice beside it that looks the same; "" for none
	Count int    // how many moves it leads to
	Plays string // the notation of the move that choosing it plays at once; "" where there is more to choose or to confirm
	Main  bool   // Plays, and is what the seat has to do anyhow
	Out   bool   // Plays, and ends the turn or passes
	None  bool   // it adds nothing to the move
	Order string // the standing order that always chooses like this, or ""
	Every string // what that is called
	aside bool   // it follows only where the steps of a move are made in another order than its own
}

// Title is the choice in one sentence, its place for people included.
func (o Option) Title() string {
	if o.Where == "" {
		return o.Label
	}
	return o.Label + ": " + o.Where
}

// Text is what stands beside its name in a list.
func (o Option) Text() string { return cmp.Or(o.Where, o.Label) }

// String is the choice in short, with its name.
func (o Option) String() string {
	switch {
	case o.Name == "" || o.Place && o.says():
		return o.Label
	case o.Place:
		return o.Name + ": " + o.Label
	}
	return o.Name + ")\u00a0" + o.Label // a letter alone at a line's end is parted from what it names
}

// says reports whether the label has the name in it already, or names whoever has that letter.
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

// option is a choice in the words of the reader.
func (mod *Model) option(n *node) Option {
	if !n.said {
		n.said, n.Label, n.Where, n.None = true, mod.printer.Say(n.step.Label), mod.printer.Say(n.step.Where), n.step.None
		n.Order, n.Every = n.step.Order, mod.printer.Say(n.step.Every)
		end := n
		for len(end.next)+len(end.also) == 1 && end.move == nil { // what there is no choice about is taken by itself, see Choose
			end = end.all()[0]
		}
		// Where nothing can be taken back, a move is not made by a single press that could be a slip.
		slips := end.step.Press == domain.PressTwice || end.step.Press == domain.PressStep && n.first && mod.strict
		if end.move != nil && len(end.next) == 0 && !slips {
			n.Plays, n.Out = mod.rulebook.FormatMove(end.move, nil), end.step.Press == domain.PressOut
			n.Main = end.step.Press == domain.PressOnce
		}
	}
	return n.Option
}
