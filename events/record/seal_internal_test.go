package record

import (
	"crypto/hpke"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
)

// Given a handover that was written before there was padding, its secrets still open.
func TestAHandoverOfAnOlderServerStillOpens(t *testing.T) {
	keys, err := events.NewKeys([32]byte{5})
	require.NoError(t, err)
	key, err := private(keys)
	require.NoError(t, err)
	e := &Event{Stream: events.NewName(), Version: 4}
	salt, text := [32]byte{1}, []byte(`{"card":3}`)
	sealed, err := hpke.Seal(key.PublicKey(), hpke.HKDFSHA256(), hpke.AES256GCM(), place64(e.Stream, 4, 0),
		append(salt[:], text...))
	require.NoError(t, err)
	padded, err := hpke.Seal(key.PublicKey(), hpke.HKDFSHA256(), hpke.AES256GCM(), paddedPlace(e.Stream, 4, 1),
		append(salt[:], events.Pad(text, 64)...))
	require.NoError(t, err)
	e.Parts = []Part{{Sealed: sealed}, {Sealed: padded}, {Sealed: padded}}
	for n := range 2 {
		gotSalt, got, ok := openPart(key, e, n)
		require.True(t, ok)
		require.Equal(t, salt, gotSalt)
		require.Equal(t, text, got)
	}
	_, _, ok := openPart(key, e, 2)
	require.False(t, ok, "it opens where it stands alone")
}
