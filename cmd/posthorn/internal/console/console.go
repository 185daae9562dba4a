package console

import (
	"errors"
	"fmt"
	"io"

	"github.com/alecthomas/kong"
)

// Console is where a sub-command reads and writes. What goes to out and err is shown and never
// obeyed, whoever made it up; raw is where out leads, for what must keep its bytes.
type Console struct {
	In       io.Reader
	Out, Err io.Writer
	Raw      io.Writer
}

// Exit is an error with the status the program ends with. Commands that find what they were
// asked to look for (a refused move, a fault in a record) tell it apart from failing.
type Exit struct {
	Status int
	Err    error
}

// Error says what the error that it wraps says.
func (e *Exit) Error() string { return e.Err.Error() }

// Unwrap gives the error without its status.
func (e *Exit) Unwrap() error { return e.Err }

// Run parses the arguments of the commands of a struct as kong reads it, runs the one that is meant, and gives the exit status: 0 done, 1 failed
// or found a fault, 2 could not make sense of what it was given, 3 found no fault but could not
// check everything, 4 was serving and may not write any more, because another server does.
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
	if status >= 0 { // --help has been printed
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
