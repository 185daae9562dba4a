package mail

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
)

func TestTheLengthOfASealedLetterDoesNotFollowItsText(t *testing.T) {
	block, err := aes.NewCipher(make([]byte, 32))
	require.NoError(t, err)
	seal, err := cipher.NewGCM(block)
	require.NoError(t, err)
	box, err := events.NewBox(make([]byte, 32))
	require.NoError(t, err)
	o := &Outbox{seal: box}
	require.Len(t, o.close(make([]byte, 30_000)), len(o.close(make([]byte, 31_234))))
	require.Len(t, o.close(make([]byte, 10)), len(o.close(make([]byte, 40))))
	for _, n := range []int{0, 5, 1020, 1021, 70_000} {
		text := make([]byte, n)
		_, _ = rand.Read(text)
		back, err := o.open(o.close(text))
		require.NoError(t, err)
		require.Equal(t, text, back)
	}
	nonce := make([]byte, seal.NonceSize())
	back, err := o.open(seal.Seal(nonce, nonce, []byte("as it was sealed before"), nil))
	require.NoError(t, err)
	require.Equal(t, "as it was sealed before", string(back))
}
