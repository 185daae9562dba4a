package mail_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/mail"
)

// waiting returns a house with one letter to send, about Ana's die.
func waiting(t *testing.T) (h *house, table events.Name, ana domain.PersonID) {
	h = newHouse(t)
	ana = h.person("Ana", "en")
	table = h.open("tiny", ana, `{"roller":"A","chosen":["","keep"]}`, append(invited(ana), standIn)...)
	h.join(ana, table)
	h.notify()
	require.Equal(t, []string{"turn Ana"}, h.letters(table, mail.KindTurn))
	return h, table, ana
}

// killed is a transport during which the program stops: before the bytes went out, or after.
type killed struct {
	post
	stop  context.CancelFunc
	after bool
}

func (k *killed) Send(ctx context.Context, from, to string, message []byte) (string, error) {
	k.stop()
	if k.after {
		_, _ = k.post.Send(ctx, from, to, message)
	}
	return "", ctx.Err()
}

func TestAKilledProgramSendsTheSameBytesAtMostTwice(t *testing.T) {
	for name, after := range map[string]bool{"before the server had it": false, "after the server had it": true} {
		t.Run(name, func(t *testing.T) {
			h, table, ana := waiting(t)
			ctx, stop := context.WithCancel(h.Ctx)
			k := &killed{stop: stop, after: after}
			require.ErrorIs(t, h.sender(k).Flush(ctx), context.Canceled)
			h.reopen()
			require.Equal(t, mail.StateSending, h.letter(table, mail.KindTurn, ana).State)
			require.NoError(t, h.send(&k.post))
			h.reopen()
			require.NoError(t, h.send(&k.post))
			got := k.taken()
			if after {
				require.Len(t, got, 2)
				require.Equal(t, got[0].message, got[1].message)
			} else {
				require.Len(t, got, 1)
			}
			require.Equal(t, mail.StateSent, h.letter(table, mail.KindTurn, ana).State)
		})
	}
}

func TestALetterThatWasWrittenIsNotWrittenAnew(t *testing.T) {
	h, table, ana := waiting(t)
	ctx, stop := context.WithCancel(h.Ctx)
	k := &killed{stop: stop, after: true}
	require.ErrorIs(t, h.sender(k).Flush(ctx), context.Canceled)
	require.NoError(t, h.people.SetName(h.Ctx, ana, "Anastasia"))
	require.NoError(t, h.people.SetLanguage(h.Ctx, ana, "pl"))
	h.reopen()
	require.NoError(t, h.send(&k.post))
	got := k.taken()
	require.Len(t, got, 2)
	require.Equal(t, got[0], got[1])
	require.NotEmpty(t, h.letter(table, mail.KindTurn, ana).MessageID)
}

func TestALetterOfALostQueueHasTheSameMessageIDAgain(t *testing.T) {
	h, table, ana := waiting(t)
	first := h.compose(table, mail.KindTurn, ana)
	for range 8 {
		again := h.compose(table, mail.KindTurn, ana)
		require.Equal(t, first.ID, again.ID)
		require.True(t, bytes.Equal(first.Raw, again.Raw), "and the same bytes, if it was wanted at the same time")
	}
}

func TestAStaleLetterIsDroppedAtEveryStep(t *testing.T) {
	t.Run("before it was written", func(t *testing.T) {
		h, table, ana := waiting(t)
		h.play(table, 0, "keep")
		out := &post{}
		require.NoError(t, h.send(out))
		require.Empty(t, out.taken())
		l := h.letter(table, mail.KindTurn, ana)
		require.Equal(t, mail.StateDropped, l.State)
		require.Equal(t, "played", l.Note)
	})
	t.Run("after a try that failed", func(t *testing.T) {
		h, table, ana := waiting(t)
		out := &post{fails: []error{errors.New("nobody there")}}
		require.NoError(t, h.send(out))
		h.play(table, 0, "keep")
		h.makeDue()
		require.NoError(t, h.send(out))
		require.Len(t, out.taken(), 1, "not tried again")
		require.Equal(t, mail.StateDropped, h.letter(table, mail.KindTurn, ana).State)
	})
}

