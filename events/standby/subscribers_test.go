package standby_test

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"posthorn/events/relay"
)

// neighbour is a subscriber that listens where the others ask, and answers first.
type neighbour struct {
	*nats.Conn
	denied chan error
	heard  chan string
}

func newNeighbour(t *testing.T, url string) *neighbour {
	t.Helper()
	r := &neighbour{denied: make(chan error, 100), heard: make(chan string, 1000)}
	var err error
	r.Conn, err = nats.Connect(url,
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { r.denied <- err }))
	require.NoError(t, err)
	t.Cleanup(r.Close)
	return r
}

// refused requires that the server refused the last thing that was tried.
func (r *neighbour) refused(t *testing.T, what string) {
	t.Helper()
	require.NoError(t, r.Flush())
	select {
	case err := <-r.denied:
		require.ErrorIs(t, err, nats.ErrPermissionViolation, what)
	case <-time.After(longest):
		require.Fail(t, "it is let", what)
	}
}

// Given the sample configuration, when somebody follows the house's events and another subscriber listens wherever
// questions and answers go, then nothing of it is heard, and who follows reads what was and what comes.
func TestSubscribersDoNotHearEachOther(t *testing.T) {
	url := sample(t)
	r := newRunning(t, url("house"))
	listener := newNeighbour(t, url("subscriber-2"))
	places := []string{">", "*.>", "_INBOX.>", "_INBOX_subscriber.>", "_INBOX_subscriber.*.*", "_R_.>", "$JS.>",
		"$JS.house.API.>", "$KV.>", "$O.>", "$SYS.>", "posthorn.pass"}
	for _, at := range places {
		_, err := listener.Subscribe(at, func(m *nats.Msg) {
			listener.heard <- m.Subject
			for _, to := range []string{m.Subject, m.Reply} {
				if to != "" {
					_ = listener.Publish(to, []byte(
						`{"error":{"code":404,"err_code":10037,"description":"no message found"}}`))
				}
			}
		})
		require.NoError(t, err)
	}
	require.NoError(t, listener.Flush())

	nc, err := nats.Connect(url("subscriber"), nats.CustomInboxPrefix("_INBOX_subscriber"))
	require.NoError(t, err)
	defer nc.Close()
	live, err := nc.SubscribeSync(relay.Subjects)
	require.NoError(t, err)
	js, err := nc.JetStream(nats.Domain("house"))
	require.NoError(t, err)
	info, err := js.StreamInfo(relay.DefaultStream)
	require.NoError(t, err)
	for seq := range info.State.LastSeq {
		m, err := js.GetMsg(relay.DefaultStream, seq+1)
		require.NoError(t, err)
		require.NotEmpty(t, m.Header.Get(relay.HeaderMAC), "the house's own")
	}
	last := r.goesOn(t)
	for {
		m, err := live.NextMsg(longest)
		require.NoError(t, err)
		rec, err := relay.Decode(m.Data)
		require.NoError(t, err)
		if rec.Pos == last {
			break
		}
	}
	require.Empty(t, listener.heard)
	for range places {
		listener.refused(t, "to listen")
	}
}

// Given the sample configuration, when a subscriber asks for more than single messages of the log, in the name of the
// house or its own, then the server refuses it.
func TestASubscriberMakesNoConsumers(t *testing.T) {
	url := sample(t)
	newRunning(t, url("house"))
	asks := newNeighbour(t, url("subscriber"))
	for _, m := range misuses() {
		switch m.Subject {
		case "$JS.house.API.STREAM.INFO.POSTHORN", "$JS.house.API.STREAM.MSG.GET.POSTHORN":
			continue
		}
		require.NoError(t, asks.PublishMsg(m))
		asks.refused(t, m.Subject)
	}
	for _, to := range []string{"posthorn.ev.carcassonne.x", relay.Checkpoints, "_INBOX_subscriber-2.x"} {
		require.NoError(t, asks.Publish(to, []byte("{}")))
		asks.refused(t, to)
	}
}
