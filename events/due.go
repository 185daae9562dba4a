package events

import (
	"bytes"
	"time"

	"posthorn/domain"
)

// A deadline is written with the event that opens the ask: the meta data of the event that brought a decision up, or
// proposed something, holds it. It follows from the table's pace and the calendars, as then known, of the people
// asked. The log holds only the instant.

// Due is the deadline of something that an event opens.
type Due struct {
	Seat domain.Seat `json:"seat"` // whose decisions; domain.Nobody for the answers to a proposal
	At   time.Time   `json:"at"`   // full hours
}

// NoteProposalDue reads the deadline of a proposal from its record, once the record is applied.
func NoteProposalDue(t *domain.Table, r *Record) error {
	if t.Proposal == nil || !bytes.Contains(r.Meta, []byte(`"due"`)) || !domain.IsTableEvent[*domain.Proposed](r.Type) {
		return nil
	}
	meta, err := ReadMeta(r)
	for _, d := range meta.Due {
		if d.Seat == domain.Nobody {
			t.Proposal.Due = d.At
		}
	}
	return err
}
