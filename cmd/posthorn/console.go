package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/alecthomas/kong"
)

// console is where a sub-command reads and writes. What goes to out and err is shown and never
// obeyed, whoever made it up; raw is where out leads, for what must keep its bytes.
type console struct {
	in       io.Reader
	out, err io.Writer
	raw      io.Writer
}

// exit is an error with the status the program ends with. Commands that find what they were
// asked to look for (a refused move, a fault in a record) tell it apart from failing.
type exit struct {
	status int
	err    error
}

func (e *exit) Error() string { return e.err.Error() }
func (e *exit) Unwrap() error { return e.err }

// runs parses the arguments of the commands of a struct as kong reads it, runs the one that is meant, and gives the exit status: 0 done, 1 failed
// or found a fault, 2 could not make sense of what it was given, 3 found no fault but could not
// check everything, 4 was serving and may not write any more, because another server does.
func runs(commands any, args []string, con console) int {
	con.raw, con.out, con.err = con.out, &visible{out: con.out}, &visible{out: con.err}
	status := -1
	parser, err := kong.New(commands,
		kong.Name("posthorn"),
		kong.Description("Slow board games by mail: a move is an immutable event, the mail that says “your turn” shows the board and carries the links that play it."),
		kong.DefaultEnvars("POSTHORN"),
		kong.ShortUsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Writers(con.out, con.err),
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

func fail(con console, err error) int {
	if err == nil {
		return 0
	}
	fmt.Fprintf(con.err, "posthorn: %v\n", err)
	var e *exit
	if errors.As(err, &e) {
		return e.status
	}
	return 1
}
