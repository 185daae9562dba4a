package pages

import (
	"net/url"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/projections/turn"
)

// trying is what a reader has chosen on the page so far: steps, or a move they typed.
type trying struct {
	keys  []string
	typed string // notation as the reader typed it
	chain string // the moves of a chain, as a form sends them
	form  bool   // a form filled in typed: it names seats by letter
	aids  bool
	hint  bool // show a sound move
	whole bool // show the whole board where the page would zoom in on what is tried
	large bool // show the board large
}

func tryingOf(q url.Values) trying {
	return trying{keys: q["c"][:min(len(q["c"]), maxSteps)], typed: strings.TrimSpace(q.Get("m")), chain: q.Get("play"),
		aids:  q.Get("aids") != "off",
		whole: q.Get("board") == "whole", large: q.Get("board") == "large", hint: q.Get("hint") == "1"}
}

// maxSteps is the maximum number of choices towards a move in an address.
const maxSteps = 32

// question is what a page asks for now, and the possible answers.
type question struct {
	Headline string // the open question, or whose turn it is
	Picks    []pick
	Once     []pickOption // what the seat has to do anyway: the bar's act
	Out      []pickOption // the ways out of the turn
	Ends     []turn.Chain // what ends it in several moves; those with a Group stand above the bar
	Always   []always     // the standing orders that would from now on answer what is asked
	Ahead    []pickOption // places on the board that may be chosen before saying what for
	Ready    *turn.Choice // a move that only needs to be confirmed
	Brings   string       // the points that Ready brings at once, in words; "" if none, or not known
	chosen   []turn.Option
	Pressed  []string     // the keys of what the reader has chosen
	Does     string       // what the card does that is to be played
	instead  []turn.Other // what could replace something chosen
	Back     string       // the address one choice back; "" if nothing was chosen
}

// Open returns the level to choose from next; nil if there is none.
func (q *question) Open() *pick {
	if n := len(q.Picks); n > 0 && q.Picks[n-1].Open {
		return &q.Picks[n-1]
	}
	return nil
}

// Bare reports whether nothing has been chosen yet.
func (q *question) Bare() bool { return q.Back == "" }

// pick is one level of choices towards a move.
type pick struct {
	Options []pickOption
	Chosen  string // the label of what was chosen here
	Change  string // the address for choosing again
	Open    bool   // this is the level to choose from next
	Small   bool   // so few that all stay in sight after one is chosen
	Ask     string // the question here, or "" if the game does not say
}

// fewest is how many options stay in sight after one is chosen.
const fewest = 4

type pickOption struct {
	turn.Option
	Href     string
	Selected bool
}

// choose follows what the reader has chosen and lists, level by level, what else they could choose.
func (v tablePages) choose(g *gamePage, try trying) (turn.Choice, *domain.Refusal, error) {
	m := g.M
	if m.Decision == nil {
		return turn.Choice{}, nil, nil
	}
	g.Typed = try.typed
	keys := try.keys
	if try.typed != "" {
		move, err := v.parsed(m, try)
		if err != nil {
			r, ok := domain.AsRefusal(err)
			if !ok {
				r = domain.Refuse("no-move")
			}
			v.write = m.Example()
			return m.Choose(nil), r, nil
		}
		found := false
		if keys, found = m.KeysOf(move); !found {
			if r, err := v.judged(m, move); r != nil || err != nil {
				if !m.Wants(move) {
					v.write = m.Example()
				}
				return m.Choose(nil), r, err
			}
			c := m.Open(move)
			g.Ready, g.Back = &c, g.Self
			return c, nil, nil
		}
	}
	for _, c := range m.Chains {
		if try.chain != "" && c.Plays() == try.chain {
			g.Ready, g.Back = &turn.Choice{Notation: c.Plays(), Label: c.Title}, g.Self
			return turn.Choice{}, nil, nil
		}
	}
	if try.hint && len(keys) == 0 {
		keys = m.Hint()
	}
	chosen := m.Choose(keys)
	g.Pressed = chosen.Keys
	choice, fills := m.Fill(keys)
	if fills {
		g.fill(choice, m.Choose(nil).Ask)
	} else {
		choice = preset(m, chosen)
		g.levels(m, choice, len(chosen.Keys))
	}
	if choice.Move != nil {
		g.Ready = &choice
		if points, ok := m.Brings(choice.Move); ok && points > 0 {
			g.Brings = v.T("page.ready.brings", "n", points)
		}
	}
	g.flatten(m, chosen)
	for _, o := range m.Ahead(choice) {
		g.Ahead = append(g.Ahead, pickOption{Option: o.Option, Href: g.with(o.Keys)})
	}
	g.sortOut()
	return choice, nil, nil
}

