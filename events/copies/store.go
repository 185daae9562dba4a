// Package copies keeps, in the object store of a NATS cluster, the newest copy of what a house has beside its log:
// its people, its mails and its keys, sealed with the server's key. The writer puts copies there; the server that
// takes over fetches them before it opens. What must not live here: what is in those files, when they are copied, and
// which server writes.
package copies

import (
	"archive/tar"
	"cmp"
	"context"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"posthorn/events"
)

// DefaultBucket holds the copies if the options name no bucket.
const DefaultBucket = "POSTHORN_COPIES"

var (
	// ErrNone is returned while no copy has been stored.
	ErrNone = errors.New("there is no copy of people.db and mail.db in the cluster yet")
	// ErrOvertaken is returned by [Store.Put] if a later writer has stored a copy.
	ErrOvertaken = errors.New("a later writer has put its copy into the cluster")
)

// How long one question to the cluster may take, and the confirmation of one piece of an uploaded copy.
const (
	askTime   = 5 * time.Second
	pieceTime = 15 * time.Second
)

// Options say which store to use.
type Options struct {
	Bucket   string // DefaultBucket if empty
	Replicas int    // for a bucket that is created
}

// Store holds the copies of a house. It keeps only the newest one.
type Store struct {
	js  jetstream.JetStream
	put jetstream.JetStream // the same, with a timeout for pieces
	box cipher.AEAD
	key []byte // of what proves whose a copy is
	o   Options
	n   uint64 // of the last copy stored through this Store
}

// Version tells copies apart, and which is newer.
type Version struct {
	// Begun is the log position at which the copy's writer began to write: a later writer's copies have a higher one.
	Begun uint64
	N     uint64 // counts that writer's copies
}

// After reports whether a version is newer than another.
func (v Version) After(o Version) bool { return v.Begun > o.Begun || v.Begun == o.Begun && v.N > o.N }

// Copy is a stored copy.
type Copy struct {
	Version
	Made  time.Time
	Bytes uint64
}

// Open opens the store in a connection's cluster. The caller keeps the connection.
func Open(nc *nats.Conn, keys *events.Keys, o Options) (*Store, error) {
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(askTime))
	if err != nil {
		return nil, fmt.Errorf("open JetStream: %w", err)
	}
	put, err := jetstream.New(nc, jetstream.WithDefaultTimeout(pieceTime))
	if err != nil {
		return nil, fmt.Errorf("open JetStream: %w", err)
	}
	s := &Store{js: js, put: put, key: keys.For("copies, whose they are"), o: o}
	s.o.Bucket = cmp.Or(o.Bucket, DefaultBucket)
	if s.box, err = events.NewBox(keys.For("copies")); err != nil {
		return nil, fmt.Errorf("the key of the copies: %w", err)
	}
	return s, nil
}

// What is said beside a copy: when it was made, and a MAC over that and its version.
const (
	made  = "made"
	proof = "proof"
)

// String returns the object's name for a version. Each version has an object of its own, so that a writer who has been
// overtaken without noticing replaces nothing newer.
func (v Version) String() string { return fmt.Sprintf("%d-%d", v.Begun, v.N) }

// Newest returns the newest version, or [ErrNone].
func (s *Store) Newest(ctx context.Context) (Version, error) {
	_, v, err := s.looks(ctx)
	return v, err
}

// looks asks the stream's leader for its end and for the newest version: a replica may be behind.
func (s *Store) looks(ctx context.Context) (end uint64, v Version, err error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	subjects := "$O." + s.o.Bucket + ".M."
	stream, err := s.js.Stream(ctx, s.stream())
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return 0, v, ErrNone
	}
	if err != nil {
		return 0, v, fmt.Errorf("the bucket of the copies: %w", err)
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(subjects+">"))
	if err != nil {
		return 0, v, fmt.Errorf("look at the copies: %w", err)
	}
	for subject := range info.State.Subjects {
		name, err := base64.URLEncoding.DecodeString(strings.TrimPrefix(subject, subjects))
		if err != nil {
			continue
		}
		var one Version
		if _, err := fmt.Sscanf(string(name), "%d-%d", &one.Begun, &one.N); err == nil &&
			one.String() == string(name) && one.After(v) {
			v = one
		}
	}
	if v == (Version{}) {
		return info.State.LastSeq, v, ErrNone
	}
	return info.State.LastSeq, v, nil
}

func (s *Store) stream() string { return "OBJ_" + s.o.Bucket }

