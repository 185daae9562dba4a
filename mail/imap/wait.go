package imap

import (
	"context"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// waits waits until mails may have come, a mail is due again, or a round is over. quiet is true if the server promised
// to tell and did not.
func (b *folder) waits(ctx context.Context) (quiet bool, err error) {
	round := time.NewTimer(b.next())
	defer round.Stop()
	if b.has(imap.CapIdle) && !b.silent {
		return b.idles(ctx, round.C)
	}
	return false, b.polls(ctx, round.C)
}

// next returns how long to wait at most.
func (b *folder) next() time.Duration {
	least := b.Pace.Round
	for _, o := range b.waiting {
		least = min(least, max(0, o.due.Sub(b.Now())))
	}
	return least
}

// idles has the server tell when mails have come.
func (b *folder) idles(ctx context.Context, round <-chan time.Time) (quiet bool, err error) {
	var idle *imapclient.IdleCommand
	if err := b.does(ctx, func() (err error) {
		idle, err = b.client.Idle()
		return err
	}); err != nil {
		return false, judged(ErrBusy, err, "")
	}
	select {
	case <-b.came:
	case <-round:
		quiet = true
	case <-b.client.Closed():
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		return false, ctx.Err() // the connection is cut
	}
	err = b.does(ctx, func() error {
		if err := idle.Close(); err != nil {
			return err
		}
		return idle.Wait()
	})
	return quiet, judged(ErrBusy, err, "")
}

// polls asks the server again and again.
func (b *folder) polls(ctx context.Context, round <-chan time.Time) error {
	ask := time.NewTicker(b.Pace.Poll)
	defer ask.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-round:
			return nil
		case <-ask.C:
		}
		if err := b.does(ctx, func() error { return b.client.Noop().Wait() }); err != nil {
			return judged(ErrBusy, err, "")
		}
		select {
		case <-b.came:
			return nil
		default:
		}
	}
}