// fill asks where a payment comes from or where goods go; every press is one step.
func (g *gamePage) fill(c turn.Choice, ask string) {
	if n := len(c.Pressed); n > 0 {
		g.Back = g.with(c.Pressed[:n-1])
	}
	p := pick{Open: true, Ask: ask}
	for _, o := range g.M.Others(c) {
		p.Options = append(p.Options, pickOption{Option: o.Option, Href: g.with(o.Keys)})
	}
	g.Picks = []pick{p}
}

// levels lists what was and what can be chosen, level by level; of the keys of a choice the first are the reader's own.
func (g *gamePage) levels(m *turn.Model, choice turn.Choice, own int) {
	for d := 0; d <= len(choice.Keys); d++ {
		if p, ok := g.level(m, choice, d); ok {
			p.Small = p.Small || d >= own // what was preset and not chosen can be changed in place
			g.Picks = append(g.Picks, p)
			if !p.Open && !p.Small {
				g.Back = p.Change
			}
		}
	}
}

// flatten makes one list of a few moves that would otherwise take several steps, such as which cards to give back.
func (g *gamePage) flatten(m *turn.Model, c turn.Choice) {
	p := g.Open()
	if p == nil || len(c.Keys) > 0 || m.Legal() > mostFlat {
		return
	}
	list, counts := m.From(""), false
	for _, move := range list {
		counts = counts || slices.ContainsFunc(move.Path, func(o turn.Option) bool { return o.None })
		last := move.Path[len(move.Path)-1]
		if len(move.Path) == 1 || last.Plays == "" || slices.ContainsFunc(move.Path, onBoard) {
			return
		}
	}
	if !counts {
		return
	}
	p.Options = nil
	for _, move := range list {
		o := turn.Option{Label: move.Label(), Plays: move.Notation}
		p.Options = append(p.Options, pickOption{Option: o, Href: g.with(move.Keys())})
	}
}

// mostFlat is how many moves may be in one list instead of several steps: all pairs of five kinds of card.
const mostFlat = 15

// sortOut sets apart what the bar plays.
func (g *gamePage) sortOut() {
	p := g.Open()
	if p == nil {
		return
	}
	if len(g.Picks) == 1 {
		g.Ends = g.M.Chains
	}
	g.orders(p)
	p.Options = slices.DeleteFunc(p.Options, func(o pickOption) bool {
		switch {
		case o.Out && g.spared(o):
		case o.Out:
			g.Out = append(g.Out, o)
		case o.Main && o.Spot == "":
			g.Once = append(g.Once, o)
		}
		return o.Out || o.Main && o.Spot == ""
	})
}

// headline returns what the page says first: the open question, or who won.
func (v tablePages) headline(g *gamePage) string {
	switch {
	case g.AtEnd() && len(g.M.Result) > 0:
		return g.M.Result[0]
	case g.M.Decision == nil || g.M.Proposal != nil && g.M.Proposal.MayAgree:
	case g.Open() != nil && g.Open().Ask != "":
		return g.Open().Ask
	case g.Ready != nil:
		return v.T("page.ready")
	}
	return g.M.Sentence
}

