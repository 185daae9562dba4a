package codec

import (
	"encoding"
	"encoding/binary"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
)

// plan says how to write and read values of a type in place, in memory. What happens at an address follows from the
// type that reflect described; no other code in the house bypasses Go's types.
type plan struct {
	form  form
	reads form // the same as form, unless a type only reads itself
	typ   reflect.Type
	size  uintptr // of a number, or of an element
	// elements of an array, or those that a new list has room for; how many parts of a tuple are always there
	n     int
	of    *plan        // the elements, or what a pointer points to
	many  reflect.Type // of a slice of the elements, or of what a pointer points to
	words *words
	own   Appender
	takes Taker
	write writes
	steps []step
	laps  []lap
	empty blank
}

type form uint8

const (
	other   form = iota // left to encoding/json, or to the type itself
	figure              // a bool in a tuple, as 1 or 0
	logical             // a bool
	numeral
	quoted   // a string
	lettered // of one byte, with a word for each value
	textual  // a type that is written as a text
	object   // a struct, or counts
	tuple
	list
	array
	rows
	short
	pointer
	dynamic // any
	strung  // map[string]string
	taken   // it reads itself
)

// step is one field of a struct.
type step struct {
	key        Word // with the comma before it
	offset     uintptr
	plan       *plan
	blank      blank
	always     bool   // it is never left out
	whole      bool   // it is an int
	mask, none uint64 // it is left out if its lap's word, masked, equals none; without a mask, blank decides
}

// lap is a word of a struct's memory: one comparison shows whether all the steps in it can be left out.
type lap struct {
	at         uintptr
	mask, none uint64
	from, to   int // steps
}

// blank says which bytes of a value are 0 when it is left out, or for one byte the value itself. With a span of 0 bytes
// it is never left out, unless zero is set and decides.
type blank struct {
	at, span uintptr
	value    uint8
	zero     func(p unsafe.Pointer) bool
}

func (b *blank) never() bool { return b.span == 0 && b.zero == nil }

func (b *blank) is(p unsafe.Pointer) bool {
	if b.zero != nil {
		return b.zero(p)
	}
	switch p = unsafe.Add(p, b.at); b.span {
	case 0:
		return false
	case 1:
		return *(*uint8)(p) == b.value
	case 2:
		return *(*uint16)(p) == 0
	case 4:
		return *(*uint32)(p) == 0
	}
	return *(*uint64)(p) == 0
}

// lapped makes the laps of the steps, whose fields are in memory order.
func (p *plan) lapped() {
	const word = 8
	if p.size < word {
		p.laps = []lap{{none: 1, to: len(p.steps)}}
		return
	}
	for begin := uintptr(0); begin < p.size; begin += word {
		l := lap{at: min(begin, p.size-word), from: len(p.steps)}
		var mask, none [word]byte
		always := false
		for i := range p.steps {
			s := &p.steps[i]
			first := s.offset + s.blank.at
			end := first + max(s.blank.span, 1)
			if end <= begin || first >= begin+word {
				continue
			}
			l.from, l.to, s.always = min(l.from, i), i+1, s.blank.never()
			always = always || s.blank.span == 0
			var its, blank [word]byte
			for at := max(first, l.at); at < min(end, l.at+word) && s.blank.span > 0; at++ {
				mask[at-l.at], none[at-l.at] = 0xff, s.blank.value
				its[at-l.at], blank[at-l.at] = 0xff, s.blank.value
			}
			if s.blank.zero == nil && first >= l.at && end <= l.at+word {
				s.mask, s.none = binary.NativeEndian.Uint64(its[:]), binary.NativeEndian.Uint64(blank[:])
			}
		}
		if l.mask, l.none = binary.NativeEndian.Uint64(mask[:]), binary.NativeEndian.Uint64(none[:]); always {
			l.mask, l.none = 0, 1 // which no word matches
		}
		if n := len(p.laps); n > 0 && always && p.laps[n-1].none == 1 &&
			!slices.ContainsFunc(p.steps[p.laps[n-1].from:l.to], func(s step) bool { return !s.always }) {
			p.laps[n-1].to = l.to
		} else if l.to > 0 {
			p.laps = append(p.laps, l)
		}
	}
}

// numbers returns the numbers of all rows.
func (p *plan) numbers(at unsafe.Pointer) []int8 {
	return unsafe.Slice((*int8)(at), p.n*int(p.of.size))
}

