package domain

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"posthorn/domain/codec"
)

// What is read directly must be what encoding/json reads, or be left to it.
func requireReadAlike(t require.TestingT, public []byte) (atOnce bool) {
	var body, again json.RawMessage
	got, want := Event{Body: &body}, Event{Body: &again}
	if !codec.Read(public, (*envelope)(&got)) {
		return false
	}
	require.NoError(t, json.Unmarshal(public, (*envelope)(&want)), "%s", public)
	if want.Body == nil { // encoding/json drops a body for a null
		want.Body = &body
	}
	require.Equal(t, want, got, "%s", public)
	return true
}

func TestAnEventIsReadAtOnceAsByReflection(t *testing.T) {
	draws := rapid.Custom(func(t *rapid.T) Draw {
		return Draw{Purpose: rapid.StringMatching(`[a-z-]{0,9}`).Draw(t, "purpose"),
			K:    rapid.Uint64Range(0, 1<<59).Draw(t, "k"),
			Size: rapid.IntRange(-1<<59, 1<<59).Draw(t, "size"), Unseen: rapid.Bool().Draw(t, "unseen")}
	})
	rapid.Check(t, func(t *rapid.T) {
		e := Event{Seat: Seat(rapid.Int8().Draw(t, "seat")), Move: rapid.StringMatching(`[ -!#-\[\]-~]{0,20}`).
			Draw(t, "move"),
			Draws: rapid.SliceOfN(draws, 0, 4).Draw(t, "draws"),
			Body:  rapid.MapOf(rapid.StringMatching(`[a-z"\\,}]*`), rapid.Int()).Draw(t, "body")}
		public, err := e.appendPublic(nil)
		require.NoError(t, err)
		require.True(t, requireReadAlike(t, public), "%s", public)
	})
}

func TestAnyOtherFormIsLeftToReflection(t *testing.T) {
	for _, public := range []string{
		``, `{}`, `{"seat":1}`, `{"seat": 1,"body":{}}`, `{"seat":01,"body":{}}`, `{"seat":300,"body":{}}`,
		`{"seat":1,"body":`, `{"seat":1,"body":{}`,
		`{"seat":1,"move":"é","body":{}}`, `{"seat":1,"move":"a\u0020b","body":{}}`, `{"seat":1,"body":{}]`,
		`{"seat":1,"body":[1}}`,
		`{"seat":1,"draws":[["a",1]],"body":{}}`, `{"seat":1,"draws":[["a",-1,2]],"body":{}}`,
		`{"seat":1,"body":{},"seat":2}`,
		`{"seat":1,"draws":[["a",1,2,2]],"body":{}}`, `{"seat":1,"draws":[["a",18446744073709551615,2]],"body":{}}`,
		`{"seat":1,"body":nul}`, `{"seat":1,"body":}`,
	} {
		require.False(t, requireReadAlike(t, []byte(public)), "%s", public)
	}
	for _, public := range []string{
		`{"seat":1,"draws":[],"body":{}}`, `{"seat":-0,"body":null}`, `{"seat":1,"draws":[["a",1,2,0]],"body":7}`,
		`{"seat":1,"anew":false,"body":"}"}`,
	} {
		require.True(t, requireReadAlike(t, []byte(public)), "%s", public)
	}
}

// The whole range of a number can be read, if not directly.
func TestADrawsNumbersAreReadToTheirLimits(t *testing.T) {
	want := Draw{Purpose: "tile", K: 1<<64 - 1, Size: -1 << 63, Unseen: true}
	e, err := testCodec.Decode("over.v1",
		[]byte(`{"seat":1,"draws":[["tile",18446744073709551615,-9223372036854775808,1]],"body":null}`), nil)
	require.NoError(t, err)
	require.Equal(t, []Draw{want}, e.Draws)
}

func FuzzReadPublic(f *testing.F) {
	f.Add([]byte(`{"seat":1,"move":"0,1 90","draws":[["tile",3,71],["die",0,6,1]],"body":{"a":[1,2]}}`))
	f.Fuzz(func(t *testing.T, public []byte) { requireReadAlike(t, public) })
}
