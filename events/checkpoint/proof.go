package checkpoint

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"posthorn/events"
)

// proofFormat names the form of a proof in a file: docs/format.md, section 16.
const proofFormat = "posthorn-proof-1"

// ErrAbsent is returned for an event that was not proved to be in a checkpoint's log.
var ErrAbsent = errors.New("the event is not proved to be in the log")

// ErrProof is returned for a proof that cannot be read.
var ErrProof = errors.New("not a proof of this form (" + proofFormat + ")")

// Proof is what somebody needs to check a log without asking its server: signed checkpoints, how each goes on in a
// later one, and which events are in one. Its key is only what the proof itself claims; anybody with another source
// of the server's key should compare the two.
type Proof struct {
	Format      string   `json:"format"`
	Key         []byte   `json:"key"`
	Checkpoints []string `json:"checkpoints"`
	Consistency []Growth `json:"consistency"`
	Inclusion   []Held   `json:"inclusion"`
}

// Growth proves that the log of one size goes on in the log of another, as the API answers it.
type Growth struct {
	From   int64         `json:"from"`
	To     int64         `json:"to"`
	Hashes []events.Hash `json:"hashes"`
}

// Held proves that the log of a size has an event at a position, as the API answers it.
type Held struct {
	Stream   events.Name   `json:"stream"`
	Version  uint64        `json:"version"`
	Hash     events.Hash   `json:"hash"`
	Position int64         `json:"position"`
	Size     int64         `json:"size"`
	Hashes   []events.Hash `json:"hashes"`
}

// Proved is what a proof proves.
type Proved struct {
	Latest Checkpoint
	// Before holds older checkpoints whose log goes on in the latest one's; Loose holds those for which that is
	// neither proved nor disproved.
	Before, Loose []Checkpoint
}

// ReadProof reads a proof's file. It returns ErrProof if it is not one.
func ReadProof(in io.Reader) (p Proof, err error) {
	text, err := io.ReadAll(in)
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		return p, fmt.Errorf("%w: %w", ErrProof, err)
	}
	if !complete(text) || p.Format != proofFormat || len(p.Key) != ed25519.PublicKeySize || len(p.Checkpoints) == 0 {
		return p, ErrProof
	}
	return p, nil
}

// complete reports whether a proof has all its members, and so has what is in its lists. Other ones are ignored.
func complete(text []byte) bool {
	var lists map[string]json.RawMessage
	if json.Unmarshal(text, &lists) != nil || !has(lists, "format", "key", "checkpoints", "consistency", "inclusion") {
		return false
	}
	for list, members := range map[string][]string{
		"consistency": {"from", "to", "hashes"},
		"inclusion":   {"stream", "version", "hash", "position", "size", "hashes"},
	} {
		var all []map[string]json.RawMessage
		if json.Unmarshal(lists[list], &all) != nil ||
			slices.ContainsFunc(all, func(one map[string]json.RawMessage) bool { return !has(one, members...) }) {
			return false
		}
	}
	return exact(text)
}

// exact reports whether all texts of a proof are texts, hashes are in lower-case digits, and versions count from 1.
func exact(text []byte) bool {
	type digits = *string
	var p struct {
		Key         string
		Checkpoints []*string
		Consistency []struct{ Hashes []digits }
		Inclusion   []struct {
			Stream, Hash digits
			Version      uint64
			Hashes       []digits
		}
	}
	if json.Unmarshal(text, &p) != nil || slices.Contains(p.Checkpoints, nil) {
		return false
	}
	var all []digits
	for _, g := range p.Consistency {
		all = append(all, g.Hashes...)
	}
	for _, h := range p.Inclusion {
		if all = append(append(all, h.Stream, h.Hash), h.Hashes...); h.Version == 0 {
			return false
		}
	}
	return !slices.ContainsFunc(all, func(d digits) bool { return d == nil || strings.ToLower(*d) != *d })
}

