package inbound_test

import (
	"bytes"
	"sync"
)

// logged is what was logged, for whoever reads it while it goes on.
type logged struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (l *logged) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(b)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}

func (l *logged) Reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all.Reset()
}
