package relay

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"posthorn/events/porttest"
)

// pageOfReaders returns what docs/format.md tells people who read along.
func pageOfReaders(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/format.md")
	require.NoError(t, err)
	_, part, ok := strings.Cut(string(text), "\n## 15. NATS\n")
	require.True(t, ok)
	part, _, _ = strings.Cut(part, "\n## 16.")
	return part
}

// guarded starts an external server at which a reader may do what the page says, and nothing else.
func guarded(t *testing.T) (house, reader string) {
	t.Helper()
	_, rights, ok := strings.Cut(pageOfReaders(t), "**Permissions**")
	require.True(t, ok)
	var publish []string
	for _, m := range regexp.MustCompile("`(\\$JS[^`]+)`").FindAllStringSubmatch(rights, -1) {
		publish = append(publish, m[1])
	}
	require.Len(t, publish, 2)
	require.Contains(t, rights, "`_INBOX_NAME.>`")
	require.Contains(t, rights, "`"+Checkpoints+"`")
	require.Contains(t, rights, "`"+Subjects+"`")
	srv, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: porttest.Take(t), JetStream: true,
		StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
		Users: []*server.User{{Username: "house", Password: "secret"},
			{Username: "reader", Password: "open", Permissions: &server.Permissions{
				Publish:   &server.SubjectPermission{Allow: publish},
				Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX_reader.>", Subjects, Checkpoints}}}}}})
	require.NoError(t, err)
	srv.Start()
	require.True(t, srv.ReadyForConnections(20*time.Second))
	t.Cleanup(func() {
		srv.Shutdown()
		srv.WaitForShutdown()
	})
	at := strings.TrimPrefix(srv.ClientURL(), "nats://")
	return "nats://house:secret@" + at, "nats://reader:open@" + at
}

func TestAReaderNeedsNoMoreThanThePageSays(t *testing.T) {
	house, reader := guarded(t)
	w := newWriter(t)
	r := start(t, w.log, Options{Keys: own(t), URL: house})
	w.write(40)
	synced(t, r, w.n)
	nc := dial(t, reader, nats.CustomInboxPrefix("_INBOX_reader"))
	old, err := nc.JetStream()
	require.NoError(t, err)
	for seq := uint64(1); seq <= w.n; seq++ {
		raw, err := old.GetMsg("POSTHORN", seq)
		require.NoError(t, err)
		rec, err := by(t, "POSTHORN").received(seq, place{raw.Subject, raw.Header}, raw.Data)
		require.NoError(t, err)
		require.Equal(t, seq, rec.Pos)
	}

	ctx := context.Background()
	js, err := jetstream.New(nc)
	require.NoError(t, err)
	s, err := js.Stream(ctx, "POSTHORN")
	require.NoError(t, err)
	require.Equal(t, w.n, s.CachedInfo().State.LastSeq)
	denied := make(chan error, 8)
	nc.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { denied <- err })
	require.NoError(t, nc.Publish(SubjectHouse, []byte("foreign")))
	require.ErrorIs(t, <-denied, nats.ErrPermissionViolation)
	w.write(1)
	synced(t, r, w.n)
	require.NoError(t, r.Health().Alarm)
}

func TestThePageHasSubjectsHeadersAndMembersOfMessages(t *testing.T) {
	text := pageOfReaders(t)
	w := newWriter(t)
	w.write(1)
	recs, err := w.log.Read(context.Background(), 0, 1)
	require.NoError(t, err)
	m, err := by(t, "POSTHORN").message(published{subject: SubjectHouse}, &recs[0])
	require.NoError(t, err)
	for name := range m.Header {
		require.Contains(t, text, "| `"+name+"` |")
	}
	for _, part := range regexp.MustCompile(`"([a-z0-9]+)":`).FindAllStringSubmatch(string(m.Data), -1) {
		if part[1] != "n" && part[1] != "door" { // of the event's own
			require.Contains(t, text, "`"+part[1]+"`")
		}
	}
	for _, subject := range []string{Subjects, SubjectHouse, SubjectPrefix + "<rulebook>.<table>"} {
		require.Contains(t, text, fmt.Sprintf("`%s`", subject))
	}
}
