package codec

import (
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"unsafe"
)

type failure struct{ error }

func appendAny(dst []byte, v any) []byte {
	if p, at := planTo(v); p != nil {
		return p.write(p, dst, at)
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

// writes appends the value at an address according to a plan. It panics with a failure.
type writes func(p *plan, dst []byte, at unsafe.Pointer) []byte

// writing returns the function that writes values of the plan's form.
func (p *plan) writing() writes {
	switch p.form {
	case numeral:
		return numbers[p.typ.Kind()].write
	case lettered:
		return (*plan).lettered
	case quoted:
		return func(_ *plan, dst []byte, at unsafe.Pointer) []byte { return AppendString(dst, *(*string)(at)) }
	case object:
		p.lapped()
		return (*plan).object
	case tuple:
		return (*plan).tupled
	case list:
		return (*plan).list
	case array:
		return func(p *plan, dst []byte, at unsafe.Pointer) []byte { return p.elements(dst, at, p.n) }
	case short:
		return (*plan).short
	case rows:
		return (*plan).rows
	case pointer:
		return (*plan).pointer
	case logical:
		return func(_ *plan, dst []byte, at unsafe.Pointer) []byte { return strconv.AppendBool(dst, *(*bool)(at)) }
	case dynamic:
		return func(_ *plan, dst []byte, at unsafe.Pointer) []byte { return appendAny(dst, *(*any)(at)) }
	case strung:
		return (*plan).strings
	case other:
		if own, ok := reflect.New(p.typ).Interface().(Appender); ok {
			p.own = own
			return (*plan).appended
		}
	}
	return (*plan).written
}

func (p *plan) figure(dst []byte, at unsafe.Pointer) []byte { return append(dst, '0'+*(*byte)(at)) }

func (p *plan) lettered(dst []byte, at unsafe.Pointer) []byte {
	if s := &p.words.texts[*(*uint8)(at)]; s.text != "" {
		return s.Append(dst)
	}
	return p.written(dst, at)
}

func (p *plan) list(dst []byte, at unsafe.Pointer) []byte {
	if s := (*slice)(at); s.data != nil {
		return p.elements(dst, s.data, s.len)
	}
	return append(dst, "null"...)
}

func (p *plan) short(dst []byte, at unsafe.Pointer) []byte {
	n := p.n
	for n > 0 && allZero(unsafe.Slice((*int8)(unsafe.Add(at, uintptr(n-1)*p.of.size)), p.of.size)) {
		n--
	}
	return p.elements(dst, at, n)
}

func (p *plan) pointer(dst []byte, at unsafe.Pointer) []byte {
	if to := *(*unsafe.Pointer)(at); to != nil {
		return p.of.write(p.of, dst, to)
	}
	return append(dst, "null"...)
}

func (p *plan) appended(dst []byte, at unsafe.Pointer) []byte {
	v := p.own // of its type, but at the value's address
	(*[2]unsafe.Pointer)(unsafe.Pointer(&v))[1] = at
	return v.AppendJSON(dst)
}

func (p *plan) object(dst []byte, at unsafe.Pointer) []byte {
	from, next, word := len(dst), 0, uint64(0)
	for i := range p.laps {
		l := &p.laps[i]
		if p.size >= 8 {
			word = *(*uint64)(unsafe.Add(at, l.at))
		}
		if word&l.mask == l.none {
			continue
		}
		for k := max(l.from, next); k < l.to; k++ {
			s := &p.steps[k]
			to := unsafe.Add(at, s.offset)
			if s.always || s.mask != 0 && word&s.mask != s.none || s.mask == 0 && !s.blank.is(to) {
				switch dst = s.key.Append(dst); {
				case s.plan.words != nil && s.plan.words.texts[*(*uint8)(to)].text != "":
					// the commonest case, without a call
					dst = s.plan.words.texts[*(*uint8)(to)].Append(dst)
				case s.whole:
					dst = AppendNumber(dst, *(*int64)(to))
				default:
					dst = s.plan.write(s.plan, dst, to)
				}
			}
		}
		next = l.to
	}
	return closed(dst, from, '{', '}')
}

func (p *plan) tupled(dst []byte, at unsafe.Pointer) []byte {
	n, from := len(p.steps), len(dst)
	for n > p.n && p.steps[n-1].blank.is(unsafe.Add(at, p.steps[n-1].offset)) {
		n--
	}
	for i := range p.steps[:n] {
		s := &p.steps[i]
		dst = s.plan.write(s.plan, append(dst, ','), unsafe.Add(at, s.offset))
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

// written appends a value that writes itself, through encoding/json if needed.
func (p *plan) written(dst []byte, at unsafe.Pointer) []byte {
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

// AppendNumber is strconv.AppendInt, fast for numbers of few digits.
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
		dst = p.of.write(p.of, append(dst, ','), unsafe.Add(at, uintptr(i)*p.of.size))
	}
	return closed(dst, from, '[', ']')
}

// closed turns parts, each preceded by a comma, into a list or an object.
func closed(dst []byte, from int, open, end byte) []byte {
	if len(dst) == from {
		dst = append(dst, open)
	}
	dst[from] = open
	return append(dst, end)
}

// plain reports whether JSON writes a text as it is.
func plain[T string | []byte](s T) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// AppendString appends a JSON string. Notation is nearly always ASCII, which it copies as it is; it escapes anything
// else.
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

// atOnce is how many bytes of a word are written in one go.
const atOnce = 16

// Word is a text that is written often and usually short.
type Word struct {
	text  string
	short [atOnce]byte
}

// WordOf prepares a text for writing.
func WordOf(text string) (w Word) {
	w.text = text
	copy(w.short[:], text)
	return w
}

// Append appends the text.
func (w *Word) Append(dst []byte) []byte {
	n, long := len(dst), len(w.text)
	if cap(dst)-n < atOnce || long > atOnce {
		return append(dst, w.text...)
	}
	*(*[atOnce]byte)(dst[n : n+atOnce]) = w.short
	return dst[:n+long]
}

// words are the written forms of all values of a one-byte type.
type words struct {
	texts  [256]Word
	values Meanings[uint8]
}

func wordsOf(t reflect.Type) *words {
	w, values := &words{}, map[string]uint8{}
	for n := range w.texts {
		b := uint8(n)
		if t.Kind() == reflect.Bool && n > 1 {
			break
		}
		text, err := json.Marshal(reflect.NewAt(t, unsafe.Pointer(&b)).Interface())
		if err != nil {
			continue
		}
		w.texts[n] = WordOf(string(text))
		if back := reflect.New(t); json.Unmarshal(text, back.Interface()) == nil {
			values[string(text)] = *(*uint8)(back.UnsafePointer())
		}
	}
	w.values = MeaningsOf(values)
	return w
}

// numbers holds how numbers of each kind are written and read.
var numbers = [...]struct {
	write writes
	read  func(r *Reader, at unsafe.Pointer) bool
}{
	reflect.Int: {writeNumber[int], readNumber[int]}, reflect.Int8: {writeNumber[int8], readNumber[int8]},
	reflect.Int16: {writeNumber[int16], readNumber[int16]},
	reflect.Int32: {writeNumber[int32], readNumber[int32]}, reflect.Int64: {writeNumber[int64], readNumber[int64]},
	reflect.Uint: {writeNumber[uint], readNumber[uint]}, reflect.Uint8: {writeNumber[uint8], readNumber[uint8]},
	reflect.Uint16: {writeNumber[uint16], readNumber[uint16]},
	reflect.Uint32: {writeNumber[uint32], readNumber[uint32]},
	reflect.Uint64: {writeNumber[uint64], readNumber[uint64]},
}

type number interface {
	int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64
}

func writeNumber[T number](_ *plan, dst []byte, at unsafe.Pointer) []byte {
	n := *(*T)(at)
	if n > 0 && int64(n) < 0 {
		return strconv.AppendUint(dst, uint64(n), 10)
	}
	return AppendNumber(dst, int64(n))
}

func readNumber[T number](r *Reader, at unsafe.Pointer) bool {
	n := r.Digits()
	*(*T)(at) = T(n)
	return !r.failed && int64(T(n)) == n && (T(n) < 0) == (n < 0)
}
