package table

// Choice is the second step of a turn: nobody, a follower or abbot on a place, a recall.
type Choice uint8

// The choices that are no place of a road, city, field or river.
const (
	Nobody          Choice = 0
	OnCloister      Choice = 21
	OnGarden        Choice = 22 // never legal: a follower may not, only the abbot (point 35)
	AbbotOnCloister Choice = 23
	AbbotOnGarden   Choice = 24
	Recall          Choice = 25
)

// onKind is a follower on the first place of a kind; those on its other edges or half-edges
// follow. One on a river is never legal, but it can be said.
var onKind = [...]Choice{Road: 1, City: 5, Field: 9, River: 17, Cloister: OnCloister, Garden: OnGarden}

// Put is the choice of a figure on a place. An abbot on a road, city or field is a follower.
func Put(abbot bool, p Place) Choice {
	switch {
	case p.Kind < Road || p.Kind > Garden:
		return Nobody
	case abbot && p.Kind.Shrine():
		return onKind[p.Kind] + AbbotOnCloister - OnCloister
	}
	return onKind[p.Kind] + Choice(p.At)
}

// Shrine tells whether the choice puts a figure in a cloister or garden.
func (c Choice) Shrine() bool { return c >= OnCloister && c <= AbbotOnGarden }

// Place is where the choice puts a figure, and whether it is the abbot; ok is false for
// nobody and a recall.
func (c Choice) Place() (p Place, abbot, ok bool) {
	if c == Nobody || c >= Recall {
		return Place{}, false, false
	}
	if abbot = c >= AbbotOnCloister; abbot {
		c -= AbbotOnCloister - OnCloister
	}
	for p.Kind = Garden; c < onKind[p.Kind]; p.Kind-- {
	}
	p.At = uint8(c - onKind[p.Kind])
	return p, abbot, true
}
