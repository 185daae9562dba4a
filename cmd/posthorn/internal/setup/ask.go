package setup

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"posthorn/cmd/posthorn/internal/console"
)

// Asker asks questions on lines: at a terminal again until the answer will do, otherwise once.
type Asker struct {
	con console.Console
	in  *bufio.Reader
	// Terminal is whether somebody sits there.
	Terminal bool
	fd       int
}

// NewAsker returns an Asker for a console.
func NewAsker(con console.Console) *Asker {
	a := &Asker{con: con, in: bufio.NewReaderSize(con.In, most)}
	if f, ok := con.In.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		a.Terminal, a.fd = true, int(f.Fd())
	}
	return a
}

// most is the longest answer that is read.
const most = 4 << 10

// Question is one question.
type Question struct {
	Text    string // one line or several
	Flag    string // by which it can be answered, too
	Given   string // the answer that was given by flag; then nothing is asked, unless it does not do
	Default string // the answer of an empty line
	Secret  bool   // the answer is not shown; an empty one is Default, which is not shown either
	// Try says what is wrong with an answer, or returns the answer as it is kept.
	Try func(ctx context.Context, answer string) (string, error)
}

// Ask asks a question until Try is content.
func (a *Asker) Ask(ctx context.Context, q Question) (string, error) {
	fmt.Fprintf(a.con.Out, "\n%s\n", q.Text)
	answer, err := q.Given, error(nil)
	if answer != "" && !q.Secret {
		fmt.Fprintf(a.con.Out, "> %s\n", answer)
	}
	for {
		if answer == "" {
			if answer, err = a.answer(ctx, q); err != nil {
				return "", err
			}
		}
		kept, err := q.Try(ctx, answer)
		if err == nil {
			return kept, nil
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if !a.Terminal {
			return "", console.Fails(1, "%s: %w", q.Flag, err)
		}
		a.Say("%v", err)
		answer = ""
	}
}

// Say prints something below a question.
func (a *Asker) Say(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	fmt.Fprintf(a.con.Out, "  %s\n", strings.ReplaceAll(text, "\n", "\n  "))
}

// answer reads one answer. Where there is neither one nor a default, it asks again at a terminal.
func (a *Asker) answer(ctx context.Context, q Question) (string, error) {
	for {
		switch {
		case q.Default == "":
			fmt.Fprint(a.con.Out, "> ")
		case q.Secret:
			fmt.Fprint(a.con.Out, "[as it is] > ")
		default:
			fmt.Fprintf(a.con.Out, "[%s] > ", q.Default)
		}
		text, err := a.read(ctx, q.Secret)
		if !a.Terminal || q.Secret {
			fmt.Fprintln(a.con.Out) // whoever typed it has ended the line
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return "", err
		}
		if text = strings.TrimSpace(text); text == "" {
			text = q.Default
		}
		if text != "" {
			return text, nil
		}
		if err != nil || !a.Terminal {
			return "", console.Fails(2, "there is no answer to %s: type one, or give it as a flag", q.Flag)
		}
	}
}

// read reads a line, at a terminal without showing it if it is secret. If ctx ends first, it leaves the reading where
// it is, and the terminal as it was.
func (a *Asker) read(ctx context.Context, secret bool) (text string, err error) {
	if a.Terminal && secret {
		before, err := term.GetState(a.fd)
		if err != nil {
			return "", err
		}
		defer func() { _ = term.Restore(a.fd, before) }()
	}
	type result struct {
		text string
		err  error
	}
	got := make(chan result, 1)
	go func() {
		if a.Terminal && secret {
			b, err := term.ReadPassword(a.fd)
			got <- result{string(b), err}
			return
		}
		b, err := a.in.ReadSlice('\n')
		got <- result{string(b), err}
	}()
	select {
	case r := <-got:
		if ctx.Err() != nil { // the input ends with the program that is told to stop
			return "", ctx.Err()
		}
		return r.text, r.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
