package notation

import (
	"strings"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// described are the words by which people say how a tile lies: its cities and roads, and the sides to which they lead.
var described = typed.Words("described")

// Described implements [domain.Extras.Described] for a tile that gets no follower: "1,-2 city south and west, nobody".
// A city or road is said with all its sides, or all of them together: of a tile that can lie in two such ways either is
// meant.
func (Room) Described(s *state.State, text string) (fit, others []state.Move) {
	r := reader{words: strings.Fields(domain.Fold(signs.Replace(text)))}
	x, y, ok := r.place()
	parts, nobody := r.lies()
	if !ok || !nobody || len(parts) == 0 {
		return nil, nil
	}
	for quarter := range uint8(4) {
		m := state.Move{X: x, Y: y, Quarter: quarter}
		if others = append(others, m); lies(s.Current.Tile(), quarter, parts) {
			fit = append(fit, m)
		}
	}
	return fit, others
}

// lying is a kind of part with the sides that it leads to, one bit each from N.
type lying struct {
	kind  string
	sides uint8
}

func meaning(word string) string { return described[strings.Trim(word, ".!:")] }

// lies reads how a tile lies and that nobody stands on it; it returns no parts if there is any other word.
func (r *reader) lies() (parts []lying, nobody bool) {
	for len(r.words) > 0 {
		switch is := meaning(r.take()); is {
		case "and":
		case "no", "nobody":
			if is == "no" && meaning(r.take()) != "follower" {
				return nil, false
			}
			nobody = true
		case "city", "road":
			parts = append(parts, lying{kind: is})
		case "north", "east", "south", "west":
			if len(parts) == 0 {
				return nil, false
			}
			parts[len(parts)-1].sides |= 1 << strings.Index("nesw", is[:1])
		default:
			return nil, false
		}
	}
	return parts, nobody
}

// lies reports whether a tile that is turned has all these parts.
func lies(t *table.Tile, quarter uint8, parts []lying) bool {
	for _, said := range parts {
		all, one := uint8(0), false
		for _, p := range t.Parts {
			if p.Kind.String() != said.kind {
				continue
			}
			sides := uint8(0)
			for _, e := range p.At {
				sides |= 1 << ((e + quarter) % 4)
			}
			all, one = all|sides, one || sides == said.sides
		}
		if !one && all != said.sides || said.sides == 0 {
			return false
		}
	}
	return true
}
