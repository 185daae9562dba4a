package main

import (
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// howFar shows how far long work is, on standard error if that is a terminal. The
// returned function is told how much is done of how much.
func howFar(con console, what string) func(done, total int) {
	err := con.err
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
