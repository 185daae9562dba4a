package sqlite

import (
	"context"
	"fmt"
)

// DSN is how the log's own connections are set up.
func DSN(path string) string { return dsn(path) }

// LimitPages makes the disk full: the file may not grow by more than n pages. A negative n removes the limit.
func (l *Log) LimitPages(n int) error {
	r := &request{done: make(chan struct{}, 1)}
	r.alone = func(w *writer) error {
		size, err := w.c.prepare(`PRAGMA page_count`)
		if err != nil {
			return err
		}
		has, err := size.number()
		if err != nil {
			return err
		}
		limit := has + int64(n)
		if n < 0 {
			limit = 1 << 30
		}
		set, err := w.c.prepare(fmt.Sprintf(`PRAGMA max_page_count = %d`, limit))
		if err != nil {
			return err
		}
		_, err = set.number()
		return err
	}
	return l.submit(context.Background(), r)
}