func onBoard(o turn.Option) bool { return o.Spot != "" }

// places reports whether options lie on the board, not all in the same place.
func places(options []turn.Option) bool {
	at := slices.IndexFunc(options, onBoard)
	return at >= 0 && (at+1 == len(options) ||
		slices.ContainsFunc(options[at+1:], func(o turn.Option) bool { return o.Spot != options[at].Spot }))
}

// preset takes what the game says is chosen by itself (a card's site, no follower), and the first of a level that is
// neither the first nor the last and whose options have no places of their own on the board (how to turn a tile). The
// page shows it and lets the reader change it, which saves a tap.
func preset(m *turn.Model, c turn.Choice) turn.Choice {
	for c.Move == nil && len(c.Options) > 0 {
		first := slices.MaxFunc(c.Options, func(a, b turn.Option) int { return a.Preset - b.Preset })
		sure := first.Preset > 0 && (len(c.Keys) > 0 ||
			!slices.ContainsFunc(c.Options, func(o turn.Option) bool { return o.Preset == 0 }))
		if !sure && (len(c.Keys) == 0 || places(c.Options)) {
			return c
		}
		next := m.Choose(append(c.Keys[:len(c.Keys):len(c.Keys)], first.Key))
		if len(next.Keys) <= len(c.Keys) || next.Move != nil && !sure && !onBoard(first) {
			// what is turned on the board can be seen there
			return c
		}
		c = next
	}
	return c
}

// level lists what can be chosen after the first d steps of a choice; ok is false if there was nothing to choose.
func (g *gamePage) level(m *turn.Model, c turn.Choice, d int) (p pick, ok bool) {
	at := m.Choose(c.Keys[:d])
	at.Options = unlike(at.Options, c.Keys[d:])
	if len(at.Keys) != d || len(at.Options) == 0 {
		return p, false
	}
	p.Open, p.Ask = d == len(c.Keys), at.Ask
	p.Small = d > 0 && len(at.Options) <= fewest
	for _, o := range at.Options {
		po := pickOption{Option: o, Href: g.with(append(c.Keys[:d:d], o.Key))}
		if !p.Open && o.Key == c.Keys[d] {
			po.Selected, p.Chosen = true, o.Whole()
		}
		p.Options = append(p.Options, po)
	}
	p.Change = g.with(c.Keys[:d])
	return p, true
}

// unlike leaves out options that look like another, and keeps one of each look: the chosen one, or the first.
func unlike(list []turn.Option, chosen []string) []turn.Option {
	var own turn.Option
	if len(chosen) > 0 {
		if i := slices.IndexFunc(list, func(o turn.Option) bool { return o.Key == chosen[0] }); i >= 0 {
			own = list[i]
		}
	}
	out := slices.DeleteFunc(slices.Clone(list), func(o turn.Option) bool {
		return o.Key != own.Key && (o.Like != "" || o.Key == own.Like)
	})
	if len(out) == 1 && len(list) > 1 { // all of them look alike: there is nothing to choose
		return nil
	}
	return out
}

// parsed parses what a reader typed, or what a form made of their input.
func (v tablePages) parsed(m *turn.Model, try trying) (domain.Move, error) {
	if !try.form {
		return m.Parse(try.typed)
	}
	rb, _ := v.Rulebook(m.Rulebook)
	return rb.ParseMove(try.typed, nil)
}

// judged returns why a move that is in no list cannot be made, as far as its player may know.
func (v tablePages) judged(m *turn.Model, move domain.Move) (*domain.Refusal, error) {
	look, err := v.Look()
	if err != nil || look.LineName != m.Line || look.LineHead.Version != m.Version {
		return nil, err // it belongs to another version, and is judged when it is sent
	}
	_, _, err = look.Line.Dealt(m.Decision.Seat).Decide(m.Decision.Seat, move)
	if r, ok := domain.AsRefusal(err); ok {
		return r, nil
	}
	return nil, err
}
