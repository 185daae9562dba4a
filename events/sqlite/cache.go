package sqlite

// cache is a bounded map that forgets what was not used lately: what has not been asked
// for while limit other keys came is gone. It holds at most twice limit keys.
type cache[K comparable, V any] struct {
	limit     int
	hot, cold map[K]V
}

func newCache[K comparable, V any](limit int) *cache[K, V] {
	return &cache[K, V]{limit: limit, hot: map[K]V{}}
}

func (c *cache[K, V]) get(k K) (V, bool) {
	if v, ok := c.hot[k]; ok {
		return v, true
	}
	v, ok := c.cold[k]
	if ok {
		c.put(k, v)
	}
	return v, ok
}

func (c *cache[K, V]) put(k K, v V) {
	if _, ok := c.hot[k]; !ok && len(c.hot) >= c.limit {
		c.hot, c.cold = make(map[K]V, c.limit), c.hot
	}
	c.hot[k] = v
}

func (c *cache[K, V]) clear() { c.hot, c.cold = map[K]V{}, nil }
