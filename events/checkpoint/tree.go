// Package checkpoint states in one signed line how the whole log stands, so that anybody who keeps such a line can
// later get proof that nothing before it was changed or left out. It uses a tree of hashes over the events by
// position, as in RFC 6962 (Certificate Transparency), and signed notes as in C2SP's tlog-checkpoint. Trees, proofs
// and notes are those of golang.org/x/mod/sumdb.
//
// A leaf is the hash of an event, which covers all of its stream before it. What must not live here: what an event
// says, and who may know it.
package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"golang.org/x/mod/sumdb/tlog"

	"posthorn/events"
)

// ErrSize is returned for a number of events that the tree does not have.
var ErrSize = errors.New("the tree has not so many events")

// Tree is the tree over a log. Its hashes are in a file, which is rebuilt from the log if it is missing or does not
// match. It is safe for concurrent use.
type Tree struct {
	mu   sync.RWMutex
	file *os.File
	size int64 // events in it
}

// Open opens a tree's file, or creates it.
func Open(path string) (*Tree, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // a file of the house's own
	if err != nil && !events.Unstored(err) {                  // one that cannot be opened is no loss either
		if gone := os.Remove(path); gone == nil {
			f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // the same
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open the tree of the log: %w", err)
	}
	t := &Tree{file: f}
	info, err := f.Stat()
	if err == nil {
		for stored := info.Size() / tlog.HashSize; tlog.StoredHashCount(t.size+1) <= stored; {
			t.size = grown(t.size, stored)
		}
		err = f.Truncate(tlog.StoredHashCount(t.size) * tlog.HashSize)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the tree of the log: %w", err), f.Close())
	}
	return t, nil
}

// grown returns a larger number of events whose hashes are all stored: more by the greatest possible power of two.
func grown(size, stored int64) int64 {
	step := int64(1)
	for tlog.StoredHashCount(size+2*step) <= stored {
		step *= 2
	}
	return size + step
}

// Close closes the file.
func (t *Tree) Close() error { return t.file.Close() }

// Size returns how many events the tree has.
func (t *Tree) Size() int64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.size
}

// Grow takes in what the log has beyond the tree. It rebuilds a tree that no longer matches the log because the log
// was restored from an older copy.
func (t *Tree) Grow(ctx context.Context, log events.Log) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	fits, err := t.fits(ctx, log)
	if err != nil {
		return err
	}
	if !fits {
		if err := t.file.Truncate(0); err != nil {
			return fmt.Errorf("grow the tree of the log: %w", err)
		}
		t.size = 0
	}
	for {
		records, err := log.Read(ctx, uint64(t.size), grownAtOnce)
		if err != nil {
			return fmt.Errorf("grow the tree of the log: %w", err)
		}
		if len(records) == 0 {
			return nil
		}
		if err := t.add(records); err != nil {
			return fmt.Errorf("grow the tree of the log: %w", err)
		}
	}
}

// grownAtOnce is how many events are read and written at once.
const grownAtOnce = 512

// fits reports whether the tree's last event is the log's.
func (t *Tree) fits(ctx context.Context, log events.Log) (bool, error) {
	if t.size == 0 {
		return true, nil
	}
	records, err := log.Read(ctx, uint64(t.size-1), 1)
	if err != nil || len(records) == 0 {
		return false, err
	}
	leaf, err := t.ReadHashes([]int64{tlog.StoredHashIndex(0, t.size-1)})
	return err == nil && leaf[0] == Leaf(records[0].Hash), err
}

// trim cuts the tree back to at most that many events, so that anything a power cut took from the middle of its file,
// while keeping the end, is read from the log again.
func (t *Tree) trim(size int64) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if size >= t.size {
		return nil
	}
	if err := t.file.Truncate(tlog.StoredHashCount(size) * tlog.HashSize); err != nil {
		return fmt.Errorf("trim the tree of the log: %w", err)
	}
	t.size = size
	return nil
}

// Sync makes the tree's contents survive a power cut.
func (t *Tree) Sync() error {
	if err := t.file.Sync(); err != nil {
		return fmt.Errorf("keep the tree of the log: %w", err)
	}
	return nil
}

// add writes the hashes of more events after the existing ones.
func (t *Tree) add(records []events.Record) error {
	first := tlog.StoredHashCount(t.size)
	var fresh []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			if index >= first {
				out[i] = fresh[index-first]
			} else if _, err := t.file.ReadAt(out[i][:], index*tlog.HashSize); err != nil {
				return nil, err
			}
		}
		return out, nil
	})
	for i, r := range records {
		if r.Pos != uint64(t.size)+uint64(i)+1 {
			return fmt.Errorf("position %d follows on %d", r.Pos, t.size+int64(i))
		}
		more, err := tlog.StoredHashesForRecordHash(t.size+int64(i), Leaf(r.Hash), reader)
		if err != nil {
			return err
		}
		fresh = append(fresh, more...)
	}
	text := make([]byte, 0, len(fresh)*tlog.HashSize)
	for _, h := range fresh {
		text = append(text, h[:]...)
	}
	if _, err := t.file.WriteAt(text, first*tlog.HashSize); err != nil {
		return err
	}
	t.size += int64(len(records))
	return nil
}

// Leaf is an event's leaf: the SHA-256 of a zero byte and the event's hash.
func Leaf(h events.Hash) tlog.Hash { return tlog.RecordHash(h[:]) }

// ReadHashes reads stored hashes, for package tlog.
func (t *Tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		if _, err := t.file.ReadAt(out[i][:], index*tlog.HashSize); err != nil {
			return nil, fmt.Errorf("read the tree of the log: %w", errors.Join(err, io.ErrUnexpectedEOF))
		}
	}
	return out, nil
}

// Root returns the hash of the tree over the first size events. It returns ErrSize if there are not so many.
func (t *Tree) Root(size int64) (tlog.Hash, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if size < 0 || size > t.size {
		return tlog.Hash{}, ErrSize
	}
	root, err := tlog.TreeHash(size, t)
	if err != nil {
		return root, fmt.Errorf("root of the log: %w", err)
	}
	return root, nil
}

// Consistency proves that the tree over the log's first from events goes on in the tree over its first to. It returns
// ErrSize if there are not so many, or there is nothing to prove.
func (t *Tree) Consistency(from, to int64) (tlog.TreeProof, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if from < 1 || from > to || to > t.size {
		return nil, ErrSize
	}
	proof, err := tlog.ProveTree(to, from, t)
	if err != nil {
		return nil, fmt.Errorf("prove the log: %w", err)
	}
	return proof, nil
}

// Inclusion proves that the event at a position, counted from 1, is in the tree over the log's first size events.
func (t *Tree) Inclusion(position, size int64) (tlog.RecordProof, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if position < 1 || position > size || size > t.size {
		return nil, ErrSize
	}
	proof, err := tlog.ProveRecord(size, position-1, t)
	if err != nil {
		return nil, fmt.Errorf("prove an event: %w", err)
	}
	return proof, nil
}