// has reports whether an object has members, none of which is null.
func has(object map[string]json.RawMessage, members ...string) bool {
	return !slices.ContainsFunc(members, func(name string) bool {
		value, ok := object[name]
		return !ok || string(value) == "null"
	})
}

// Write writes a proof as a file: JSON, one line per statement.
func (p Proof) Write(out io.Writer) error {
	p.Format = proofFormat
	p.Checkpoints, p.Consistency, p.Inclusion = listed(p.Checkpoints), listed(p.Consistency), listed(p.Inclusion)
	text, err := json.MarshalIndent(p, "", " ")
	if err != nil {
		return fmt.Errorf("write a proof: %w", err)
	}
	if _, err := out.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("write a proof: %w", err)
	}
	return nil
}

// listed returns a list that JSON writes as one, even if it is empty.
func listed[T any](list []T) []T { return append([]T{}, list...) }

// Check checks all that a proof says, together with checkpoints that somebody kept. It returns ErrNote if one is not
// signed with the key, ErrRewritten if two of them are not of one log that has only grown, and ErrAbsent if an event
// is not in its log.
func (p Proof) Check(kept ...string) (Proved, error) {
	signed, err := p.signed(kept)
	if err != nil {
		return Proved{}, err
	}
	grows := map[int64][]int64{} // size -> the sizes whose logs go on in it
	for _, g := range p.Consistency {
		from, to := signed[g.From], signed[g.To]
		if from == nil || to == nil {
			return Proved{}, fmt.Errorf("%w: no checkpoint of %d or of %d events", ErrNote, g.From, g.To)
		}
		if err := g.check(*from, *to); err != nil {
			return Proved{}, err
		}
		grows[g.To] = append(grows[g.To], g.From)
	}
	for _, h := range p.Inclusion {
		of := signed[h.Size]
		if of == nil {
			return Proved{}, fmt.Errorf("%w: no checkpoint of %d events", ErrNote, h.Size)
		}
		if err := h.check(*of); err != nil {
			return Proved{}, err
		}
	}
	return proved(signed, grows), nil
}

// signed returns all checkpoints by size.
func (p Proof) signed(kept []string) (map[int64]*Checkpoint, error) {
	signed := map[int64]*Checkpoint{}
	for _, text := range slices.Concat(p.Checkpoints, kept) {
		c, err := Read(p.Key, text)
		if err != nil {
			return nil, err
		}
		if other := signed[c.Size]; other != nil && other.Root != c.Root {
			return nil, fmt.Errorf("%w: two logs of %d events", ErrRewritten, c.Size)
		}
		signed[c.Size] = &c
	}
	return signed, nil
}

// proved sorts the checkpoints by whether they go on in the latest.
func proved(signed map[int64]*Checkpoint, grows map[int64][]int64) (out Proved) {
	latest := int64(-1)
	for size := range signed {
		latest = max(latest, size)
	}
	out.Latest = *signed[latest]
	reached := map[int64]bool{0: true, latest: true} // every log goes on from the empty one
	for todo := []int64{latest}; len(todo) > 0; todo = todo[1:] {
		for _, from := range grows[todo[0]] {
			if !reached[from] {
				reached[from], todo = true, append(todo, from)
			}
		}
	}
	for size, c := range signed {
		switch {
		case size == latest:
		case reached[size]:
			out.Before = append(out.Before, *c)
		default:
			out.Loose = append(out.Loose, *c)
		}
	}
	bySize := func(a, b Checkpoint) int { return int(a.Size - b.Size) }
	slices.SortFunc(out.Before, bySize)
	slices.SortFunc(out.Loose, bySize)
	return out
}

func (g Growth) check(from, to Checkpoint) error {
	if g.From == 0 || g.From == g.To && len(g.Hashes) == 0 { // the roots were compared
		return nil
	}
	if err := tlog.CheckTree(treeHashes(g.Hashes), to.Size, to.Root, from.Size, from.Root); err != nil {
		return fmt.Errorf("%w: the log of %d events does not go on from the one of %d: %w", ErrRewritten, g.To, g.From,
			err)
	}
	return nil
}

