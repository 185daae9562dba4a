// Package recent keeps what was asked for lately, within bounds.
package recent

import (
	"container/list"
	"sync"
)

// Store is a bounded store, safe for concurrent use: what was not asked for longest goes first.
type Store[K comparable, V any] struct {
	mu    sync.Mutex
	room  int
	used  int
	order list.List
	items map[K]*list.Element
	size  func(V) int
}

type item[K comparable, V any] struct {
	key   K
	value V
}

// New makes a store with room for values of some size together; without a size each counts 1.
func New[K comparable, V any](room int, size func(V) int) *Store[K, V] {
	if size == nil {
		size = func(V) int { return 1 }
	}
	return &Store[K, V]{room: room, items: map[K]*list.Element{}, size: size}
}

// Get finds a value.
func (s *Store[K, V]) Get(k K) (v V, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.items[k]
	if !ok {
		return v, false
	}
	s.order.MoveToFront(e)
	return e.Value.(item[K, V]).value, true
}

// Put keeps a value, unless there is one already, or no room for it at all.
func (s *Store[K, V]) Put(k K, v V) { s.Keep(k, func() V { return v }) }

// Keep is the value that is kept, or a new one.
func (s *Store[K, V]) Keep(k K, fresh func() V) V {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := s.items[k]; ok {
		s.order.MoveToFront(e)
		return e.Value.(item[K, V]).value
	}
	v := fresh()
	n := s.size(v)
	if n > s.room {
		return v
	}
	s.items[k] = s.order.PushFront(item[K, V]{k, v})
	for s.used += n; s.used > s.room; {
		old := s.order.Remove(s.order.Back()).(item[K, V])
		delete(s.items, old.key)
		s.used -= s.size(old.value)
	}
	return v
}

// Len is how many values are kept.
func (s *Store[K, V]) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.items)
}
