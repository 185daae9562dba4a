package roles

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/clustertest"
	"posthorn/events/copies"
	"posthorn/events/desktest"
	"posthorn/events/sqlite"
)

// thief has the password of the house, and so its bucket: it keeps what is there, and puts it back.
type thief struct {
	t    *testing.T
	nc   *nats.Conn
	kept []*nats.Msg
}

const bucketStream = "OBJ_" + copies.DefaultBucket

func (f *thief) stream() jetstream.Stream {
	f.t.Helper()
	js, err := jetstream.New(f.nc)
	require.NoError(f.t, err)
	s, err := js.Stream(f.t.Context(), bucketStream)
	require.NoError(f.t, err)
	return s
}

func (f *thief) keeps() {
	f.t.Helper()
	s := f.stream()
	f.kept = nil
	for seq := s.CachedInfo().State.FirstSeq; seq <= s.CachedInfo().State.LastSeq; seq++ {
		m, err := s.GetMsg(f.t.Context(), seq)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue
		}
		require.NoError(f.t, err)
		f.kept = append(f.kept, &nats.Msg{Subject: m.Subject, Header: m.Header, Data: m.Data})
	}
}

func (f *thief) putsBack() {
	f.t.Helper()
	require.NoError(f.t, f.stream().Purge(f.t.Context()))
	js, err := jetstream.New(f.nc)
	require.NoError(f.t, err)
	for _, m := range f.kept {
		_, err := js.PublishMsg(f.t.Context(), m)
		require.NoError(f.t, err)
	}
}

// stands is a server that stands by, with the log of the house.
type stands struct {
	*carriage
	log *sqlite.Log
	fit *fitness
}

func newStands(t *testing.T, c *clustertest.Cluster) *stands {
	t.Helper()
	s := &stands{carriage: newCarriage(t, c, "")}
	var err error
	s.log, err = sqlite.Open(t.Context(), filepath.Join(s.data, "events.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.log.Close()) })
	s.begins()
	return s
}

// begins is a start of the program.
func (s *stands) begins() {
	s.newest = &newest{data: s.data, store: s.store}
	s.fit = &fitness{data: s.data, newest: s.newest, tell: s.told}
}

// looks looks at log and copies, as it does each second.
func (s *stands) looks() error {
	s.t.Helper()
	require.NoError(s.t, s.fit.log(s.ctx, s.log))
	require.NoError(s.t, s.newest.log(s.ctx, s.log, desktest.Keys(s.t)))
	return s.fit.copy(s.ctx)
}

// refuses requires that no copy is taken, and that this is said.
func (s *stands) refuses() {
	s.t.Helper()
	err := s.looks()
	require.ErrorIs(s.t, err, errOlderCopy)
	require.Equal(s.t, err.Error(), s.fit.lacks(), "it does not ask for the lease")
	_, done, err := install(s.ctx, s.newest, s.told)
	require.ErrorIs(s.t, err, errOlderCopy)
	require.False(s.t, done)
	require.NoFileExists(s.t, filepath.Join(s.data, "people.db"))
}

// takes requires that the newest copy is taken.
func (s *stands) takes(word string) {
	s.t.Helper()
	require.NoError(s.t, s.looks())
	require.Empty(s.t, s.fit.lacks())
	_, done, err := install(s.ctx, s.newest, s.told)
	require.NoError(s.t, err)
	require.True(s.t, done)
	require.Equal(s.t, word, s.says())
}

func newThief(t *testing.T, c *clustertest.Cluster) *thief {
	nc, err := nats.Connect(c.URL())
	require.NoError(t, err)
	t.Cleanup(nc.Close)
	return &thief{t: t, nc: nc}
}

// Given a server that stands by and has seen a copy, when somebody puts an older one of the same writer back, then it
// takes none of it, also after a restart, until the host names it or a newer one is there.
func TestAnOlderCopyThanWasSeenIsRefused(t *testing.T) {
	cluster := clustertest.New(t, 1)
	a, b, rogue := newCarriage(t, cluster, "with the token"), newStands(t, cluster), newThief(t, cluster)
	grows(t, b.log, desktest.Keys(t), events.TypeTookOver)
	ca := a.carrier(1)
	require.NoError(t, ca.once(a.ctx))
	require.NoError(t, b.looks())
	rogue.keeps()
	a.writes("without")
	require.NoError(t, ca.once(a.ctx))
	require.NoError(t, b.looks())
	rogue.putsBack()
	b.refuses()
	b.begins()
	b.refuses()
	require.NoError(t, os.WriteFile(filepath.Join(b.data, acceptFile), []byte("1-1\n"), 0o600))
	b.takes("with the token")
	require.NoError(t, os.Remove(filepath.Join(b.data, acceptFile)))
	require.NoError(t, ca.once(a.ctx))
	b.takes("without")
}

// Given a server that begins with a key alone, when the newest copy is of a writer before the last one that wrote, or
// there is none, then it is refused; not while the last one has written nothing: it may have died before its first
// copy.
func TestACopyOfAnEarlierWriterIsRefused(t *testing.T) {
	cluster := clustertest.New(t, 1)
	a, b, rogue := newCarriage(t, cluster, "early"), newStands(t, cluster), newThief(t, cluster)
	grows(t, b.log, desktest.Keys(t), events.TypeTookOver)
	require.NoError(t, a.carrier(1).once(a.ctx))
	rogue.keeps()
	grows(t, b.log, desktest.Keys(t), events.TypeBanned)
	grows(t, b.log, desktest.Keys(t), events.TypeTookOver)
	b.takes("early")
	c := newCarriage(t, cluster, "late")
	require.NoError(t, c.carrier(3).once(c.ctx))
	grows(t, b.log, desktest.Keys(t), events.TypeBanned)
	rogue.putsBack()
	fresh := newStands(t, cluster)
	fresh.log = b.log
	fresh.refuses()
	require.NoError(t, rogue.stream().Purge(t.Context()))
	require.ErrorIs(t, fresh.looks(), copies.ErrNone)
	require.NotEmpty(t, fresh.fit.lacks())
}

// Given a copy that was seen in a history that is over, then it refuses nothing in the one that goes on.
func TestACopyOfAnotherHistoryIsForgotten(t *testing.T) {
	cluster := clustertest.New(t, 1)
	a, b := newCarriage(t, cluster, "one"), newStands(t, cluster)
	grows(t, b.log, desktest.Keys(t), events.TypeTookOver)
	ca := a.carrier(1)
	require.NoError(t, ca.once(a.ctx))
	require.NoError(t, ca.once(a.ctx))
	require.NoError(t, b.looks())
	require.NoError(t, newThief(t, cluster).stream().Purge(t.Context())) // as its host does
	other := newStands(t, cluster)
	grows(t, other.log, desktest.Keys(t), events.TypeTookOver)
	c := newCarriage(t, cluster, "another")
	require.NoError(t, c.carrier(1).once(c.ctx))
	b.refuses()
	b.log = other.log // what was never answered was set aside
	b.takes("another")
}
