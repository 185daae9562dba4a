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

// Set keeps a value in place of the one that there is, if there is one.
func (s *Store[K, V]) Set(k K, v V) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := s.items[k]; ok {
		s.used -= s.size(s.order.Remove(e).(item[K, V]).value)
		delete(s.items, k)
	}
	s.put(k, v)
}

// Clear forgets everything.
func (s *Store[K, V]) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.order.Init()
	clear(s.items)
	s.used = 0
}

// Keep is the value that is kept, or a new one.
func (s *Store[K, V]) Keep(k K, fresh func() V) V {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := s.items[k]; ok {
		s.order.MoveToFront(e)
		return e.Value.(item[K, V]).value
	}
	v := fresh()
	s.put(k, v)
	return v
}

// Trim forgets all but so many values, those asked for last, and the room that the others took.
func (s *Store[K, V]) Trim(to int) {
	s.forget(func() bool { return len(s.items) > to })
}

// Shrink forgets values, those not asked for longest first, until the others together are of no more than some size.
func (s *Store[K, V]) Shrink(room int) {
	s.forget(func() bool { return s.used > room })
}

// forget forgets while there is too much, and the room that it took.
func (s *Store[K, V]) forget(tooMuch func() bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !tooMuch() {
		return
	}
	for tooMuch() {
		s.last()
	}
	fewer := make(map[K]*list.Element, len(s.items)) // a map keeps the room that it once had
	for k, e := range s.items {
		fewer[k] = e
	}
	s.items = fewer
}

// last forgets what was not asked for longest.
func (s *Store[K, V]) last() {
	old := s.order.Remove(s.order.Back()).(item[K, V])
	delete(s.items, old.key)
	s.used -= s.size(old.value)
}

// put keeps a value that is not there yet, if there is room for it at all.
func (s *Store[K, V]) put(k K, v V) {
	n := s.size(v)
	if n > s.room {
		return
	}
	s.items[k] = s.order.PushFront(item[K, V]{k, v})
	for s.used += n; s.used > s.room; {
		s.last()
	}
}

// Used is the size of all values together.
func (s *Store[K, V]) Used() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used
}

// Len is how many values are kept.
func (s *Store[K, V]) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.items)
}
