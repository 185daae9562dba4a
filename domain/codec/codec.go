// Package codec writes and reads the JSON of Go values as encoding/json does, at the cost of code written by hand: a type is
// looked at once and becomes a plan, which is followed for every value of it. So a type with json tags needs no code
// of its own to be fast.
//
// [Append] writes what encoding/json writes, but for strings, in which <, > and & stand as they are. [Read] takes exactly that
// form, without spaces and with the keys in their order, and leaves any other to encoding/json. A type that writes itself is asked to;
// one of a single byte is asked once for each of its values, so its words must not change.
package codec

import (
	"encoding/json"
	"fmt"
	"reflect"
)

// Append appends the JSON of what v points to.
func Append(dst []byte, v any) (_ []byte, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			err = r.error
		default:
			panic(r)
		}
	}()
	return appendAny(dst, v), nil
}

// Marshal writes what v, a pointer, points to.
func Marshal(v any) ([]byte, error) { return Append(nil, v) }

// Read reads what [Append] wrote into what v points to. If it tells false the text has another form, v is worth nothing, and
// encoding/json may be asked with a fresh one.
func Read(text []byte, v any) bool {
	r := reader{text: text}
	r.any(v)
	return !r.failed && r.at == len(text)
}

// Appender is a type that writes itself, which must be what encoding/json reads back.
type Appender interface {
	AppendJSON(dst []byte) []byte
}

// Tuple is a struct that is written as an array of its fields, a switch as 1 or 0; those with omitempty, which come last, may be
// missing at the end. For encoding/json its MarshalJSON is [Marshal] and its UnmarshalJSON is [UnmarshalTuple].
type Tuple interface{ Tuple() }

// UnmarshalTuple reads what [Marshal] wrote, however it is spaced.
func UnmarshalTuple(text []byte, t Tuple) error {
	to := reflect.ValueOf(t).Elem()
	var parts []json.RawMessage
	if err := json.Unmarshal(text, &parts); err != nil {
		return fmt.Errorf("%s: %w", to.Type().Name(), err)
	}
	if p, _ := planTo(t); len(parts) < p.n || len(parts) > len(p.steps) {
		return fmt.Errorf("%s: %d elements", to.Type().Name(), len(parts))
	}
	for i, part := range parts {
		var n int
		into := to.Field(i)
		if into.Kind() == reflect.Bool {
			into = reflect.ValueOf(&n).Elem()
		}
		if err := json.Unmarshal(part, into.Addr().Interface()); err != nil {
			return fmt.Errorf("%s: %w", to.Type().Name(), err)
		}
		if to.Field(i).Kind() == reflect.Bool {
			to.Field(i).SetBool(n == 1)
		}
	}
	return nil
}

// Rows is an array of small numbers, or of arrays of them, of which those that are not zero are written, each as an array: its
// index, and its numbers. For encoding/json its MarshalJSON is [Marshal] and its UnmarshalJSON is [UnmarshalRows].
type Rows interface{ Rows() }

// UnmarshalRows reads what [Marshal] wrote, however it is spaced.
func UnmarshalRows(text []byte, v Rows) error {
	p, at := planTo(v)
	numbers := p.numbers(at)
	clear(numbers)
	var rows [][]int8
	if err := json.Unmarshal(text, &rows); err != nil {
		return fmt.Errorf("rows: %w", err)
	}
	for _, row := range rows {
		if len(row) == 0 || row[0] < 0 || int(row[0]) >= p.n {
			return fmt.Errorf("rows: %d of %d", row, p.n)
		}
		copy(numbers[int(row[0])*int(p.of.size):][:p.of.size], row[1:])
	}
	return nil
}

// Short is an array of which the entries after the last that is not zero are left out. For encoding/json its MarshalJSON is
// [Marshal] and its UnmarshalJSON is [UnmarshalShort].
type Short interface{ Short() }

// UnmarshalShort reads what [Marshal] wrote, however it is spaced.
func UnmarshalShort(text []byte, v Short) error {
	to := reflect.ValueOf(v).Elem()
	var parts []json.RawMessage
	if err := json.Unmarshal(text, &parts); err != nil || len(parts) > to.Len() {
		return fmt.Errorf("%d of %d: %w", len(parts), to.Len(), err)
	}
	to.SetZero()
	for i, part := range parts {
		if err := json.Unmarshal(part, to.Index(i).Addr().Interface()); err != nil {
			return err
		}
	}
	return nil
}

// Counts is an array of numbers that is written as an object of those that are not 0, each under the word of its place. For
// encoding/json its MarshalJSON is [Marshal] and its UnmarshalJSON is [UnmarshalCounts].
type Counts interface{ Words() []string }

// UnmarshalCounts reads counts by words that find knows; several words may mean the same place.
func UnmarshalCounts[T int8 | uint8](text []byte, counts []T, find func(word string) (at int, ok bool)) error {
	clear(counts)
	var named map[string]T
	if err := json.Unmarshal(text, &named); err != nil {
		return fmt.Errorf("counts: %w", err)
	}
	for word, n := range named {
		at, ok := find(word)
		if !ok || n < 0 {
			return fmt.Errorf("counts: %q: %d", word, n)
		}
		counts[at] += n
	}
	return nil
}
