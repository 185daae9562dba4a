package table

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
