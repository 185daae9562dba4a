package rulebooks_test

import (
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/codec"
	"posthorn/domain/rulebooks"
)

// field is a member of what is written as a JSON object.
type field struct {
	name     string
	typ      reflect.Type
	optional bool // it is left out if it is empty
}

// fieldsOf returns the members of a type that is written as a JSON object; nil for another, or one that is written by
// hand. What is written in another form names it by its method Written.
func fieldsOf(t reflect.Type) (out []field) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice && !implements[json.Marshaler](t) {
		t = t.Elem()
	}
	if m, ok := reflect.PointerTo(t).MethodByName("Written"); ok {
		return fieldsOf(m.Type.Out(0))
	}
	if t.Kind() != reflect.Struct || implements[json.Marshaler](t) || implements[encoding.TextMarshaler](t) ||
		implements[codec.Tuple](t) {
		return nil
	}
	for f := range t.Fields() {
		name, more, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			out = append(out, fieldsOf(f.Type)...)
		case name != "" && name != "-":
			out = append(out, field{name, f.Type, more != ""})
		}
	}
	return out
}

func implements[I any](t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[I]())
}

// kindOf names the type of a member of a table's event, and adds the objects it holds to the list of those.
func kindOf(t reflect.Type, objects map[string]string) string {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return "time"
	case t == reflect.TypeFor[domain.Key]():
		return "hex32"
	case t == reflect.TypeFor[[]byte]():
		return "base64"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return kindOf(t.Elem(), objects)
	case reflect.Slice:
		return "[" + kindOf(t.Elem(), objects) + "]"
	case reflect.Map:
		return "{" + kindOf(t.Elem(), objects) + "}"
	case reflect.Struct:
		name := strings.ToLower(strings.TrimPrefix(t.Name(), "Table"))
		objects[name] = membersOf(t, objects)
		return name
	case reflect.Bool:
		return "bool"
	case reflect.String:
		return "text"
	}
	return "int"
}

// membersOf returns the members of a table's event with their types: with ? if they are left out where there is
// nothing, with ~ if they are null then.
func membersOf(t reflect.Type, objects map[string]string) string {
	var out []string
	for _, f := range fieldsOf(t) {
		kind := f.name + ":" + kindOf(f.typ, objects)
		switch {
		case f.optional:
			kind += "?"
		case slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}, f.typ.Kind()):
			kind += "~"
		}
		out = append(out, kind)
	}
	return strings.Join(out, " ")
}

// shapeOf returns the members of what a game writes, each with its own in parentheses.
func shapeOf(t reflect.Type) string {
	var out []string
	for _, f := range fieldsOf(t) {
		if within := shapeOf(f.typ); within != "" {
			f.name += "(" + within + ")"
		}
		out = append(out, f.name)
	}
	return strings.Join(out, " ")
}

// written is what the games and the table write, as a verifier must know it.
type written struct {
	Games          map[string]game
	Objects, Table map[string]string // by their names, those of the same members together
}

type game struct {
	Options map[string][]string
	Seats   [][]any // how many may play, by what is chosen: the last that fits
	Events  map[string]event
}

type event struct {
	Counted string  `json:"counted,omitempty"` // the name of those with points
	Body    string  `json:"body"`
	Part    *string `json:"part,omitempty"` // nil if they have no secret part
}

func whatIsWritten() written {
	w := written{map[string]game{}, map[string]string{}, map[string]string{}}
	named := map[reflect.Type][]string{}
	for name, t := range domain.TableEventTypes() {
		named[t] = append(named[t], name)
	}
	for t, names := range named {
		slices.Sort(names)
		w.Table[strings.Join(names, " ")] = membersOf(t, w.Objects)
	}
	for _, rb := range rulebooks.All() {
		g := game{map[string][]string{}, nil, map[string]event{}}
		least, most := rb.Seats(nil)
		g.Seats = [][]any{{"", "", least, most}}
		for _, o := range rb.Options() {
			g.Options[o.Key] = o.Values
			for _, value := range o.Values {
				if l, m := rb.Seats(domain.Choices{o.Key: value}); l != least || m != most {
					g.Seats = append(g.Seats, []any{o.Key, value, l, m})
				}
			}
		}
		for _, t := range rb.Codec().Types {
			e := event{Body: shapeOf(reflect.TypeOf(t.Body()))}
			if t.CountedAs != "" {
				e.Counted = rb.Name() + "." + t.CountedAs
			}
			if t.Secret != nil {
				e.Part = new(shapeOf(reflect.TypeOf(t.Secret())))
			}
			g.Events[rb.Name()+"."+t.Name] = e
		}
		w.Games[rb.Name()] = g
	}
	return w
}

// lines writes an object with a line for each of its members.
func lines[V any](t testing.TB, of map[string]V) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		text, err := json.Marshal(of[name])
		require.NoError(t, err)
		out = append(out, fmt.Sprintf("%q: %s", name, text))
	}
	return "{\n" + strings.Join(out, ",\n") + "}"
}

// The seats of a game depend on one option at a time: so the list of whatIsWritten says all.
func TestTheListOfSeatsSaysAll(t *testing.T) {
	for name, g := range whatIsWritten().Games {
		rb, _ := rulebooks.Named(name)
		for a, these := range g.Options {
			for b, those := range g.Options {
				for _, one := range these {
					for _, two := range those {
						chosen := domain.Choices{a: one, b: two}
						due := g.Seats[0][2:]
						for _, s := range g.Seats[1:] {
							if chosen[s[0].(string)] == s[1] {
								due = s[2:]
							}
						}
						least, most := rb.Seats(chosen)
						require.Equal(t, due, []any{least, most}, "%s: %v", name, chosen)
					}
				}
			}
		}
	}
}

// docs/verify.py has what the program writes as a list, which is not written by hand. POSTHORN_GOLDEN=write writes it
// anew.
func TestTheVerifierKnowsWhatIsWritten(t *testing.T) {
	const file = "../../docs/verify.py"
	w := whatIsWritten()
	var games []string
	for _, name := range slices.Sorted(maps.Keys(w.Games)) {
		g := w.Games[name]
		seats, err := json.Marshal(g.Seats)
		require.NoError(t, err)
		games = append(games, fmt.Sprintf("%q: {\"seats\": %s,\n\"options\": %s,\n\"events\": %s}", name, seats,
			lines(t, g.Options), lines(t, g.Events)))
	}
	list := "{\"games\": {\n" + strings.Join(games, ",\n") + "},\n\"objects\": " + lines(t, w.Objects) +
		",\n\"table\": " + lines(t, w.Table) + "}\n"
	stands, err := os.ReadFile(file)
	require.NoError(t, err)
	between := regexp.MustCompile(`(?s)(\nWRITTEN = json\.loads\("""\n)(.*?)("""\))`)
	require.Len(t, between.FindAll(stands, -1), 1)
	if os.Getenv("POSTHORN_GOLDEN") == "write" {
		stands = between.ReplaceAll(stands, []byte("${1}"+list+"${3}"))
		require.NoError(t, os.WriteFile(file, stands, 0o600))
	}
	require.Equal(t, list, string(between.FindSubmatch(stands)[2]))
}
