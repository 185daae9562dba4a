package http

import (
	"sync"

	"golang.org/x/time/rate"
)

// limiter bounds how often one address may ask for something costly. What must survive a
// restart (mails to a recipient) is bounded elsewhere; this only keeps noise away.
type limiter struct {
	mu    sync.Mutex
	by    map[string]*rate.Limiter
	order []string
}

// maxLimited is how many addresses are remembered.
const maxLimited = 4096

func newLimiter() *limiter { return &limiter{by: map[string]*rate.Limiter{}} }

// allow tells whether the key may go on: a burst of 20, then one in three seconds.
func (l *limiter) allow(key string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	lim, ok := l.by[key]
	if !ok {
		if len(l.order) >= maxLimited {
			delete(l.by, l.order[0])
			l.order = l.order[1:]
		}
		lim = rate.NewLimiter(rate.Limit(1.0/3), 20)
		l.by[key] = lim
		l.order = append(l.order, key)
	}
	return lim.Allow()
}
