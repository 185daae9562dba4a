package picture

import (
	"container/list"
	"image"
	"sync"
)

// lru is a bounded store, safe for concurrent use: what was not asked for longest goes first.
type lru[K comparable, V any] struct {
	mu    sync.Mutex
	room  int // in bytes
	used  int
	order *list.List
	items map[K]*list.Element
	size  func(V) int
}

type lruItem[K comparable, V any] struct {
	key   K
	value V
}

func newLRU[K comparable, V any](room int, size func(V) int) *lru[K, V] {
	return &lru[K, V]{room: room, order: list.New(), items: map[K]*list.Element{}, size: size}
}

func (l *lru[K, V]) get(k K) (V, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, ok := l.items[k]
	if !ok {
		var none V
		return none, false
	}
	l.order.MoveToFront(e)
	return e.Value.(lruItem[K, V]).value, true
}

func (l *lru[K, V]) put(k K, v V) {
	n := l.size(v)
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.items[k]; ok || n > l.room {
		return
	}
	l.items[k] = l.order.PushFront(lruItem[K, V]{k, v})
	l.used += n
	for l.used > l.room {
		last := l.order.Back()
		old := l.order.Remove(last).(lruItem[K, V])
		delete(l.items, old.key)
		l.used -= l.size(old.value)
	}
}

type rasterKey struct {
	sum         [16]byte
	scale, turn float64
	dx, dy      float64
}

// raster is a symbol's pixels about its origin. Nobody changes it once it is kept.
type raster struct {
	img    *image.RGBA
	opaque bool
}

type rasters = lru[rasterKey, *raster]
