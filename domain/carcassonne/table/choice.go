package table

// Choice is the second step of a turn: nobody, a follower or abbot on a place, a recall.
type Choice uint8

// The choices that are no place of a road, city or field.
const (
	Nobody Choice = 0

	onRoad  Choice = 1  // and the edge
	onCity  Choice = 5  // and the edge
	onField Choice = 9  // and the half-edge
	onRiver Choice = 17 // and the edge: never legal, but it can be said

	OnCloister      Choice = 21
	OnGarden        Choice = 22 // never legal: a follower may not, only the abbot (point 35)
	AbbotOnCloister Choice = 23
	AbbotOnGarden   Choice = 24
	Recall          Choice = 25
)

// Put is the choice of a figure on a place.
func Put(abbot bool, p Place) Choice {
	switch p.Kind {
	case Road:
		return onRoad + Choice(p.At)
	case City:
		return onCity + Choice(p.At)
	case Field:
		return onField + Choice(p.At)
	case River:
		return onRiver + Choice(p.At)
	case Cloister:
		if abbot {
			return AbbotOnCloister
		}
		return OnCloister
	case Garden:
		if abbot {
			return AbbotOnGarden
		}
		return OnGarden
	}
	return Nobody
}

// Shrine tells whether the choice puts a figure in a cloister or garden.
func (c Choice) Shrine() bool { return c >= OnCloister && c <= AbbotOnGarden }

// Place is where the choice puts a figure, and whether it is the abbot; ok is false for
// nobody and a recall.
func (c Choice) Place() (p Place, abbot, ok bool) {
	switch {
	case c == AbbotOnCloister || c == OnCloister:
		return Place{Kind: Cloister}, c == AbbotOnCloister, true
	case c == AbbotOnGarden || c == OnGarden:
		return Place{Kind: Garden}, c == AbbotOnGarden, true
	case c >= onRoad && c < onCity:
		return Place{Road, uint8(c - onRoad)}, false, true
	case c >= onCity && c < onField:
		return Place{City, uint8(c - onCity)}, false, true
	case c >= onField && c < onRiver:
		return Place{Field, uint8(c - onField)}, false, true
	case c >= onRiver && c < OnCloister:
		return Place{River, uint8(c - onRiver)}, false, true
	}
	return Place{}, false, false
}