func (h Held) check(of Checkpoint) error {
	if h.Position < 1 || h.Position > of.Size {
		return fmt.Errorf("%w: position %d of a log of %d events", ErrAbsent, h.Position, of.Size)
	}
	if err := tlog.CheckRecord(treeHashes(h.Hashes), of.Size, of.Root, h.Position-1, Leaf(h.Hash)); err != nil {
		return fmt.Errorf("%w: version %d of stream %s: %w", ErrAbsent, h.Version, h.Stream, err)
	}
	return nil
}

// Holds returns what the proof says of a version of a stream; nil if nothing.
func (p Proof) Holds(stream events.Name, version uint64) *Held {
	for i, h := range p.Inclusion {
		if h.Stream == stream && h.Version == version {
			return &p.Inclusion[i]
		}
	}
	return nil
}

// SameKey reports whether a key is the one in the proof.
func (p Proof) SameKey(key []byte) bool { return bytes.Equal(p.Key, key) }

// Prove proves, from the latest checkpoint, that the log goes on from the kept ones and holds some records. It
// returns ErrNone before the first checkpoint, and ErrSize for anything the latest does not reach.
func (k *Keeper) Prove(kept []string, records []events.Record) (p Proof, err error) {
	note, latest, err := k.Latest()
	if err != nil {
		return p, err
	}
	p = Proof{Key: k.Keys.PublicKey(), Checkpoints: slices.Concat(kept, []string{note})}
	for _, text := range kept {
		c, err := Read(k.Keys.PublicKey(), text)
		if err != nil {
			return p, err
		}
		if c.Size == latest.Size || c.Size == 0 {
			continue
		}
		proof, err := k.Consistency(c.Size, latest.Size)
		if err != nil {
			return p, err
		}
		p.Consistency = append(p.Consistency, Growth{c.Size, latest.Size, logHashes(proof)})
	}
	for _, r := range records {
		proof, err := k.Inclusion(int64(r.Pos), latest.Size)
		if err != nil {
			return p, err
		}
		p.Inclusion = append(p.Inclusion,
			Held{r.Stream, r.Version, r.Hash, int64(r.Pos), latest.Size, logHashes(proof)})
	}
	return p, nil
}

// ProveTable proves that the log of the latest checkpoint holds a table's own streams, each up to its last event
// there. It leaves out streams that began later.
func (k *Keeper) ProveTable(ctx context.Context, table events.Name) (Proof, error) {
	_, latest, err := k.Latest()
	if err != nil {
		return Proof{}, err
	}
	streams, err := k.Log.Streams(ctx, table)
	if err != nil {
		return Proof{}, fmt.Errorf("prove table %s: %w", table, err)
	}
	var ends []events.Record
	for _, s := range streams {
		if s.Kind != events.KindTable && s.Kind != events.KindLine {
			continue // in no record
		}
		all, err := k.Log.Load(ctx, s.Name, s.Fork, 0)
		if err != nil {
			return Proof{}, fmt.Errorf("prove table %s: %w", table, err)
		}
		beyond := slices.IndexFunc(all, func(r events.Record) bool { return r.Pos > uint64(latest.Size) })
		if beyond < 0 {
			beyond = len(all)
		}
		if beyond > 0 {
			ends = append(ends, all[beyond-1])
		}
	}
	return k.Prove(nil, ends)
}

func treeHashes(list []events.Hash) []tlog.Hash {
	out := make([]tlog.Hash, len(list))
	for i, h := range list {
		out[i] = tlog.Hash(h)
	}
	return out
}

func logHashes(list []tlog.Hash) []events.Hash {
	out := make([]events.Hash, len(list))
	for i, h := range list {
		out[i] = events.Hash(h)
	}
	return out
}
