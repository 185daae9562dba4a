package rulebooktest

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"

	"posthorn/domain"
)

// Faults runs the suite on a rulebook and returns what is wrong with it, in the order found, for tests of the suite.
// Each section of the suite gives only its first fault, as with Run.
func Faults(rb domain.Rulebook, cfg Config) []string {
	if cfg.Truths == nil {
		cfg.Truths = Believed(rb)
	}
	r := &recorder{}
	section := func(name string, check func(T)) { r.guard(func() { check(r) }) }
	r.guard(func() { try(r, section, rb, cfg) })
	return r.faults
}

// Believed takes every refusal of a rulebook for true.
func Believed(rb domain.Rulebook) Truths {
	all := Truths{}
	var texts map[string]any
	if err := json.Unmarshal(rb.Catalogue()["en"], &texts); err != nil {
		panic(err)
	}
	for key := range texts {
		if code, is := strings.CutPrefix(key, "refuse."); is {
			all[code] = func(*Refused) bool { return true }
		}
	}
	return all
}

// recorder collects what is reported.
type recorder struct{ faults []string }

// Helper does nothing here.
func (*recorder) Helper() {}

// Errorf records a fault.
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
