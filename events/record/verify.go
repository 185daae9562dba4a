package record

import (
	"fmt"

	"posthorn/domain"
	"posthorn/events"
)

// Report is what was checked of a record.
type Report struct {
	Table    events.Name
	Events   int
	Secrets  int // parts whose text was checked against its digest
	Hidden   int // parts that this record does not open
	Receipts int
	Draws    int      // of luck, that were computed again
	Moves    int      // that were judged again
	Ended    bool     // the table has ended: luck and legality can be checked
	Skipped  []string // what could not be checked, and why
}

// Verify checks a record: every hash, every opened secret against its digest, the receipts;
// and, once the table has ended, that the luck is the one committed to and that every move
// was legal. named finds rulebooks. The error is a *Fault where something is wrong.
func Verify(f *File, named func(string) (domain.Rulebook, bool), receipts ...string) (*Report, error) {
	v := &verifier{f: f, report: &Report{Table: f.Header.Table}, streams: map[events.Name]events.Stream{}, at: map[place]int{}}
	for _, s := range f.Header.Streams {
		v.streams[s.Name] = s
	}
	for _, check := range []func() error{v.chain, v.secrets, v.foldTable, v.origins} {
		if err := check(); err != nil {
			return v.report, err
		}
	}
	if err := v.receipts(append(append([]string(nil), f.Header.Heads...), receipts...)); err != nil {
		return v.report, err
	}
	rb, ok := named(f.Header.Rulebook)
	switch {
	case !ok:
		v.skip("no rulebook " + f.Header.Rulebook + " here: luck and legality were not checked")
	case rb.Edition() != v.table.Edition:
		v.skip("edition " + v.table.Edition + " of the rules is gone: luck and legality were not checked")
	case v.table.Status != domain.TableEnded || v.table.End == domain.EndHanded:
		v.skip("the table has not ended: luck and legality can be checked once its seed is open")
	default:
		v.report.Ended = true
		if err := v.replay(rb); err != nil {
			return v.report, err
		}
	}
	return v.report, nil
}

type place struct {
	stream  events.Name
	version uint64
}

type verifier struct {
	f       *File
	report  *Report
	streams map[events.Name]events.Stream
	at      map[place]int // index of an event
	table   *domain.Table
}

func (v *verifier) skip(what string) { v.report.Skipped = append(v.report.Skipped, what) }

func (v *verifier) fault(i int, format string, args ...any) error {
	e := &v.f.Events[i]
	return &Fault{Line: v.f.lines[i], Stream: e.Stream, Version: e.Version, What: fmt.Sprintf(format, args...)}
}
