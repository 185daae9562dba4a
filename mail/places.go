package mail

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"

	"posthorn/domain"
	"posthorn/projections/turn"
)

// place is a first choice and the moves it leads to, as a mail lists them.
type place struct {
	Name, Label, URL string
	Ways             []way
}

// way is a second choice that several moves share, or none (an empty Label).
type way struct {
	Label string
	Moves []link
}

// Column returns the width of the names of places in the text part, so that all labels begin in one column.
func (c content) Column() int {
	width := 5
	for _, p := range c.Places {
		width = max(width, uniseg.StringWidth(p.Name))
	}
	for _, b := range c.Best {
		if b.Label != "" {
			width = max(width, uniseg.StringWidth(b.Name))
		}
	}
	return width
}

// Line returns a way in one line of text.
func (w way) Line() string {
	var all []string
	for _, m := range w.Moves {
		all = append(all, m.Label)
	}
	line := strings.Join(all, ", ")
	if len(all) > 1 && strings.Contains(all[0], ", ") { // labels with commas of their own are separated by semicolons
		line = strings.Join(all, "; ")
	}
	if w.Label != "" {
		line = w.Label + ": " + line
	}
	return line
}

// Bounds on what a mail lists; the rest is on the page. A link takes about 200 octets, and the HTML part may take 60
// kB.
const (
	screenful  = 40 // moves: of more, only the best by the stand-in's estimate
	mostPlaces = 48
	mostMoves  = 320
	mostLinks  = 160
)

// placesOf lists moves by place. more reports that there was no room for all of them.
func placesOf(groups []turn.Group, legal int, url func(keys ...string) string) (places []place, more bool) {
	links := len(groups) + legal
	moves := 0
	for _, g := range groups {
		moves += len(g.Moves)
		if len(places) == mostPlaces || moves > mostMoves {
			return places, true
		}
		p := place{Name: g.Name, Label: g.Text(), URL: url(g.Key)}
		if len(g.Moves) == 1 {
			p.URL = url(g.Moves[0].Keys()...)
			if rest := g.Moves[0].Path[1:]; len(rest) > 0 && rest[0].Place && rest[0].Where != "" {
				// its number alone would look like one more of the things around the place
				p.Label += "; " + strings.ReplaceAll(rest[0].Label, " ", "\u00a0") + "\u00a0(" + rest[0].Where + ")"
				if more := short(rest[1:], g.Moves); more != "" {
					p.Label += ", " + more
				}
			} else if slices.ContainsFunc(rest, func(o turn.Option) bool { return o.Place }) {
				p.Label += ", " + short(rest, g.Moves)
			} else if len(rest) > 0 {
				// people type the letters one after the other, so they stand together before the words
				p.Name = g.Moves[0].Name
				for _, o := range rest {
					p.Label += ", " + o.Label
				}
			}
		} else if !slices.ContainsFunc(g.Moves, func(m turn.Named) bool { return len(m.Path) > mostSteps }) {
			p.Ways = ways(g.Moves, func(keys ...string) string {
				if links > mostLinks {
					return ""
				}
				return url(keys...)
			})
		}
		places = append(places, p)
	}
	return places, false
}

// exampleOf returns the text that plays the first of the listed moves that leaves what is offered as it is: nobody
// copies an answer by mistake. The notation is in English; for a mail in another language, it prefers a move whose name
// contains no word of the notation. A hand of cards is spelled out.
func exampleOf(groups []turn.Group, lang string, quiet func(domain.Move) bool) (first string) {
	for _, g := range groups {
		for _, n := range g.Moves {
			name := cmp.Or(n.Short, n.Name)
			switch {
			case !quiet(n.Move):
				continue
			case n.Whole != "" && !slices.ContainsFunc(n.Path, func(o turn.Option) bool { return o.Place }):
				return n.Label()
			case lang == "en" || !slices.ContainsFunc(n.Path, worded):
				return name
			}
			first = cmp.Or(first, name)
		}
	}
	return first
}

// worded reports whether the notation's name of a place contains a word, as "0 above" does.
func worded(o turn.Option) bool {
	return o.Place && slices.ContainsFunc(strings.Fields(o.Name), func(w string) bool {
		return len(w) > 1 && strings.IndexFunc(w, unicode.IsLetter) == 0
	})
}

// mostSteps is the most choices on the way to a move that a mail spells out. If there are more (how many of each of
// five kinds), the page asks for them one by one.
const mostSteps = 3

func ways(moves []turn.Named, url func(keys ...string) string) []way {
	var out []way
	for _, m := range moves {
		label, rest := "", m.Path[1:]
		if len(rest) > 1 {
			label, rest = said(rest[0], moves), rest[1:]
		}
		// Moves that share a step are listed together, whatever their order.
		i := slices.IndexFunc(out, func(w way) bool { return w.Label == label })
		if i < 0 {
			i, out = len(out), append(out, way{Label: label})
		}
		w := &out[i]
		w.Moves = append(w.Moves, link{short(rest, moves), url(m.Keys()...)})
	}
	return out
}

func short(path []turn.Option, among []turn.Named) string {
	parts := make([]string, len(path))
	for i, o := range path {
		parts[i] = said(o, among)
	}
	return strings.Join(parts, ", ")
}

// said returns a choice on the way to a move. It names a place by what lies there, since a mail's pictures do not show
// the places that are chosen second. The notation's name of a place appears only if words alone could mean another
// place.
func said(o turn.Option, among []turn.Named) string {
	switch {
	case o.Place && o.Where != "":
		return o.Name + "\u00a0(" + o.Where + ")" // the number must not stand alone at the end of a line
	case o.Place && !slices.ContainsFunc(among, func(m turn.Named) bool {
		return slices.ContainsFunc(m.Path, func(p turn.Option) bool { return p.Label == o.Label && p.Name != o.Name })
	}):
		return o.Label
	}
	return o.String()
}
