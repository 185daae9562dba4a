package recent

import "sync"

// Recall caches what was read from a source that others change, and is never stale: each change to the source is
// reported to it, and a value read before a change that arrives late is not kept. It is safe for concurrent use.
type Recall[K comparable, V any] struct {
	mu      sync.Mutex
	kept    *Store[K, V]
	changes uint64
}

// NewRecall returns a Recall of that many values.
func NewRecall[K comparable, V any](most int) *Recall[K, V] {
	return &Recall[K, V]{kept: New[K, V](most, nil)}
}

// Of returns the value of a key, and reads it only if it is not cached. It does not cache a failed read.
func (r *Recall[K, V]) Of(k K, read func() (V, error)) (V, error) {
	if v, ok := r.kept.Get(k); ok {
		return v, nil
	}
	r.mu.Lock()
	before := r.changes
	r.mu.Unlock()
	v, err := read()
	if err != nil {
		return v, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.changes == before {
		r.kept.Put(k, v)
	}
	return v, nil
}

// Changed sets the current values of some keys.
func (r *Recall[K, V]) Changed(to map[K]V) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes++
	for k, v := range to {
		r.kept.Set(k, v)
	}
}

// Forget says that any value may have changed.
func (r *Recall[K, V]) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes++
	r.kept.Clear()
}

// Trim drops all but the most recently used values, up to that many.
func (r *Recall[K, V]) Trim(to int) { r.kept.Trim(to) }
