package show

import (
	"strings"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// Tell puts an event into sentences: what was placed, each score with its causes, what was drawn, and how the game
// ended.
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
	args := []any{"who", who, "where", offSay(b.X, b.Y)}
	key := "tell.placed"
	if f := b.Placed; f != nil {
		if f.Abbot {
			key += "-abbot"
		}
		key += "-" + f.On.Kind.String()
		if side := f.On.Side(); side != "" {
			args = append(args, "at_word", state.SideKey(side))
		}
	}
	list := []domain.Say{domain.S(key, args...)}
	for i := range b.Scores {
		list = append(list, scoreSay(&b.Scores[i], solo, doneSay(&b.Scores[i])))
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
		list = append(list, scoreSay(&b.Final[i], solo, state.FeatureSay(&b.Final[i])))
	}
	return list
}

// offSay says where a tile lies, counted from the first one. Coordinates belong to the notation.
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
		list = append(list, domain.S("tell.aside", "what", hasSay(id)))
	}
	if next != table.NoTile {
		list = append(list, domain.S("tell.drawn", "who", state.OwnerSay(by, solo), "what", hasSay(next)))
	}
	return list
}

// doneSay says what a score during the game is for: a feature that a tile has completed or, for a recalled abbot, one
// as it stands.
func doneSay(x *state.Score) domain.Say {
	says := state.FeatureSay(x)
	if !x.Recalled {
		says.Key = strings.Replace(says.Key, "feature.", "done.", 1)
	}
	return says
}

// scoreSay tells a score as a person would: "the road of 4 tiles is finished: Ana scores 4". It says who had how many
// figures only if several people had some.
func scoreSay(x *state.Score, solo bool, head domain.Say) domain.Say {
	men := menSays(x, solo)
	key := "tell.score"
	if x.Recalled {
		key = "tell.recall"
	}
	if len(x.Points) == 0 {
		key += "-nobody"
		if solo {
			key += "-lowest"
		} else {
			men = ownersSays(x)
		}
		return domain.S(key, "head", head, "men", men)
	}
	args := []any{"head", head, "paid", paidSay(x, solo)}
	if len(men) > 1 {
		args = append(args, "men", men, "most_word", "most."+x.What.String())
		if key += "-most"; len(x.Points) > 1 {
			key = "tell.score-equal"
		}
	}
	return domain.S(key, args...)
}

// paidSay says who is paid for a feature; each of them gets the same.
func paidSay(x *state.Score, solo bool) domain.Say {
	var who []domain.Say
	for _, a := range x.Points {
		who = append(who, ownerSay(a.Seat, solo))
	}
	key := "paid"
	if len(who) > 1 {
		key = "paid-each"
	}
	return domain.S(key, "who", joined(who), "n", x.Points[0].Points)
}

// menSays counts everybody's figures in a feature, by owner.
func menSays(x *state.Score, solo bool) (list []domain.Say) {
	for o, n := range menOf(x) {
		if n > 0 {
			list = append(list, domain.S("men", "who", state.OwnerSay(state.Owner(o), solo), "n", n))
		}
	}
	return list
}

// ownersSays lists those who have figures in a feature.
func ownersSays(x *state.Score) (list []domain.Say) {
	for o, n := range menOf(x) {
		if n > 0 {
			list = append(list, ownerSay(state.Owner(o), false))
		}
	}
	return list
}

func menOf(x *state.Score) (men [table.MaxOwners]int) {
	for _, f := range x.Figures {
		men[f.Seat]++
	}
	return men
}

func ownerSay(o state.Owner, solo bool) domain.Say {
	return domain.S("who", "who", state.OwnerSay(o, solo))
}

// joined returns a spoken list: "a, b and c".
func joined(list []domain.Say) domain.Say {
	if n := len(list) - 1; n > 0 {
		return domain.S("list", "list", list[:n], "last", list[n])
	}
	return list[0]
}
