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
	each  rate.Limit
	burst int
	order []string
}

// maxLimited is how many addresses are remembered.
const maxLimited = 4096

func newLimiter(each rate.Limit, burst int) *limiter {
	return &limiter{by: map[string]*rate.Limiter{}, each: each, burst: burst}
}

// allow tells whether the key may go on.
func (l *limiter) allow(key string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	lim, ok := l.by[key]
	if !ok {
		if len(l.order) >= maxLimited {
			delete(l.by, l.order[0])
			l.order = l.order[1:]
		}
		lim = rate.NewLimiter(l.each, l.burst)
		l.by[key] = lim
		l.order = append(l.order, key)
	}
	return lim.Allow()
}
