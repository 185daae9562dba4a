package show

import (
	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// Tell says an event in sentences: what was placed, each score with its causes, what was
// drawn, and how the game ended.
func (Room) Tell(e *domain.Event, _ *state.View) []domain.Say {
	switch b := e.Body.(type) {
	case *state.SetUp:
		return tellSetUp(&b.View)
	case *state.Played:
		return tellPlayed(b)
	}
	return nil
}

func tellSetUp(v *state.View) []domain.Say {
	list := []domain.Say{domain.S("tell.set-up", "tiles", domain.S("tiles", "n", len(v.Tiles)))}
	return append(list, tellDrawn(v.SetAside, v.Tile, v.ToMove, len(v.Piles) > 0)...)
}

func tellPlayed(b *state.Played) []domain.Say {
	solo := len(b.Piles) > 0
	who := state.OwnerSay(b.By, solo)
	args := []any{"who", who, "tile", b.Tile.String(), "where", offSay(b.X, b.Y)}
	key := "tell.placed"
	if f := b.Placed; f != nil {
		key, args = "tell.placed-abbot", append(args, "on", state.PlaceSay(f.On))
		if !f.Abbot {
			key, args = "tell.placed-figure", append(args, "figure_word", "figure."+f.On.Kind.String())
		}
	}
	list := []domain.Say{domain.S(key, args...)}
	for i := range b.Scores {
		list = append(list, scoreSay(&b.Scores[i], solo))
	}
	if b.Stopped {
		list = append(list, domain.S("tell.stopped", "who", who))
	}
	list = append(list, tellDrawn(b.SetOff, b.Next, b.NextBy, solo)...)
	if !b.Over() {
		return list
	}
	list = append(list, domain.S("tell.over"))
	for i := range b.Final {
		list = append(list, scoreSay(&b.Final[i], solo))
	}
	return list
}

// offSay is where a tile lies, counted from the first one: coordinates are the notation's.
func offSay(x, y int) domain.Say {
	var way []domain.Say
	for _, w := range []struct {
		key string
		n   int
	}{{"off.east", x}, {"off.west", -x}, {"off.south", y}, {"off.north", -y}} {
		if w.n > 0 {
			way = append(way, domain.S(w.key, "n", w.n))
		}
	}
	switch len(way) {
	case 0:
		return domain.S("off.none")
	case 1:
		return domain.S("off.one", "a", way[0])
	}
	return domain.S("off.two", "a", way[0], "b", way[1])
}

func tellDrawn(aside []table.TileID, next table.TileID, by state.Owner, solo bool) []domain.Say {
	var list []domain.Say
	for _, id := range aside {
		list = append(list, domain.S("tell.aside", "tile", id.String()))
	}
	if next != table.NoTile {
		list = append(list, domain.S("tell.drawn", "who", state.OwnerSay(by, solo), "tile", next.String()))
	}
	return list
}

// scoreSay is a score with its causes: "road of 4 tiles, Ana 2 thieves, Jo 1: Ana 4".
func scoreSay(x *state.Score, solo bool) domain.Say {
	men := menSays(x, solo)
	key := "tell.score"
	if x.Recalled {
		key = "tell.recall"
	}
	if len(x.Points) == 0 {
		key += "-nobody"
		if solo {
			key += "-lowest"
		}
		return domain.S(key, "feature", state.FeatureSay(x), "men", men)
	}
	var paid []domain.Say
	for _, a := range x.Points {
		paid = append(paid, domain.S("paid", "who", state.OwnerSay(a.Seat, solo), "points", a.Points))
	}
	return domain.S(key, "feature", state.FeatureSay(x), "men", men, "paid", paid)
}

// menSays counts everybody's figures in a feature, by owner.
func menSays(x *state.Score, solo bool) (list []domain.Say) {
	var men [table.MaxOwners]int
	abbot := false
	for _, f := range x.Figures {
		men[f.Seat]++
		abbot = abbot || f.Abbot
	}
	word := x.What.String()
	if abbot && x.What != table.Figure {
		word = "abbot"
	}
	for o, n := range men {
		if n > 0 {
			list = append(list, domain.S("men."+word, "who", state.OwnerSay(state.Owner(o), solo), "n", n))
		}
	}
	return list
}
