package pass

import (
	"crypto/rand"
	"log/slog"
)

// Token is the text of a pass: a secret. Printed or logged it only says that it is one.
type Token struct{ text string }

const redacted = "(pass)"

// Text returns the token itself, for the link it belongs in, and nothing else.
func (t Token) Text() string { return t.text }

// String hides the token.
func (t Token) String() string { return redacted }

// GoString hides the token.
func (t Token) GoString() string { return redacted }

// LogValue hides the token.
func (t Token) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText hides the token.
func (t Token) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// Random makes a token of 256 random bits, 43 characters: for things looked up by its hash rather than read from it.
func Random() Token {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the program instead
	return Token{base64url.EncodeToString(b[:])}
}
