package events

import (
	"crypto/ed25519"
	"encoding/hex"
	"slices"
)

// smallOrder are the points of Ed25519 whose order divides 8, without their sign: with one of them as a key, anybody
// finds signatures that verify.
var smallOrder = []string{
	"0000000000000000000000000000000000000000000000000000000000000000",
	"0100000000000000000000000000000000000000000000000000000000000000",
	"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
	"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
	"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
}

// prime is 2²⁵⁵ − 19, below which the numbers of a key's one text are.
const prime = "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"

// Proves reports whether signatures by a key prove anything: it is none for which anybody can sign, and no second text
// of one.
func Proves(key ed25519.PublicKey) bool {
	if len(key) != ed25519.PublicKeySize {
		return false
	}
	y := slices.Clone(key)
	y[len(y)-1] &= 0x7f // the sign
	text := hex.EncodeToString(y)
	return !slices.Contains(smallOrder, text) && (text[2:] != prime[2:] || text < prime)
}
