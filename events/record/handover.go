package record

import (
	"cmp"
	"context"
	"crypto/ecdh"
	"crypto/hpke"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/domain/standin"
	"posthorn/events"
	"posthorn/events/memory"
)

const handoverViewer = "another server"

// ErrKey is returned for a text that is not the public key of a server.
var ErrKey = errors.New("not the public key of a server (posthorn key prints it there)")

// ErrHandover is returned where a record is not a handover that this server can open.
var ErrHandover = errors.New("not a handover for this server")

// ErrBranch is returned for a table that cannot be handed over, since it goes on from the
// line of another.
var ErrBranch = errors.New("a branched table stays where it is: its first moves, and their secrets, are another table's")

// keyPrefix begins the text of a server's public key, so that it is never taken for a flag.
const keyPrefix = "posthorn-key-"

func kem() hpke.KEM { return hpke.DHKEM(ecdh.X25519()) }

func private(keys *events.Keys) (hpke.PrivateKey, error) {
	k, err := kem().DeriveKeyPair(keys.For("handover"))
	if err != nil {
		return nil, fmt.Errorf("handover key: %w", err)
	}
	return k, nil
}

// PublicKey is what another server needs in order to hand a table over to this one.
func PublicKey(keys *events.Keys) (string, error) {
	k, err := private(keys)
	if err != nil {
		return "", err
	}
	return keyPrefix + base64.RawURLEncoding.EncodeToString(k.PublicKey().Bytes()), nil
}

func place64(stream events.Name, version uint64, n int) []byte {
	b := append([]byte("posthorn handover "), stream[:]...)
	b = binary.BigEndian.AppendUint64(b, version)
	return binary.BigEndian.AppendUint64(b, uint64(n))
}

// paddedPlace is the place of a part that was padded before it was sealed.
func paddedPlace(stream events.Name, version uint64, n int) []byte {
	return append([]byte("padded "), place64(stream, version, n)...)
}

// openPart opens a part that was sealed for this server: padded, or from before there was
// padding.
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

// Handover closes a running table here and writes its history, secrets sealed for the
// other server alone. If writing fails, the table is closed and the same call writes again.
func Handover(ctx context.Context, d *events.Desk, table events.Name, to string, at time.Time, w io.Writer) error {
	text, ok := strings.CutPrefix(strings.TrimSpace(to), keyPrefix)
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if !ok || err != nil {
		return ErrKey
	}
	key, err := kem().NewPublicKey(raw)
	if err != nil {
		return ErrKey
	}
	before, err := d.Look(ctx, table)
	if err != nil {
		return err
	}
	if before.Table.Branch != nil {
		return ErrBranch // before it is closed here: no other server could go on with it
	}
	_, err = d.DoBecause(ctx, events.Actor{Door: events.DoorHost}, table, events.Because("handover", table[:], raw), events.HandOver{To: to})
	if err != nil {
		return err
	}
	look, err := d.Look(ctx, table)
	if err != nil {
		return err
	}
	open := func(s events.Stream, r *events.Record, n int) (Part, error) {
		p := shut(r, n)
		if s.Table != table {
			return p, nil // another table's secrets stay where they are
		}
		salt, text, err := d.Keys().Unseal(r, n)
		if err != nil {
			return p, err
		}
		room := events.RoomOf(look.Rulebook, r.Type)
		p.Sealed, err = hpke.Seal(key, hpke.HKDFSHA256(), hpke.AES256GCM(), paddedPlace(r.Stream, r.Version, n), append(salt[:], events.Pad(text, room)...))
		return p, err
	}
	return write(ctx, d, look, handoverViewer, look.TableHead.Version-1, at, open, w)
}

