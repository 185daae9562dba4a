package kit

import (
	"cmp"
	"reflect"
	"slices"

	"posthorn/domain"
)

// Basics is the table room: what a game is before anybody plays, as data.
type Basics struct {
	Word        string // its name in scripts and subjects
	Rules       string // the edition of the deciding rules; "" is "1"
	Least, Most int    // seats
	// Fits returns how many seats there may be, if that depends on the options; or nil.
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

// Defaults is embedded in a game's rooms for what the game lacks: no secrets, no forms, no cards in words. A room's own
// method replaces the one here. (For a table without options or chance, leave them out of [Basics].)
type Defaults[S, V any] struct{}

// New returns an empty state.
func (Defaults[S, V]) New() S { return reflect.New(reflect.TypeFor[S]().Elem()).Interface().(S) }

// Clone copies a state with its lists and maps, which must be exported fields. It uses reflection, which is too slow
// for a large game.
func (Defaults[S, V]) Clone(s S) S { return apart(s) }

// apart returns a copy that shares nothing with a value.
func apart[T any](v T) T {
	unshare(reflect.ValueOf(&v).Elem())
	return v
}

// unshare makes a value share no list with any other.
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

// Forms returns none: every move is a closed choice.
func (Defaults[S, V]) Forms(S, domain.Seat) []domain.Form { return nil }

// Cards returns none.
func (Defaults[S, V]) Cards(V) []domain.CardText { return nil }

// Blind deals nothing, as nothing is hidden. The game's codec must list [NothingDealt].
func (Defaults[S, V]) Blind(S, domain.Viewer, *domain.Luck) domain.Event {
	return domain.Event{Type: NothingDealt.Name, Seat: domain.Nobody, Body: NothingDealt.Body()}
}

// Nothing is the empty body of the first event of a branch: nothing is hidden, so nothing is drawn.
type Nothing struct{}

// NothingDealt is the event type that Blind makes in a game without secrets; folding it changes nothing.
var NothingDealt = Type[Nothing]("dealt.v1").Counted("dealt.v2")

// Type returns an event type without secret parts whose body is a B.
func Type[B any](name string) domain.EventType {
	return domain.EventType{Name: name, Body: func() any { return new(B) }}
}

// SecretType returns an event type whose body is a B and whose secret parts are Ps.
func SecretType[B, P any](name string) domain.EventType {
	return domain.EventType{Name: name, Body: func() any { return new(B) }, Secret: func() any { return new(P) }}
}
