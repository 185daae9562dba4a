package turn

import (
	"strings"

	"posthorn/domain"
)

// Letters is the board in characters with the numbers of the choices open at c, the same as
// in [Model.Scene], where the rulebook can write them; otherwise the plain one.
func (mod *Model) Letters(c Choice) string {
	l, can := mod.rulebook.(domain.Lettered)
	if !can || mod.view == nil {
		return mod.Board
	}
	return l.Letters(mod.view, mod.sketch(c, false))
}

// Situation is Lines without the helps that may be left out ("board.aid…") and without
// what is only about the board of characters (see Legend).
func (mod *Model) Situation() []string {
	return mod.linesWhere(func(key string) bool { return !strings.HasPrefix(key, "board.aid") && !aboutLetters(key) })
}

// Legend explains the board of characters, where the rulebook does.
func (mod *Model) Legend() []string { return mod.linesWhere(aboutLetters) }

func aboutLetters(key string) bool { return key == "board.legend" || key == "board.cut" }

func (mod *Model) linesWhere(want func(key string) bool) []string {
	var out []string
	for i, s := range mod.says {
		if want(s.Key) {
			out = append(out, mod.Lines[i])
		}
	}
	return out
}

// sketch is what has been chosen and what can be chosen next.
func (mod *Model) sketch(c Choice, aids bool) domain.Sketch {
	sketch := domain.Sketch{Chosen: c.Keys, Aids: aids, Last: mod.marks}
	for _, o := range c.Options {
		if o.Spot != "" {
			sketch.Open = append(sketch.Open, domain.Spot{Key: o.Key, Spot: o.Spot, Number: o.Number})
		}
	}
	return sketch
}
