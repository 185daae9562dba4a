package console

import (
	"errors"
	"fmt"
	"io"

	"github.com/alecthomas/kong"
)

// Console is where a sub-command reads and writes. Text written to Out and Err is shown, but never obeyed by the
// terminal, whoever wrote it. Raw is where Out leads, for output that must keep its bytes.
type Console struct {
	In       io.Reader
	Out, Err io.Writer
	Raw      io.Writer
}

// Exit is an error with the program's exit status. Commands use it to tell what they were asked to find (a refused
// move, a fault in a record) from a failure of their own.
type Exit struct {
	Status int
	Err    error
}

// Error returns the text of the wrapped error.
func (e *Exit) Error() string { return e.Err.Error() }

// Unwrap returns the wrapped error.
func (e *Exit) Unwrap() error { return e.Err }

// Run parses arguments for a struct of commands as kong reads it, runs the chosen command, and returns the exit status:
// 0 done, 1 failed or found a fault, 2 could not understand its input, 3 found no fault but could not check everything,
// 4 was serving and must not write any longer, because another server does.
func Run(commands any, args []string, con Console) int {
	con.Raw, con.Out, con.Err = con.Out, &visible{out: con.Out}, &visible{out: con.Err}
	status := -1
	parser, err := kong.New(commands,
		kong.Name("posthorn"),
		kong.Description("Slow board games by mail: a move is an immutable event, the mail that says “your turn” shows the board and carries the links that play it."),
		kong.DefaultEnvars("POSTHORN"),
		kong.ShortUsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Writers(con.Out, con.Err),
		kong.Exit(func(s int) { status = s }),
		kong.Bind(con),
	)
	if err != nil {
		return fail(con, err)
	}
	ctx, err := parser.Parse(args)
	if status >= 0 { // --help was printed
		return status
	}
	if err != nil {
		parser.FatalIfErrorf(err)
		return 2
	}
	return fail(con, ctx.Run())
}

func fail(con Console, err error) int {
	if err == nil {
		return 0
	}
	fmt.Fprintf(con.Err, "posthorn: %v\n", err)
	var e *Exit
	if errors.As(err, &e) {
		return e.Status
	}
	return 1
}
