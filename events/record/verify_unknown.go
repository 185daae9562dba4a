package record

import (
	"strings"

	"posthorn/domain"
	"posthorn/events"
)

// A record may hold types of events that are newer than this program. Their hashes are checked; what follows from
// them is not known here, and nothing that depends on it is judged.

// notes looks for events of play whose type is not known here. rb is nil if the game is not known.
func (v *verifier) notes(rb domain.Rulebook) {
	for i, e := range v.each() {
		if v.streams[e.Stream].Kind != events.KindLine || e.Type == events.TypeForked {
			continue
		}
		typ, play := strings.CutPrefix(e.Type, v.f.Header.Rulebook+".")
		v.must(play || strings.HasPrefix(e.Type, "line."), i, "%q is not of %s", e.Type, v.f.Header.Rulebook)
		if !play || rb != nil && !rb.Codec().Has(typ) {
			v.unknown[i] = true
			v.report.skip(OpenUnknown, "events of the type %s are not known here: what follows "+
				"from them was not checked", e.Type)
		}
	}
}

// strange reports whether event number i of the table is of a type that is not known here: the table is not folded any
// further.
func (v *verifier) strange(i int) bool {
	e := &v.f.Events[i]
	if _, known := domain.NewTableEvent(e.Type); known {
		return false
	}
	v.must(strings.HasPrefix(e.Type, "table."), i, "%q is not of %s", e.Type, "a table")
	v.report.skip(OpenUnknown, "events of the type %s are not known here: what the table did from "+
		"version %d on was not checked", e.Type, e.Version)
	v.until = e.At
	return true
}

// beyond reports whether a time is one at which something may have happened at the table that is not known here.
func (v *verifier) beyond(at int64) bool {
	return v.partly() && at >= v.until-events.ClockSet.Milliseconds()
}

// partly reports whether only the beginning of the table's events is known here.
func (v *verifier) partly() bool { return uint64(len(v.facts)) < v.last[v.f.Header.Table] }

// knownLine reports whether an event is of the table's own stream, or of a line that is known to have been opened.
func (v *verifier) knownLine(stream events.Name) bool {
	return !v.partly() || stream != v.f.Header.Table && v.line(stream.String()) != nil
}

// goesBackOverUnknown reports whether an event of the table is about where its main line may go back to, and that line
// has an event of play whose type is not known here: what it drew is not known either.
func (v *verifier) goesBackOverUnknown(t *domain.Table, fact domain.TableEvent) bool {
	switch fact.(type) {
	case *domain.Proposed, *domain.Agreed, *domain.Undone, *domain.Carried, *domain.Unanswered:
	default:
		return false
	}
	main, ok := t.Main()
	for n := uint64(1); ok && n <= v.last[nameOf(main)]; n++ {
		if i, found := v.find(nameOf(main), n); found && v.unknown[i] {
			return true
		}
	}
	return false
}
