package inbound_test

import (
	"bytes"
	"sync"
)

// logged is a log that can be read while it is still being written.
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
