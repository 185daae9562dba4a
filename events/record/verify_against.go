package record

import (
	"bytes"
	"fmt"

	"posthorn/domain"
	"posthorn/events"
)

// VerifyAgainst is Verify with other records of the same table, or of tables that it was branched from: where two hold
// a version, it must be the same event. What another record proves of its own table is not left open here.
func VerifyAgainst(f *File, others []*File, named func(string) (domain.Rulebook, bool), receipts ...string) (*Report,
	error) {
	proved := map[events.Hash]bool{}
	for _, o := range others {
		r, err := Verify(o, named)
		if err != nil {
			return &Report{Table: f.Header.Table}, &Fault{What: fmt.Sprintf("the other record is at fault: %v", err)}
		}
		for _, b := range append(append([]*File{}, o.Before...), o) {
			for i := range b.Events {
				if len(r.Skipped) == 0 && b.tableOf(b.Events[i].Stream) == b.Header.Table {
					proved[b.Events[i].Hash] = true
				}
			}
		}
	}
	verify := func(v *verifier, receipts []string) error {
		v.proved = proved
		return v.all(named, receipts)
	}
	report, err := verifyAll(f, verify, receipts)
	if err == nil {
		err = f.compare(others, report)
	}
	return report, err
}

// verifyAll verifies a record, or the records of a bundle.
func verifyAll(f *File, verify func(v *verifier, receipts []string) error, receipts []string) (*Report, error) {
	if len(f.Before) > 0 {
		return verifyBundle(f, verify, receipts)
	}
	v := newVerifier(f)
	err := verify(v, receipts)
	return v.report, err
}

// tableOf returns the table of a stream that the header names.
func (f *File) tableOf(stream events.Name) (table events.Name) {
	for _, s := range f.Header.Streams {
		if s.Name == stream {
			table = s.Table
		}
	}
	return table
}

// compare holds the events of a record against those of others. A table that was handed over goes on differently at the
// two servers, from the event on that closed it at the one and the arrival at the other.
func (f *File) compare(others []*File, report *Report) error {
	there := map[place]*Event{}
	for _, o := range others {
		for _, b := range append(append([]*File{}, o.Before...), o) {
			for i := range b.Events {
				there[place{b.Events[i].Stream, b.Events[i].Version}] = &b.Events[i]
			}
		}
	}
	parted := map[events.Name]bool{}
	for i := range f.Events {
		e := &f.Events[i]
		twin := there[place{e.Stream, e.Version}]
		if twin == nil || parted[e.Stream] {
			continue
		}
		if parts(e, twin) || parts(twin, e) {
			parted[e.Stream] = true
			continue
		}
		if twin.Hash != e.Hash {
			return f.fault(i, "another record has another event here: the history was told in two ways")
		}
		report.Compared++
	}
	return nil
}

// parts reports whether a table went from one event, which closed it at a server, to the other one at the next server.
// An arrival that names its closing event names just this one.
func parts(closed, arrived *Event) bool {
	if closed.Type != domain.TableEventType(&domain.HandedOver{}) {
		return false
	}
	rec := arrived.record()
	e, err := events.DecodeTable(&rec, nil)
	a, is := e.(*domain.Arrived)
	if err != nil || !is {
		return false
	}
	return a.Closing == nil || a.Closing.Command == closed.Command.String() && a.Closing.At == closed.At &&
		bytes.Equal([]byte(a.Closing.Meta), closed.Meta) && bytes.Equal([]byte(a.Closing.Data), closed.Data)
}
