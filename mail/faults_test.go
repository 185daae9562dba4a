package mail_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/mail"
	"posthorn/projections/turn"
)

var errFault = errors.New("the disk said no")

// fault makes one of all the calls involved in writing a letter fail.
type fault struct{ calls, failing int }

func (f *fault) next() error {
	f.calls++
	if f.calls == f.failing {
		return errFault
	}
	return nil
}

type faultyLog struct {
	events.Log
	f *fault
}

func (l faultyLog) Load(ctx context.Context, name events.Name, after, upTo uint64) ([]events.Record, error) {
	if err := l.f.next(); err != nil {
		return nil, err
	}
	return l.Log.Load(ctx, name, after, upTo)
}

type faultyNames struct {
	turn.Names
	f *fault
}

func (n faultyNames) DisplayName(ctx context.Context, id domain.PersonID) (string, error) {
	if err := n.f.next(); err != nil {
		return "", err
	}
	return n.Names.DisplayName(ctx, id)
}

type faultySigner struct {
	mail.Passes
	f *fault
}

func (p faultySigner) Act(ctx context.Context, n mail.Notice) (string, error) {
	if err := p.f.next(); err != nil {
		return "", err
	}
	return p.Passes.Act(ctx, n)
}

func (p faultySigner) Unsubscribe(ctx context.Context, id domain.PersonID, kind mail.Kind, at events.Name) (string,
	error) {
	if err := p.f.next(); err != nil {
		return "", err
	}
	return p.Passes.Unsubscribe(ctx, id, kind, at)
}

func (p faultySigner) MessageID(n mail.Notice, afresh int, host string) (string, error) {
	if err := p.f.next(); err != nil {
		return "", err
	}
	return p.Passes.MessageID(n, afresh, host)
}

func TestALetterIsWrittenWholeOrNotAtAllAfterAFault(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.open("tiny", ana, `{"roller":"A"}`, invited(ana, bo)...)
	each := func(kind mail.Kind) {
		want := h.compose(table, kind, bo)
		letter := h.letter(table, kind, bo)
		for n := 1; ; n++ {
			f := &fault{failing: n}
			c := *h.composer
			c.Desk = desk.NewDesk(faultyLog{h.Desk.Log(), f}, h.keys, named, h.now)
			all := faultyNames{names{h.people}, f}
			c.Maker = turn.NewMaker(c.Desk, c.Book, all)
			c.Directory = mail.PeopleDirectory{People: h.people, Names: all}
			c.Passes = faultySigner{c.Passes, f}
			got, err := c.Compose(h.Ctx, letter)
			if f.calls < n {
				require.NoError(t, err)
				require.Equal(t, string(want.Raw), string(got.Message))
				require.Greater(t, n, 5, "faults were tried")
				return
			}
			require.ErrorIs(t, err, errFault, "%s: call %d", kind, n)
			_, dropped := mail.Dropped(err)
			require.False(t, dropped, "it is tried again")
		}
	}
	each(mail.KindInvitation)
	h.join(ana, table)
	h.join(bo, table)
	each(mail.KindTurn)
	h.play(table, 1, "keep")
	h.proposeEnd(ana, table)
	each(mail.KindConsent)
	h.agree(bo, table)
	each(mail.KindOver)
}
