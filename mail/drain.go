package mail

import (
	"context"
	"slices"
	"time"
)

// mostLost is how many connections in a row may be lost over different letters before that counts as a fault of the
// server.
const mostLost = 3

// drain sends what is due: several letters at once, but only one at a time per person, so that a slow one holds up
// nobody else. It ends when no due letter can be started and none is on its way, or when the server takes no mail. It
// returns when the next letter is due.
func (s *Sender) drain(ctx context.Context) (next time.Time, err error) {
	d := draining{s: s, free: max(s.Connections, 1), done: make(chan fate),
		underway: map[int64]bool{}, busy: map[string]bool{}, lostOver: map[int64]bool{}}
	for {
		for len(d.underway) < d.free && d.err == nil && d.fault == nil {
			l, ok := d.next(ctx)
			if !ok {
				break
			}
			d.begin(ctx, l)
		}
		if len(d.underway) == 0 {
			break
		}
		d.ended(ctx, <-d.done)
	}
	switch {
	case d.err != nil:
		return time.Time{}, d.err
	case d.fault != nil:
		return s.stop(ctx, d.fault)
	}
	return d.due, nil
}

// draining is one pass through the queue.
type draining struct {
	s        *Sender
	free     int // how many letters may be on their way
	done     chan fate
	underway map[int64]bool
	busy     map[string]bool // people with a letter on its way
	list     []Letter        // taken up, not started
	due      time.Time       // when the next letter is due, as far as known
	lost     int             // in a row
	lostOver map[int64]bool
	fault    error // of the session: no new letter starts
	err      error // of the queue
}

// next returns a letter to somebody who has none on its way.
func (d *draining) next(ctx context.Context) (Letter, bool) {
	for {
		for len(d.list) > 0 {
			l := d.list[0]
			d.list = d.list[1:]
			if !d.busy[string(l.Person)] {
				return l, true
			}
		}
		var but []string
		for p := range d.busy {
			but = append(but, p)
		}
		var list []Letter
		if list, d.due, d.err = d.s.take(ctx, atOnce+len(d.underway), but); d.err != nil {
			return Letter{}, false
		}
		// Letters to bare addresses (sign-ins) may be listed again while they are on their way.
		if d.list = slices.DeleteFunc(list, func(l Letter) bool { return d.underway[l.ID] }); len(d.list) == 0 {
			return Letter{}, false
		}
	}
}

func (d *draining) begin(ctx context.Context, l Letter) {
	d.underway[l.ID] = true
	if l.Person != "" {
		d.busy[string(l.Person)] = true
	}
	go func() { d.done <- d.s.handle(ctx, l) }()
}

// ended notes what became of a letter, and what that says about the server.
func (d *draining) ended(ctx context.Context, f fate) {
	delete(d.underway, f.letter.ID)
	delete(d.busy, string(f.letter.Person))
	if f.err == nil && f.response == lost {
		f.err = d.s.retry(ctx, f.letter, f.why)
	}
	if f.err != nil {
		d.err = f.err
		return
	}
	switch f.response {
	case answered:
		d.lost = 0
		clear(d.lostOver)
	case lost:
		d.lost++
		d.lostOver[f.letter.ID] = true
		if d.lost >= mostLost && len(d.lostOver) > 1 {
			d.fault = f.why
		}
	case away:
		d.fault = f.why
	}
}