func allZero(numbers []int8) bool {
	for _, n := range numbers {
		if n != 0 {
			return false
		}
	}
	return true
}

// slice is Go's layout of a slice.
type slice struct {
	data     unsafe.Pointer
	len, cap int
}

// known is the plan for what a pointer type points to.
type known struct {
	pointer unsafe.Pointer
	plan    *plan
}

var (
	plans  atomic.Pointer[[]known] // complete plans of the few types that are written on their own
	making sync.Mutex
	drafts = map[reflect.Type]*plan{}
)

// planTo returns the plan of what v points to, and its address; nil if v points to nothing.
func planTo(v any) (*plan, unsafe.Pointer) {
	is := (*[2]unsafe.Pointer)(unsafe.Pointer(&v)) // a type and, if it is a pointer type, where it points
	list := plans.Load()
	if list != nil && is[1] != nil {
		for i := range *list {
			if k := &(*list)[i]; k.pointer == is[0] {
				return k.plan, is[1]
			}
		}
	}
	if at := reflect.ValueOf(v); at.Kind() != reflect.Pointer || at.IsNil() {
		return nil, nil
	}
	making.Lock()
	defer making.Unlock()
	longer := []known{{is[0], draft(reflect.TypeOf(v).Elem())}}
	if list = plans.Load(); list != nil {
		longer = append(longer, *list...)
	}
	plans.Store(&longer)
	return longer[0].plan, is[1]
}

// draft makes the plan of a type, or returns the one being made: a type may contain itself.
func draft(t reflect.Type) *plan {
	p := drafts[t]
	if p == nil {
		p = &plan{typ: t, size: t.Size()}
		drafts[t] = p
		p.form = p.made()
		if p.reads = p.form; p.form != lettered && p.form != textual && p.form != tuple && p.form != rows &&
			p.form != short && (is[json.Unmarshaler](t) || is[encoding.TextUnmarshaler](t)) && !is[Counts](t) {
			p.reads = other
		}
		if own, ok := reflect.New(t).Interface().(Taker); ok {
			p.reads, p.takes = taken, own
		}
		p.write = p.writing()
	}
	return p
}

func is[T any](t reflect.Type) bool { return reflect.PointerTo(t).Implements(reflect.TypeFor[T]()) }

func (p *plan) made() form {
	t, kind := p.typ, p.typ.Kind()
	ownJSON, ownText := is[json.Marshaler](t), is[encoding.TextMarshaler](t)
	switch {
	case kind == reflect.Struct && is[Tuple](t):
		return p.tuple()
	case kind == reflect.Array && is[Rows](t):
		p.of, p.n = draft(t.Elem()), t.Len()
		return rows
	case kind == reflect.Array && is[Short](t):
		p.of, p.n = draft(t.Elem()), t.Len()
		return short
	case kind == reflect.Array && is[Counts](t):
		p.of = draft(t.Elem())
		for i, w := range reflect.New(t).Interface().(Counts).Words() {
			p.steps = append(p.steps, step{key: WordOf(`,"` + w + `":`), offset: uintptr(i) * p.of.size, plan: p.of,
				blank: p.of.empty})
		}
		return object
	case (ownJSON || ownText) && p.size == 1:
		p.words, p.empty = wordsOf(t), blank{span: 1}
		return lettered
	case ownJSON || ownText && !is[encoding.TextUnmarshaler](t) || ownText && is[json.Unmarshaler](t) ||
		is[Appender](t):
		return other
	case ownText:
		return textual
	}
	switch kind {
	case reflect.Struct:
		return p.fields()
	case reflect.Bool:
		p.empty.span = 1
		return logical
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8,
		reflect.Uint16, reflect.Uint32, reflect.Uint64:
		p.empty.span = p.size
		return numeral
	case reflect.String:
		p.empty = blank{at: unsafe.Offsetof(slice{}.len), span: unsafe.Sizeof(0)}
		return quoted
	case reflect.Slice:
		p.empty = blank{at: unsafe.Offsetof(slice{}.len), span: unsafe.Sizeof(0)}
		if p.of = draft(t.Elem()); t.Elem().Kind() == reflect.Uint8 && p.of.form == numeral {
			return other // bytes are base64 text
		}
		if p.n, p.many = 1, reflect.SliceOf(t.Elem()); p.of.size > 0 {
			p.n = max(1, int(16/p.of.size))
		}
		return list
	case reflect.Array:
		p.of, p.n = draft(t.Elem()), t.Len()
		return array
	case reflect.Pointer:
		p.of, p.empty.span, p.n, p.many = draft(t.Elem()), p.size, 1, reflect.SliceOf(t.Elem())
		return pointer
	case reflect.Interface:
		if p.empty.span = unsafe.Sizeof(uintptr(0)); t.NumMethod() == 0 {
			return dynamic
		}
	case reflect.Map:
		p.empty.zero, p.empty.span = func(at unsafe.Pointer) bool { return reflect.NewAt(t, at).Elem().Len() == 0 },
			p.size
		if t.Elem() == reflect.TypeFor[string]() && t.Key() == reflect.TypeFor[string]() {
			return strung
		}
	}
	return other
}

