package state

import (
	"posthorn/domain"
	"posthorn/domain/carcassonne/table"
)

// OrderSays puts the entries of an order of scoring into words.
func OrderSays(x, y int16, o Order) (says []domain.Say) {
	for _, code := range o.All() {
		k, edge, dx, dy := OrderNamed(code)
		if k.Shrine() {
			says = append(says, domain.S("order."+k.String(), "x", int(x+dx), "y", int(y+dy)))
		} else {
			says = append(says, PlaceSay(table.Place{Kind: k, At: edge}))
		}
	}
	return says
}

// FeatureSay names a feature with its size: "city of 3 tiles and 1 pennant".
func FeatureSay(x *Score) domain.Say {
	tiles := domain.S("of-tiles", "n", x.Tiles)
	switch x.What {
	case table.City:
		if x.Pennants > 0 {
			return domain.S("feature.city-pennants", "tiles", tiles, "pennants", domain.S("pennants", "n", x.Pennants))
		}
	case table.Field:
		if x.Cities == 0 {
			return domain.S("feature.field-none")
		}
		return domain.S("feature.field", "n", x.Cities)
	case table.Cloister, table.Garden:
		return domain.S("feature."+x.What.String(), "n", x.Tiles-1)
	case table.Figure:
		return domain.S("feature.follower", "n", len(x.Figures))
	}
	return domain.S("feature."+x.What.String(), "tiles", tiles)
}

// PlaceSay names a part of a tile: "road (north)".
func PlaceSay(p table.Place) domain.Say {
	if side := p.Side(); side != "" {
		return domain.S("place."+p.Kind.String(), "at_word", SideKey(side))
	}
	return domain.S("place." + p.Kind.String())
}

// SideKey is the word for a side of a tile, which the notation writes N, or Ne for half of one: the letters are
// English, and in other languages some of them mean another side.
func SideKey(notation string) string { return "side." + notation }

// ColourSay names a colour of a solo game.
func ColourSay(o Owner) domain.Say { return domain.S("colour." + o.Seat().Letter()) }

// OwnerSay names an owner: a player, or a colour.
func OwnerSay(o Owner, solo bool) any {
	if solo {
		return ColourSay(o)
	}
	return o.Seat()
}
