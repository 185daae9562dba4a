package codec_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"posthorn/domain/codec"
)

type colour uint8

func (c colour) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "colour %d", c), nil }

func (c *colour) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "colour %d", c)
	return err
}

type orNone int8

func (o orNone) IsZero() bool { return o == -1 }

type pair struct {
	A     int16
	B     string
	Shown bool `json:",omitempty"`
}

func (*pair) Tuple()                         {}
func (p pair) MarshalJSON() ([]byte, error)  { return codec.Marshal(&p) }
func (p *pair) UnmarshalJSON(b []byte) error { return codec.UnmarshalArray(b, p) }

type gains [3][2]int8

func (*gains) Rows()                          {}
func (g gains) MarshalJSON() ([]byte, error)  { return codec.Marshal(&g) }
func (g *gains) UnmarshalJSON(b []byte) error { return codec.UnmarshalArray(b, g) }

type built [3]int8

func (*built) Short()                         {}
func (x built) MarshalJSON() ([]byte, error)  { return codec.Marshal(&x) }
func (x *built) UnmarshalJSON(b []byte) error { return codec.UnmarshalArray(b, x) }

type base struct {
	Deep *base `json:"deep,omitempty"`
	U    uint64
	I    int64 `json:"i,omitempty"`
}

type zoo struct {
	base
	A, B   bool              `json:",omitempty"`
	Far    orNone            `json:"far,omitzero"`
	Near   orNone            `json:"near,omitzero"`
	Colour colour            `json:"colour"`
	Hues   []colour          `json:"hues,omitempty"`
	Text   string            `json:"text,omitempty"`
	Two    [2]int8           `json:"two,omitzero"`
	Many   [5]int8           `json:"many,omitzero"`
	Pairs  []pair            `json:"pairs"`
	Gains  gains             `json:"gains,omitzero"`
	Built  built             `json:"built,omitzero"`
	Words  map[string]string `json:"words"`
	Raw    []byte            `json:"raw,omitempty"`
	Secret string            `json:"-"`
	Last   *int32            `json:"last"`
}

// Values of every form are written and read directly as encoding/json would do it.
func TestEveryFormIsWrittenAndReadAsByReflection(t *testing.T) {
	word := rapid.StringMatching(`[ -!#-\[\]-~]{0,20}`)
	pairs := rapid.Custom(func(t *rapid.T) pair {
		return pair{rapid.Int16().Draw(t, "a"), word.Draw(t, "b"), rapid.Bool().Draw(t, "shown")}
	})
	small := func(t *rapid.T, what string) int8 {
		return rapid.OneOf(rapid.Just(int8(0)), rapid.Int8()).Draw(t, what)
	}
	rapid.Check(t, func(t *rapid.T) {
		z := zoo{
			base: base{U: rapid.Uint64Range(0, 1<<59).Draw(t, "u"), I: rapid.Int64Range(-1<<59, 1<<59).Draw(t, "i")},
			A:    rapid.Bool().Draw(t, "a"), B: rapid.Bool().Draw(t, "b"),
			Far: orNone(rapid.Int8Range(-2, 2).Draw(t, "far")), Near: orNone(rapid.Int8Range(-2, 2).Draw(t, "near")),
			Colour: colour(rapid.Uint8().Draw(t, "colour")),
			Hues:   []colour{1, 2}[:rapid.IntRange(0, 2).Draw(t, "hues")], Text: word.Draw(t, "text"),
			Two: [2]int8{small(t, "two"), small(t, "two")}, Many: [5]int8{4: small(t, "many")},
			Pairs: rapid.SliceOfN(pairs, 0, 3).Draw(t, "pairs"),
			Gains: gains{{small(t, "gain"), small(t, "gain")}, {}, {small(t, "gain")}},
			Built: built{small(t, "built"), small(t, "built")},
			Words: rapid.MapOf(word, word).Draw(t, "words"), Raw: rapid.SliceOf(rapid.Byte()).Draw(t, "raw"),
		}
		if rapid.Bool().Draw(t, "deep") {
			z.Deep, z.Last = &base{U: 7, Deep: &base{}}, new(int32)
		}
		var want bytes.Buffer
		by := json.NewEncoder(&want)
		by.SetEscapeHTML(false)
		require.NoError(t, by.Encode(&z))
		got, err := codec.Marshal(&z)
		require.NoError(t, err)
		require.Equal(t, string(bytes.TrimSpace(want.Bytes())), string(got))
		slow, fast := zoo{Far: -1, Near: -1}, zoo{Far: -1, Near: -1}
		require.NoError(t, json.Unmarshal(got, &slow))
		require.True(t, codec.Read(got, &fast), "%s", got)
		require.Equal(t, slow, fast)
	})
}

func TestWhatHasAnotherFormIsNotReadAtOnce(t *testing.T) {
	for _, text := range []string{
		``, `{}`, `null`, `{"U":1, "i":2}`, `{"i":2,"U":1}`, `{"U":-1`, `{"U":1,"U":2}`, `{"U":1}x`, `{"U":01}`,
		`{"U":1e2}`, `{"u":1}`, `{"U":"1"}`,
		`{"U":18446744073709551616}`, `{"deep":{},"U":1}`, `{"U":1,"i":9223372036854775808}`,
	} {
		require.False(t, codec.Read([]byte(text), new(base)), text)
	}
	require.False(t, codec.Read([]byte(`{"U":1}`), base{}))
	require.False(t, codec.Read([]byte(`{"U":1}`), (*base)(nil)))
	for _, text := range []string{`[1]`, `[1,"a",1,1]`, `["a",1]`, `{}`, `[70000,"a"]`} {
		require.Error(t, json.Unmarshal([]byte(text), new(pair)), text)
		require.False(t, codec.Read([]byte(text), new(pair)), text)
	}
	for _, text := range []string{`[[3,1,1]]`, `[[-1,1,1]]`, `[[]]`, `[[0,200,1]]`, `[1]`} {
		require.Error(t, json.Unmarshal([]byte(text), new(gains)), text)
		require.False(t, codec.Read([]byte(text), new(gains)), text)
	}
	require.Error(t, json.Unmarshal([]byte(`[1,2,3,4]`), new(built)))
}

func TestWhatIsTakenForFlatIsJSON(t *testing.T) {
	for _, text := range []string{`{"a":"b"}`, `{"by":"x","door":"page","wish":""}`} {
		require.True(t, codec.Flat([]byte(text)), text)
	}
	for _, text := range []string{``, `{`, `{}`, `null`, `""`, `{"a":1}`, `{"a":"b",}`, `{"a":"b"} `, `{"a":"b"`,
		`{"a"}`, `{"a":"b","c"}`, `{"a":"b"}}`, `["a"]`, `{a:"b"}`} {
		require.False(t, codec.Flat([]byte(text)), text)
	}
	rapid.Check(t, func(t *rapid.T) {
		if text := []byte(rapid.StringMatching(`\{?("[a\\ \x00ä]*"[:,]){1,4}"?[a"]*\}?.?`).
			Draw(t, "text")); codec.Flat(text) {
			require.True(t, json.Valid(text), "%q", text)
		}
	})
}

func TestWhatCannotBeWrittenIsAnError(t *testing.T) {
	_, err := codec.Marshal(&struct{ F func() }{})
	require.Error(t, err)
	_, err = codec.Append(nil, func() {})
	require.Error(t, err)
}
