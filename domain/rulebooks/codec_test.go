package rulebooks_test

import (
	"bytes"
	"encoding"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/codec"
	"posthorn/domain/rulebooks"
)

// Whatever an event of a game holds, it is written as encoding/json would write it, and read back directly.
func TestEveryEventIsWrittenAsByReflection(t *testing.T) {
	for _, rb := range rulebooks.All() {
		for _, typ := range rb.Codec().Types {
			for _, body := range []func() any{typ.Body, typ.Secret} {
				if body == nil {
					continue
				}
				quick, read, rng := 0, 0, rand.New(rand.NewPCG(7, uint64(len(typ.Name))))
				for range 200 {
					v := body()
					if _, own := v.(codec.Appender); own {
						continue
					}
					fill(rng, reflect.ValueOf(v).Elem(), 0)
					slow, fast := requireAlike(t, v, body)
					read, quick = read+slow, quick+fast
				}
				require.GreaterOrEqual(t, 4*quick, read, "%T is read at once", body())
			}
		}
	}
}

// requireAlike counts whether the value could be read back at all, and directly.
func requireAlike(t *testing.T, v any, fresh func() any) (read, quick int) {
	var want bytes.Buffer
	by := json.NewEncoder(&want)
	by.SetEscapeHTML(false)
	require.NoError(t, by.Encode(v), "%T", v)
	got, err := codec.Marshal(v)
	require.NoError(t, err)
	require.Equal(t, string(bytes.TrimSpace(want.Bytes())), string(got))
	slow, fast := fresh(), fresh()
	if json.Unmarshal(got, slow) != nil { // such as a place that does not exist
		require.False(t, codec.Read(got, fast), "%s", got)
		return 0, 0
	}
	if !codec.Read(got, fast) {
		return 1, 0
	}
	require.Equal(t, slow, fast, "%s", got)
	return 1, 1
}

// fill makes up a value. A type that writes itself only gets values that it reads back.
func fill(rng *rand.Rand, v reflect.Value, depth int) {
	if own := v.Addr().Interface(); v.Kind() != reflect.Struct || !is[codec.Tuple](own) {
		if is[json.Marshaler](own) || is[encoding.TextMarshaler](own) {
			if !is[codec.Counts](own) {
				fillOwn(rng, v)
				return
			}
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(rng, v.Field(i), depth+1)
			}
		}
	case reflect.Pointer:
		if rng.IntN(3) > 0 && depth < 6 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(rng, v.Elem(), depth+1)
		}
	case reflect.Slice:
		if n := rng.IntN(4); rng.IntN(5) > 0 && depth < 8 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			fill(rng, v.Index(i), depth+1)
		}
	case reflect.Map:
		if m := reflect.ValueOf(map[string]string{"river": "on", "a": "", "ż": "é"}); m.CanConvert(v.Type()) {
			v.Set(m.Convert(v.Type()))
		}
	case reflect.String:
		v.SetString([]string{"", "A", "road N", "<&>", `"\`, "żółw"}[rng.IntN(40)*rng.IntN(40)/300])
	case reflect.Bool:
		v.SetBool(rng.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(number(rng) >> (64 - v.Type().Bits()) * int64(rng.IntN(2)))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(number(rng)) >> (64 - v.Type().Bits()))
	}
	if is[codec.Counts](v.Addr().Interface()) {
		for i := range v.Len() {
			if e := v.Index(i); e.CanInt() {
				e.SetInt(e.Int() & 0x7f)
			}
		}
	}
}

func is[T any](v any) bool {
	_, ok := v.(T)
	return ok
}

func number(rng *rand.Rand) int64 { return int64(rng.Uint64() >> (5 + rng.IntN(59))) }

// fillOwn finds a value of a few bytes that reads back as written; a larger one stays empty.
func fillOwn(rng *rand.Rand, v reflect.Value) {
	if v.Kind() == reflect.Struct && v.Type().Size() > 8 || v.Kind() == reflect.Array {
		return
	}
	for range 40 {
		try := reflect.New(v.Type()).Elem()
		switch try.Kind() {
		case reflect.Int8:
			try.SetInt(int64(rng.IntN(9) - 1))
		case reflect.Uint8:
			try.SetUint(rng.Uint64N(44))
		case reflect.Struct:
			for i := range try.NumField() {
				if f := try.Field(i); f.CanUint() {
					f.SetUint(rng.Uint64N(9))
				}
			}
		}
		text, err := json.Marshal(try.Interface())
		back := reflect.New(v.Type())
		if err == nil && json.Unmarshal(text, back.Interface()) == nil &&
			reflect.DeepEqual(back.Elem().Interface(), try.Interface()) {
			v.Set(try)
			return
		}
	}
}