func TestWhoWantsNoMailOfAKindOrHasGoneGetsNone(t *testing.T) {
	for name, change := range map[string]func(h *house, ana domain.PersonID) error{
		"switched off": func(h *house, ana domain.PersonID) error {
			return h.people.SetMails(h.Ctx, ana, string(mail.KindTurn), false)
		},
		"no address": func(h *house, ana domain.PersonID) error { return h.people.Forget(h.Ctx, ana) },
	} {
		t.Run(name, func(t *testing.T) {
			h, table, ana := waiting(t)
			require.NoError(t, change(h, ana))
			out := &post{}
			require.NoError(t, h.send(out))
			require.Empty(t, out.taken())
			require.Equal(t, mail.StateDropped, h.letterOf(table).State)
		})
	}
}

func TestWhoIsNeverToBeInvitedIsToldOfTheirTurn(t *testing.T) {
	h, _, ana := waiting(t)
	p, err := h.people.Person(h.Ctx, ana)
	require.NoError(t, err)
	require.NoError(t, h.people.Suppress(h.Ctx, p.Address))
	out := &post{}
	require.NoError(t, h.send(out))
	require.Len(t, out.taken(), 1)
}

// letterOf returns the only letter about a table, apart from news of what others did.
func (h *house) letterOf(table events.Name) mail.Letter {
	h.T.Helper()
	list, err := h.outbox.Letters(h.Ctx, table)
	require.NoError(h.T, err)
	list = slices.DeleteFunc(list, func(l mail.Letter) bool { return l.Kind == mail.KindNews })
	require.Len(h.T, list, 1)
	return list[0]
}

func TestARefusalForGoodEndsALetterAPassingOneNot(t *testing.T) {
	for code, state := range map[int]mail.State{550: mail.StateFailed, 451: mail.StateNew} {
		h, table, _ := waiting(t)
		var alarms []error
		s := h.sender(&post{fails: []error{
			&mail.Verdict{Step: "recipient",
				Answer: &smtp.SMTPError{Code: code, Message: "no <ana@example.org> here"}}}})
		s.Alarm = func(err error) { alarms = append(alarms, err) }
		require.NoError(t, s.Flush(h.Ctx))
		require.Equal(t, state, h.letterOf(table).State)
		require.Equal(t, state == mail.StateFailed, len(alarms) == 1, "somebody is told of what is given up")
		for _, a := range alarms {
			require.NotContains(t, a.Error(), "@", "alarms name no addresses")
		}
	}
}

func TestTriesAreEverFartherApartUntilALetterIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, time.Now)
		ana := h.person("Ana", "en")
		table := h.open("tiny", ana, "", append(invited(ana), standIn)...)
		h.join(ana, table)
		h.notify()
		down := &post{at: time.Now}
		for range 200 {
			down.fails = append(down.fails, later)
		}
		ctx, stop := context.WithCancel(h.Ctx)
		ended := make(chan error, 1)
		begun := time.Now()
		go func() { ended <- h.sender(down).Run(ctx) }()
		time.Sleep(5 * 24 * time.Hour)
		synctest.Wait()
		var pauses []time.Duration
		last := begun
		for _, s := range down.taken() {
			pauses = append(pauses, s.at.Sub(last))
			last = s.at
		}
		require.Equal(t, []time.Duration{0, time.Minute, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour,
			time.Hour}, pauses[:7])
		require.InDelta(t, mail.DefaultGiveUp.Hours(), last.Sub(begun).Hours(), 1.5)
		require.Equal(t, mail.StateFailed, h.letterOf(table).State)
		for _, s := range down.taken() {
			require.Equal(t, down.taken()[0].message, s.message)
		}
		stop()
		require.ErrorIs(t, <-ended, context.Canceled)
	})
}

func TestEachOfManyLettersIsSentOnce(t *testing.T) {
	h := newHouse(t)
	var want []string
	for i := range 12 {
		address := fmt.Sprintf("p%d@example.org", i)
		want = append(want, address)
		require.NoError(t, mail.Post{Outbox: h.outbox}.SignIn(h.Ctx, address, fmt.Sprint("token ", i), "en", ""))
	}
	out := &post{}
	require.NoError(t, h.send(out))
	h.reopen()
	require.NoError(t, h.send(out), "nothing is left over")
	var got []string
	for _, s := range out.taken() {
		got = append(got, s.to)
	}
	require.ElementsMatch(t, want, got)
}

