package notation

import (
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// described are the words by which people say how a tile lies and who stands on it: its parts, the sides to which they
// lead, the figures.
var described = typed.Words("described")

// Described implements [domain.Extras.Described]: "1,-2 city south and west, nobody", "0,1 90 knight on the left". A
// city or road is best said with all its sides, or all of them together: of tiles that can lie in two such ways either
// is meant. Only if there is none, one that also leads elsewhere is meant, too.
func (Room) Described(s *state.State, text string) (fit, others []state.Move) {
	r := reader{words: strings.Fields(domain.Fold(signs.Replace(text)))}
	x, y, ok := r.place()
	d, read := r.describes()
	if !ok || !read || s.Current == table.NoTile {
		return nil, nil
	}
	var almost []state.Move
	for quarter := range uint8(4) {
		if d.turned && d.quarter != quarter {
			continue
		}
		exact, touches := lies(s.Current.Tile(), quarter, d.parts)
		for _, f := range d.figures(s.Current, quarter) {
			m := state.Move{X: x, Y: y, Quarter: quarter, Follower: f.choice}
			others = append(others, m)
			switch {
			case f.sides&d.at != d.at:
			case exact:
				fit = append(fit, m)
			case touches:
				almost = append(almost, m)
			}
		}
	}
	if len(fit) == 0 {
		fit = almost
	}
	return fit, others
}

// description is what a text says of a tile that is placed.
type description struct {
	turned  bool // it says how far
	quarter uint8
	parts   []lying
	who     string // "nobody", a figure, "follower" for any; "" for nothing said
	at      uint8  // sides of the part on which it stands
}

// lying is a kind of part with the sides that it leads to, one bit each from N.
type lying struct {
	kind  string
	sides uint8
}

// goes says what part each figure goes to; "" for any.
var goes = map[string]string{"thief": "road", "knight": "city", "farmer": "field", "monk": "cloister", "follower": ""}

func figured(word string) bool {
	_, ok := goes[word]
	return ok
}

// describes reads how a tile lies and who stands on it; ok is false if there is any other word, or if either is not
// said.
func (r *reader) describes() (d description, ok bool) {
	before, sides := uint8(0), (*uint8)(nil) // sides that are said before their part; where those behind one belong
	for len(r.words) > 0 {
		w := strings.Trim(r.take(), ".!:")
		switch is := described[w]; is {
		case "and":
		case "no", "nobody", "thief", "knight", "farmer", "monk", "follower":
			if next := described[r.peek()]; is == "no" && (next == "nobody" || figured(next)) {
				r.take()
				is = "nobody"
			}
			if d.who != "" || is == "no" {
				return d, false
			}
			d.who, sides = is, &d.at
		case "city", "road", "field", "cloister", "garden":
			part, figure := goes[d.who], figured(d.who)
			if on := figure && sides == &d.at && (part == is || part == ""); on && part == "" {
				d.who, sides = "on "+is, &d.at
			} else if !on {
				d.parts = append(d.parts, lying{is, before})
				sides, before = &d.parts[len(d.parts)-1].sides, 0
			}
		case "north", "east", "south", "west":
			side := uint8(1) << strings.Index("nesw", is[:1])
			if sides == nil {
				before |= side
			} else {
				*sides |= side
			}
		default:
			n, err := strconv.Atoi(w)
			if err != nil || d.turned || n%90 != 0 || n < 0 || n > 270 {
				return d, false
			}
			d.turned, d.quarter = true, uint8(n/90)
		}
	}
	said := d.at != 0
	for _, p := range d.parts {
		said = said || p.sides != 0
	}
	return d, d.who != "" && said && before == 0 && !(d.who == "nobody" && d.at != 0)
}

// figure is a figure that may be placed, with the sides of the part on which it then stands.
type figure struct {
	choice table.Choice
	sides  uint8
}

// figures returns those that a description means on a tile that is turned.
func (d *description) figures(id table.TileID, quarter uint8) (all []figure) {
	if d.who == "nobody" {
		return []figure{{table.Nobody, 0}}
	}
	t, kind := id.Tile(), goes[d.who]
	if on, ok := strings.CutPrefix(d.who, "on "); ok {
		kind = on
	}
	for i, p := range t.Parts {
		if p.Kind != table.River && (kind == "" || kind == p.Kind.String()) {
			all = append(all, figure{table.Shapes[id].Turned[quarter].Choice[i], sidesOf(p, quarter)})
		}
	}
	if t.Shrine == table.Cloister && (kind == "" || kind == "cloister") {
		all = append(all, figure{table.OnCloister, 0})
	}
	return all
}

// sidesOf returns the sides to which a part leads on a tile that is turned.
func sidesOf(p table.Part, quarter uint8) (sides uint8) {
	for _, at := range p.At {
		if p.Kind == table.Field {
			at /= 2 // of its half-edges
		}
		sides |= 1 << ((at + quarter) % 4)
	}
	return sides
}

// lies reports whether a tile that is turned has all these parts: exactly so, or with further sides.
func lies(t *table.Tile, quarter uint8, parts []lying) (exact, touches bool) {
	exact, touches = true, true
	for _, said := range parts {
		all, one, some, has := uint8(0), false, false, t.Shrine.String() == said.kind
		for _, p := range t.Parts {
			if p.Kind.String() != said.kind {
				continue
			}
			sides := sidesOf(p, quarter)
			all, one, some, has = all|sides, one || sides == said.sides, some || sides&said.sides == said.sides, true
		}
		exact = exact && has && (one || all == said.sides || said.sides == 0)
		touches = touches && has && some
	}
	return exact, touches
}