// fields makes the steps of a struct, unless encoding/json has rules for it that this package does not follow.
func (p *plan) fields() form {
	for i := range p.typ.NumField() {
		f := p.typ.Field(i)
		name, rules, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "" && draft(f.Type).form == object && f.Type.Kind() == reflect.Struct:
			for _, s := range draft(f.Type).steps { // an embedded struct's fields are the struct's own
				s.offset, s.mask = s.offset+f.Offset, 0
				p.steps = append(p.steps, s)
			}
			continue
		case f.Anonymous || rules == "string":
			return other
		case name == "-" && rules == "" || !f.IsExported():
			continue
		case name == "":
			name = f.Name
		}
		s := step{key: WordOf(`,"` + name + `":`), offset: f.Offset, plan: draft(f.Type)}
		s.whole = s.plan.form == numeral && f.Type.Kind() == reflect.Int
		switch rules {
		case "omitempty":
			s.blank = s.plan.empty
		case "omitzero":
			s.blank = zeroOf(f.Type)
		}
		p.steps = append(p.steps, s)
	}
	seen := map[string]bool{}
	for i := range p.steps {
		if key := p.steps[i].key.text; seen[key] {
			return other
		} else {
			seen[key] = true
		}
	}
	return object
}

func (p *plan) tuple() form {
	for i := range p.typ.NumField() {
		f := p.typ.Field(i)
		s := step{key: WordOf(","), offset: f.Offset, plan: draft(f.Type)}
		if strings.HasSuffix(f.Tag.Get("json"), ",omitempty") {
			s.blank = s.plan.empty
		} else {
			p.n = i + 1
		}
		if s.plan.form == logical {
			s.plan = &plan{form: figure, reads: figure, write: (*plan).figure}
		}
		p.steps = append(p.steps, s)
	}
	return tuple
}

// ofNumbers reports whether a type consists only of numbers and bools, without gaps.
func ofNumbers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return ofNumbers(t.Elem())
	case reflect.Struct:
		size := uintptr(0)
		for i := range t.NumField() {
			if size += t.Field(i).Type.Size(); !ofNumbers(t.Field(i).Type) {
				return false
			}
		}
		return size == t.Size()
	}
	return t.Kind() <= reflect.Uintptr
}

// zeroOf returns where values of a type are zero, in the sense of omitzero.
func zeroOf(t reflect.Type) (z blank) {
	type zeroer interface{ IsZero() bool }
	z.zero = func(p unsafe.Pointer) bool {
		v := reflect.NewAt(t, p)
		if o, ok := v.Interface().(zeroer); ok {
			return o.IsZero()
		}
		return v.Elem().IsZero()
	}
	size, numbers := t.Size(), ofNumbers(t)
	switch kind := t.Kind(); {
	case is[zeroer](t):
		var values []uint8
		for n := 0; n < 256 && size == 1; n++ {
			if b := uint8(n); z.zero(unsafe.Pointer(&b)) {
				values = append(values, b)
			}
		}
		if len(values) == 1 {
			return blank{span: 1, value: values[0]}
		}
	case kind == reflect.Slice, kind == reflect.Pointer, kind == reflect.Map: // its first word is 0 if it is nil
		return blank{span: unsafe.Sizeof(uintptr(0))}
	case numbers && (size == 1 || size == 2 || size == 4 || size == 8):
		return blank{span: size}
	case numbers:
		zeros := string(make([]byte, size))
		return blank{span: size, zero: func(p unsafe.Pointer) bool {
			return string(unsafe.Slice((*byte)(p), size)) == zeros
		}}
	}
	return z
}
