package checkpoint

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/tlog"

	"posthorn/events"
)

// every is how often a checkpoint is signed while the log grows.
const every = time.Hour

// ErrNone is returned if nothing has been signed yet.
var ErrNone = errors.New("no checkpoint yet")

// ErrRewritten is returned if the log does not match the house's own latest checkpoint: it was changed, or restored
// from an older copy.
var ErrRewritten = errors.New("the log does not go on from the latest checkpoint")

// ErrSigned is returned for a log of a size that was signed before with another history: whoever keeps both notes could
// prove that the server told two.
var ErrSigned = errors.New("another history of so many events was signed before, so nothing is signed " +
	"until the log is longer: " +
	"if it was restored from an older copy, stop the server and restore the newest, with restore-from-nats perhaps")

// ErrNotNotes is returned for a file of notes that holds something else.
var ErrNotNotes = errors.New("it holds something that is no checkpoint")

// ErrNotOurs is returned for a file of notes that another server signed.
var ErrNotOurs = errors.New("it holds checkpoints of another server")

// ErrLost is what Alarm gets if there is a tree, but no file of notes beside it.
var ErrLost = errors.New("checkpoints.txt is missing: put it back from your backup, and restart; " +
	"without one a new file begins, and what was signed before can be shown only by those who kept it")

// Inspect reads a file of notes, and returns [ErrNotNotes] or [ErrNotOurs] if it cannot be gone on with. A file that is
// not there is as good as an empty one.
func Inspect(path string, key ed25519.PublicKey) error {
	text, err := os.ReadFile(path) //nolint:gosec // a file of the house's own
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	whole := wholeNotes(string(text))
	if !torn(string(text[whole:])) {
		return ErrNotNotes
	}
	notes := Split(string(text[:whole]))
	if len(notes) == 0 {
		return nil
	}
	if _, err := Read(key, notes[len(notes)-1]); err != nil {
		return fmt.Errorf("%w: %w", ErrNotOurs, err)
	}
	return nil
}

// Keeper signs checkpoints of a log and keeps all of them in a file, one note after another with an empty line
// between. It is safe for concurrent use.
type Keeper struct {
	Tree *Tree
	Log  events.Log
	Keys *events.Keys
	Path string // of the file of notes
	// Alarm is called when the log was rewritten, and when a checkpoint could not be signed.
	Alarm func(error)
	// Told, if set, is called with the latest checkpoint at the start, every hour and at the end.
	Told func(note string)

	mu      sync.RWMutex
	read    bool
	trimmed bool
	latest  string
	signed  []Checkpoint // what all notes of the file say
	whole   int64        // the length of the file up to its last whole note
}

// Run signs a checkpoint now, every hour in which something happened, and when the context ends. It reports a failure
// to Alarm and tries again an hour later: nobody waits for a checkpoint.
func (k *Keeper) Run(ctx context.Context) error {
	ticks := time.NewTicker(every)
	defer ticks.Stop()
	for {
		if err := k.signAndTell(ctx); err != nil && ctx.Err() == nil {
			k.alarm(err)
		}
		select {
		case <-ctx.Done():
			if err := k.signAndTell(context.WithoutCancel(ctx)); err != nil {
				k.alarm(err)
			}
			return nil
		case <-ticks.C:
		}
	}
}

func (k *Keeper) signAndTell(ctx context.Context) error {
	note, err := k.Sign(ctx)
	if errors.Is(err, ErrNone) {
		return nil
	}
	if err == nil && k.Told != nil {
		k.Told(note)
	}
	return err
}

func (k *Keeper) alarm(err error) {
	if k.Alarm != nil {
		k.Alarm(err)
	}
}

// Sign takes in what has happened and signs the log's state, if the log has grown. If the log does not go on from the
// latest checkpoint, Sign calls Alarm and still signs the new one: anybody who kept the former can prove it. It never
// signs two histories of one size, and returns [ErrSigned] instead.
func (k *Keeper) Sign(ctx context.Context) (string, error) {
	if err := k.trim(ctx); err != nil {
		return "", err
	}
	if err := k.Tree.Grow(ctx, k.Log); err != nil {
		return "", err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	c := Checkpoint{Size: k.Tree.Size()}
	if c.Size == 0 {
		return "", ErrNone
	}
	root, err := k.Tree.Root(c.Size)
	if err != nil {
		return "", err
	}
	c.Root = root
	if k.latest != "" {
		before, err := Read(k.Keys.PublicKey(), k.latest)
		if err != nil {
			return "", fmt.Errorf("%w: %w", ErrNotOurs, err)
		}
		if before == c {
			return k.latest, nil
		}
		if err := k.goesOn(before); err != nil {
			k.alarm(err)
		}
	}
	if slices.ContainsFunc(k.signed, func(b Checkpoint) bool { return b.Size == c.Size && b.Root != c.Root }) {
		return "", fmt.Errorf("%w: %d events", ErrSigned, c.Size)
	}
	if err := k.Tree.Sync(); err != nil { // the next start continues from what is signed
		return "", err
	}
	text, err := Sign(k.Keys, c)
	if err == nil {
		err = k.note(text)
	}
	if err != nil {
		return "", err
	}
	k.latest, k.signed = text, append(k.signed, c)
	return text, nil
}

// Holds checks that the log still holds what the latest note of the file says, and returns [ErrRewritten] if it does
// not. The tree is one of the caller's own, and empty.
func (k *Keeper) Holds(ctx context.Context) error {
	if err := errors.Join(k.Recall(), k.Tree.Grow(ctx, k.Log)); err != nil {
		return err
	}
	_, before, err := k.Latest()
	if errors.Is(err, ErrNone) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNotOurs, err)
	}
	return k.goesOn(before)
}

