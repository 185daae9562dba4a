package house

import (
	"log/slog"
	"sync"
	"time"
)

// heldPause is the least time between two warnings about sign-in mails that were held back.
const heldPause = 10 * time.Minute

// signInWarning warns the host, at most once per heldPause, that strangers ask for more sign-in mails than are sent,
// and says how many were held back since.
type signInWarning struct {
	logger *slog.Logger
	now    func() time.Time

	mu    sync.Mutex
	since int
	total int
	last  time.Time
}

// note counts one mail that was not sent because a domain's share was used up, or everybody's if domain is "".
func (h *signInWarning) note(domain string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.since++
	h.total++
	if now := h.now(); h.last.IsZero() || now.Sub(h.last) >= heldPause {
		if domain == "" {
			domain = "(any)"
		}
		h.logger.Warn("strangers ask for more sign-in mails than are sent; people of this house still get theirs",
			"domain", domain, "held_since_last", h.since, "held_since_start", h.total)
		h.since, h.last = 0, now
	}
}
