package house

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/database"
	"posthorn/events/watch"
)

// How often the files are looked at, unless an error says that one may be damaged; how many times as long as that took
// they are then left alone; and how long a write that failed counts, unless another one fails.
const (
	examineEvery = 24 * time.Hour
	examineRest  = 10
	stoppedLasts = 15 * time.Second
)

// probeSize is how much room there must be for writing to count as possible, in bytes.
const probeSize = 256 << 10

// health is what is wrong with the house's files and its disk, while it lasts.
type health struct {
	h *House

	mu      sync.Mutex
	faults  []*folder.Fault
	older   int             // games in play that began under an earlier edition of their rules
	failed  time.Time       // when the disk last refused a write
	resting map[string]bool // the parts that the disk stopped
	probed  time.Time       // when it was last tried whether the disk takes anything, and what it said
	probe   error
	asked   chan struct{} // something may be damaged
}

func newHealth(h *House) *health {
	return &health{h: h, resting: map[string]bool{}, asked: make(chan struct{}, 1)}
}

// Faults returns what is wrong with the files, as far as is known.
func (s *health) Faults() []*folder.Fault {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.faults)
}

// Stopped reports whether nothing new can be stored now, because the disk is full, read-only or failing.
func (s *health) Stopped() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.resting) > 0 || time.Since(s.failed) < stoppedLasts && !s.failed.IsZero() {
		return true
	}
	if time.Since(s.probed) > time.Second {
		s.probe, s.probed = TryWriting(s.h.Config.Data), time.Now()
	}
	return events.Unstored(s.probe)
}

// TryWriting writes a file into a folder and removes it.
func TryWriting(dir string) error {
	f, err := os.CreateTemp(dir, "room.*.part")
	if err != nil {
		return fmt.Errorf("is there room: %w", err)
	}
	_, err = f.Write(make([]byte, probeSize))
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// rests notes whether the disk keeps a part from going on. A program that only reads has no health of its own.
func (s *health) rests(part string, yes bool) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if yes {
		s.resting[part] = true
	} else {
		delete(s.resting, part)
	}
}

// noted takes in an error that the program logs.
func (s *health) noted(err error) {
	if s == nil {
		return
	}
	if events.Unstored(err) {
		s.mu.Lock()
		s.failed = time.Now()
		s.mu.Unlock()
	}
	if database.Damaged(err) {
		select {
		case s.asked <- struct{}{}:
		default: // it will be looked at anyway
		}
	}
}

// Examine looks at all files now.
func (s *health) Examine(ctx context.Context) error {
	faults, err := folder.Examine(ctx, s.h.Config.Data)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	older, counted := s.countOlder(ctx)
	err = errors.Join(err, counted)
	s.mu.Lock()
	before := s.faults
	s.faults, s.older = faults, older
	s.mu.Unlock()
	for _, f := range faults {
		if slices.ContainsFunc(before, func(b *folder.Fault) bool { return b.Text == f.Text }) {
			continue
		}
		level := slog.LevelError
		if !f.Grave() {
			level = slog.LevelWarn
		}
		s.h.Logger.Log(ctx, level, f.Text)
	}
	return err
}

// Older returns how many games in play began under an earlier edition of their rules.
func (s *health) Older() int {
	if s == nil {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.older
}

// countOlder counts them from their openings, which say the edition.
func (s *health) countOlder(ctx context.Context) (n int, err error) {
	live, _, err := s.h.Views.Live(ctx)
	if err != nil {
		return 0, err
	}
	for _, table := range live {
		rec, err := events.LoadOne(ctx, s.h.Log, table, 1)
		if err != nil {
			return n, err
		}
		if BeganEarlier(&rec) {
			n++
		}
	}
	return n, nil
}

// BeganEarlier reports whether a record opens a table under an earlier edition of its game's rules. Whoever reads the
// table says what cannot be read.
func BeganEarlier(rec *events.Record) bool {
	var opened domain.Opened
	if rec.Version != 1 || json.Unmarshal(rec.Data, &opened) != nil {
		return false
	}
	rb, ok := rulebooks.Named(opened.Rulebook)
	return ok && rb.Edition() != opened.Edition
}

// run looks at the files at the start, every day, and when an error says that one may be damaged.
func (s *health) run(ctx context.Context) error {
	for {
		began := time.Now()
		if err := s.Examine(ctx); err != nil && ctx.Err() == nil {
			s.h.Logger.Warn("the files of the house could not be looked at", "error", err)
		}
		if err := watch.Pause(ctx, examineRest*time.Since(began)); err != nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(examineEvery):
		case <-s.asked:
		}
	}
}

// errorIn returns the error that a line of the log carries.
func errorIn(r slog.Record) (err error) {
	r.Attrs(func(a slog.Attr) bool {
		if e, ok := a.Value.Any().(error); ok {
			err = errors.Join(err, e)
		}
		return true
	})
	return err
}
