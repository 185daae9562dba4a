package console

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"posthorn/projections/words"
)

// How much is read of what somebody names, in bytes: far more than there ever is, and so
// little that what never ends is given up soon.
const (
	MostScript  = 4 << 20
	MostReceipt = 64 << 20 // a mailbox saved to a file, pictures and all
	MostKey     = 4 << 10
)

// errEndless is returned for what is longer than anything it could be.
var errEndless = errors.New("it is too long to be what it should")

// ReadAll reads to the end, or no more than so many bytes.
func ReadAll(r io.Reader, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(text)) > most {
		return nil, fmt.Errorf("%w: more than %d bytes", errEndless, most)
	}
	return text, err
}

// ReadFile reads a file of no more than so many bytes.
func ReadFile(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	text, err := ReadAll(f, most)
	if errors.Is(err, errEndless) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, err
}

// visible is a terminal that is shown everything and made to do nothing: see words.Visible.
type visible struct {
	mu   sync.Mutex
	out  io.Writer
	rest []byte // the beginning of a character whose end is still to come
}

// Write writes text. What it holds of a character that is cut in two comes with the next.
func (v *visible) Write(text []byte) (int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	all := append(v.rest, text...)
	whole := len(all)
	for n := 1; n < utf8.UTFMax && n <= len(all); n++ {
		if last := all[len(all)-n:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				whole -= n
			}
			break
		}
	}
	v.rest = bytes.Clone(all[whole:])
	if _, err := io.WriteString(v.out, words.Visible(string(all[:whole]))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// HowFar shows how far long work is, on standard error if that is a terminal. The
// returned function is told how much is done of how much.
func HowFar(con Console, what string) func(done, total int) {
	err := con.Err
	if v, ok := err.(*visible); ok {
		err = v.out
	}
	f, ok := err.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return func(int, int) {}
	}
	bar := progressbar.NewOptions(-1, progressbar.OptionSetWriter(f), progressbar.OptionSetDescription(what),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(), progressbar.OptionShowCount())
	return func(done, total int) {
		bar.ChangeMax(total)
		_ = bar.Set(done) // a bar that cannot be drawn is no reason to stop
	}
}