// Put stores the files of a folder as one copy: either all of them become the newest copy, or none. It removes what
// was there before. begun is the position at which the writer began, and at the copy's time.
func (s *Store) Put(ctx context.Context, begun uint64, dir string, at time.Time) (c Copy, err error) {
	s.n++
	c = Copy{Version: Version{begun, s.n}, Made: at.UTC().Round(0)}
	f, err := os.CreateTemp(dir, "sealed-*.part")
	if err != nil {
		return c, fmt.Errorf("seal a copy: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	if err := s.pack(f, dir, c); err != nil {
		return c, fmt.Errorf("seal a copy: %w", err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return c, fmt.Errorf("seal a copy: %w", err)
	}
	bucket, err := s.bucket(ctx)
	if err != nil {
		return c, err
	}
	end, there, err := s.looks(ctx)
	if err != nil && !errors.Is(err, ErrNone) {
		return c, err
	}
	if there.Begun > begun {
		return c, ErrOvertaken
	}
	info, err := bucket.Put(untimed{ctx}, jetstream.ObjectMeta{Name: c.String(),
		Metadata: map[string]string{made: c.Made.Format(time.RFC3339Nano), proof: s.proof(c)}}, f)
	if err != nil {
		return c, fmt.Errorf("put a copy into the cluster: %w", err)
	}
	c.Bytes = info.Size
	return c, s.clear(ctx, end)
}

func (s *Store) proof(c Copy) string {
	m := hmac.New(sha256.New, s.key)
	m.Write([]byte(c.sealedAs()))
	return hex.EncodeToString(m.Sum(nil))
}

// Proved reports whether a server of this house stored a version. Those of programs before 0.9 prove nothing.
func (s *Store) Proved(ctx context.Context, v Version) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	var info *jetstream.ObjectInfo
	b, err := s.js.ObjectStore(ctx, s.o.Bucket)
	if err == nil {
		info, err = b.GetInfo(ctx, v.String())
	}
	if errors.Is(err, jetstream.ErrObjectNotFound) { // a newer one has come
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look at the newest copy: %w", err)
	}
	c := Copy{Version: v}
	if c.Made, err = time.Parse(time.RFC3339Nano, info.Metadata[made]); err != nil {
		return false, nil
	}
	return hmac.Equal([]byte(info.Metadata[proof]), []byte(s.proof(c))), nil
}

// clear removes what is there up to a sequence, including what a killed writer left behind. Anything that came since
// is later.
func (s *Store) clear(ctx context.Context, end uint64) error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	stream, err := s.js.Stream(ctx, s.stream())
	if err == nil {
		err = stream.Purge(ctx, jetstream.WithPurgeSequence(end+1))
	}
	if err != nil {
		return fmt.Errorf("take older copies out of the cluster: %w", err)
	}
	return nil
}

// untimed is a context that hides its deadline but still ends: otherwise the object store would wait that long for
// each answer, even a lost one.
type untimed struct{ context.Context }

// Deadline implements [context.Context].
func (untimed) Deadline() (time.Time, bool) { return time.Time{}, false }

// bucket finds or creates the bucket.
func (s *Store) bucket(ctx context.Context) (jetstream.ObjectStore, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	b, err := s.put.ObjectStore(ctx, s.o.Bucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		b, err = s.put.CreateObjectStore(ctx,
			jetstream.ObjectStoreConfig{Bucket: s.o.Bucket,
				Description: "The newest copy of what Posthorn has beside its log, sealed",
				Replicas:    max(s.o.Replicas, 1), Storage: jetstream.FileStorage})
	}
	if err != nil {
		return nil, fmt.Errorf("the bucket of the copies: %w", err)
	}
	return b, nil
}

func (c Copy) sealedAs() string { return c.String() + " " + c.Made.Format(time.RFC3339Nano) }

// pack writes the files of a folder, one after the other, sealed.
func (s *Store) pack(to io.Writer, dir string, c Copy) error {
	sealed := &sealer{to: to, box: s.box, of: c.sealedAs()}
	out := tar.NewWriter(sealed)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || strings.HasSuffix(e.Name(), ".part") {
			continue
		}
		if err := packFile(out, filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return errors.Join(out.Close(), sealed.Close())
}

func packFile(out *tar.Writer, path string) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := out.WriteHeader(&tar.Header{Name: filepath.Base(path), Mode: 0o600, Size: info.Size(),
		ModTime: info.ModTime()}); err != nil {
		return err
	}
	_, err = io.CopyN(out, f, info.Size())
	return err
}

// Fetch writes the files of the newest copy into an empty folder, syncs each to disk, and returns which copy it is.
// After an error the folder holds nothing useful. A newer copy may have come meanwhile, so try again, except after
// [ErrSealed], which means that the copy is another house's.
func (s *Store) Fetch(ctx context.Context, dir string) (c Copy, err error) {
	if c.Version, err = s.Newest(ctx); err != nil {
		return c, err
	}
	from, err := s.open(ctx, c.String())
	if err != nil {
		return c, fmt.Errorf("fetch the copy: %w", err)
	}
	c.Bytes = from.info.Size
	if c.Made, err = time.Parse(time.RFC3339Nano, from.info.Metadata[made]); err == nil {
		err = s.unpack(from, dir, c)
	}
	if err = errors.Join(err, from.Close()); err != nil {
		return c, fmt.Errorf("fetch the copy: %w", err)
	}
	return c, nil
}

func (s *Store) unpack(from io.Reader, dir string, c Copy) error {
	opened := &opener{from: from, box: s.box, of: c.sealedAs()}
	in := tar.NewReader(opened)
	for {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			_, err := io.Copy(io.Discard, opened) // read to its last piece, or it is truncated
			return err
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg || h.Name != filepath.Base(h.Name) || !fs.ValidPath(h.Name) {
			return ErrSealed
		}
		if err := unpackFile(in, filepath.Join(dir, h.Name)); err != nil {
			return err
		}
	}
}

func unpackFile(in io.Reader, path string) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := io.Copy(f, in); err != nil {
		return err
	}
	return f.Sync()
}
