package codec

import (
	"encoding"
	"encoding/json"
	"reflect"
	"unsafe"
)

// Reader reads what [Append] wrote. Once something is not as expected it has failed, and what it reads is meaningless.
type Reader struct {
	text   []byte
	at     int
	failed bool
	whole  bool // it passes what is not as expected to encoding/json, value by value
	stocks []stock
}

// Value reads the value here into what v points to, and reports whether all is as expected.
func (r *Reader) Value(v any) bool {
	if p, at := planTo(v); p != nil {
		r.value(p, at)
	} else {
		r.failed = v != nil || !r.Skip("null") || r.failed
	}
	return !r.failed
}

func (r *Reader) value(p *plan, at unsafe.Pointer) {
	switch p.reads {
	case lettered:
		b, ok := p.words.values.Of(r.word())
		*(*uint8)(at), r.failed = b, r.failed || !ok
	case numeral:
		from := r.at
		if !numbers[p.typ.Kind()].read(r, at) {
			r.again(p, at, from)
		}
	case object:
		r.object(p.steps, at)
	case tuple:
		for i := range p.steps {
			if !r.More('[', i == 0) {
				r.failed = r.failed || i < p.n
				break
			}
			r.value(p.steps[i].plan, unsafe.Add(at, p.steps[i].offset))
		}
		r.Must("]")
	case list:
		r.list(p, at)
	case array, short:
		for i := range p.n {
			if !r.More('[', i == 0) {
				r.failed = r.failed || p.form == array || i == 0
				break
			}
			r.value(p.of, unsafe.Add(at, uintptr(i)*p.of.size))
		}
		r.Must("]")
	case rows:
		r.rows(p, at)
	case pointer:
		if r.Skip("null") {
			*(*unsafe.Pointer)(at) = nil
			return
		}
		to := r.stockOf(p).take(1, p)
		*(*unsafe.Pointer)(at) = to
		r.value(p.of, to)
	case quoted:
		from := r.at
		if *(*string)(at) = string(r.Quoted()); r.failed {
			r.again(p, at, from)
		}
	case figure:
		r.either("1", "0", (*bool)(at))
	case logical:
		r.either("true", "false", (*bool)(at))
	case dynamic:
		r.Value(*(*any)(at))
	case textual:
		text := r.Quoted()
		r.failed = r.failed || reflect.NewAt(p.typ, at).Interface().(encoding.TextUnmarshaler).
			UnmarshalText(text) != nil
	case taken:
		v := p.takes // of its type, but at the value's address
		(*[2]unsafe.Pointer)(unsafe.Pointer(&v))[1] = at
		v.ReadJSON(r)
	case strung:
		from, before := r.at, r.failed
		if r.strings((*map[string]string)(at)); r.failed { // perhaps only for an accent
			r.at, r.failed = from, before
			r.slowly(p, at)
		}
	default:
		r.slowly(p, at)
	}
}

// Fail says that the text here is not as expected.
func (r *Reader) Fail() { r.failed = true }

func (r *Reader) again(p *plan, at unsafe.Pointer, from int) {
	if r.failed = true; r.whole {
		r.at, r.failed = from, false
		r.slowly(p, at)
	}
}

// slowly reads a value through encoding/json, or by the type itself.
func (r *Reader) slowly(p *plan, at unsafe.Pointer) {
	text, v := r.rest(), reflect.NewAt(p.typ, at).Interface()
	if own, ok := v.(json.Unmarshaler); ok && len(text) > 0 && text[0] == '{' {
		r.failed = r.failed || own.UnmarshalJSON(text) != nil
		return
	}
	r.failed = r.failed || json.Unmarshal(text, v) != nil
}

func (r *Reader) object(steps []step, at unsafe.Pointer) {
	mark := byte('{')
	for i := range steps {
		s := &steps[i]
		if len(r.text)-r.at >= len(s.key.text) && r.text[r.at] == mark &&
			string(r.text[r.at+1:r.at+len(s.key.text)]) == s.key.text[1:] {
			r.at += len(s.key.text)
			r.value(s.plan, unsafe.Add(at, s.offset))
			mark = ','
		} else if s.blank.never() {
			r.failed = true
		}
		if r.failed {
			return
		}
	}
	if mark == '{' {
		r.Must("{")
	}
	r.Must("}")
}

func (r *Reader) rows(p *plan, at unsafe.Pointer) {
	if r.Skip("[]") {
		return
	}
	for first := true; r.More('[', first); first = false {
		row := int64(0)
		r.Must("[")
		if row = r.Digits(); row < 0 || row >= int64(p.n) {
			r.failed = true
			return
		}
		for i := range p.of.size {
			r.Must(",")
			n := r.Digits()
			r.failed = r.failed || int64(int8(n)) != n
			p.numbers(at)[uintptr(row)*p.of.size+i] = int8(n)
		}
		r.Must("]")
	}
	r.Must("]")
}

