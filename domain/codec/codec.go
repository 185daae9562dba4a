// Package codec writes and reads the JSON of Go values as encoding/json does, but as fast as code written by hand: it
// inspects a type once and makes a plan, which it follows for every value. A type with json tags needs no code of its
// own to be fast.
//
// [Append] writes what encoding/json writes, except that strings keep <, > and & as they are. [Read] takes exactly that
// form, without spaces and with the keys in order, and leaves any other to encoding/json. A type that writes itself
// does so; a type of one byte does so once for each of its values, so its words must not change.
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

// Marshal returns the JSON of what v, a pointer, points to.
func Marshal(v any) ([]byte, error) { return Append(nil, v) }

// Read reads what [Append] wrote into what v points to. It returns false if the text has another form; then v is
// invalid, and the caller may try encoding/json with a fresh value.
func Read(text []byte, v any) bool { return new(Reader).Read(text, v) }

// Read is [Read] with a Reader that can be reused.
func (r *Reader) Read(text []byte, v any) bool {
	*r = Reader{text: text, stocks: r.stocks}
	return r.Value(v) && r.at == len(text)
}

// Flat reports whether a text is an object of strings as [Append] writes it, with nothing escaped: it is then valid
// JSON without further checks.
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

// Appender is a type that writes itself, in a form that encoding/json reads back.
type Appender interface {
	AppendJSON(dst []byte) []byte
}

// Taker is a type that reads itself in the form in which [Append] writes it. On any other form it calls Fail, so that
// its UnmarshalJSON runs.
type Taker interface {
	ReadJSON(r *Reader)
}

// Tuple is a struct written as an array of its fields, a bool as 1 or 0; fields with omitempty come last and may be
// missing. For encoding/json its MarshalJSON is [Marshal] and its UnmarshalJSON is [UnmarshalArray]; the same holds for
// [Rows] and [Short].
type Tuple interface{ Tuple() }

// Rows is an array of small numbers, or of arrays of them. Only non-zero entries are written, each as an array of its
// index and its numbers.
type Rows interface{ Rows() }

// Short is an array written without the zero entries at its end.
type Short interface{ Short() }

// UnmarshalArray reads what [Marshal] wrote into the tuple, rows or short array that v points to, whatever its spacing.
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

// Counts is an array of numbers written as an object of those that are not 0, each under the word for its index. For
// encoding/json its MarshalJSON is [Marshal] and its UnmarshalJSON is [UnmarshalCounts].
type Counts interface{ Words() []string }

// UnmarshalCounts reads counts keyed by words that find knows; several words may mean the same index.
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
