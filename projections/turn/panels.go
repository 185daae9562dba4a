package turn

import (
	"slices"
	"strings"

	"posthorn/domain"
)

// Panel is one picture of the view, with its words.
type Panel struct {
	Key    string // unique among the panels: "map"
	Name   string // what it is called
	Theirs string // its name for a reader who is not the viewer; "" if that is the same
	Weight domain.Weight
	Asked  bool // belongs with the choices
	Scene  domain.Scene
	Least  float64  // its least width on a page, in pixels; 0 if it may shrink to its room
	Each   float64  // the width of its parts, see [domain.Panel]; 0 if it is whole
	Alt    string   // describes the picture to people who do not see it
	Lines  []string // words of its own
	Text   string   // the same in characters, "" if it has no such form
	Told   []Told   // of each thing in it what a text mail says, see [domain.Told]
}

// Told is a [domain.Told] in words.
type Told struct{ Line, Short, Does string }

// Panels draws the view with what has been chosen and what can be chosen next; it returns nothing before there is a
// view.
func (mod *Model) Panels(c Choice) []Panel { return mod.panels(mod.sketch(c)) }

// mailed returns the choice with only the options that follow the moves' own step order, because a mail names moves by
// those.
func (c Choice) mailed() Choice {
	c.Options = slices.DeleteFunc(slices.Clone(c.Options), func(o Option) bool { return o.aside })
	return c
}

// Narrow draws the same panels for a mail. The places of the moves that it puts first stand out, by the names that the
// notation has for them.
func (mod *Model) Narrow(c Choice, top []Named) []Panel {
	sketch := mod.sketch(c.mailed())
	sketch.Narrow, sketch.Ahead = true, nil
	for _, m := range top {
		for _, o := range m.Path {
			is := func(s domain.Spot) bool { return s.Spot == o.Spot }
			if i := slices.IndexFunc(sketch.Open, is); i >= 0 {
				sketch.Open[i].Best = true
			} else if o.Place && o.Spot != "" {
				sketch.Open = append(sketch.Open, domain.Spot{Key: o.Key, Spot: o.Spot, Name: o.Name, Best: true})
			}
		}
	}
	for _, first := range c.Options {
		for _, n := range mod.tree.next {
			if n.Key == first.Key {
				sketch.Later = append(sketch.Later, later(n)...)
			}
		}
	}
	return mod.panels(sketch)
}

// later lists the places that may be chosen right after a choice.
func later(n *node) (list []domain.Spot) {
	for _, c := range n.next {
		if c.Place && c.Spot != "" {
			list = append(list, domain.Spot{Key: c.Key, Spot: c.Spot, Name: c.Name})
		}
	}
	return list
}

// Tried draws the panels as small pictures of a move are cut from: with it made, and nothing else marked.
func (mod *Model) Tried(m Named) []domain.Scene {
	if mod.view == nil {
		return nil
	}
	drawn := mod.rulebook.Draw(mod.view, domain.Sketch{Chosen: m.Keys(), Narrow: true})
	return each(drawn, func(p domain.Panel) domain.Scene { return p.Scene })
}

// Still draws the main panels with nothing chosen and nothing marked.
func (mod *Model) Still() (mains []domain.Scene) {
	for i, p := range mod.panels(domain.Sketch{}) {
		if i == 0 || p.Weight == domain.PanelMain {
			mains = append(mains, p.Scene)
		}
	}
	return mains
}

