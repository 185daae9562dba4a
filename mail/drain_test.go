package mail_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/mail"
)

func TestOneSlowRecipientHoldsNobodyUp(t *testing.T) {
	h := newHouse(t)
	slow := h.person("Slow", "en")
	for range 12 { // more letters to one person than there are connections
		h.join(slow, h.open("tiny", slow, `{"roller":"A","chosen":["","keep"]}`, append(invited(slow), standIn)...))
	}
	quick := h.person("Quick", "en")
	table := h.open("tiny", quick, `{"roller":"A","chosen":["","keep"]}`, append(invited(quick), standIn)...)
	h.join(quick, table)
	h.notify()
	s := newScripted(t)
	s.set(func() { s.to["slow@example.org"] = "silent" })
	got := make(chan struct{})
	s.set(func() {
		s.seen = func(step string) {
			if step == "dot" {
				close(got)
			}
		}
	})
	tr := s.transport("")
	tr.Letter = time.Hour
	snd := h.sender(tr)
	snd.Connections = 2
	ctx, stop := context.WithCancel(h.Ctx)
	ended := make(chan error, 1)
	go func() { ended <- snd.Flush(ctx) }()
	<-got // however long the slow one takes
	stop()
	require.Error(t, <-ended)
	require.Len(t, s.letters(), 1)
	require.Equal(t, "quick@example.org", s.letters()[0].to)
	_, most := s.connections()
	require.LessOrEqual(t, most, 2)
}

// towards gives letters to one person a transport of their own.
type towards struct {
	to           string
	them, others mail.Transport
}

func (o towards) Send(ctx context.Context, from, to string, message []byte) (string, error) {
	if to == o.to {
		return o.them.Send(ctx, from, to, message)
	}
	return o.others.Send(ctx, from, to, message)
}

func TestALetterHasItsTimeAndNoMore(t *testing.T) {
	h, _, tables := waitingThree(t)
	s := newScripted(t)
	s.set(func() { s.to["ana@example.org"] = "silent" })
	patient, brief := s.transport(""), s.transport("") // so that the others have time enough
	brief.Letter = 50 * time.Millisecond
	require.NoError(t, h.sender(towards{"ana@example.org", brief, patient}).Flush(h.Ctx))
	require.Equal(t, mail.StateSending, h.letterOf(tables[0]).State)
	require.Contains(t, h.letterOf(tables[0]).Note, "no answer in time")
	require.Equal(t, mail.StateSent, h.letterOf(tables[1]).State)
}

func TestAServerThatWantsFewerConnectionsGetsFewer(t *testing.T) {
	h := newHouse(t)
	h.queued(6, 24)
	letters := h.waits()
	s := newScripted(t)
	s.set(func() { s.only = 2 })
	s.set(func() { s.slow = 5 * time.Millisecond })
	tr := s.transport("")
	snd := h.sender(tr)
	snd.Connections = mail.DefaultConnections
	require.NoError(t, snd.Flush(h.Ctx))
	require.Len(t, s.letters(), letters)
	require.False(t, h.standing().Stopped(), "not getting a third connection is no fault")
}
