package checkpoint

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"posthorn/events"
)

// ErrNote is returned for a checkpoint that is malformed or not signed with the key.
var ErrNote = errors.New("not a checkpoint of this server")

// Checkpoint says how the log stood: how many events it had, and the root of the tree over them.
type Checkpoint struct {
	Size int64
	Root tlog.Hash
}

// Origin returns the name of a server's log in its checkpoints: it follows from the server's key alone.
func Origin(key ed25519.PublicKey) string { return "posthorn/" + hex.EncodeToString(key[:8]) }

// Sign writes a checkpoint as a signed note.
func Sign(keys *events.Keys, c Checkpoint) (string, error) {
	text, err := note.Sign(&note.Note{Text: fmt.Sprintf("%s\n%d\n%s\n", Origin(keys.PublicKey()), c.Size, c.Root)},
		signer{keys})
	if err != nil {
		return "", fmt.Errorf("sign a checkpoint: %w", err)
	}
	return string(text), nil
}

// Read reads a checkpoint and checks its signature. It returns ErrNote if text is not a checkpoint signed with that
// key.
func Read(key ed25519.PublicKey, text string) (c Checkpoint, err error) {
	if !events.Proves(key) {
		return c, ErrNote
	}
	line, err := note.NewEd25519VerifierKey(Origin(key), key)
	if err != nil {
		return c, fmt.Errorf("the key of a checkpoint: %w", err)
	}
	verifier, err := note.NewVerifier(line)
	if err != nil {
		return c, fmt.Errorf("the key of a checkpoint: %w", err)
	}
	n, err := note.Open([]byte(text), note.VerifierList(verifier))
	if err != nil {
		return c, fmt.Errorf("%w: %w", ErrNote, err)
	}
	c, ok := said(key, n.Text)
	if !ok {
		return c, ErrNote
	}
	return c, nil
}

// said returns what a note of a key's server says, whoever signed it.
func said(key ed25519.PublicKey, text string) (c Checkpoint, ok bool) {
	lines := strings.SplitN(text, "\n", 4)
	if len(lines) < 4 || lines[0] != Origin(key) {
		return c, false
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	root, bad := base64.StdEncoding.DecodeString(lines[2])
	if err != nil || bad != nil || size < 0 || strconv.FormatInt(size, 10) != lines[1] || len(root) != tlog.HashSize {
		return c, false
	}
	return Checkpoint{size, tlog.Hash(root)}, true
}

// signer signs with the receipts' key. A note never begins like a receipt.
type signer struct{ keys *events.Keys }

func (s signer) Name() string { return Origin(s.keys.PublicKey()) }

func (s signer) KeyHash() uint32 {
	line, err := note.NewEd25519VerifierKey(s.Name(), s.keys.PublicKey())
	if err != nil {
		panic("checkpoint: " + err.Error()) // the name is ours and fits
	}
	verifier, err := note.NewVerifier(line)
	if err != nil {
		panic("checkpoint: " + err.Error()) // made above
	}
	return verifier.KeyHash()
}

func (s signer) Sign(msg []byte) ([]byte, error) { return s.keys.SignNote(msg) }
