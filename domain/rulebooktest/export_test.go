package rulebooktest

import (
	"fmt"
	"runtime"

	"posthorn/domain"
)

// Faults tries a rulebook and gives what is wrong with it, in the order in which it was found: for
// tests of the suite. Of each section of the suite it is the first fault, as with Run.
func Faults(rb domain.Rulebook, cfg Config) []string {
	r := &recorder{}
	section := func(name string, check func(T)) { r.guard(func() { check(r) }) }
	r.guard(func() { try(r, section, rb, cfg) })
	return r.faults
}

// recorder keeps what is reported.
type recorder struct{ faults []string }

// Helper is of no use here.
func (*recorder) Helper() {}

// Errorf keeps a fault.
func (r *recorder) Errorf(format string, args ...any) {
	r.faults = append(r.faults, fmt.Sprintf(format, args...))
}

// FailNow ends what guard runs.
func (*recorder) FailNow() { runtime.Goexit() }

func (*recorder) guard(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	<-done
}
