package main

import (
	"fmt"
	"os"
	"time"

	"posthorn/events/clock"
)

// clock watches deadlines. Each one knows when the house was last up from a file whose time is set
// again every minute: nothing is lost with it but the span by which deadlines move after an outage.
func (h *house) clock() *clock.Clock {
	c := &clock.Clock{Desk: h.desk, Views: h.views, Told: h.outbox.Told, Alive: h.alive,
		Alarm: func(err error) { h.logger.Error("deadlines", "error", err) }}
	if file, err := os.Stat(h.path("alive")); err == nil {
		c.Lived = file.ModTime()
	}
	return c
}

// alive notes that the house is up.
func (h *house) alive(now time.Time) error {
	if err := touch(h.path("alive"), now, aliveText); err != nil {
		return fmt.Errorf("note that the house is up: %w", err)
	}
	return nil
}
