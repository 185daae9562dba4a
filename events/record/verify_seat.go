package record

import (
	"encoding/json"
	"fmt"
	"slices"

	"posthorn/domain"
	"posthorn/events"
)

// seat checks what a seat did in private against its table: that the stream is that of one of
// its seats, that its holders gave the orders, and that what was noted as obeyed was moved.
func (l *logVerifier) seat(v *verifier, s events.Stream) (err error) {
	defer v.guard(&err)
	fault := func(version uint64, format string, args ...any) error {
		return &Fault{Stream: s.Name, Version: version, What: fmt.Sprintf(format, args...)}
	}
	seat := domain.Nobody
	for i := range v.table.Places {
		if l.keys.SeatStream(s.Table, domain.Seat(i)) == s.Name {
			seat = domain.Seat(i)
		}
	}
	first, _ := v.tableEvent(1)
	switch {
	case seat == domain.Nobody:
		return fault(1, "the table has no seat with this stream")
	case !s.Parent.IsZero() || s.Origin != v.f.Events[first].Hash:
		return fault(1, "it does not start from the opening of its table")
	}
	recs, err := l.log.Load(l.ctx, s.Name, 0, 0)
	if err != nil {
		return err
	}
	for i := range recs {
		if err := l.private(v, seat, &recs[i]); err != nil {
			return fault(recs[i].Version, "%v", err)
		}
	}
	return nil
}

// orderText is what the secret parts of a seat's events say: see events.TypeOrdered and
// events.TypeObeyed.
type orderText struct {
	Line    events.Name `json:"line"`
	Version uint64      `json:"version"`
}

func (l *logVerifier) private(v *verifier, seat domain.Seat, r *events.Record) error {
	meta, err := events.ReadMeta(r)
	if err != nil {
		return err
	}
	if len(r.Parts) != 1 || r.Parts[0].To != domain.To(seat) || string(r.Data) != "{}" {
		return fmt.Errorf("what a seat does in private is one part for it alone")
	}
	_, text, err := l.keys.Unseal(r, 0)
	if err != nil {
		return err
	}
	var says orderText
	if err := json.Unmarshal(text, &says); err != nil {
		return err
	}
	if v.line(says.Line.String()) == nil {
		return fmt.Errorf("the table has no line %s", says.Line)
	}
	switch r.Type {
	case events.TypeOrdered:
		held := slices.ContainsFunc(v.statesAt(r.At.UnixMilli()), func(t *domain.Table) bool {
			return int(seat) < len(t.Places) && t.Places[seat].Humans() && t.Places[seat].Holds(meta.By)
		})
		if !held || !slices.Contains(doors, meta.Door) || meta.Door == events.DoorOrder {
			return fmt.Errorf("the orders were given by somebody who did not hold seat %s", seat.Letter())
		}
	case events.TypeObeyed:
		if meta.By != "" || meta.Door != events.House.Door {
			return fmt.Errorf("the house alone notes what it obeyed")
		}
		return v.obeyed(seat, says)
	default:
		return fmt.Errorf("a seat has no event %q", r.Type)
	}
	return nil
}

// obeyed checks that the move of an order is there.
func (v *verifier) obeyed(seat domain.Seat, says orderText) error {
	if says.Version == 0 {
		return nil // refused
	}
	i, ok := v.find(says.Line, says.Version)
	if !ok {
		return fmt.Errorf("it notes version %d of line %s, which is missing", says.Version, says.Line)
	}
	if v.publicOf(i).Seat != seat || v.metaOf(i).Door != events.DoorOrder {
		return fmt.Errorf("version %d of line %s is no move of an order of seat %s", says.Version, says.Line, seat.Letter())
	}
	return nil
}
