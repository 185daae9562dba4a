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

// The most bytes read from an input: far more than a real one has, but so few that endless input is given up soon.
const (
	MostScript  = 4 << 20
	MostReceipt = 64 << 20 // a mailbox saved to a file, pictures included
	MostKey     = 4 << 10
)

// errEndless is returned for input longer than it can sensibly be.
var errEndless = errors.New("it is too long to be what it should")

// ReadAll reads to the end. It returns an error after more than the given number of bytes.
func ReadAll(r io.Reader, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(text)) > most {
		return nil, fmt.Errorf("%w: more than %d bytes", errEndless, most)
	}
	return text, err
}

// ReadFile reads a file. It returns an error if the file has more than the given number of bytes.
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

// visible writes to a terminal that shows everything and obeys nothing: see words.Visible.
type visible struct {
	mu   sync.Mutex
	out  io.Writer
	rest []byte // the beginning of a character whose end is still to come
}

// Write writes text. It keeps an incomplete character at the end for the next call.
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

// HowFar shows the progress of long work on standard error, if that is a terminal. The returned function takes how much
// is done, and of how much.
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
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(),
		progressbar.OptionShowCount())
	return func(done, total int) {
		bar.ChangeMax(total)
		_ = bar.Set(done) // a bar that cannot be drawn is no reason to stop
	}
}