func TestANewLetterWakesTheSender(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, time.Now)
		out := &post{at: time.Now}
		ctx, stop := context.WithCancel(h.Ctx)
		ended := make(chan error, 1)
		go func() { ended <- h.sender(out).Run(ctx) }()
		time.Sleep(10 * time.Minute)
		require.NoError(t, mail.Post{Outbox: h.outbox}.SignIn(h.Ctx, "ana@example.org", "token", "en", ""))
		wanted := time.Now()
		time.Sleep(time.Second)
		synctest.Wait()
		require.Len(t, out.taken(), 1)
		require.Equal(t, wanted, out.taken()[0].at)
		stop()
		require.ErrorIs(t, <-ended, context.Canceled)
	})
}

// faultyPasses cannot make what a letter needs, for a while.
type faultyPasses struct {
	mail.Passes
	faults int
}

func (f *faultyPasses) Act(ctx context.Context, n mail.Notice) (string, error) {
	if f.faults > 0 {
		f.faults--
		return "", errors.New("no key at hand")
	}
	return f.Passes.Act(ctx, n)
}

func TestALetterThatCannotBeWrittenIsToldAndTriedAgain(t *testing.T) {
	h, table, ana := waiting(t)
	h.composer.Passes = &faultyPasses{h.composer.Passes, 1}
	out := &post{}
	s := h.sender(out)
	var alarms []error
	s.Alarm = func(err error) { alarms = append(alarms, err) }
	require.NoError(t, s.Flush(h.Ctx))
	require.Empty(t, out.taken())
	require.Len(t, alarms, 1)
	l := h.letter(table, mail.KindTurn, ana)
	require.Equal(t, mail.StateNew, l.State)
	require.Equal(t, 1, l.Attempts)
	h.makeDue()
	require.NoError(t, s.Flush(h.Ctx))
	require.Len(t, out.taken(), 1)
}

func TestWhoHasAgreedBeforeTheMailGoesOutIsNotMailed(t *testing.T) {
	h := newHouse(t)
	ana, bo, jo := h.person("Ana", "en"), h.person("Bo", "en"), h.person("Jo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo, jo)
	h.play(table, 0, "keep")
	h.proposeRewind(ana, table, 1)
	h.notify()
	// given mails that ask two people, one of whom agrees on the page before they go out
	require.Equal(t, mail.StateNew, h.letter(table, mail.KindConsent, bo).State)
	require.Equal(t, mail.StateNew, h.letter(table, mail.KindConsent, jo).State)
	h.agree(bo, table)
	out := &post{}
	require.NoError(t, h.send(out))
	// then only the other is asked
	l := h.letter(table, mail.KindConsent, bo)
	require.Equal(t, mail.StateDropped, l.State)
	require.Equal(t, "answered", l.Note)
	require.Equal(t, mail.StateSent, h.letter(table, mail.KindConsent, jo).State)
}

func TestWhoHasAgreedBeforeTheNotifierCameIsNotAsked(t *testing.T) {
	h := newHouse(t)
	ana, bo, jo := h.person("Ana", "en"), h.person("Bo", "en"), h.person("Jo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo, jo)
	h.play(table, 0, "keep")
	h.notify()
	h.proposeRewind(ana, table, 1)
	h.agree(bo, table)
	h.notify()
	require.Equal(t, []string{"consent Jo"}, h.letters(table, mail.KindConsent))
}

// What need not wait is due at once, not only from the next millisecond on.
func TestALetterThatNeedNotWaitIsDueAtOnce(t *testing.T) {
	h := open(t, func() time.Time { return noon.Add(time.Millisecond / 2) })
	h.started("tiny", `{"roller":"A"}`, h.person("Ana", "en"), h.person("Bo", "en"))
	require.Len(t, h.posted(), 2)
}