// trim, once after each start, cuts the tree back to what was durable when the latest checkpoint was signed; the rest
// is read from the log again. If the tree does not match even that, its file is damaged or the log was rewritten:
// rebuilding the tree tells which.
func (k *Keeper) trim(ctx context.Context) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.recall(); err != nil || k.trimmed {
		return err
	}
	var before Checkpoint
	if k.latest != "" {
		before, _ = Read(k.Keys.PublicKey(), k.latest) // one that is not ours is reported when it is compared
	}
	if err := k.Tree.trim(before.Size); err != nil {
		return err
	}
	if before.Size > 0 && k.goesOn(before) != nil {
		if err := errors.Join(k.Tree.trim(0), k.Tree.Grow(ctx, k.Log)); err != nil {
			return err
		}
	}
	k.trimmed = true
	return nil
}

// goesOn reports whether the log still holds what a checkpoint said.
func (k *Keeper) goesOn(c Checkpoint) error {
	root, err := k.Tree.Root(c.Size)
	if errors.Is(err, ErrSize) || err == nil && root != c.Root {
		return fmt.Errorf("%w: it had %d events", ErrRewritten, c.Size)
	}
	return err
}

// Recall reads the file's latest checkpoint and signs nothing: for callers that prove what a house has signed.
func (k *Keeper) Recall() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.recall()
}

// recall reads the file's latest note.
func (k *Keeper) recall() error {
	if k.read {
		return nil
	}
	text, err := os.ReadFile(k.Path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("read the checkpoints: %w", err)
	}
	if err != nil && k.Tree.Size() > 0 {
		k.alarm(ErrLost)
	}
	k.whole = int64(wholeNotes(string(text)))
	if rest := string(text[k.whole:]); !torn(rest) {
		return fmt.Errorf("%s: %w", k.Path, ErrNotNotes)
	}
	k.read = true
	notes := Split(string(text[:k.whole]))
	if len(notes) > 0 {
		k.latest = notes[len(notes)-1]
	}
	k.signed = nil
	for _, note := range notes {
		if c, ok := said(k.Keys.PublicKey(), note); ok {
			k.signed = append(k.signed, c)
		}
	}
	return nil
}

// wholeNotes returns the length of a file of notes without a partial one that a power cut or a full disk left at its
// end.
func wholeNotes(text string) (whole int) {
	for part, at := 0, 0; ; {
		n := strings.Index(text[at:], "\n\n")
		if n < 0 {
			return whole
		}
		at += n + 2
		if part++; part%2 == 0 {
			whole = at
		}
	}
}

// mostNote is longer than any note.
const mostNote = 4 << 10

// torn reports whether a text may be the beginning of a note that a power cut or a full disk left; its last character
// may have been cut in two.
func torn(text string) bool {
	for i, r := range text {
		if r < ' ' && r != '\n' || r == utf8.RuneError && i <= len(text)-utf8.UTFMax {
			return false
		}
	}
	return len(text) < mostNote
}

// Split splits a file of notes into its notes: each is a text, an empty line, and a signature.
func Split(text string) (notes []string) {
	parts := strings.Split(strings.TrimRight(text, "\n"), "\n\n")
	for i := 0; i+1 < len(parts); i += 2 {
		notes = append(notes, parts[i]+"\n\n"+parts[i+1]+"\n")
	}
	return notes
}

// note writes a note after the whole ones, over any partial one.
func (k *Keeper) note(text string) (err error) {
	f, err := os.OpenFile(k.Path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("keep a checkpoint: %w", err)
	}
	info, err := f.Stat()
	if err == nil {
		k.whole = min(k.whole, info.Size()) // somebody may have removed the file
		err = f.Truncate(k.whole)
	}
	if err == nil {
		_, err = f.WriteAt([]byte(text+"\n"), k.whole)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("keep a checkpoint: %w", err)
	}
	k.whole += int64(len(text)) + 1
	return nil
}

// Latest returns the latest checkpoint. It returns ErrNone before the first.
func (k *Keeper) Latest() (text string, c Checkpoint, err error) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.latest == "" {
		return "", c, ErrNone
	}
	c, err = Read(k.Keys.PublicKey(), k.latest)
	return k.latest, c, err
}

// Consistency proves that the log of one size goes on in the log of another; see [Tree.Consistency].
func (k *Keeper) Consistency(from, to int64) (tlog.TreeProof, error) {
	return k.Tree.Consistency(from, to)
}

// Inclusion proves that an event is in the log of a size; see [Tree.Inclusion].
func (k *Keeper) Inclusion(position, size int64) (tlog.RecordProof, error) {
	return k.Tree.Inclusion(position, size)
}
