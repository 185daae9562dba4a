package people

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"

	"posthorn/domain"
	"posthorn/events"
)

// ErrText is returned for a sealed text that does not open: changed, or another person's.
var ErrText = errors.New("the text does not open with this person's key")

// Encrypt seals what a person wrote (chat, a note, a reason) with their key, for the log.
// ErrNobody if they are not here. The result is 28 bytes longer than the text.
func (s *Store) Encrypt(ctx context.Context, id domain.PersonID, text []byte) ([]byte, error) {
	box, err := s.box(ctx, id)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, box.NonceSize(), box.NonceSize()+len(text)+box.Overhead())
	_, _ = rand.Read(nonce)
	return box.Seal(nonce, nonce, text, key(id)), nil
}

// Decrypt opens what Encrypt sealed. ErrNobody once the person was forgotten: then nobody can
// read the text any more, whoever has a copy of the log. ErrText if it does not open.
func (s *Store) Decrypt(ctx context.Context, id domain.PersonID, sealed []byte) ([]byte, error) {
	box, err := s.box(ctx, id)
	if err != nil {
		return nil, err
	}
	return open(box, sealed, key(id))
}

func open(box cipher.AEAD, sealed, place []byte) ([]byte, error) {
	if len(sealed) < box.NonceSize() {
		return nil, ErrText
	}
	text, err := box.Open(nil, sealed[:box.NonceSize()], sealed[box.NonceSize():], place)
	if err != nil {
		return nil, ErrText
	}
	return text, nil
}

func (s *Store) box(ctx context.Context, id domain.PersonID) (cipher.AEAD, error) {
	var wrapped []byte
	err := s.read.QueryRowContext(ctx, `SELECT text_key FROM people WHERE id = ?`, key(id)).Scan(&wrapped)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNobody
	}
	if err != nil {
		return nil, fmt.Errorf("read a person's key: %w", err)
	}
	secret, err := open(s.wrap, wrapped, key(id))
	if err != nil {
		return nil, fmt.Errorf("open a person's key with the server's: %w", err)
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		return nil, fmt.Errorf("use a person's key: %w", err)
	}
	return cipher.NewGCM(block)
}

// sealKey seals a person's key at rest, bound to the person.
func (s *Store) sealKey(id events.Name, secret [32]byte) []byte {
	nonce := make([]byte, s.wrap.NonceSize())
	_, _ = rand.Read(nonce)
	return s.wrap.Seal(nonce, nonce, secret[:], id[:])
}
