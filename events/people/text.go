package people

import (
	"context"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// ErrText is returned for a sealed text that does not open: it was changed, or is another person's.
var ErrText = errors.New("the text does not open with this person's key")

// Encrypt seals what a person wrote (chat, a note, a reason) with their key, for the log. It returns ErrNobody if
// they are not here. The result is 28 bytes longer than the text.
func (s *Store) Encrypt(ctx context.Context, id domain.PersonID, text []byte) ([]byte, error) {
	box, err := s.box(ctx, id)
	if err != nil {
		return nil, err
	}
	return box.Seal(nil, nil, text, key(id)), nil
}

// Write seals a text for a command, as Encrypt does, with a digest of it under a key derived from the person's.
func (s *Store) Write(ctx context.Context, id domain.PersonID, text string) (w desk.Written, err error) {
	secret, err := s.secret(ctx, id)
	if err != nil {
		return w, err
	}
	box, err := events.NewBox(secret)
	if err != nil {
		return w, err
	}
	own := hmac.New(sha256.New, secret)
	_, _ = own.Write([]byte("mark"))
	mark := hmac.New(sha256.New, own.Sum(nil))
	_, _ = mark.Write([]byte(text))
	return desk.Written{Text: box.Seal(nil, nil, []byte(text), key(id)), Mark: mark.Sum(nil)}, nil
}

// Plain returns what somebody typed as it is kept: without control characters, apart from ends of lines, and without
// space around it.
func Plain(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", " ").Replace(strings.ToValidUTF8(text, "\uFFFD"))
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r != '\n' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, text))
}

// Decrypt opens what Encrypt sealed. It returns ErrNobody once the person is forgotten: then nobody can read the text
// any more, even with a copy of the log. It returns ErrText if the text does not open.
func (s *Store) Decrypt(ctx context.Context, id domain.PersonID, sealed []byte) ([]byte, error) {
	box, err := s.box(ctx, id)
	if err != nil {
		return nil, err
	}
	return open(box, sealed, key(id))
}

func open(box cipher.AEAD, sealed, place []byte) ([]byte, error) {
	text, err := box.Open(nil, nil, sealed, place)
	if err != nil {
		return nil, ErrText
	}
	return text, nil
}

func (s *Store) box(ctx context.Context, id domain.PersonID) (cipher.AEAD, error) {
	secret, err := s.secret(ctx, id)
	if err != nil {
		return nil, err
	}
	return events.NewBox(secret)
}

func (s *Store) secret(ctx context.Context, id domain.PersonID) ([]byte, error) {
	wrapped, err := value[[]byte](s.read.QueryRowContext(ctx, `SELECT text_key FROM people WHERE id = ?`, key(id)),
		"read a person's key")
	if err != nil {
		return nil, err
	}
	secret, err := open(s.wrap, wrapped, key(id))
	if err != nil {
		return nil, fmt.Errorf("open a person's key with the server's: %w", err)
	}
	return secret, nil
}

// sealKey seals a person's key for storage, bound to the person.
func (s *Store) sealKey(id events.Name, secret [32]byte) []byte {
	return s.wrap.Seal(nil, nil, secret[:], id[:])
}
