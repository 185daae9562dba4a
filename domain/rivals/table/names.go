package table

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/kit"
	"posthorn/domain/languages"
)

// typedAs is what people type in English, Portuguese and Polish, by kind of word.
var typedAs = kit.ReadTyped(wordFiles, "rivals")

// WordsFor returns all words of a kind that people type, with what the notation's own word means.
func WordsFor[T any](kind string, means func(word string) T) map[string]T {
	return kit.Meant(typedAs.Words(kind), means)
}

// Means implements [domain.Extras.Means].
var Means = typedAs.Means("verbs", "resources", "terrains", "layers")

// Reword implements [domain.Extras.Reword].
var Reword = typedAs.Reword("reworded")

// CardWords maps everything people call the cards: the table's own words first, then the names in every language,
// whole and up to their comma or bracket.
var CardWords = func() map[string]Card {
	m := map[string]Card{}
	name := func(word string, c Card) {
		if _, taken := m[word]; !taken && word != "" {
			m[word] = c
		}
	}
	for i, p := range Printings[1:] {
		m[p.Name] = Card(i + 1)
		if p.Row.Short != "" && p.Name != p.Row.ID {
			m[p.Row.Short+strings.TrimPrefix(p.Name, p.Row.ID)] = Card(i + 1)
		}
		name(p.Row.Short, Card(i+1))
	}
	for _, l := range languages.Known {
		var texts map[string]any
		if err := json.Unmarshal(catalogue[l.Tag], &texts); err != nil {
			panic("rivals: words: " + l.Tag + ": " + err.Error())
		}
		for i, p := range Printings[1:] {
			if text, ok := texts["card."+p.Row.ID].(string); ok {
				name(Fold(text), Card(i+1))
				name(Fold(strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '(' })[0]), Card(i+1))
			}
		}
	}
	return m
}()

// Fold puts a card's name into the form of CardWords.
func Fold(text string) string { return strings.Join(Tokens(text), "_") }

// Tokens splits typed text. A minus before a digit stays; apostrophes and full stops disappear, other signs become
// spaces. An underscore joins the words of a name, and does nothing else.
func Tokens(text string) (words []string) {
	rs := []rune(domain.Fold(text))
	var b strings.Builder
	prev := ' '
	for i, r := range rs {
		switch {
		case r == '-' && prev == ' ' && i+1 < len(rs) && rs[i+1] >= '0' && rs[i+1] <= '9':
			b.WriteRune(r)
		case strings.ContainsRune("-,;()[]", r):
			r = ' '
			b.WriteRune(r)
		case strings.ContainsRune("'\".!", r):
			continue
		default:
			b.WriteRune(r)
		}
		prev = r
	}
	for _, w := range strings.Fields(b.String()) {
		if w = strings.Trim(w, "_"); w != "" {
			words = append(words, w)
		}
	}
	return words
}

// Word is a number that is written as a word of its table: a phase, a set.
type Word[T wordTable] uint8

// wordTable lists words in the order of their numbers.
type wordTable interface{ Words() []string }

// String returns the word; "" for a number without one.
func (w Word[T]) String() string {
	if words := (*new(T)).Words(); int(w) < len(words) {
		return words[w]
	}
	return ""
}

// MarshalText writes the word.
func (w Word[T]) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads the word.
func (w *Word[T]) UnmarshalText(text []byte) error {
	return Named(w, text, func(word string) (Word[T], bool) { return indexed[Word[T]]((*new(T)).Words(), word) })
}

type (
	playWords    struct{}
	faceWords    struct{}
	setWords     struct{}
	kindWords    struct{}
	terrainWords struct{}
)

func (playWords) Words() []string    { return PlayNames[:] }
func (faceWords) Words() []string    { return FaceNames[:] }
func (setWords) Words() []string     { return SetNames[:] }
func (kindWords) Words() []string    { return kindNames[:] }
func (terrainWords) Words() []string { return TerrainNames[:] }

