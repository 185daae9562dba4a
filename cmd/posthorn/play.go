package main

import (
	"bufio"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/domain/script"
	"posthorn/projections/words"
)

type playCmd struct {
	JSON   bool   `help:"Print one line of JSON a move: scores, who is awaited, the whole state."`
	Strict bool   `help:"Stop at the first refused move, with exit status 1."`
	Legal  bool   `help:"List the legal moves of those who are awaited at the end."`
	As     string `help:"Show what this seat may know: its view of the position and of what happens, and with --legal its moves." placeholder:"SEAT"`
	File   string `arg:"" help:"The script, or - for standard input. docs/notation.md has the form."`
}

// Help returns the long help of the sub-command.
func (playCmd) Help() string {
	return `A script is one line of play:

  # a comment
  game carcassonne
  option farmers on
  seat Ana
  seat Bo
  chance V
  Ana: 1,0 90 road W

A refused move changes nothing and the run goes on. The exit status is 2, and the line is
named, if a line is malformed or a dictated outcome cannot be.`
}

// Run plays the script.
func (c *playCmd) Run(con console.Console) error {
	src, err := c.read(con)
	if err != nil {
		return err
	}
	s, err := script.Parse(src, rulebooks.Named)
	if err != nil {
		say, wordless := sentences(rulebooks.All()[0], nil) // what is refused here, the house has words for
		return c.malformed(cmp.Or(wordless, inWords(err, say)))
	}
	say, err := sentences(s.Rulebook, s.Names)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(con.Out)
	err = c.play(s, say, out)
	// Print what was played before a fault, then the fault.
	return errors.Join(out.Flush(), err)
}

func (c *playCmd) read(con console.Console) (src []byte, err error) {
	from := "the script"
	if c.File == "-" {
		from = "the script from standard input"
		src, err = console.ReadAll(con.In, console.MostScript)
	} else {
		src, err = console.ReadFile(c.File, console.MostScript)
	}
	if err != nil {
		return nil, console.Fails(2, "read %s: %w", from, err)
	}
	return src, nil
}

func (c *playCmd) play(s *script.Script, say script.Sentence, out *bufio.Writer) error {
	viewer, err := c.viewer(s)
	if err != nil {
		return err
	}
	luck, err := freshLuck()
	if err != nil {
		return err
	}
	left := max(1, s.Moves())
	for r, err := range s.Play(luck) {
		if err != nil {
			return c.malformed(inWords(err, say))
		}
		if viewer != domain.Referee {
			r.As(viewer)
		}
		var legal []script.Legal
		if left--; c.Legal && left == 0 {
			legal = r.LegalMoves()
		}
		if err := c.print(out, &r, say, legal); err != nil {
			return err
		}
		if c.Strict && r.Err != nil {
			return console.Fails(1, "%s, line %d: %s: %s was refused: %s", c.File, r.Line, r.Name, r.Text,
				r.Reason(say))
		}
	}
	return nil
}

// viewer returns whose view is printed: the referee's, or that of the given seat.
func (c *playCmd) viewer(s *script.Script) (domain.Viewer, error) {
	if c.As == "" {
		return domain.Referee, nil
	}
	seat, ok := s.Seat(c.As)
	if !ok {
		return 0, console.Fails(2, "no seat is named %q, nor is that a seat's letter; the seats are: %s", c.As,
			strings.Join(s.Names, ", "))
	}
	return domain.ViewOf(seat), nil
}

// freshLuck returns new chance for what a script without a seed leaves open.
func freshLuck() (*domain.Source, error) {
	var key domain.Key
	if _, err := rand.Read(key[:]); err != nil {
		return nil, fmt.Errorf("draw a seed: %w", err)
	}
	return domain.NewSource(key), nil
}

func (c *playCmd) malformed(err error) error {
	return console.Fails(2, "%s, %w; correct that line and run it again (docs/notation.md has the form)", c.File, err)
}

// inWords turns a refused position into a sentence, with its line.
func inWords(err error, say script.Sentence) error {
	var at *script.Error
	refusal, ok := domain.AsRefusal(err)
	if !ok || !errors.As(err, &at) {
		return err
	}
	return &script.Error{Line: at.Line, Err: errors.New(strings.TrimSuffix(say(refusal.Say()), "."))}
}

// sentences returns a function that puts what a rulebook says into English.
func sentences(rb domain.Rulebook, names []string) (script.Sentence, error) {
	book, err := words.New([]domain.Rulebook{rb})
	if err != nil {
		return nil, fmt.Errorf("read the words: %w", err)
	}
	return book.Printer("en", rb.Name(), names).Say, nil
}

func (c *playCmd) print(out io.Writer, r *script.Result, say script.Sentence, legal []script.Legal) error {
	if c.JSON {
		line, err := r.AppendJSON(nil, say, legal...)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "%s\n", line)
		return err
	}
	text := plain(r, say)
	for _, l := range legal {
		text += fmt.Sprintf("   legal moves of %s:\n", l.Name)
		for _, m := range l.Moves {
			text += "      " + m + "\n"
		}
	}
	_, err := io.WriteString(out, text)
	return err
}

// plain describes a move for people: what was played, what happened, and the scores.
func plain(r *script.Result, say script.Sentence) string {
	var b strings.Builder
	if r.Seat == domain.Nobody {
		fmt.Fprintf(&b, "%d  the position\n", r.Line)
		for _, s := range r.Describe().Lines {
			fmt.Fprintf(&b, "   %s\n", say(s))
		}
	} else {
		fmt.Fprintf(&b, "%d  %s: %s\n", r.Line, r.Name, r.Text)
	}
	if r.Err != nil {
		fmt.Fprintf(&b, "   refused: %s\n", r.Reason(say))
		return b.String()
	}
	for _, s := range r.Told() {
		fmt.Fprintf(&b, "   %s\n", say(s))
	}
	fmt.Fprintf(&b, "   scores %s, if it ended now %s", numbers(r.Standing.Scores), numbers(r.Standing.Final))
	if r.Standing.Ended {
		b.WriteString("; ended\n")
		for _, s := range r.Standing.Result {
			fmt.Fprintf(&b, "   %s\n", say(s))
		}
		return b.String()
	}
	fmt.Fprintf(&b, "; awaited: %s\n", strings.Join(r.AwaitedNames(), ", "))
	return b.String()
}

func numbers(list []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", " : "), "[]")
}
