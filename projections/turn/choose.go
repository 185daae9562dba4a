package turn

import (
	"fmt"
	"slices"
	"strings"

	"posthorn/domain"
)

// move is a legal move with the steps that lead to it.
type move struct {
	move     domain.Move
	notation string // with letters, canonical
	steps    []domain.Step
}

// choices lists the legal moves of the model's seat.
func (mod *Model) choices(line *domain.Line) {
	for m := range mod.rulebook.Legal(line.State, mod.Seat) {
		mod.moves = append(mod.moves, move{move: m, notation: mod.rulebook.FormatMove(m, nil), steps: mod.rulebook.Steps(line.State, m)})
	}
	mod.Forms = mod.rulebook.Forms(line.State, mod.Seat)
}

// Option is one next choice.
type Option struct {
	Key    string
	Label  string
	Spot   string
	Number string // the number it bears on the board and for the keyboard
	Count  int    // how many moves it leads to
}

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

// Choose goes along the keys of steps chosen so far. Keys that lead nowhere are left out
// from the first wrong one on. Where only one choice is left, it is taken by itself.
func (mod *Model) Choose(keys []string) Choice {
	var c Choice
	left := mod.moves
	for depth := 0; ; depth++ {
		next := nextSteps(left, depth)
		if len(next) == 0 {
			break
		}
		var pick *domain.Step
		switch {
		case depth < len(keys):
			for i := range next {
				if next[i].Key == keys[depth] {
					pick = &next[i]
				}
			}
		case len(next) == 1 && depth > 0:
			pick = &next[0]
		}
		if pick == nil {
			c.Options, c.Ask = mod.options(left, next, depth), mod.printer.Say(next[0].Ask)
			return c
		}
		c.Chosen = append(c.Chosen, mod.option(*pick, 0))
		c.Keys = append(c.Keys, pick.Key)
		left = slices.DeleteFunc(slices.Clone(left), func(m move) bool {
			return len(m.steps) <= depth || m.steps[depth].Key != pick.Key
		})
	}
	for _, m := range left {
		if len(m.steps) == len(c.Keys) {
			c.Move, c.Notation, c.Label = m.move, m.notation, mod.label(m.steps)
		}
	}
	return c
}

func nextSteps(moves []move, depth int) []domain.Step {
	var next []domain.Step
	seen := map[string]bool{}
	for _, m := range moves {
		if len(m.steps) > depth && !seen[m.steps[depth].Key] {
			seen[m.steps[depth].Key] = true
			next = append(next, m.steps[depth])
		}
	}
	return next
}

func (mod *Model) option(s domain.Step, count int) Option {
	return Option{Key: s.Key, Label: mod.printer.Say(s.Label), Spot: s.Spot, Count: count}
}

func (mod *Model) options(moves []move, next []domain.Step, depth int) []Option {
	out := make([]Option, len(next))
	for i, s := range next {
		out[i] = mod.option(s, 0)
		out[i].Number = fmt.Sprint(i + 1)
		for _, m := range moves {
			if len(m.steps) > depth && m.steps[depth].Key == s.Key {
				out[i].Count++
			}
		}
	}
	return out
}

func (mod *Model) label(steps []domain.Step) string {
	parts := make([]string, len(steps))
	for i, s := range steps {
		parts[i] = mod.printer.Say(s.Label)
	}
	return strings.Join(parts, ", ")
}

// HasBoard tells whether there is anything to draw yet.
func (mod *Model) HasBoard() bool { return mod.view != nil }

// View is what the viewer may know of the state, for encoding/json.
func (mod *Model) View() domain.View { return mod.view }

// Group is a first choice with the moves it leads to, as a mail lists them.
type Group struct {
	Option
	Moves []Numbered
}

// Numbered is a move with the number it has in a mail: "3", or "3b" where place 3 leads to
// several.
type Numbered struct {
	Number   string
	Notation string
	Label    string   // what distinguishes it within its group, or the whole move
	Steps    []string // the labels of its steps
	Keys     []string // of its steps
	Move     domain.Move
}

// Groups lists all legal moves by their first choice, numbered as on the board.
func (mod *Model) Groups() []Group {
	var out []Group
	first := mod.options(mod.moves, nextSteps(mod.moves, 0), 0)
	for _, o := range first {
		g := Group{Option: o}
		for _, m := range mod.moves {
			if len(m.steps) == 0 || m.steps[0].Key != o.Key {
				continue
			}
			n := Numbered{Number: o.Number, Notation: m.notation, Label: mod.label(m.steps), Move: m.move}
			if o.Count > 1 {
				n.Number += suffix(len(g.Moves))
				n.Label = mod.label(m.steps[1:])
			}
			for _, s := range m.steps {
				n.Keys = append(n.Keys, s.Key)
				n.Steps = append(n.Steps, mod.printer.Say(s.Label))
			}
			g.Moves = append(g.Moves, n)
		}
		out = append(out, g)
	}
	return out
}

// suffix counts a, b, …, z, aa, ab, …
func suffix(i int) string {
	s := ""
	for i++; i > 0; i = (i - 1) / 26 {
		s = string(rune('a'+(i-1)%26)) + s
	}
	return s
}

// Legal tells how many moves there are.
func (mod *Model) Legal() int { return len(mod.moves) }

// Parse reads a move as a person types it: a number of this model, or notation with names.
func (mod *Model) Parse(text string) (domain.Move, error) {
	want := strings.ToLower(strings.Join(strings.Fields(text), ""))
	for _, g := range mod.Groups() {
		for _, m := range g.Moves {
			if m.Number == want {
				return m.Move, nil
			}
		}
	}
	names := make([]string, len(mod.Players))
	for i, p := range mod.Players {
		names[i] = p.Name
	}
	return mod.rulebook.ParseMove(text, names)
}

// Refusal says why something was refused, in the asker's language.
func (mod *Model) Refusal(r *domain.Refusal) string { return mod.printer.Say(r.Say()) }

// Say is something said in the game's words.
func (mod *Model) Say(s domain.Say) string { return mod.printer.Say(s) }

// Text is a sentence about this table.
func (mod *Model) Text(key string, pairs ...any) string { return mod.printer.Text(key, pairs...) }

// Lang is the asker's language.
func (mod *Model) Lang() string { return mod.printer.Lang() }