// Import verifies a handover with its secrets open, folds it as this house will, seals its
// secrets with this server's key and adopts the table under the same hashes: all of it, or
// nothing if anything is not as it should be. It comes to the same when it is done twice.
func Import(ctx context.Context, log events.Log, keys *events.Keys, f *File, named func(string) (domain.Rulebook, bool)) (*Report, error) {
	if !f.Header.Handover {
		return nil, fmt.Errorf("%w: it is a record for people", ErrHandover)
	}
	if _, ok := named(f.Header.Rulebook); !ok {
		return nil, domain.Refuse("no-game", "game", f.Header.Rulebook)
	}
	key, err := private(keys)
	if err != nil {
		return nil, err
	}
	report, recs, err := prove(ctx, key, keys, f, named)
	if err != nil {
		return report, err
	}
	if err := log.Adopt(ctx, f.Header.Streams, recs); err != nil {
		return report, fmt.Errorf("adopt table %s: %w", f.Header.Table, err)
	}
	return report, nil
}

// prove opens a handover, verifies it and folds it as this house will, and gives what is to be adopted. Whatever
// fails is the error, a panic too: no honest server writes what a rulebook cannot bear.
func prove(ctx context.Context, key hpke.PrivateKey, keys *events.Keys, f *File, named func(string) (domain.Rulebook, bool)) (report *Report, recs []events.Record, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: no server writes what it holds: %v", ErrHandover, p)
		}
	}()
	rb, _ := named(f.Header.Rulebook)
	opened, recs, err := open(key, keys, f, rb)
	if err != nil {
		return nil, nil, err
	}
	v := newVerifier(opened)
	if err = v.all(named, nil); err == nil {
		err = rehearse(ctx, keys, &f.Header, recs, named)
	}
	if err != nil {
		return v.report, nil, err
	}
	arrived, err := arrival(keys, v)
	return v.report, append(recs, arrived), err
}

// open unseals a handover: the record with its secrets open, as it is verified, and the same
// with them sealed with this server's key, as it is adopted.
func open(key hpke.PrivateKey, keys *events.Keys, f *File, rb domain.Rulebook) (*File, []events.Record, error) {
	opened := &File{Header: f.Header, lines: f.lines, opened: true}
	var recs []events.Record
	for i := range f.Events {
		e := f.Events[i]
		e.Parts = slices.Clone(e.Parts)
		rec, err := openOne(key, keys, f, i, rb, e.Parts)
		if err != nil {
			return nil, nil, err
		}
		opened.Events, recs = append(opened.Events, e), append(recs, rec)
	}
	return opened, recs, nil
}

func openOne(key hpke.PrivateKey, keys *events.Keys, f *File, i int, rb domain.Rulebook, into []Part) (events.Record, error) {
	e := &f.Events[i]
	rec := e.record()
	for n, p := range e.Parts {
		if p.Sealed == nil {
			return rec, f.fault(i, "secret part %d is missing: the table cannot go on without it", n)
		}
		salt, text, ok := openPart(key, e, n)
		if !ok {
			return rec, fmt.Errorf("%w: secret part %d of version %d does not open", ErrHandover, n, e.Version)
		}
		if events.PartDigest(salt, text) != p.Digest {
			return rec, f.fault(i, "a sealed secret does not fit its digest")
		}
		into[n].Salt, into[n].Text = salt[:], new(string(text))
		rec.Parts[n] = keys.SealSaltedIn(events.RoomOf(rb, e.Type), e.Stream, e.Version, n, p.To, salt, text)
	}
	return rec, nil
}

