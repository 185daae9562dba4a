package house

import (
	"context"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"posthorn/http/door"
)

// How many lines of the log the host's page shows, and how long each is at most, in letters.
const (
	mostTold  = 40
	mostWords = 400
)

// lastLines keeps the last warnings and errors of the log.
type lastLines struct {
	mu   sync.Mutex
	last []door.Told // the oldest first
}

func (t *lastLines) add(line door.Told) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.last) == mostTold {
		t.last = slices.Delete(t.last, 0, 1)
	}
	t.last = append(t.last, line)
}

// List gives the lines, the newest first.
func (t *lastLines) List() []door.Told {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := slices.Clone(t.last)
	slices.Reverse(out)
	return out
}

// counted counts the lines of a log, and keeps the last that warn.
type counted struct {
	slog.Handler
	lines  *prometheus.CounterVec
	told   *lastLines
	before string // attributes that every line has
	group  string
}

// Handle counts a line and passes it on.
func (c counted) Handle(ctx context.Context, r slog.Record) error {
	c.lines.WithLabelValues(strings.ToLower(r.Level.String())).Inc()
	if r.Level >= slog.LevelWarn {
		text := r.Message + c.before
		r.Attrs(func(a slog.Attr) bool {
			text += c.said(a)
			return true
		})
		c.told.add(door.Told{At: r.Time, Error: r.Level >= slog.LevelError, Text: unsecret(text)})
	}
	return c.Handler.Handle(ctx, r)
}

func (c counted) said(a slog.Attr) string {
	return ", " + c.group + a.Key + ": " + a.Value.Resolve().String()
}

// WithAttrs goes on counting.
func (c counted) WithAttrs(as []slog.Attr) slog.Handler {
	for _, a := range as {
		c.before += c.said(a)
	}
	c.Handler = c.Handler.WithAttrs(as)
	return c
}

// WithGroup goes on counting.
func (c counted) WithGroup(name string) slog.Handler {
	c.group += name + "."
	c.Handler = c.Handler.WithGroup(name)
	return c
}

// What a line of the log may hold that a page must not: passwords in addresses of servers, people's
// addresses, and capabilities, which are longer than any name of a table.
var (
	userinfo   = regexp.MustCompile(`(://)[^/\s@]+@`)
	mailbox    = regexp.MustCompile(`([^…\s<>"'=:,;()@/]{1,2})[^\s<>"'=:,;()@/]*@([\pL\pN])`)
	capability = regexp.MustCompile(`[A-Za-z0-9_-]{33,}`)
)

// unsecret is the first line of a text without what is secret in it.
func unsecret(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	text = userinfo.ReplaceAllString(text, "$1…@")
	text = mailbox.ReplaceAllString(text, "$1…@$2")
	text = capability.ReplaceAllString(text, "…")
	if cut := []rune(text); len(cut) > mostWords {
		text = string(cut[:mostWords]) + "…"
	}
	return text
}
