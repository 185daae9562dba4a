package house

import (
	"fmt"
	"os"
	"time"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/events/clock"
)

// clock returns what watches deadlines. It learns when the house was last up from a file whose time is set every
// minute. Losing that file costs only the extension of deadlines after an outage.
func (h *House) clock() *clock.Clock {
	c := &clock.Clock{Desk: h.Desk, Views: h.Views, Told: h.Outbox.Told, Alive: h.alive,
		Alarm: func(err error) { h.Logger.Error("deadlines", "error", err) }}
	if file, err := os.Stat(h.Path("alive")); err == nil {
		c.Lived = file.ModTime()
	}
	return c
}

// deadlinesRest returns why nothing follows from deadlines for now.
func (h *House) deadlinesRest() error {
	if keeper := h.keeper.Load(); keeper != nil {
		return keeper.Resting()
	}
	return nil
}

// alive notes that the house is up.
func (h *House) alive(now time.Time) error {
	if err := folder.Touch(h.Path("alive"), now, folder.AliveText); err != nil {
		return fmt.Errorf("note that the house is up: %w (if its file cannot be written, delete it: it is made anew)",
			err)
	}
	return nil
}
