package codec

import (
	"encoding/json"
	"reflect"
	"strconv"
	"unsafe"
)

// atOnce is how many bytes of a word are written at once.
const atOnce = 16

// word is a text that is mostly short.
type word struct {
	text  string
	short [atOnce]byte
}

func wordOf(text string) (w word) {
	w.text = text
	copy(w.short[:], text)
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

// words are all values of a type of one byte, as they are written.
type words struct {
	texts  [256]word
	values map[string]uint8
}

func wordsOf(t reflect.Type) *words {
	w := &words{values: map[string]uint8{}}
	for n := range w.texts {
		b := uint8(n)
		if t.Kind() == reflect.Bool && n > 1 {
			break
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
	return w
}

// numbers are how numbers of each kind are written and read.
var numbers = [...]struct {
	write writes
	read  func(r *reader, at unsafe.Pointer) bool
}{
	reflect.Int: {writeNumber[int], readNumber[int]}, reflect.Int8: {writeNumber[int8], readNumber[int8]}, reflect.Int16: {writeNumber[int16], readNumber[int16]},
	reflect.Int32: {writeNumber[int32], readNumber[int32]}, reflect.Int64: {writeNumber[int64], readNumber[int64]},
	reflect.Uint: {writeNumber[uint], readNumber[uint]}, reflect.Uint8: {writeNumber[uint8], readNumber[uint8]}, reflect.Uint16: {writeNumber[uint16], readNumber[uint16]},
	reflect.Uint32: {writeNumber[uint32], readNumber[uint32]}, reflect.Uint64: {writeNumber[uint64], readNumber[uint64]},
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

func readNumber[T number](r *reader, at unsafe.Pointer) bool {
	n := r.digits()
	*(*T)(at) = T(n)
	return !r.failed && int64(T(n)) == n && (T(n) < 0) == (n < 0)
}
