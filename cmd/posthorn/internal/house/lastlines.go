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

// How many lines of the log the host's page shows, and the most letters in each.
const (
	mostTold  = 40
	mostWords = 400
)

// lastLines keeps the last warnings and errors of the log.
type lastLines struct {
	mu   sync.Mutex
	last []door.Told // oldest first
}

func (t *lastLines) add(line door.Told) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.last) == mostTold {
		t.last = slices.Delete(t.last, 0, 1)
	}
	t.last = append(t.last, line)
}

// List returns the lines, newest first.
func (t *lastLines) List() []door.Told {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := slices.Clone(t.last)
	slices.Reverse(out)
	return out
}

// counted counts log lines and keeps the latest warnings and errors.
type counted struct {
	slog.Handler
	lines  *prometheus.CounterVec
	told   *lastLines
	noted  func(error) // gets the errors that lines carry
	before string      // attributes of every line
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
		if err := errorIn(r); err != nil && c.noted != nil {
			c.noted(err)
		}
		c.told.add(door.Told{At: r.Time, Error: r.Level >= slog.LevelError, Text: unsecret(text)})
	}
	return c.Handler.Handle(ctx, r)
}

func (c counted) said(a slog.Attr) string {
	return ", " + c.group + a.Key + ": " + a.Value.Resolve().String()
}

// WithAttrs implements [slog.Handler].
func (c counted) WithAttrs(as []slog.Attr) slog.Handler {
	for _, a := range as {
		c.before += c.said(a)
	}
	c.Handler = c.Handler.WithAttrs(as)
	return c
}

// WithGroup implements [slog.Handler].
func (c counted) WithGroup(name string) slog.Handler {
	c.group += name + "."
	c.Handler = c.Handler.WithGroup(name)
	return c
}

// What log lines may contain but a page must not show: passwords in server addresses, people's addresses, and
// capabilities, which are longer than any table's name.
var (
	userinfo   = regexp.MustCompile(`(://)[^/\s@]+@`)
	mailbox    = regexp.MustCompile(`([^…\s<>"'=:,;()@/]{1,2})[^\s<>"'=:,;()@/]*@([\pL\pN])`)
	capability = regexp.MustCompile(`[A-Za-z0-9_-]{33,}`)
)

// unsecret returns the first line of a text, without its secrets.
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
