package codec

import (
	"encoding"
	"encoding/json"
	"reflect"
	"unsafe"
)

// reader reads what [Append] wrote. Once something is not as expected it has failed, and what it reads means nothing.
type reader struct {
	text   []byte
	at     int
	failed bool
	whole  bool // what is not as expected is asked of encoding/json, value by value
}

func (r *reader) any(v any) {
	if p, at := planTo(v); p != nil {
		r.value(p, at)
	} else {
		r.failed = v != nil || !r.skip("null") || r.failed
	}
}

func (r *reader) value(p *plan, at unsafe.Pointer) {
	switch p.reads {
	case lettered:
		b, ok := p.words.values[string(r.rest())]
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
			if !r.more('[', i == 0) {
				r.failed = r.failed || i < p.n
				break
			}
			r.value(p.steps[i].plan, unsafe.Add(at, p.steps[i].offset))
		}
		r.must("]")
	case list:
		r.list(p, at)
	case array, short:
		for i := range p.n {
			if !r.more('[', i == 0) {
				r.failed = r.failed || p.form == array || i == 0
				break
			}
			r.value(p.of, unsafe.Add(at, uintptr(i)*p.of.size))
		}
		r.must("]")
	case rows:
		r.rows(p, at)
	case pointer:
		if r.skip("null") {
			*(*unsafe.Pointer)(at) = nil
			return
		}
		to := reflect.New(p.of.typ).UnsafePointer()
		*(*unsafe.Pointer)(at) = to
		r.value(p.of, to)
	case quoted:
		from := r.at
		if *(*string)(at) = string(r.quoted()); r.failed {
			r.again(p, at, from)
		}
	case figure:
		r.either("1", "0", (*bool)(at))
	case logical:
		r.either("true", "false", (*bool)(at))
	case dynamic:
		r.any(*(*any)(at))
	case textual:
		text := r.quoted()
		r.failed = r.failed || reflect.NewAt(p.typ, at).Interface().(encoding.TextUnmarshaler).UnmarshalText(text) != nil
	default:
		r.slowly(p, at)
	}
}

func (r *reader) again(p *plan, at unsafe.Pointer, from int) {
	if r.failed = true; r.whole {
		r.at, r.failed = from, false
		r.slowly(p, at)
	}
}

// slowly reads what encoding/json, or the type itself, must be asked for.
func (r *reader) slowly(p *plan, at unsafe.Pointer) {
	text, v := r.rest(), reflect.NewAt(p.typ, at).Interface()
	if own, ok := v.(json.Unmarshaler); ok && len(text) > 0 && text[0] == '{' {
		r.failed = r.failed || own.UnmarshalJSON(text) != nil
		return
	}
	r.failed = r.failed || json.Unmarshal(text, v) != nil
}

func (r *reader) object(steps []step, at unsafe.Pointer) {
	mark := byte('{')
	for i := range steps {
		s := &steps[i]
		if len(r.text)-r.at >= len(s.key.text) && r.text[r.at] == mark && string(r.text[r.at+1:r.at+len(s.key.text)]) == s.key.text[1:] {
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
		r.must("{")
	}
	r.must("}")
}

func (r *reader) rows(p *plan, at unsafe.Pointer) {
	if r.skip("[]") {
		return
	}
	for first := true; r.more('[', first); first = false {
		row := int64(0)
		r.must("[")
		if row = r.digits(); row < 0 || row >= int64(p.n) {
			r.failed = true
			return
		}
		for i := range p.of.size {
			r.must(",")
			n := r.digits()
			r.failed = r.failed || int64(int8(n)) != n
			p.numbers(at)[uintptr(row)*p.of.size+i] = int8(n)
		}
		r.must("]")
	}
	r.must("]")
}

func (r *reader) list(p *plan, at unsafe.Pointer) {
	s := reflect.NewAt(p.typ, at).Elem()
	switch {
	case r.skip("null"):
		s.SetZero()
		return
	case r.skip("[]"):
		s.Set(reflect.MakeSlice(p.typ, 0, 0))
		return
	}
	n := 0
	for ; r.more('[', n == 0); n++ {
		s.Grow(1)
		s.SetLen(n + 1)
		r.value(p.of, unsafe.Add((*slice)(at).data, uintptr(n)*p.of.size))
	}
	r.must("]")
}

// skip steps over a text that stands here, if it does.
func (r *reader) skip(text string) bool {
	if r.failed || len(r.text)-r.at < len(text) || string(r.text[r.at:r.at+len(text)]) != text {
		return false
	}
	r.at += len(text)
	return true
}

func (r *reader) must(text string) { r.failed = !r.skip(text) || r.failed }

// more steps over the mark before a list's next part, if it stands here: what opens the list, then commas.
func (r *reader) more(open byte, first bool) bool {
	if !first {
		open = ','
	}
	if r.failed || r.at >= len(r.text) || r.text[r.at] != open {
		return false
	}
	r.at++
	return true
}

func (r *reader) either(yes, no string, to *bool) {
	*to = r.skip(yes)
	r.failed = !*to && !r.skip(no) || r.failed
}

// digits reads a number of at most 18 digits, as JSON writes it.
func (r *reader) digits() int64 {
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

// quoted is a string of printable ASCII without escapes, which is nearly every one.
func (r *reader) quoted() []byte {
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

// rest is the JSON value that stands here, if it is one: what reads it tells.
func (r *reader) rest() []byte {
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
