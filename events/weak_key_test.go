package events_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
)

// With the neutral point as a key, R = B and S = 1 is a signature of whatever one likes, by nobody.
func TestAKeyThatAnybodyCanSignForProvesNothing(t *testing.T) {
	key := append([]byte{1}, make([]byte, 31)...)
	base := append([]byte{0x58}, []byte(strings.Repeat("\x66", 31))...)
	sig := append(append([]byte{}, base...), key...) // S = 1, too
	text := "posthorn-receipt-1:" + strings.Repeat("ab", 16) + ":" + strings.Repeat("ab", 16) + ":7:" +
		strings.Repeat("cd", 32)
	require.True(t, ed25519.Verify(key, []byte(text), sig), "the signature itself verifies")
	_, err := events.ReadReceipt(key, text+":"+base64.RawURLEncoding.EncodeToString(sig))
	require.ErrorIs(t, err, events.ErrReceipt)
	second := append([]byte{0xf0}, append([]byte(strings.Repeat("\xff", 30)), 0x7f)...) // of the point with y = 3
	for _, weak := range [][]byte{key, append([]byte{1}, append(make([]byte, 30), 0x80)...), make([]byte, 32),
		make([]byte, 31), second} {
		require.False(t, events.Proves(weak), "%x", weak)
	}
	require.True(t, events.Proves(base))
}
