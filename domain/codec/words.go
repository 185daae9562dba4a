package codec

import (
	"encoding/binary"
	"encoding/json"
	"reflect"
	"strconv"
	"unsafe"
)

// atOnce is how many bytes of a word are written and compared at once.
const atOnce = 16

// word is a text that is mostly short.
type word struct {
	text   string
	short  [atOnce]byte
	lo, hi uint64 // its second byte and all that follow, and which bits those are
	mask   [2]uint64
}

func wordOf(text string) (w word) {
	w.text = text
	copy(w.short[:], text)
	var mask [atOnce]byte
	for i := 1; i < min(len(text), atOnce); i++ {
		mask[i] = 0xff
	}
	w.mask = [2]uint64{binary.LittleEndian.Uint64(mask[:]), binary.LittleEndian.Uint64(mask[8:])}
	w.lo, w.hi = binary.LittleEndian.Uint64(w.short[:])&w.mask[0], binary.LittleEndian.Uint64(w.short[8:])&w.mask[1]
	return w
}

func (w *word) append(dst []byte) []byte {
	n, long := len(dst), len(w.text)
	if cap(dst)-n < atOnce || long > atOnce {
		return append(dst, w.text...)
	}
	*(*[atOnce]byte)(dst[n : n+atOnce]) = w.short
	return dst[:n+long]
}

// follows tells whether the word stands somewhere, whatever its first byte is there.
func (w *word) follows(text []byte, at int) bool {
	if len(text)-at >= atOnce && len(w.text) <= atOnce {
		b := (*[atOnce]byte)(text[at:])
		return binary.LittleEndian.Uint64(b[:])&w.mask[0] == w.lo && binary.LittleEndian.Uint64(b[8:])&w.mask[1] == w.hi
	}
	return len(text)-at >= len(w.text) && string(text[at+1:at+len(w.text)]) == w.text[1:]
}

// words are all values of a type of one byte, as they are written.
type words struct {
	texts   [256]word
	values  map[string]uint8
	letters [256]int16 // the values that are a single letter, or -1
}

func wordsOf(t reflect.Type) *words {
	w := &words{values: map[string]uint8{}}
	for n := range w.texts {
		b := uint8(n)
		w.letters[n] = -1
		if t.Kind() == reflect.Bool && n > 1 {
			continue
		}
		text, err := json.Marshal(reflect.NewAt(t, unsafe.Pointer(&b)).Interface())
		if err != nil {
			continue
		}
		w.texts[n] = wordOf(string(text))
		if back := reflect.New(t); json.Unmarshal(text, back.Interface()) == nil {
			w.values[string(text)] = *(*uint8)(back.UnsafePointer())
		}
	}
	for text, b := range w.values {
		if len(text) == len(`"A"`) && text[0] == '"' {
			w.letters[text[1]] = int16(b)
		}
	}
	return w
}

// numbers are how numbers of each kind are written and read.
var numbers = [...]struct {
	write writes
	read  func(r *reader, at unsafe.Pointer)
}{
	reflect.Int: {appendNumber[int], readNumber[int]}, reflect.Int8: {appendNumber[int8], readNumber[int8]}, reflect.Int16: {appendNumber[int16], readNumber[int16]},
	reflect.Int32: {appendNumber[int32], readNumber[int32]}, reflect.Int64: {appendNumber[int64], readNumber[int64]},
	reflect.Uint: {appendNumber[uint], readNumber[uint]}, reflect.Uint8: {appendNumber[uint8], readNumber[uint8]}, reflect.Uint16: {appendNumber[uint16], readNumber[uint16]},
	reflect.Uint32: {appendNumber[uint32], readNumber[uint32]}, reflect.Uint64: {appendNumber[uint64], readNumber[uint64]},
}

type number interface {
	int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64
}

func appendNumber[T number](dst []byte, at unsafe.Pointer) []byte {
	n := *(*T)(at)
	if n > 0 && int64(n) < 0 {
		return strconv.AppendUint(dst, uint64(n), 10)
	}
	return AppendNumber(dst, int64(n))
}

func readNumber[T number](r *reader, at unsafe.Pointer) {
	n := r.digits()
	*(*T)(at) = T(n)
	r.failed = r.failed || int64(T(n)) != n || (T(n) < 0) != (n < 0)
}
