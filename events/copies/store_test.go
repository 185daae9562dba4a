package copies_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/clustertest"
	"posthorn/events/copies"
	"posthorn/events/desktest"
)

// longest is the longest that anything is waited for.
const longest = 2 * time.Minute

type shop struct {
	t       *testing.T
	ctx     context.Context
	cluster *clustertest.Cluster
}

func newShop(t *testing.T) *shop {
	ctx, cancel := context.WithTimeout(t.Context(), longest)
	t.Cleanup(cancel)
	return &shop{t, ctx, clustertest.New(t, clustertest.Size())}
}

func (s *shop) store(keys *events.Keys) *copies.Store {
	s.t.Helper()
	nc, err := nats.Connect(s.cluster.URL())
	require.NoError(s.t, err)
	s.t.Cleanup(nc.Close)
	store, err := copies.Open(nc, keys, copies.Options{Replicas: clustertest.Size()})
	require.NoError(s.t, err)
	return store
}

// folder holds files.
func (s *shop) folder(files map[string][]byte) string {
	s.t.Helper()
	dir := s.t.TempDir()
	for name, text := range files {
		require.NoError(s.t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	return dir
}

// held returns the files of a folder.
func (s *shop) held(dir string) map[string][]byte {
	s.t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(s.t, err)
	out := map[string][]byte{}
	for _, e := range entries {
		out[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(s.t, err)
	}
	return out
}

func noise(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return b
}

// fetched returns the newest copy. It asks again if a question meets the removal of older ones.
func (s *shop) fetched(store *copies.Store) (c copies.Copy, files map[string][]byte) {
	s.t.Helper()
	for {
		dir := s.t.TempDir()
		c, err := store.Fetch(s.ctx, dir)
		if err == nil {
			return c, s.held(dir)
		}
		require.NoError(s.t, s.ctx.Err(), err)
	}
}

func TestTheNewestCopyIsFetchedAsItWasAndNoOtherIsKept(t *testing.T) {
	s := newShop(t)
	writer, other := s.store(desktest.Keys(t)), s.store(desktest.Keys(t))
	_, err := other.Fetch(s.ctx, t.TempDir())
	require.ErrorIs(t, err, copies.ErrNone)
	for n, files := range []map[string][]byte{
		{"people.db": noise(3 << 20), "mail.db": noise(256 << 10), "empty": {}},
		{"people.db": noise(512 << 10), "mail.db": []byte("little")},
		{"mail.db": []byte("alone")},
	} {
		at := time.Now().Add(time.Duration(n) * time.Second)
		put, err := writer.Put(s.ctx, 7, s.folder(files), at)
		require.NoError(t, err)
		c, got := s.fetched(other)
		require.EqualValues(t, 7, c.Begun)
		require.True(t, at.Equal(c.Made))
		require.Equal(t, put, c)
		require.Equal(t, len(files), len(got))
		for name, text := range files {
			require.True(t, bytes.Equal(text, got[name]), name)
		}
		stream, err := s.cluster.JetStream().Stream(s.ctx, "OBJ_"+copies.DefaultBucket)
		require.NoError(t, err)
		require.Less(t, stream.CachedInfo().State.Bytes, c.Bytes+c.Bytes/4+4096, "older copies are taken away")
	}
}

// Given a writer that was overtaken and has not noticed, then its copies are not taken for the newest.
func TestWhoWasOvertakenPutsNothingInTheWay(t *testing.T) {
	s := newShop(t)
	old, next := s.store(desktest.Keys(t)), s.store(desktest.Keys(t))
	_, err := old.Put(s.ctx, 3, s.folder(map[string][]byte{"people.db": []byte("old")}), time.Now())
	require.NoError(t, err)
	_, err = next.Put(s.ctx, 12, s.folder(map[string][]byte{"people.db": []byte("new")}), time.Now())
	require.NoError(t, err)
	_, err = old.Put(s.ctx, 3, s.folder(map[string][]byte{"people.db": []byte("late")}), time.Now())
	require.ErrorIs(t, err, copies.ErrOvertaken)
	c, got := s.fetched(next)
	require.EqualValues(t, 12, c.Begun)
	require.Equal(t, "new", string(got["people.db"]))
}

// Given something that a killed writer left half done, then the next copy removes it.
func TestWhatIsLeftHalfDoneIsTakenAway(t *testing.T) {
	s := newShop(t)
	store := s.store(desktest.Keys(t))
	_, err := store.Put(s.ctx, 3, s.folder(map[string][]byte{"people.db": []byte("one")}), time.Now())
	require.NoError(t, err)
	js := s.cluster.JetStream()
	for range 5 {
		_, err = js.Publish(s.ctx, "$O."+copies.DefaultBucket+".C.half", noise(100<<10))
		require.NoError(t, err)
	}
	c, got := s.fetched(store)
	require.EqualValues(t, 3, c.Begun)
	require.Equal(t, "one", string(got["people.db"]))
	_, err = store.Put(s.ctx, 3, s.folder(map[string][]byte{"people.db": []byte("two")}), time.Now())
	require.NoError(t, err)
	stream, err := js.Stream(s.ctx, "OBJ_"+copies.DefaultBucket)
	require.NoError(t, err)
	require.Less(t, stream.CachedInfo().State.Bytes, uint64(100<<10))
}

func TestACopyIsSealedAndBoundToItsPlace(t *testing.T) {
	s := newShop(t)
	store := s.store(desktest.Keys(t))
	secret := []byte("ana@example.org lives here")
	_, err := store.Put(s.ctx, 3, s.folder(map[string][]byte{"people.db": secret}), time.Now())
	require.NoError(t, err)
	js := s.cluster.JetStream()
	bucket, err := js.ObjectStore(s.ctx, copies.DefaultBucket)
	require.NoError(t, err)
	raw, err := bucket.GetBytes(s.ctx, "3-1")
	require.NoError(t, err)
	require.NotContains(t, string(raw), "ana@")
	stranger, err := events.NewKeys([32]byte(noise(32)))
	require.NoError(t, err)
	_, err = s.store(stranger).Fetch(s.ctx, t.TempDir())
	require.ErrorIs(t, err, copies.ErrSealed)

	info, err := bucket.GetInfo(s.ctx, "3-1")
	require.NoError(t, err)
	for what, forged := range map[string]struct {
		name string
		text []byte
		want error
	}{
		"an older one under a newer name": {"9-1", raw, copies.ErrSealed},
		"a changed byte": {
			"10-1", append(bytes.Clone(raw[:40]), append([]byte{raw[40] ^ 1}, raw[41:]...)...), copies.ErrSealed},
		"nothing":              {"11-1", nil, nil},
		"a length without end": {"12-1", bytes.Repeat([]byte{255}, 100), copies.ErrSealed},
		"cut off":              {"13-1", raw[:len(raw)-1], nil},
	} {
		_, err := bucket.Put(s.ctx, jetstream.ObjectMeta{Name: forged.name, Metadata: info.Metadata},
			bytes.NewReader(forged.text))
		require.NoError(t, err, what)
		_, err = store.Fetch(s.ctx, t.TempDir())
		require.Error(t, err, what)
		require.False(t, errors.Is(err, copies.ErrNone), what)
		if forged.want != nil {
			require.ErrorIs(t, err, forged.want, what)
		}
		stream, err := js.Stream(s.ctx, "OBJ_"+copies.DefaultBucket)
		require.NoError(t, err)
		require.NoError(t, stream.Purge(s.ctx))
	}
}

// Given a copy that is removed while it is read, then its reader learns that, and gets the newer one.
func TestWhatIsTakenAwayWhileItIsReadIsNotWaitedFor(t *testing.T) {
	s := newShop(t)
	writer, other := s.store(desktest.Keys(t)), s.store(desktest.Keys(t))
	_, err := writer.Put(s.ctx, 3, s.folder(map[string][]byte{"people.db": noise(512 << 10)}), time.Now())
	require.NoError(t, err)
	stream, err := s.cluster.JetStream().Stream(s.ctx, "OBJ_"+copies.DefaultBucket)
	require.NoError(t, err)
	// Its description is still there, as for a reader who asked just before.
	require.NoError(t, stream.Purge(s.ctx, jetstream.WithPurgeSubject("$O."+copies.DefaultBucket+".C.>")))
	_, err = other.Fetch(s.ctx, t.TempDir())
	require.ErrorContains(t, err, "taken away")
	require.NoError(t, s.ctx.Err(), "it was waited for as long as there was time")
	_, err = writer.Put(s.ctx, 3, s.folder(map[string][]byte{"people.db": []byte("new")}), time.Now())
	require.NoError(t, err)
	_, got := s.fetched(other)
	require.Equal(t, "new", string(got["people.db"]))
}
