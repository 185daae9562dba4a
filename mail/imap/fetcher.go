package imap

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/sethvargo/go-retry"

	"posthorn/events/watch"
	"posthorn/mail"
)

// Marks keeps how far folders have been read (*mail.Outbox).
type Marks interface {
	// Fetched returns how far a folder was read; ok is false for one that never was.
	Fetched(ctx context.Context, folder string) (m mail.Fetched, ok bool, err error)
	SetFetched(ctx context.Context, folder string, m mail.Fetched) error
}

// Takers take the mails for addresses of this house (*inbound.Takers).
type Takers interface {
	Takes(rcpt string) bool
	// Take takes a mail for one of them; an error means that it is to come again later. A mail that it had before does
	// nothing.
	Take(rcpt, sender string, raw []byte) error
}

// Pace is how long to wait for what.
type Pace struct {
	Poll    time.Duration // between two questions to a server that does not tell of new mails by itself
	Round   time.Duration // after which the folder is looked through although the server told of nothing
	Lost    time.Duration // before the first new connection after one was lost; later ones wait longer
	Refused time.Duration // the same where the host must mend something first
}

// DefaultPace asks every few seconds where the server says nothing by itself. Servers end an IDLE after half an hour at
// the earliest; a round ends it long before.
var DefaultPace = Pace{Poll: 5 * time.Second, Round: 2 * time.Minute, Lost: time.Second, Refused: 5 * time.Minute}

// Bounds on how long waits grow.
const (
	mostLost    = 5 * time.Minute
	mostRefused = time.Hour
	sayAgain    = time.Hour // how often the log repeats what the host must mend
)

// Fetcher takes the mails of this house out of an account.
type Fetcher struct {
	Account Account
	Takers  Takers
	Marks   Marks
	Pace    Pace
	Log     *slog.Logger
	Now     func() time.Time

	mu    sync.Mutex
	state Standing
	told  time.Time // when the log last told of the trouble
}

// Standing is how the reading of a mailbox goes.
type Standing struct {
	Up      bool   // the mailbox is being read
	Trouble error  // why not; nil before the first connection
	Ours    uint64 // mails that were taken since the start
	Others  uint64 // mails of others that were passed over
	Waiting int    // mails that are to be taken again later
	Faults  uint64 // connections that were lost or refused
}

// Standing returns how the reading goes.
func (f *Fetcher) Standing() Standing {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state
}

func (f *Fetcher) noted(change func(*Standing)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.state)
}

// Run reads the mailbox until the context ends, over one connection after another.
func (f *Fetcher) Run(ctx context.Context) error {
	var pauses retry.Backoff
	for refused := false; ; {
		began := f.Now()
		err := f.reads(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		f.fails(err)
		if pauses == nil || Refuses(err) != refused || f.Now().Sub(began) > f.Pace.Round {
			refused = Refuses(err)
			pauses = f.pauses(refused)
		}
		pause, _ := pauses.Next()
		if err := watch.Pause(ctx, pause); err != nil {
			return err
		}
	}
}

// pauses returns how long to wait before each new connection.
func (f *Fetcher) pauses(refused bool) retry.Backoff {
	first, most := f.Pace.Lost, mostLost
	if refused {
		first, most = f.Pace.Refused, mostRefused
	}
	return retry.WithJitterPercent(30, retry.WithCappedDuration(most, retry.NewExponential(first)))
}

// Refuses reports whether an error stays until the host mends something: trying again soon would only look like
// guessing a password.
func Refuses(err error) bool {
	for _, e := range []error{ErrPassword, ErrTLS, ErrLogin, ErrFolder} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// fails notes why the mailbox cannot be read, and tells the host: at once if that is new, then every hour.
func (f *Fetcher) fails(err error) {
	f.mu.Lock()
	was, now := f.state, f.Now()
	f.state.Up, f.state.Trouble = false, err
	f.state.Faults++
	tell := was.Up || was.Trouble == nil || Refuses(was.Trouble) != Refuses(err) || now.Sub(f.told) >= sayAgain
	if tell {
		f.told = now
	}
	f.mu.Unlock()
	switch {
	case !tell:
	case Refuses(err):
		f.Log.Error("the mailbox for answers cannot be read: answers by mail wait in it until this is mended",
			"error", err)
	default:
		f.Log.Warn("the mailbox for answers is away; answers by mail wait in it", "error", err)
	}
}

// reads reads the mailbox over one connection, until that is lost.
func (f *Fetcher) reads(ctx context.Context) error {
	s, err := f.Account.open(ctx, f.Account.Handled == "")
	if err != nil {
		return err
	}
	defer s.cut()
	b := &folder{Fetcher: f, session: s, waiting: map[uint32]*ours{}}
	if err := b.begins(ctx); err != nil {
		return err
	}
	if f.Standing().Trouble != nil {
		f.Log.Info("the mailbox for answers is read again")
	}
	f.noted(func(s *Standing) { s.Up, s.Trouble = true, nil })
	for quiet := false; ; {
		found, err := b.sweeps(ctx)
		if err != nil {
			return err
		}
		if quiet && found > 0 && !b.silent { // the server should have told of them
			b.silent = true
		}
		if quiet, err = b.waits(ctx); err != nil {
			return err
		}
	}
}
