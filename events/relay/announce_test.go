package relay

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"
)

func TestCheckpointsArePublishedUnderTheirOwnSubject(t *testing.T) {
	require.Contains(t, pageOfReaders(t), "`"+Checkpoints+"`")
	house, reader := guarded(t)
	w := newWriter(t)
	r := start(t, w.log, Options{Keys: own(t), URL: house})
	w.write(3)
	synced(t, r, w.n)
	heard := make(chan *nats.Msg, 10)
	nc := dial(t, reader, nats.CustomInboxPrefix("_INBOX_reader"))
	_, err := nc.ChanSubscribe(Checkpoints, heard)
	require.NoError(t, err)
	require.NoError(t, nc.Flush())
	hears := func(note string) {
		t.Helper()
		select {
		case m := <-heard:
			require.Equal(t, note, string(m.Data))
		case <-time.After(20 * time.Second):
			t.Fatal("no checkpoint came")
		}
	}
	r.Announce("note one")
	hears("note one")
	r.Announce("note two")
	hears("note two")

	// A relay that connects later announces its latest once NATS is there, and uses up no position.
	require.NoError(t, r.Close())
	again := start(t, w.log, Options{Keys: own(t), URL: house})
	again.Announce("note two")
	hears("note two")
	w.write(2)
	synced(t, again, w.n)
}
