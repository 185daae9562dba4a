package roles

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/events"
	"posthorn/events/copies"
	"posthorn/events/sqlite"
)

// newest finds the newest copy, and refuses one that is older than what there was. Whoever may write to the cluster can
// put a genuine copy back that they kept, in which a token is good again that was revoked since. Two things say that a
// copy is old: the log, since a writer has its first copy there before it does anything; and what this folder saw
// there.
type newest struct {
	data  string
	store *copies.Store

	mu    sync.Mutex
	head  events.Head // of the house's stream when the terms were read
	terms []term
	at    uint64 // how far the log goes
	seen  *sighting
}

// term is a writer's time, as the log has it.
type term struct {
	pos  uint64 // at which it began
	hash events.Hash
}

// sighting is the newest copy that this folder saw in the cluster, proved to be of the house.
type sighting struct {
	Begun uint64      `json:"begun"`
	N     uint64      `json:"n"`
	Hash  events.Hash `json:"hash"` // of the event at that position: what another history had is not compared
}

const (
	sightingFile = "copy.json"
	// acceptFile may hold the name of a copy that the host wants although it is old.
	acceptFile = "copy-accepted"
)

// errOlderCopy says that somebody took copies out of the cluster, or put an old one back.
var errOlderCopy = errors.New("somebody put an older copy of people.db and mail.db into the cluster, " +
	"or took newer ones out")

// log notes who wrote the log, and when.
func (n *newest) log(ctx context.Context, log *sqlite.Log, keys *events.Keys) error {
	last, err := log.Last(ctx)
	if err != nil {
		return fmt.Errorf("look who wrote the log: %w", err)
	}
	head, err := log.Head(ctx, keys.HouseStream())
	if err != nil && !errors.Is(err, events.ErrNoStream) {
		return fmt.Errorf("look who wrote the log: %w", err)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.at = last; head == n.head {
		return nil
	}
	recs, err := log.Load(ctx, keys.HouseStream(), 0, head.Version)
	if err != nil {
		return fmt.Errorf("look who wrote the log: %w", err)
	}
	n.head, n.terms = head, nil
	for _, r := range recs {
		if r.Type == events.TypeTookOver || r.Type == events.TypeTookOverV1 {
			n.terms = append(n.terms, term{r.Pos, r.Hash})
		}
	}
	return nil
}

// look returns the position at which this folder last began to write, and the newest version in the cluster.
func (n *newest) look(ctx context.Context) (mine uint64, v copies.Version, err error) {
	if mine, err = folder.Begun(n.data); err != nil {
		return 0, v, err
	}
	least := n.least() // before the cluster is asked: it has that copy by now
	if v, err = n.store.Newest(ctx); err != nil || mine >= max(least.Begun, v.Begun) {
		return mine, v, err
	}
	if err := n.allows(v, least); err != nil {
		return mine, v, err
	}
	return mine, v, n.sees(ctx, v)
}

// allows returns errOlderCopy for a version that is older than another, unless the host accepts it.
func (n *newest) allows(v, least copies.Version) error {
	if !least.After(v) {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(n.data, acceptFile))
	if err == nil && strings.TrimSpace(string(text)) == v.String() {
		return nil
	}
	return fmt.Errorf("%w: there is %s, and there was %s", errOlderCopy, v, least)
}

// least returns the oldest version that may still be the newest.
func (n *newest) least() (v copies.Version) {
	n.mu.Lock()
	defer n.mu.Unlock()
	after := n.at
	for i := len(n.terms) - 1; i >= 0 && v.Begun == 0; i-- {
		if after > n.terms[i].pos { // it wrote, so it had a copy there
			v.Begun = n.terms[i].pos
		}
		after = n.terms[i].pos - 1
	}
	if n.seen == nil {
		n.seen = &sighting{}
		if b, err := os.ReadFile(filepath.Join(n.data, sightingFile)); err == nil && json.Unmarshal(b, n.seen) != nil {
			*n.seen = sighting{}
		}
	}
	if s := (copies.Version{Begun: n.seen.Begun, N: n.seen.N}); s.After(v) && n.hash(s.Begun) == n.seen.Hash {
		return s
	}
	return v
}

// hash returns the hash of the event with which a term began, or zero.
func (n *newest) hash(pos uint64) events.Hash {
	for _, t := range n.terms {
		if t.pos == pos {
			return t.hash
		}
	}
	return events.Hash{}
}

// sees notes a version, if it is newer than what was seen and of this house.
func (n *newest) sees(ctx context.Context, v copies.Version) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	hash := n.hash(v.Begun)
	if hash == (events.Hash{}) || n.seen.Hash == hash && !v.After(copies.Version{Begun: n.seen.Begun, N: n.seen.N}) {
		return nil
	}
	if proved, err := n.store.Proved(ctx, v); err != nil || !proved {
		return err
	}
	seen := sighting{v.Begun, v.N, hash}
	if err := folder.Note(filepath.Join(n.data, sightingFile), seen); err != nil {
		return fmt.Errorf("note the newest copy: %w", err)
	}
	n.seen = &seen
	return nil
}
