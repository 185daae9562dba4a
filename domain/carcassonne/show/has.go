package show

import (
	"posthorn/domain"
	"posthorn/domain/carcassonne/table"
)

// kindSay counts tiles of a kind, in a few words: "3 tiles with a city on one side and a bending road".
func kindSay(id table.TileID, n int) domain.Say {
	return domain.S("board.kind", "n", n, "what", hasSay(id))
}

// hasSay says in a few words what is on a tile, as a person holding it up would: not which way it lies, nor its
// letter, which is the notation's.
func hasSay(id table.TileID) domain.Say {
	var has []domain.Say
	for _, key := range onTile(id) {
		has = append(has, domain.S(key))
	}
	return joined(has)
}

// onTile returns the words for what is on a tile.
func onTile(id table.TileID) (has []string) {
	t := id.Tile()
	var cities, roads, rivers []*table.Part
	for i := range t.Parts {
		switch p := &t.Parts[i]; p.Kind {
		case table.City:
			cities = append(cities, p)
		case table.Road:
			roads = append(roads, p)
		case table.River:
			rivers = append(rivers, p)
		}
	}
	add := func(key string) { has = append(has, "has."+key) }
	if len(cities) > 0 {
		add(cityKey(cities))
	}
	if t.Shrine == table.Cloister {
		add("cloister")
	}
	if len(roads) > 0 {
		add(roadKey(roads))
	}
	switch {
	case t.Set == table.Spring:
		add("spring")
	case t.Set == table.Lake:
		add("lake")
	case len(rivers) > 0:
		add("river-" + wayKey(rivers[0].At))
	}
	if t.Shrine == table.Garden {
		add("garden")
	}
	return has
}

func cityKey(cities []*table.Part) string {
	if len(cities) > 1 {
		return "city-two"
	}
	at, key := cities[0].At, ""
	switch {
	case len(at) == 1:
		key = "city-side"
	case len(at) == 3:
		key = "city-three"
	case len(at) == 4:
		key = "city-four"
	case wayKey(at) == "straight":
		key = "city-across"
	default:
		key = "city-corner"
	}
	if cities[0].Pennant {
		key += "-pennant"
	}
	return key
}

func roadKey(roads []*table.Part) string {
	switch {
	case len(roads) > 3:
		return "road-crossing"
	case len(roads) > 1:
		return "road-junction"
	case len(roads[0].At) == 1:
		return "road-end"
	}
	return "road-" + wayKey(roads[0].At)
}

// wayKey distinguishes a way between opposite edges from one that bends.
func wayKey(at []uint8) string {
	if (at[0]+at[1])%2 == 0 {
		return "straight"
	}
	return "bend"
}
