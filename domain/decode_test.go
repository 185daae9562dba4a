package domain

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// What is read by hand must be what encoding/json reads, or be left to it.
func requireReadAlike(t require.TestingT, public []byte) (byHand bool) {
	got, ok := readPublic(public)
	if !ok || !json.Valid(got.Body) {
		return false
	}
	var want envelope
	require.NoError(t, json.Unmarshal(public, &want), "%s", public)
	require.Equal(t, want, got, "%s", public)
	return true
}

func TestAnEventIsReadByHandAsByReflection(t *testing.T) {
	draws := rapid.Custom(func(t *rapid.T) Draw {
		return Draw{Purpose: rapid.StringMatching(`[a-z-]{0,9}`).Draw(t, "purpose"), K: rapid.Uint64().Draw(t, "k"),
			Size: rapid.Int().Draw(t, "size"), Unseen: rapid.Bool().Draw(t, "unseen")}
	})
	rapid.Check(t, func(t *rapid.T) {
		e := Event{Seat: Seat(rapid.Int8().Draw(t, "seat")), Move: rapid.StringMatching(`[ -!#-\[\]-~]{0,20}`).Draw(t, "move"),
			Draws: rapid.SliceOfN(draws, 0, 4).Draw(t, "draws"), Body: rapid.MapOf(rapid.StringMatching(`[a-z"\\,}]*`), rapid.Int()).Draw(t, "body")}
		public, err := appendPublic(nil, &e)
		require.NoError(t, err)
		require.True(t, requireReadAlike(t, public), "%s", public)
	})
}

func TestAnyOtherFormIsLeftToReflection(t *testing.T) {
	for _, public := range []string{
		``, `{}`, `{"seat":1}`, `{"seat": 1,"body":{}}`, `{"seat":01,"body":{}}`, `{"seat":300,"body":{}}`, `{"seat":1,"body":`, `{"seat":1,"body":{}`,
		`{"seat":1,"move":"é","body":{}}`, `{"seat":1,"move":"a\u0020b","body":{}}`, `{"seat":1,"draws":[],"body":{}}`,
		`{"seat":1,"draws":[["a",1]],"body":{}}`, `{"seat":1,"draws":[["a",-1,2]],"body":{}}`, `{"seat":1,"body":{},"seat":2}`,
	} {
		require.False(t, requireReadAlike(t, []byte(public)), "%s", public)
	}
}

func FuzzReadPublic(f *testing.F) {
	f.Add([]byte(`{"seat":1,"move":"0,1 90","draws":[["tile",3,71],["die",0,6,1]],"body":{"a":[1,2]}}`))
	f.Fuzz(func(t *testing.T, public []byte) { requireReadAlike(t, public) })
}