// arrival is the event with which a table goes on here: it keeps the key that the former
// server's receipts are checked with, proved by that server's receipts of how it handed the
// table over. The same handover gives the same event here, so that an import may be repeated.
func arrival(keys *events.Keys, v *verifier) (events.Record, error) {
	f := v.f
	fact := domain.Arrived{Key: f.Header.Key, Receipts: []string{}}
	for _, line := range f.Header.Heads {
		r, err := events.ReadReceipt(f.Header.Key, line)
		if err != nil {
			return events.Record{}, fmt.Errorf("a receipt of the handover: %w", err)
		}
		if v.holds(r.Stream, r.Version, r.Hash) { // the closing event stays where it was written
			fact.Receipts = append(fact.Receipts, line)
		}
	}
	data, err := json.Marshal(fact)
	if err != nil {
		return events.Record{}, fmt.Errorf("arrival: %w", err)
	}
	meta, err := json.Marshal(events.Meta{Door: "host"})
	if err != nil {
		return events.Record{}, fmt.Errorf("arrival: %w", err)
	}
	last, _ := v.tableEvent(v.last[f.Header.Table])
	before, latest := &f.Events[last], slices.MaxFunc(f.Events, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
	r := events.Record{Stream: f.Header.Table, Version: before.Version + 1, Type: domain.TableEventType(&fact), Codec: "json",
		At: time.UnixMilli(latest.At).UTC(), Command: keys.OwnID(events.Because("arrive", f.Header.Table[:], before.Hash[:])), Meta: meta, Data: data}
	r.Hash = events.ChainHash(before.Hash, &r)
	return r, nil
}

// rehearse takes a table over into a log that is thrown away, and looks at it there as the
// house will: every line folds, and each viewer's view of how it stands, its drawing and its
// words can be made.
func rehearse(ctx context.Context, keys *events.Keys, h *Header, recs []events.Record, named func(string) (domain.Rulebook, bool)) (err error) {
	for _, s := range h.Streams {
		if s.Table != h.Table {
			return fmt.Errorf("%w: stream %s is not one that a table has", ErrHandover, s.Name)
		}
	}
	log := memory.New()
	defer func() { err = errors.Join(err, log.Close()) }()
	if err := log.Adopt(ctx, h.Streams, recs); err != nil {
		return fmt.Errorf("adopt table %s: %w", h.Table, err)
	}
	desk := events.NewDesk(log, keys, named, nil)
	look, err := desk.Look(ctx, h.Table)
	if err != nil {
		return err
	}
	if err := fits(look); err != nil {
		return err
	}
	if _, err := desk.TableHistory(ctx, h.Table, 0); err != nil {
		return err
	}
	for _, l := range look.Table.Lines {
		if err := rehearseLine(ctx, desk, look, l); err != nil {
			return err
		}
	}
	return nil
}

// fits checks that the table is one that people can sit at. That it is the one that the header names
// was verified before.
func fits(look events.Look) error {
	t := look.Table
	if t.Branch != nil {
		return ErrBranch
	}
	for _, p := range t.Places {
		if p.Humans() {
			continue
		}
		if _, err := standin.Named(p.StandIn); err != nil {
			return fmt.Errorf("%w: %w", ErrHandover, err)
		}
	}
	full, err := domain.Complete(look.Rulebook, t.Choices)
	if err != nil {
		return fmt.Errorf("%w: its options: %w", ErrHandover, err)
	}
	if least, most := look.Rulebook.Seats(full); len(t.Places) < least || len(t.Places) > most {
		return fmt.Errorf("%w: %d seats", ErrHandover, len(t.Places))
	}
	return nil
}

func rehearseLine(ctx context.Context, desk *events.Desk, look events.Look, l domain.TableLine) error {
	name, err := events.ParseName(l.Name)
	if err != nil {
		return fmt.Errorf("%w: line %q: %w", ErrHandover, l.Name, err)
	}
	line, err := desk.LineAt(ctx, look, name, 0)
	if errors.Is(err, events.ErrNoStream) {
		return nil // decided, and not yet opened
	}
	if err != nil {
		return err
	}
	history, err := desk.History(ctx, look, name, domain.Referee, 0, 0)
	if err != nil {
		return err
	}
	rb := look.Rulebook
	for i := range history {
		if !history[i].Forked {
			rb.Tell(&history[i].Event)
		}
	}
	for viewer := domain.Referee; int(viewer) < len(look.Table.Places); viewer++ {
		view := rb.View(line.State, viewer)
		rb.Draw(view, domain.Sketch{Aids: true})
		rb.Describe(view)
		rb.Standing(line.State, viewer)
	}
	for _, o := range line.Awaited() {
		if o.Seat < 0 || int(o.Seat) >= len(look.Table.Places) {
			return fmt.Errorf("%w: seat %d is awaited, of %d", ErrHandover, o.Seat, len(look.Table.Places))
		}
		for m := range rb.Legal(line.State, o.Seat) {
			rb.FormatMove(m, nil)
		}
		rb.Forms(line.State, o.Seat)
	}
	return nil
}
