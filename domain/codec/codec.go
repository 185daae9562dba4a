// Package codec writes and reads the JSON of Go values as encoding/json does, at the cost of code written by hand: a type is
// looked at once and becomes a plan, which is followed for every value of it. So a type with json tags needs no code
// of its own to be fast.
//
// [Append] writes what encoding/json writes, but for strings, in which <, > and & stand as they are. [Read] takes exactly that
// form, without spaces and with the keys in their order, and leaves any other to encoding/json. A type that writes itself is asked to;
// one of a single byte is asked once for each of its values, so its words must not change.
package codec

import (
	"bytes"
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
func Read(text []byte, v any) bool { return new(Reader).Read(text, v) }

// Read is [Read] by a reader that may have read before.
func (r *Reader) Read(text []byte, v any) bool {
	*r = Reader{text: text}
	return r.Value(v) && r.at == len(text)
}

// Flat reports whether a text is an object of strings as [Append] writes it, none of them with anything to be escaped: JSON
// without further looking.
func Flat(text []byte) bool {
	r := Reader{text: text}
	for first := true; r.More('{', first); first = false {
		r.Quoted()
		r.Must(":")
		r.Quoted()
	}
	r.Must("}")
	return !r.failed && r.at == len(text)
}

// Appender is a type that writes itself, which must be what encoding/json reads back.
type Appender interface {
	AppendJSON(dst []byte) []byte
}

// Taker is a type that reads itself in the form in which [Append] writes it. Of any other it has the reader fail, so that its
// UnmarshalJSON is asked.
type Taker interface {
	ReadJSON(r *Reader)
}

// Tuple is a struct that is written as an array of its fields, a switch as 1 or 0; those with omitempty, which come last, may be
// missing at the end. For encoding/json its MarshalJSON is [Marshal] and its UnmarshalJSON is [UnmarshalArray], as of the next two.
type Tuple interface{ Tuple() }

// Rows is an array of small numbers, or of arrays of them, of which those that are not zero are written, each as an array: its
// index, and its numbers.
type Rows interface{ Rows() }

// Short is an array of which the entries after the last that is not zero are left out.
type Short interface{ Short() }

// UnmarshalArray reads what [Marshal] wrote into a tuple, rows or a short array that v points to, however it is spaced.
func UnmarshalArray(text []byte, v any) error {
	var tight bytes.Buffer
	if err := json.Compact(&tight, text); err != nil {
		return fmt.Errorf("%T: %w", v, err)
	}
	p, at := planTo(v)
	reflect.ValueOf(v).Elem().SetZero()
	r := Reader{text: tight.Bytes(), whole: true}
	if r.value(p, at); r.failed || r.at != len(r.text) {
		return fmt.Errorf("%T: it does not fit: %.100s", v, text)
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