func (mod *Model) panels(sketch domain.Sketch) []Panel {
	if mod.view == nil {
		return nil
	}
	drawn := mod.rulebook.Draw(mod.view, sketch)
	out := make([]Panel, len(drawn))
	for i, d := range drawn {
		p := Panel{Key: d.Name, Name: mod.printer.Say(d.Heading()), Weight: d.Weight, Asked: d.Asked,
			Scene: d.Scene.Said(mod.printer.Say), Least: d.Least, Each: d.Each, Lines: mod.printer.Lines(d.Lines),
			Text: d.Written(mod.printer.Say)}
		for _, t := range d.Told {
			p.Told = append(p.Told, Told{mod.printer.Say(t.Line), mod.printer.Say(t.Short), mod.printer.Say(t.Does)})
		}
		if d.Theirs.Key != "" {
			p.Theirs = mod.printer.Say(d.Theirs)
		}
		if p.Alt = mod.Alt; i > 0 {
			p.Alt = p.Name
			if len(p.Lines) > 0 {
				p.Alt += ": " + strings.Join(p.Lines, " ")
			}
		}
		out[i] = p
	}
	return out
}

// Letters returns the view in characters: its panels' texts, one below the other.
func (mod *Model) Letters() string {
	var out []string
	for _, p := range mod.Panels(Choice{}) {
		if p.Text != "" {
			out = append(out, p.Text)
		}
	}
	return strings.Join(out, "\n")
}

// Situation returns Lines without the optional aids ("board.aid…").
func (mod *Model) Situation() []string {
	var out []string
	for i, s := range mod.says {
		if !strings.HasPrefix(s.Key, "board.aid") {
			out = append(out, mod.Lines[i])
		}
	}
	return out
}

// Brief returns what of Lines neither the pictures nor the characters show.
func (mod *Model) Brief() []string { return mod.printer.Lines(mod.brief) }

// Have returns what the viewer has to pay with, where no panel beside the others shows it; "" for nothing to say.
func (mod *Model) Have() string { return mod.printer.Say(mod.have) }

// Spelled returns what only the pictures show.
func (mod *Model) Spelled() []string { return mod.printer.Lines(mod.spelled) }

// sketch returns what has been chosen and what can be chosen next.
func (mod *Model) sketch(c Choice) domain.Sketch {
	sketch := domain.Sketch{Chosen: c.Keys, Last: mod.marks}
	for _, o := range c.Options {
		if o.Spot != "" {
			sketch.Open = append(sketch.Open, domain.Spot{Key: o.Key, Spot: o.Spot, Name: o.Name, Then: o.then})
		}
	}
	for _, o := range mod.Ahead(c) {
		sketch.Ahead = append(sketch.Ahead, domain.Spot{Key: o.Keys[0], Spot: o.Spot, Name: o.Name})
	}
	for _, o := range mod.Others(c) {
		sketch.Other = append(sketch.Other, domain.Spot{Key: o.Key, Spot: o.Spot, Name: o.Name})
	}
	return sketch
}

// CardGroup holds the cards of one place, in words.
type CardGroup struct {
	Place string // "In your hand"
	Hand  bool   // the viewer's own
	Cards []Card
}

// Card is a card whose face the viewer sees, in words.
type Card struct {
	Key   string   `json:"key"` // safe in a URL, unique in the model
	Label string   `json:"label"`
	Lines []string `json:"lines"` // its kind, cost, points, requirements, effect
	// why the viewer cannot use it now; empty if they can, or if it is not theirs to use
	Not  []string     `json:"not,omitempty"`
	Spot string       `json:"-"` // where it lies in the drawing, or ""
	Face domain.Scene `json:"-"` // the card drawn large, without Lines; zero size if the game draws none
}

// Cards lists the cards that the viewer sees, by place and in reading order; nothing if the game has none.
func (mod *Model) Cards() []CardGroup {
	if mod.view == nil {
		return nil
	}
	var out []CardGroup
	for _, c := range mod.rulebook.Cards(mod.view) {
		place := mod.printer.Say(c.Place)
		if n := len(out); n == 0 || out[n-1].Place != place {
			out = append(out, CardGroup{Place: place, Hand: c.Hand})
		}
		g := &out[len(out)-1]
		g.Cards = append(g.Cards, Card{Key: c.Key, Label: mod.printer.Say(c.Label), Lines: mod.printer.Lines(c.Lines),
			Not: mod.printer.Lines(c.Not), Spot: c.Spot, Face: c.Face.Said(mod.printer.Say)})
	}
	return out
}
