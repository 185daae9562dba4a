// Package recent keeps what was used recently, within limits.
package recent

import (
	"container/list"
	"sync"
)

// Store is a bounded store, safe for concurrent use: it drops the least recently used value first.
type Store[K comparable, V any] struct {
	mu    sync.Mutex
	most  int
	used  int
	order list.List
	items map[K]*list.Element
	size  func(V) int
}

type item[K comparable, V any] struct {
	key   K
	value V
}

// New returns a store of values up to a total size; without a size function each counts 1.
func New[K comparable, V any](most int, size func(V) int) *Store[K, V] {
	if size == nil {
		size = func(V) int { return 1 }
	}
	return &Store[K, V]{most: most, items: map[K]*list.Element{}, size: size}
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

// Put stores a value, unless there is one already, or no room for it at all.
func (s *Store[K, V]) Put(k K, v V) { s.Keep(k, func() V { return v }) }

// Set stores a value and replaces any earlier one.
func (s *Store[K, V]) Set(k K, v V) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := s.items[k]; ok {
		s.used -= s.size(s.order.Remove(e).(item[K, V]).value)
		delete(s.items, k)
	}
	s.put(k, v)
}

// Clear drops everything.
func (s *Store[K, V]) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.order.Init()
	clear(s.items)
	s.used = 0
}

// Keep returns the stored value, or stores and returns a new one.
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

// Trim drops all but the most recently used values, up to that many, and frees the memory of the others.
func (s *Store[K, V]) Trim(to int) {
	s.forget(func() bool { return len(s.items) > to })
}

// Shrink drops the least recently used values until the rest have at most that size together.
func (s *Store[K, V]) Shrink(most int) {
	s.forget(func() bool { return s.used > most })
}

// Resize changes how much the store may hold.
func (s *Store[K, V]) Resize(most int) {
	s.mu.Lock()
	s.most = most
	s.mu.Unlock()
	s.Shrink(most)
}

// forget drops values while there is too much, and frees their memory.
func (s *Store[K, V]) forget(tooMuch func() bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !tooMuch() {
		return
	}
	for tooMuch() {
		s.last()
	}
	fewer := make(map[K]*list.Element, len(s.items)) // a map keeps the memory that it once had
	for k, e := range s.items {
		fewer[k] = e
	}
	s.items = fewer
}

// last drops the least recently used value.
func (s *Store[K, V]) last() {
	old := s.order.Remove(s.order.Back()).(item[K, V])
	delete(s.items, old.key)
	s.used -= s.size(old.value)
}

// put stores a new value, if there is room for it at all.
func (s *Store[K, V]) put(k K, v V) {
	n := s.size(v)
	if n > s.most {
		return
	}
	s.items[k] = s.order.PushFront(item[K, V]{k, v})
	for s.used += n; s.used > s.most; {
		s.last()
	}
}

// Used returns the total size of all values.
func (s *Store[K, V]) Used() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used
}

// Len returns how many values are stored.
func (s *Store[K, V]) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.items)
}
