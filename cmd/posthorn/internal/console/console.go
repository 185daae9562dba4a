package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"

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

// Fails returns an error with the program's exit status and a text as [fmt.Errorf] makes it.
func Fails(status int, format string, args ...any) error {
	return &Exit{status, fmt.Errorf(format, args...)}
}

// Error returns the text of the wrapped error.
func (e *Exit) Error() string { return e.Err.Error() }

// Unwrap returns the wrapped error.
func (e *Exit) Unwrap() error { return e.Err }

// unchecked is the exit status of a command that found no fault, but could not check everything.
const unchecked = 3

// Interrupted is the exit status of a command that was told to stop before it was done, by Ctrl-C or SIGTERM.
const Interrupted = 130

// Run parses arguments for a struct of commands as kong reads it, runs the chosen command, and returns the exit status:
// 0 done, 1 failed or found a fault, 2 could not understand its input, 3 found no fault but could not check everything,
// 4 was serving and must not write any longer, because another server does, or [Interrupted].
//
// The command is to stop when ctx ends. One that has something to put away then takes ctx as an argument of its Run,
// and is waited for. Any other is left where it is; see [Leave].
func Run(ctx context.Context, commands any, args []string, con Console) int {
	con.Raw, con.Out, con.Err = con.Out, &visible{out: con.Out}, &visible{out: con.Err}
	status := -1
	parser, err := kong.New(commands,
		kong.Name("posthorn"),
		kong.Description("Slow board games by mail: a move is an immutable event, the mail that says “your turn” "+
			"shows the board and carries the links that play it."),
		kong.DefaultEnvars("POSTHORN"),
		kong.ShortUsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Writers(con.Out, con.Err),
		kong.Exit(func(s int) { status = s }),
		kong.Bind(con),
		kong.BindTo(ctx, (*context.Context)(nil)),
	)
	if err != nil {
		return fail(ctx, con, err)
	}
	command, err := parser.Parse(args)
	if status >= 0 { // --help was printed
		return status
	}
	if err != nil {
		parser.FatalIfErrorf(err)
		return 2
	}
	run := func() error { return command.Run() }
	if takesContext(command.Selected()) {
		return fail(ctx, con, run())
	}
	return fail(ctx, con, Leave(ctx, run))
}

// takesContext reports whether a command's Run takes the context.
func takesContext(command *kong.Node) bool {
	run := command.Target.Addr().MethodByName("Run").Type()
	for i := range run.NumIn() {
		if run.In(i) == reflect.TypeFor[context.Context]() {
			return true
		}
	}
	return false
}

// Leave runs something that has nothing to put away, and returns its error. If ctx ends first, it leaves it where it
// is, computing or waiting for input, and returns ctx's error: do must not change what its caller reads after that.
func Leave(ctx context.Context, do func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func fail(ctx context.Context, con Console, err error) int {
	if err == nil {
		return 0
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		fmt.Fprintln(con.Err, "posthorn: interrupted")
		return Interrupted
	}
	fmt.Fprintf(con.Err, "posthorn: %v\n", err)
	status := 1
	for n, e := range exits(err) {
		if n == 0 || status == unchecked {
			status = e.Status // of errors that were joined: a fault matters more than what could not be checked
		}
	}
	return status
}

// exits returns each Exit in an error, and in all that were joined in it.
func exits(err error) []*Exit {
	switch e := err.(type) {
	case *Exit:
		return []*Exit{e}
	case interface{ Unwrap() []error }:
		var all []*Exit
		for _, one := range e.Unwrap() {
			all = append(all, exits(one)...)
		}
		return all
	case interface{ Unwrap() error }:
		return exits(e.Unwrap())
	}
	return nil
}
