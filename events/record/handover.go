package record

import (
	"context"
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/hpke"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

const handoverViewer = "another server"

// ErrKey is returned for a text that is not a server's public key.
var ErrKey = errors.New("not the public key of a server (posthorn key prints it there)")

// ErrHandover is returned if a record is not a handover that this server can open.
var ErrHandover = errors.New("not a handover for this server")

// ErrBranch is returned for a branch that cannot be handed over yet, because something is still hidden in a game it
// goes on from.
var ErrBranch = errors.New("a branched table can be handed over once every game that it goes on from has ended: " +
	"until then their secrets are not its own to take along")

// keyPrefix begins the text of a server's public key, so that nothing mistakes it for a flag.
const keyPrefix = "posthorn-key-"

func kem() hpke.KEM { return hpke.DHKEM(ecdh.X25519()) }

func private(keys *events.Keys) (hpke.PrivateKey, error) {
	k, err := kem().DeriveKeyPair(keys.For("handover"))
	if err != nil {
		return nil, fmt.Errorf("handover key: %w", err)
	}
	return k, nil
}

// PublicKey returns what another server needs to hand a table over to this one: the key for which it seals secrets, and
// the one that checks the receipts here. The event that closes the table there names both, so that nobody else can go
// on with it.
func PublicKey(keys *events.Keys) (string, error) {
	k, err := private(keys)
	if err != nil {
		return "", err
	}
	return keyPrefix + base64.RawURLEncoding.EncodeToString(append(k.PublicKey().Bytes(), keys.PublicKey()...)), nil
}

// sealing is how long the first of the two keys is.
const sealing = 32

// KeyAt returns a server's public key with the address at which people reach it: with that the server that hands a
// table over tells them where it goes on.
func KeyAt(key, address string) (string, error) {
	text := key + "@" + strings.TrimRight(address, "/")
	_, err := readKey(text)
	return text, err
}

// readKey reads what PublicKey or KeyAt returned.
func readKey(text string) (raw []byte, err error) {
	text, address, at := strings.Cut(text, "@")
	if u, err := url.Parse(address); at &&
		(err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Scheme+"://"+u.Host != address) {
		return nil, fmt.Errorf("%w: %q is not the address of one", ErrKey, address)
	}
	text, ok := strings.CutPrefix(text, keyPrefix)
	if raw, err = base64.RawURLEncoding.DecodeString(text); !ok || err != nil {
		return nil, ErrKey
	}
	if len(raw) != sealing+ed25519.PublicKeySize {
		return nil, fmt.Errorf("%w: it is one of an older program", ErrKey)
	}
	return raw, nil
}

func place64(stream events.Name, version uint64, n int) []byte {
	b := append([]byte("posthorn handover "), stream[:]...)
	b = binary.BigEndian.AppendUint64(b, version)
	return binary.BigEndian.AppendUint64(b, uint64(n))
}

// paddedPlace returns the place of a part that was padded before it was sealed.
func paddedPlace(stream events.Name, version uint64, n int) []byte {
	return append([]byte("padded "), place64(stream, version, n)...)
}

// openPart opens a part sealed for this server: padded, or from before padding existed.
func openPart(key hpke.PrivateKey, e *Event, n int) (salt [32]byte, text []byte, ok bool) {
	sealed := e.Parts[n].Sealed
	plain, err := hpke.Open(key, hpke.HKDFSHA256(), hpke.AES256GCM(), paddedPlace(e.Stream, e.Version, n), sealed)
	if err == nil && len(plain) >= 32 {
		text, ok = events.Unpad(plain[32:])
		return [32]byte(plain), text, ok
	}
	plain, err = hpke.Open(key, hpke.HKDFSHA256(), hpke.AES256GCM(), place64(e.Stream, e.Version, n), sealed)
	if err != nil || len(plain) < 32 {
		return salt, nil, false
	}
	return [32]byte(plain), plain[32:], true
}

// Handover closes a running table here and writes its history, with its secrets sealed for the other server alone. A
// branch's handover follows the finished records of the tables it goes on from. If writing fails, the table stays
// closed and the same call writes again.
func Handover(ctx context.Context, d *desk.Desk, table events.Name, to string, at time.Time, w io.Writer) error {
	to = strings.TrimSpace(to)
	raw, err := readKey(to)
	if err != nil {
		return err
	}
	key, err := kem().NewPublicKey(raw[:sealing])
	if err != nil {
		return ErrKey
	}
	before, err := d.Look(ctx, table)
	if err != nil {
		return err
	}
	ancestors, err := openAncestors(ctx, d, before.Table)
	if err != nil {
		return err // before it is closed here: no other server could go on with it
	}
	_, err = d.DoCaused(ctx, events.Actor{Door: domain.DoorHost}, table, events.Because("handover", table[:], raw),
		desk.HandOver{To: to})
	if err != nil {
		return err
	}
	look, err := d.Look(ctx, table)
	if err != nil {
		return err
	}
	if err := writeBefore(ctx, d, ancestors, at, w); err != nil {
		return err
	}
	open := func(_ events.Stream, r *events.Record, n int) (Part, error) {
		p := shut(r, n) // also for what another table wrote, which is open to everybody by now
		salt, text, err := d.Keys().Unseal(r, n)
		if err != nil {
			return p, err
		}
		pad := events.PadOf(look.Rulebook, r.Type)
		p.Sealed, err = hpke.Seal(key, hpke.HKDFSHA256(), hpke.AES256GCM(), paddedPlace(r.Stream, r.Version, n),
			append(salt[:], events.Pad(text, pad)...))
		return p, err
	}
	return write(ctx, d, look, handoverViewer, look.TableHead.Version-1, at, open, w)
}
