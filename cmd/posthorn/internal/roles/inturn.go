package roles

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/events"
	"posthorn/events/copies"
	"posthorn/events/lease"
	"posthorn/events/sqlite"
	"posthorn/http/courier"
)

// LostTurn is the exit status of a server that lost the right to write. Started again, it stands by.
const LostTurn = 4

// InTurn serves a house that several servers keep. It stands by; once elected, it writes while it holds the lease. It
// returns when it is told to stop, or when it must not write any longer.
func InTurn(ctx context.Context, cfg house.Settings, role string, con console.Console,
	logger *slog.Logger) (err error) {
	s, err := newStanding(cfg, role, logger)
	if s != nil && s.nc != nil {
		defer s.nc.Close()
	}
	if err != nil {
		return err
	}
	logger.Info("standing by until nobody writes")
	fmt.Fprintf(con.Out, "\n  Posthorn stands by.\n  Its data is in   %s\n\n  Press Ctrl-C to stop.\n\n", cfg.Data)
	l, begun, err := s.wait(ctx)
	if err != nil && ctx.Err() != nil {
		return nil // told to stop
	}
	if err != nil {
		return err
	}
	logger.Info("this server takes over", "term", l.Term, "position", begun)
	err = s.write(ctx, con, l, begun)
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), house.Grace)
	defer cancel()
	if released := l.Release(late); released != nil {
		logger.Warn("the next one to write waits until the lease is over", "error", released)
	}
	return err
}

// write opens the house and serves it while the lease lasts and nobody else writes to the stream. After that it answers
// nothing.
func (s *standing) write(ctx context.Context, con console.Console, l *lease.Lease, begun uint64) (err error) {
	term, lose := context.WithCancelCause(ctx)
	defer lose(nil)
	defer context.AfterFunc(l.Context(), func() { lose(context.Cause(l.Context())) })()
	defer func() {
		why := context.Cause(term)
		if ctx.Err() != nil || why == nil {
			return
		}
		err = console.Fails(LostTurn,
			"this server may not write any more, and ends; started again, it stands by: %w",
			errors.Join(why, unlessOf(err, why)))
	}()
	c, taken, err := install(term, s.newest, s.unfetched)
	if err != nil {
		return err
	}
	if taken {
		s.logger.Info("people.db and mail.db are the newest copies from the cluster; what changed after that at "+
			"the server before is lost", "copied", c.Made, "ago", time.Since(c.Made).Round(time.Second).String())
	}
	if err := folder.NoteBegun(s.cfg.Data, begun); err != nil {
		return err
	}
	cfg := s.cfg
	if fresh, err := unused(term, cfg.Data); err != nil {
		return err
	} else if fresh {
		cfg.NewPeople = true // there were none
	}
	h, err := house.Open(term, cfg, s.logger)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	h.Held = l.Held
	nc, err := s.dial("posthorn requests", s.refusals())
	if err != nil {
		return err
	}
	defer nc.Close()
	h.Receiver = &courier.Receiver{Conn: nc, Keys: s.keys, Held: l.Held, Log: h.Logger}
	defer context.AfterFunc(term, func() {
		if ctx.Err() == nil { // let running work finish
			h.Safe.Fence(context.Cause(term))
		}
	})()
	go func() {
		select {
		case <-h.Relay.Alarmed():
			lose(h.Relay.Health().Alarm)
		case <-term.Done():
		}
	}()
	carrier, err := carries(term, s.copies, s.cfg.Data, begun, h.Logger)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, carrier.Close()) }()
	if err := carrier.once(term); err != nil {
		// before anything is answered, so that no older copy counts as the newest
		return err
	}
	h.LogNews(con)
	g, serving := errgroup.WithContext(term)
	g.Go(func() error {
		err := carrier.Run(serving)
		if errors.Is(err, copies.ErrOvertaken) {
			lose(err)
		}
		return nil
	})
	g.Go(func() error {
		if err := h.Serve(serving); err != nil {
			return err
		}
		return context.Cause(serving)
	})
	if err := g.Wait(); ctx.Err() == nil || l.Context().Err() != nil {
		return err
	}
	// Told to stop: the next writer gets everything.
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastCopy)
	defer cancel()
	return carrier.once(late)
}

// lastCopy is how long a server that is told to stop may take for its last copy.
const lastCopy = 20 * time.Second

// unlessOf returns err, or nil if it only says that a context ended or repeats why.
func unlessOf(err, why error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, why) {
		return nil
	}
	return err
}

// unused reports whether nothing but takeovers has ever happened in a house.
func unused(ctx context.Context, data string) (yes bool, err error) {
	log, err := sqlite.OpenReadOnly(ctx, filepath.Join(data, "events.db"))
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	for at := uint64(0); ; at++ {
		recs, err := log.Read(ctx, at, 1)
		if err != nil || len(recs) == 0 {
			return err == nil, err
		}
		if recs[0].Type != events.TypeTookOver && recs[0].Type != events.TypeTookOverV1 {
			return false, nil
		}
	}
}
