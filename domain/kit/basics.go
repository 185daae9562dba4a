package kit

import (
	"cmp"
	"reflect"
	"slices"

	"posthorn/domain"
)

// Basics are the table room: what a game is before anybody plays, as data.
type Basics struct {
	Word        string // its name in scripts and subjects
	Rules       string // the edition of the rules that decide; "" is "1"
	Least, Most int    // seats
	// Fits is how many seats there may be where that depends on the options; or nil.
	Fits     func(o domain.Choices) (least, most int)
	Variants []domain.Option
	Chance   []string          // kinds of chance
	Words    map[string][]byte // see [Catalogue]
}

// Switch is an option that is on or off.
func Switch(key, standard string) domain.Option {
	return domain.Option{Key: key, Values: []string{"on", "off"}, Default: standard}
}

// Name implements [domain.Rulebook].
func (b Basics) Name() string { return b.Word }

// Edition implements [domain.Rulebook].
func (b Basics) Edition() string { return cmp.Or(b.Rules, "1") }

// Options implements [domain.Rulebook].
func (b Basics) Options() []domain.Option { return slices.Clone(b.Variants) }

// Seats implements [domain.Rulebook].
func (b Basics) Seats(o domain.Choices) (least, most int) {
	if b.Fits != nil {
		return b.Fits(o)
	}
	return b.Least, b.Most
}

// ChanceKinds implements [domain.Rulebook].
func (b Basics) ChanceKinds() []string { return b.Chance }

// Catalogue implements [domain.Rulebook].
func (b Basics) Catalogue() map[string][]byte { return b.Words }

// Defaults are embedded by the rooms of a game for what it has not: no secrets, no forms, no cards in
// words. A method that a room has itself takes the place of the one here. (A table without options or
// chance is [Basics] that say nothing of them.)
type Defaults[S, V any] struct{}

// Open is [Defaults] of a game that hides nothing: its state is the view.
type Open[S any] struct{ Defaults[S, S] }

// View is the state.
func (Open[S]) View(s S, _ domain.Viewer) S { return s }

// New is an empty state.
func (Defaults[S, V]) New() S { return reflect.New(reflect.TypeFor[S]().Elem()).Interface().(S) }

// Clone copies a state with its lists and maps: by reflection, which a large game cannot afford. They must
// be exported fields.
func (Defaults[S, V]) Clone(s S) S {
	unshare(reflect.ValueOf(&s).Elem())
	return s
}

// unshare has a value share no list with any other.
func unshare(v reflect.Value) {
	switch kind := v.Kind(); {
	case kind == reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() || f.Anonymous {
				unshare(v.Field(i))
			}
		}
	case kind == reflect.Pointer && !v.IsNil():
		c := reflect.New(v.Type().Elem())
		c.Elem().Set(v.Elem())
		v.Set(c)
		unshare(c.Elem())
	case kind == reflect.Slice && !v.IsNil():
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(c, v)
		v.Set(c)
		fallthrough
	case kind == reflect.Array:
		for i := range v.Len() {
			unshare(v.Index(i))
		}
	case kind == reflect.Map && !v.IsNil():
		c := reflect.MakeMap(v.Type())
		for at := v.MapRange(); at.Next(); {
			c.SetMapIndex(at.Key(), at.Value())
		}
		v.Set(c)
	}
}

// Forms are none: every move is a closed choice.
func (Defaults[S, V]) Forms(S, domain.Seat) []domain.Form { return nil }

// Cards are none.
func (Defaults[S, V]) Cards(V) []domain.CardText { return nil }

// Blind deals nothing, for nothing is hidden. The codec of the game lists [NothingDealt].
func (Defaults[S, V]) Blind(S, domain.Viewer, *domain.Luck) domain.Event {
	return domain.Event{Type: NothingDealt.Name, Seat: domain.Nobody, Body: NothingDealt.Body()}
}

// Nothing is a body without a word.
type Nothing struct{}

// NothingDealt is the type of event that Blind makes in a game without secrets; folding it changes
// nothing.
var NothingDealt = Type[Nothing]("dealt.v1").Counted("dealt.v2")

// Type is a type of event without secret parts, whose body is a B.
func Type[B any](name string) domain.EventType {
	return domain.EventType{Name: name, Body: func() any { return new(B) }}
}

// SecretType is a type of event whose body is a B and whose secret parts are Ps.
func SecretType[B, P any](name string) domain.EventType {
	return domain.EventType{Name: name, Body: func() any { return new(B) }, Secret: func() any { return new(P) }}
}