// Terrain is a resource, written as the land that yields it.
type Terrain = Word[terrainWords]

// MarshalText writes the resource's word.
func (r Res) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the resource's word.
func (r *Res) UnmarshalText(text []byte) error { return Named(r, text, resNamed) }

// Named reads what a text names. It returns an error if there is no such thing.
func Named[T any](to *T, text []byte, named func(string) (T, bool)) (err error) {
	var ok bool
	if *to, ok = named(string(text)); !ok {
		err = fmt.Errorf("there is no %q", text)
	}
	return err
}

// indexed returns the position of a word in a list.
func indexed[T ~uint8](list []string, word string) (T, bool) {
	i := slices.Index(list, word)
	return T(i), i >= 0
}

func (n *Need) say() domain.Say {
	if n.Row != nil {
		return domain.S("card." + n.Row.ID)
	}
	return domain.S("need."+n.word, "n", int(n.N))
}

// GroupSay lists alternative conditions, with "or" between.
func GroupSay(group []Need) domain.Say {
	say := group[0].say()
	for i := range group[1:] {
		say = domain.S("need.or", "a", say, "b", group[i+1].say())
	}
	return say
}

// Word returns the card as an argument of a sentence.
func (c Card) Word() domain.Say {
	if c == NoCard {
		return domain.S("card.unknown")
	}
	return domain.S("card." + c.Row().ID)
}

// Text returns the card's effect in plain words: its own text, or the one its kind shares.
func (c Card) Text() domain.Say {
	row := c.Row()
	switch {
	case row.Doubles != NoRes:
		return domain.S("text.booster", "terrain_word", "terrain."+row.Doubles.Terrain(), "resource_word",
			"res."+row.Doubles.String())
	case row.Rate != NoRes && row.Ship:
		return domain.S("text.ship", "goods", row.Rate.Count(2))
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
			list = append(list, Res(res).Count(int(n)))
		}
	}
	return list
}

// SiteSay returns a site as an argument of a sentence.
func SiteSay(at Site) domain.Say {
	return domain.S([...]string{"place.above", "place.below"}[at.Side()], "town", TownSay(at.Town(), ".by"))
}

// TownSay describes a town so that people find it: one of the two of the beginning, or so many places beyond them.
// column counts from 0. An event is told without its position, and this stays true whatever is built later. The form
// is "", or the case a language puts it into: ".of" something, ".by" where something lies.
func TownSay(column int, form string) domain.Say {
	switch at := column - Origin; {
	case at < 0:
		return domain.S("town.left"+form, "nth_word", "nth."+strconv.Itoa(-at))
	case at > 1:
		return domain.S("town.right"+form, "nth_word", "nth."+strconv.Itoa(at-1))
	default:
		return domain.S([...]string{"town.home-left", "town.home-right"}[at] + form)
	}
}

// PlaceSay says where goods lie, whatever region that is.
func PlaceSay(p Place) domain.Say {
	switch {
	case p == LostPlace:
		return domain.S("at.lost")
	case p >= CachePlace:
		return domain.S("at.cache")
	}
	if p.Gap() <= Origin {
		return domain.S([...]string{"at.above-left", "at.below-left"}[p.Side()], "town", TownSay(p.Gap(), ".of"))
	}
	return domain.S([...]string{"at.above-right", "at.below-right"}[p.Side()], "town", TownSay(p.Gap()-1, ".of"))
}

// EndSay says where a principality has just grown, by the column or gap that is now its last.
func EndSay(column int, side string) domain.Say {
	return domain.S("end." + side + WayNames[BoolInt(column > Origin)])
}

// Digits writes a small number.
func Digits(n uint8) string { return strconv.Itoa(int(n)) }

// Need is one condition of a card: another card in play, points, an advantage …
type Need struct {
	word string
	Kind NeedKind
	N    int8
	Row  *Row // the card that must be in play, or nil
}

// NeedKind is what a condition requires other than a card.
type NeedKind uint8

// What conditions require.
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
