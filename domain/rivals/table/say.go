package table

import "posthorn/domain"

func (n *Need) say() domain.Say {
	if n.Row != nil {
		return domain.S("card." + n.Row.ID)
	}
	return domain.S("need."+n.word, "n", int(n.N))
}

// GroupSay says conditions of which one is enough: one after the other, with "or" between.
func GroupSay(group []Need) domain.Say {
	say := group[0].say()
	for i := range group[1:] {
		say = domain.S("need.or", "a", say, "b", group[i+1].say())
	}
	return say
}

// Word is the card as an argument of a sentence.
func (c Card) Word() domain.Say {
	if c == NoCard {
		return domain.S("card.unknown")
	}
	return domain.S("card." + c.Row().ID)
}

// Text is the card's effect in plain words: the text of its own, or the one its kind shares.
func (c Card) Text() domain.Say {
	row := c.Row()
	switch {
	case row.Doubles != NoRes:
		return domain.S("text.booster", "terrain_word", "terrain."+row.Doubles.Terrain(), "resource_word", "res."+row.Doubles.String())
	case row.Rate != NoRes && row.Ship:
		return domain.S("text.ship", "resource_word", "res."+row.Rate.String())
	case row.Hero && len(row.Effects) == 0:
		return domain.S("text.hero")
	case len(row.Effects) == 0 && row.Kind == CityCard && row.Points.Victory == 2:
		return domain.S("text.victory")
	}
	return domain.S("text." + row.ID)
}

// GoodsSay lists amounts of resources.
func GoodsSay(g Goods) (list []domain.Say) {
	for res, n := range g {
		if n > 0 {
			list = append(list, domain.S("goods."+Res(res).String(), "n", int(n)))
		}
	}
	return list
}

// SiteSay is a site as an argument of a sentence.
func SiteSay(at Site) domain.Say {
	return domain.S([...]string{"place.above", "place.below"}[at.Side()], "at", at.Town()-Origin)
}

// Digits writes a small number.
func Digits(n uint8) string {
	if n < 10 {
		return string([]byte{'0' + n})
	}
	return string([]byte{'0' + n/10, '0' + n%10})
}

// Need is one condition of a card: another card in play, points, an advantage …
type Need struct {
	word string
	Kind NeedKind
	N    int8
	Row  *Row // the card that must be in play, or nil
}

// NeedKind is what a condition asks for that is no card.
type NeedKind uint8

// What conditions ask for.
const (
	needCard NeedKind = iota
	NeedCity
	NeedCommerce
	NeedProgress
	NeedStrength // the advantage
	NeedStrongHero
	NeedBehind
)

var needWords = [...]string{needCard: "", NeedCity: "city", NeedCommerce: "commerce", NeedProgress: "progress",
	NeedStrength: "strength-advantage", NeedStrongHero: "strong-hero", NeedBehind: "behind"}
