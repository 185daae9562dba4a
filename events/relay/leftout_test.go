package relay

import (
	"testing"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"posthorn/events/memory"
	"posthorn/events/porttest"
)

// lossy hands out all messages but one.
type lossy struct {
	jetstream.MessagesContext
	n, lost int
}

func (l *lossy) Next(o ...jetstream.NextOpt) (jetstream.Msg, error) {
	if l.n++; l.n == l.lost {
		if _, err := l.MessagesContext.Next(o...); err != nil {
			return nil, err
		}
	}
	return l.MessagesContext.Next(o...)
}

// Given a message lost on its way, then nobody claims that the stream lacks it, and the next reader that asks gets
// it.
func TestAMessageLostOnItsWayIsNotTakenToBeMissing(t *testing.T) {
	w := newWriter(t)
	w.write(20)
	_, url := external(t, porttest.Take(t), t.TempDir())
	r := start(t, w.log, Options{Keys: own(t), URL: url})
	synced(t, r, w.n)
	copied := memory.New()
	t.Cleanup(func() { require.NoError(t, copied.Close()) })
	m, err := OpenMirror(Options{Keys: own(t), URL: url}, copied)
	require.NoError(t, err)
	defer m.Close()
	_, err = m.state(t.Context())
	require.NoError(t, err)
	it, err := messagesFrom(t.Context(), m.at.Stream, 1, nil)
	require.NoError(t, err)
	err = m.fill(t.Context(), by(t, DefaultStream), &lossy{MessagesContext: it, lost: 7}, 1, w.n, mirrorTime)
	require.ErrorIs(t, err, errLeftOut)
	require.NotErrorIs(t, err, ErrIncomplete)
	it.Stop()
	m.builder = newRebuilder(copied)
	at, err := m.CatchUp(t.Context())
	require.NoError(t, err)
	require.Equal(t, w.n, at)
	want, err := w.log.Read(t.Context(), 0, 20)
	require.NoError(t, err)
	got, err := copied.Read(t.Context(), 0, 20)
	require.NoError(t, err)
	require.Equal(t, want, got)
}
