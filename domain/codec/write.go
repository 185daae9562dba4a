package codec

import (
	"encoding"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"unsafe"
)

// writes appends what lies at an address. It panics with a failure.
type writes func(dst []byte, at unsafe.Pointer) []byte

type failure struct{ error }

func appendAny(dst []byte, v any) []byte {
	if p, at := planTo(v); p != nil {
		return p.write(dst, at)
	}
	return slowly(dst, v)
}

func slowly(dst []byte, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(failure{fmt.Errorf("marshal %T: %w", v, err)})
	}
	return append(dst, text...)
}

// writing gives how values of the plan's form are written.
func (p *plan) writing() writes {
	switch p.form {
	case object:
		fields := p.fieldsOf()
		return func(dst []byte, at unsafe.Pointer) []byte {
			from := len(dst)
			for i := 0; i < len(fields); i++ {
				f := &fields[i]
				if f.mask != 0 && *(*uint64)(unsafe.Add(at, f.at))&f.mask == f.none {
					i += f.skip
				} else if f.write != nil {
					dst = f.write(dst, at)
				}
			}
			return closed(dst, from, '{', '}')
		}
	case tuple:
		return p.writeTuple
	case list:
		return func(dst []byte, at unsafe.Pointer) []byte {
			if s := (*slice)(at); s.data != nil {
				return p.elements(dst, s.data, s.len)
			}
			return append(dst, "null"...)
		}
	case array:
		return func(dst []byte, at unsafe.Pointer) []byte { return p.elements(dst, at, p.n) }
	case short:
		return func(dst []byte, at unsafe.Pointer) []byte {
			n := p.n
			for n > 0 && allZero(unsafe.Slice((*int8)(unsafe.Add(at, uintptr(n-1)*p.of.size)), p.of.size)) {
				n--
			}
			return p.elements(dst, at, n)
		}
	case rows:
		return p.rows
	case pointer:
		return func(dst []byte, at unsafe.Pointer) []byte {
			if to := *(*unsafe.Pointer)(at); to != nil {
				return p.of.write(dst, to)
			}
			return append(dst, "null"...)
		}
	case lettered:
		return func(dst []byte, at unsafe.Pointer) []byte {
			if s := &p.words.texts[*(*uint8)(at)]; s.text != "" {
				return s.append(dst)
			}
			return slowly(dst, reflect.NewAt(p.typ, at).Interface())
		}
	case numeral:
		return numbers[p.typ.Kind()].write
	case quoted:
		return func(dst []byte, at unsafe.Pointer) []byte { return AppendString(dst, *(*string)(at)) }
	case figure:
		return func(dst []byte, at unsafe.Pointer) []byte { return append(dst, '0'+*(*byte)(at)) }
	case logical:
		return func(dst []byte, at unsafe.Pointer) []byte { return strconv.AppendBool(dst, *(*bool)(at)) }
	case dynamic:
		return func(dst []byte, at unsafe.Pointer) []byte { return appendAny(dst, *(*any)(at)) }
	case strung:
		return p.strings
	case other:
		if own, ok := reflect.New(p.typ).Interface().(Appender); ok {
			return func(dst []byte, at unsafe.Pointer) []byte {
				v := own // of its type, but where the value lies
				(*[2]unsafe.Pointer)(unsafe.Pointer(&v))[1] = at
				return v.AppendJSON(dst)
			}
		}
	}
	return p.own
}

// field is left out, and as many after it as skip says, if the eight bytes there are none as far as the mask goes. So what
// lies together and is mostly left out is looked at together, by a field that is not written.
type field struct {
	at         uintptr
	mask, none uint64
	skip       int
	write      writes
}

func (p *plan) fieldsOf() (list []field) {
	for i := 0; i < len(p.steps); {
		first := p.looked(&p.steps[i])
		together := field{at: first.at}
		from := len(list)
		for ; i < len(p.steps); i++ {
			f := p.looked(&p.steps[i])
			if together.skip > 0 && (f.mask == 0 || first.mask == 0 || f.at != first.at) {
				break
			}
			f.write = p.steps[i].writing(f.mask != 0)
			list = append(list, f)
			together.mask, together.none, together.skip = together.mask|f.mask, together.none|f.none, together.skip+1
		}
		if together.skip > 1 {
			list = slices.Insert(list, from, together)
		}
	}
	return list
}

// looked tells where it is seen that a field is left out, if eight bytes show it.
func (p *plan) looked(s *step) (f field) {
	from := s.offset + s.blank.at
	if f.at = from &^ 7; s.blank.width == 0 || from-f.at+s.blank.width > 8 || f.at+8 > p.size {
		return field{}
	}
	var mask, none [8]byte
	for k := range s.blank.width {
		mask[from-f.at+k], none[from-f.at+k] = 0xff, s.blank.value
	}
	f.mask, f.none = binary.NativeEndian.Uint64(mask[:]), binary.NativeEndian.Uint64(none[:])
	return f
}

