package record

import (
	"fmt"
	"iter"
	"slices"

	"posthorn/domain"
	"posthorn/events"
)

// Report says what was checked in a record.
type Report struct {
	Table    events.Name
	Events   int
	Secrets  int  // parts whose text was checked against its digest
	Hidden   int  // parts that this record does not open
	Receipts int  // that fit, including the record's own
	Draws    int  // of luck, that were computed again
	Moves    int  // that were judged again
	Judged   bool // luck and legality were checked
	Back     TakenBack
	Compared int      // events that other records hold as well
	Hands    []Hand   // from server to server, the first one first
	Skipped  []string // what could not be checked, and why
	Open     []Open   // why, each reason once
	Said     []string // what is no fault, and to be said
	// Witnessed reports whether a receipt was checked against the record. Without one nobody can know whether all
	// hashes were recomputed, or the end was cut off.
	Witnessed bool
}

// TakenBack counts the steps that were taken back, without consent, before something was drawn.
type TakenBack struct {
	All, Most int  // all, and at most before the same draw
	Gave      bool // each of them gave other draws than those that were to come: an older program opened the table
}

func (r *Report) skip(why Open, format string, args ...any) {
	r.Open = oneMore(r.Open, why)
	what := fmt.Sprintf(format, args...)
	if !slices.Contains(r.Skipped, what) {
		r.Skipped = append(r.Skipped, what)
	}
}

func (r *Report) say(format string, args ...any) {
	if what := fmt.Sprintf(format, args...); !slices.Contains(r.Said, what) {
		r.Said = append(r.Said, what)
	}
}

// Verify checks a record: every hash; every opened secret against its digest; whether each event of the table may
// follow from those before it and came from the person its meta names; and the receipts. If the seed and the secrets
// are open, it also checks that the luck is the one committed to and that every move was legal. named finds
// rulebooks; receipts are signed ones from mails. It returns a *Fault if something is wrong, and lists in
// Report.Skipped what it could not check. For the handover of a branch, it also checks the records that come with it,
// and that they belong together.
func Verify(f *File, named func(string) (domain.Rulebook, bool), receipts ...string) (*Report, error) {
	return verifyAll(f, func(v *verifier, receipts []string) error { return v.all(named, receipts) }, receipts)
}

func newVerifier(f *File) *verifier {
	v := &verifier{f: f, report: &Report{Table: f.Header.Table}, streams: map[events.Name]events.Stream{},
		at: map[place]int{}, last: map[events.Name]uint64{}, played: map[string]*playedLine{}, uncovered: map[int]int{},
		others: map[int]bool{}, unknown: map[int]bool{}}
	for _, s := range f.Header.Streams {
		v.streams[s.Name] = s
	}
	return v
}

func (v *verifier) all(named func(string) (domain.Rulebook, bool), receipts []string) (err error) {
	defer v.guard(&err)
	rb, ok := named(v.f.Header.Rulebook)
	for _, check := range []func(){v.ancestry, v.chain, v.secrets, v.foldTable} {
		check()
	}
	if v.table.Version == 0 { // not even its opening is known here
		v.receipts(receipts)
		return nil
	}
	for _, check := range []func(){v.header, v.sealed, v.closing, v.viewer, v.closed, v.branch, v.origins, v.takenBack,
		v.times, v.tableTimes, v.dues} {
		check()
	}
	v.receipts(receipts)
	if len(v.table.Given) > 0 {
		v.report.say("the game began from a position that was set by hand: it was not drawn")
	}
	switch v.notes(rb); {
	case !ok:
		v.report.skip(OpenUnknown, "no rulebook %s here: luck and legality were not checked", v.table.Rulebook)
		v.shapes(nil, v.lines...)
	case rb.Edition() != v.table.Edition:
		v.report.skip(OpenUnknown, "edition %s of the rules is not known here: luck and legality were not checked",
			v.table.Edition)
		v.shapes(nil, v.lines...)
	default:
		v.rulebook = rb
		v.branchOptions(rb)
		v.judgeTable(0, 1)
		v.replay(rb)
	}
	v.elsewhere()
	v.judgeTable(0, len(v.facts))
	v.judgePeople()
	return nil
}

// guard returns the fault that ended the verification: each check panics with the first fault it finds. It turns any
// other panic into a fault too, so that no forged record can crash the program. A rulebook that panics needs fixing;
// guard only keeps an answer coming.
func (v *verifier) guard(err *error) {
	switch r := recover().(type) {
	case nil:
	case *Fault:
		*err = r
	case failed:
		*err = r.error
	default:
		if v.now < len(v.f.Events) {
			*err = v.f.fault(v.now, "the event cannot be what a server wrote: %v", r)
			return
		}
		*err = &Fault{Line: 1, What: fmt.Sprintf("the record cannot be what a server wrote: %v", r)}
	}
}

// each hands out the events one by one, and notes which one is being looked at.
func (v *verifier) each() iter.Seq2[int, *Event] {
	return func(yield func(int, *Event) bool) {
		for v.now = range v.f.Events {
			if !yield(v.now, &v.f.Events[v.now]) {
				return
			}
		}
	}
}

type place struct {
	stream  events.Name
	version uint64
}

type verifier struct {
	f        *File
	report   *Report
	streams  map[events.Name]events.Stream
	at       map[place]int // index of an event
	last     map[events.Name]uint64
	table    *domain.Table
	lines    []namedLine     // of the table
	states   []*domain.Table // the table before its event i+1; the last is its final state
	facts    []domain.TableEvent
	seed     bool            // the seed is known
	rulebook domain.Rulebook // nil if it cannot judge
	played   map[string]*playedLine
	// uncovered is how many hidden cards an event let seats see, by its index, for folded events only.
	uncovered map[int]int
	others    map[int]bool         // likewise, whether somebody other than its mover was asked something before it
	unknown   map[int]bool         // events of play of types that are not known here
	until     int64                // when the first event of the table of such a type was written
	now       int                  // the event being looked at
	proved    map[events.Hash]bool // events that other records prove: see VerifyAgainst
	beside    map[events.Name]bool // tables whose own records are in the same file and were verified
	loose     bool                 // the clock went back somewhere: times do not order events to the millisecond
}

// must ends the verification unless a condition on an event holds.
func (v *verifier) must(holds bool, i int, format string, args ...any) {
	if !holds {
		panic(v.f.fault(i, format, args...))
	}
}

// mustAt is must for what the record says of a stream at a version.
func mustAt(holds bool, stream events.Name, version uint64, format string, args ...any) {
	if !holds {
		panic(&Fault{Line: 1, Stream: stream, Version: version, What: fmt.Sprintf(format, args...)})
	}
}

// namedLine is a line of the table, with its name parsed.
type namedLine struct {
	domain.TableLine
	name events.Name
}

// nameOf returns the name of one of the table's lines, which foldTable has read.
func nameOf(l domain.TableLine) events.Name {
	name, _ := events.ParseName(l.Name)
	return name
}

// tableEvent returns the index of the table's event at a version.
func (v *verifier) tableEvent(version uint64) (int, bool) {
	i, ok := v.at[place{v.f.Header.Table, version}]
	return i, ok
}