// nothing is where an empty list that is not nil points to.
var nothing struct{}

func (r *Reader) list(p *plan, at unsafe.Pointer) {
	switch {
	case r.Skip("null"):
		*(*slice)(at) = slice{}
		return
	case r.Skip("[]"):
		*(*slice)(at) = slice{data: unsafe.Pointer(&nothing)}
		return
	}
	here := (*slice)(at)
	for n := 0; r.More('[', n == 0); n++ {
		if n == here.cap {
			r.grow(p, here)
		}
		here.len = n + 1
		r.value(p.of, unsafe.Add(here.data, uintptr(n)*p.of.size))
	}
	r.Must("]")
}

// List reads a list for a type that reads itself, and calls read for each element, which is zero.
func List[T any](r *Reader, to *[]T, read func(*T, *Reader)) {
	if *to = []T{}; r.Skip("[]") {
		return
	}
	p, at := planTo(to)
	here := (*slice)(at)
	for n := 0; r.More('[', n == 0); n++ {
		if n == here.cap {
			r.grow(p, here)
		}
		here.len = n + 1
		read(&(*to)[n], r)
	}
	r.Must("]")
}

// strings reads a map of strings without escapes.
func (r *Reader) strings(to *map[string]string) {
	if r.Skip("null") {
		*to = nil
		return
	}
	all := map[string]string{}
	if !r.Skip("{}") {
		for first := true; r.More('{', first); first = false {
			key := string(r.Quoted())
			r.Must(":")
			all[key] = string(r.Quoted())
		}
		r.Must("}")
	}
	if !r.failed {
		*to = all
	}
}

// Skip steps over a text if it comes next, and reports whether it did.
func (r *Reader) Skip(text string) bool {
	if r.failed || len(r.text)-r.at < len(text) || string(r.text[r.at:r.at+len(text)]) != text {
		return false
	}
	r.at += len(text)
	return true
}

// Must is Skip for a text that has to come next.
func (r *Reader) Must(text string) { r.failed = !r.Skip(text) || r.failed }

// More steps over the mark before a list's next part, if it comes next: first the opening bracket, then commas.
func (r *Reader) More(open byte, first bool) bool {
	if !first {
		open = ','
	}
	if r.failed || r.at >= len(r.text) || r.text[r.at] != open {
		return false
	}
	r.at++
	return true
}

func (r *Reader) either(yes, no string, to *bool) {
	*to = r.Skip(yes)
	r.failed = !*to && !r.Skip(no) || r.failed
}

// Digits reads a number of at most 18 digits, as JSON writes it.
func (r *Reader) Digits() int64 {
	minus := r.at < len(r.text) && r.text[r.at] == '-'
	if minus {
		r.at++
	}
	from, n := r.at, int64(0)
	for r.at < len(r.text) && r.text[r.at]-'0' < 10 {
		n = 10*n + int64(r.text[r.at]-'0')
		r.at++
	}
	if long := r.at - from; long == 0 || long > 18 || long > 1 && r.text[from] == '0' {
		r.failed = true
	}
	if minus {
		n = -n
	}
	return n
}

// Quoted reads a string of printable ASCII without escapes, as nearly all are.
func (r *Reader) Quoted() []byte {
	if r.failed || r.at >= len(r.text) || r.text[r.at] != '"' {
		r.failed = true
		return nil
	}
	from := r.at + 1
	for i, c := range r.text[from:] {
		if c == '"' {
			r.at = from + i + 1
			return r.text[from : from+i]
		}
		if c < ' ' || c > '~' || c == '\\' {
			break
		}
	}
	r.failed = true
	return nil
}

// word is rest for what is a short string, nearly always.
func (r *Reader) word() []byte {
	from := r.at
	if r.failed || from >= len(r.text) || r.text[from] != '"' {
		return r.rest()
	}
	for i, c := range r.text[from+1:] {
		if c == '"' {
			r.at = from + i + 2
			return r.text[from:r.at]
		}
		if c == '\\' {
			break
		}
	}
	return r.rest()
}

// rest returns the JSON value here, if it is one: the code that reads it finds out.
func (r *Reader) rest() []byte {
	from, depth, inside := r.at, 0, false
	for ; r.at < len(r.text) && !r.failed; r.at++ {
		switch c := r.text[r.at]; {
		case inside && c == '\\':
			r.at++
		case c == '"':
			inside = !inside
		case inside:
		case depth == 0 && (c == '}' || c == ']' || c == ','):
			return r.text[from:r.at]
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				r.at++
				return r.text[from:r.at]
			}
		}
	}
	if r.failed = r.failed || r.at != len(r.text); r.failed {
		return nil
	}
	return r.text[from:]
}