// writing gives how a field is written, the commonest in one go. It was looked at, or is to be, whether it is left out.
func (s *step) writing(looked bool) writes {
	key, offset, blank, p := s.key, s.offset, s.blank, s.plan
	if !looked && (blank.width != 0 || blank.zero != nil) {
		return func(dst []byte, at unsafe.Pointer) []byte {
			if at = unsafe.Add(at, offset); blank.is(at) {
				return dst
			}
			return p.write(key.append(dst), at)
		}
	}
	switch {
	case p.form == lettered:
		words := p.words
		return func(dst []byte, at unsafe.Pointer) []byte {
			if at = unsafe.Add(at, offset); words.texts[*(*uint8)(at)].text == "" {
				return p.write(key.append(dst), at)
			}
			return words.texts[*(*uint8)(at)].append(key.append(dst))
		}
	case p.typ.Kind() == reflect.Int && p.form == numeral:
		return func(dst []byte, at unsafe.Pointer) []byte {
			return AppendNumber(key.append(dst), *(*int64)(unsafe.Add(at, offset)))
		}
	case p.typ.Kind() == reflect.Int8 && p.form == numeral:
		return func(dst []byte, at unsafe.Pointer) []byte {
			return AppendNumber(key.append(dst), int64(*(*int8)(unsafe.Add(at, offset))))
		}
	case p.form == quoted:
		return func(dst []byte, at unsafe.Pointer) []byte {
			return AppendString(key.append(dst), *(*string)(unsafe.Add(at, offset)))
		}
	case p.form == dynamic:
		return func(dst []byte, at unsafe.Pointer) []byte {
			return appendAny(key.append(dst), *(*any)(unsafe.Add(at, offset)))
		}
	}
	return func(dst []byte, at unsafe.Pointer) []byte {
		return p.write(key.append(dst), unsafe.Add(at, offset))
	}
}

func (p *plan) writeTuple(dst []byte, at unsafe.Pointer) []byte {
	n, from := len(p.steps), len(dst)
	for n > p.n && p.steps[n-1].blank.is(unsafe.Add(at, p.steps[n-1].offset)) {
		n--
	}
	for i := range p.steps[:n] {
		dst = p.steps[i].plan.write(append(dst, ','), unsafe.Add(at, p.steps[i].offset))
	}
	return closed(dst, from, '[', ']')
}

func (p *plan) rows(dst []byte, at unsafe.Pointer) []byte {
	from, size := len(dst), int(p.of.size)
	for i, numbers := 0, p.numbers(at); i < p.n; i++ {
		if row := numbers[i*size:][:size]; !allZero(row) {
			dst = AppendNumber(append(dst, ',', '['), int64(i))
			for _, n := range row {
				dst = AppendNumber(append(dst, ','), int64(n))
			}
			dst = append(dst, ']')
		}
	}
	return closed(dst, from, '[', ']')
}

// own writes what writes itself.
func (p *plan) own(dst []byte, at unsafe.Pointer) []byte {
	v := reflect.NewAt(p.typ, at).Interface()
	if p.form == textual {
		if o, ok := v.(encoding.TextAppender); ok {
			if long, err := o.AppendText(append(dst, '"')); err == nil && plain(long[len(dst)+1:]) {
				return append(long, '"')
			}
		}
	}
	return slowly(dst, v)
}

func (p *plan) strings(dst []byte, at unsafe.Pointer) []byte {
	words := *(*map[string]string)(at)
	if words == nil {
		return append(dst, "null"...)
	}
	from := len(dst)
	for _, key := range slices.Sorted(maps.Keys(words)) {
		dst = append(AppendString(append(dst, ','), key), ':')
		dst = AppendString(dst, words[key])
	}
	return closed(dst, from, '{', '}')
}

// AppendNumber is strconv.AppendInt for numbers that mostly have few digits.
func AppendNumber(dst []byte, n int64) []byte {
	switch {
	case uint64(n) < 10:
		return append(dst, '0'+byte(n))
	case uint64(n) < 100:
		return append(dst, '0'+byte(n/10), '0'+byte(n%10))
	case uint64(n) < 1000:
		return append(dst, '0'+byte(n/100), '0'+byte(n/10%10), '0'+byte(n%10))
	case uint64(n) < 10_000:
		return append(dst, '0'+byte(n/1000), '0'+byte(n/100%10), '0'+byte(n/10%10), '0'+byte(n%10))
	}
	return strconv.AppendInt(dst, n, 10)
}

func (p *plan) elements(dst []byte, at unsafe.Pointer, n int) []byte {
	from := len(dst)
	for i := range n {
		dst = p.of.write(append(dst, ','), unsafe.Add(at, uintptr(i)*p.of.size))
	}
	return closed(dst, from, '[', ']')
}

// closed makes a list or an object of parts that have a comma each before them.
func closed(dst []byte, from int, open, end byte) []byte {
	if len(dst) == from {
		dst = append(dst, open)
	}
	dst[from] = open
	return append(dst, end)
}

// plain tells whether JSON writes a text as it stands.
func plain[T string | []byte](s T) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// AppendString appends a JSON string. Notation is ASCII nearly always, which is copied as it stands; anything else is escaped.
func AppendString(dst []byte, s string) []byte {
	if plain(s) {
		return append(append(append(dst, '"'), s...), '"')
	}
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < 0x20:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}
