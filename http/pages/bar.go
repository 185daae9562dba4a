package pages

import (
	"slices"
	"unicode/utf8"

	"posthorn/projections/turn"
)

// bar is the row at the foot of what is asked: a step back, one tool, and the act, each always in the same place.
// Nothing else on the page plays a move.
type bar struct {
	Undo, Tool, Act key
	More            []key // what has no place in the row: it stands above it
}

// key is one place of the bar: a link, a button that sends a form, or, with neither, a place at rest.
type key struct {
	Class string
	Icon  string
	Label string
	Says  string // what it brings, or what is missing before it can be pressed
	Title string // in full
	Name  string // for the keyboard
	Href  string
	Form  string // the id of the form that it sends
	Field string
	Value string
}

// Rests reports whether a key cannot be pressed now.
func (k key) Rests() bool { return k.Href == "" && k.Form == "" }

// Posts reports whether a key of the bar plays something.
func (b bar) Posts() bool {
	return slices.ContainsFunc(append(b.More[:len(b.More):len(b.More)], b.Tool, b.Act),
		func(k key) bool { return k.Form == playForm })
}

// playForm is the id of the form that plays a move.
const playForm = "play"

// toolSigns is the longest label, in characters, that the place of a tool holds; iconSigns the longest below an icon.
const toolSigns, iconSigns = 22, 9

// Bar returns the bar for what is asked. The act is the chosen move; before anything is chosen it is what the seat has
// to do anyway, or what ends its turn.
func (g *gamePage) Bar() (b bar) {
	b.Undo = g.undoKey()
	acts, outs := g.actKeys()
	if groups := g.Grouped(); len(acts) == 0 && len(groups) == 1 && len(g.Out) == 0 { // of several stacks, the first
		c := groups[0].Chains[0]
		acts = []key{{Label: c.Group + " " + c.Label, Title: c.Title, Form: playForm, Field: "move", Value: c.Plays()}}
	}
	if len(acts) == 0 && len(outs) > 0 {
		acts, outs = outs[:1], outs[1:]
	}
	if len(acts) == 0 {
		acts = []key{{Label: g.M.Text("page.play.go"), Says: g.M.Text(g.missing())}}
	} else {
		acts[0].Class += " go"
	}
	b.Act = acts[0]
	b.Act.Class += " act"
	tools := slices.Concat(acts[1:], g.tradeKeys(), outs, g.toolKeys())
	for _, k := range tools {
		if utf8.RuneCountInString(k.Label) > iconSigns {
			k.Icon = ""
		}
		if k.Form == "whatif" && !b.Tool.Rests() { // it has a place of its own, too
			continue
		}
		if b.Tool.Rests() && utf8.RuneCountInString(k.Label) <= toolSigns {
			b.Tool = k
		} else {
			b.More = append(b.More, k)
		}
	}
	return b
}

// missing returns the key of the text that says what is to be done before there is a move to play.
func (g *gamePage) missing() string {
	switch p := g.Open(); {
	case g.Trade != nil:
		return "page.bar.cards"
	case p != nil && slices.ContainsFunc(p.Options, func(o pickOption) bool { return onBoard(o.Option) }):
		return "page.bar.place"
	}
	return "page.bar.choose"
}

// undoKey takes the last choice back or, before any, the last move.
func (g *gamePage) undoKey() key {
	k := key{Icon: "undo", Label: g.M.Text("page.bar.undo")}
	switch {
	case g.Back != "":
		k.Class, k.Href, k.Title = "again", g.Back, g.M.Text("page.back")
	case g.M.Undo > 0 && g.As == "":
		k.Class, k.Form, k.Title = "undo", "undo", g.M.Text("page.undo")
	}
	return k
}

// actKeys returns what plays: the chosen move or what the seat has to do anyway, and the ways out of its turn.
func (g *gamePage) actKeys() (acts, outs []key) {
	plays := func(class, label, name, moves string) key {
		return key{Class: class, Label: label, Name: name, Form: playForm, Field: "move", Value: moves}
	}
	if g.Ready != nil {
		// the form has the move
		acts = append(acts, key{Label: g.M.Text("page.play.go"), Says: g.Brings, Form: playForm})
	}
	for _, o := range g.Once {
		acts = append(acts, plays("", o.Whole(), o.Option.Name, o.Plays))
	}
	for _, o := range g.Out {
		outs = append(outs, plays("out", o.Whole(), o.Option.Name, o.Plays))
	}
	for _, c := range g.Ends {
		if c.Group == "" {
			k := plays("out", c.Label, "", c.Plays())
			k.Title = c.Title
			outs = append(outs, k)
		}
	}
	return acts, outs
}

// tradeKeys returns what turns the tile, and what begins a trade.
func (g *gamePage) tradeKeys() (list []key) {
	if next, ok := g.turned(); ok {
		list = append(list, key{Class: "turns", Icon: "turn", Label: g.M.Text("page.bar.turn"), Href: next})
	}
	for _, t := range g.Trades() {
		if g.Bare() && len(g.Picks) > 0 {
			list = append(list, key{Class: "trades", Icon: "swap", Label: t.Label, Href: t.Href})
		}
	}
	return list
}

// toolKeys returns what can be done besides: leave the question to a standing order, ask for a hint, try moves out.
func (g *gamePage) toolKeys() (list []key) {
	for _, a := range g.Always {
		list = append(list, key{Class: "always", Label: a.Label, Form: "always", Field: a.Field, Value: a.Value})
	}
	if g.M.MayHint() && len(g.M.Players) == 1 && g.Ready == nil && g.Bare() { // against computers it is behind "More"
		list = append(list, key{Label: g.M.Text("page.hint"), Href: g.at(nil, "hint", "1")})
	}
	if g.Tries {
		list = append(list, key{Class: "tries", Label: g.M.Text("page.sketch.open"), Form: "whatif"})
	}
	return list
}

// turned returns the address that turns what was placed to its next way of lying, if there is another.
func (g *gamePage) turned() (string, bool) {
	if g.Ready != nil && g.Open() != nil { // what is pressed twice is paid twice
		return "", false
	}
	for _, o := range slices.Backward(g.instead) {
		same := func(c turn.Option) bool { return c.Spot == o.Spot && c.Spot != "" }
		if slices.ContainsFunc(g.chosen, same) {
			return g.with(o.Keys), true
		}
	}
	return "", false
}
