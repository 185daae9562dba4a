package record

import (
	"encoding/json"
	"slices"

	"posthorn/domain"
	"posthorn/events"
)

// seat checks what a seat did in private against its table: that the stream is that of one of
// its seats, that its holders gave the orders, and that what was noted as obeyed was moved.
func (l *logVerifier) seat(v *verifier, s events.Stream) (err error) {
	defer v.guard(&err)
	seat := domain.Nobody
	for i := range v.table.Places {
		if l.keys.SeatStream(s.Table, domain.Seat(i)) == s.Name {
			seat = domain.Seat(i)
		}
	}
	first, _ := v.tableEvent(1)
	at := Fault{Stream: s.Name, Version: 1}
	at.unless(seat != domain.Nobody, "the table has no seat with this stream")
	at.unless(s.Parent.IsZero() && s.Origin == v.f.Events[first].Hash, "it does not start from the opening of its table")
	recs, err := l.log.Load(l.ctx, s.Name, 0, 0)
	works(err)
	for i := range recs {
		l.private(v, seat, &recs[i])
	}
	return nil
}

// orderText is what the secret parts of a seat's events say: see events.TypeOrdered and
// events.TypeObeyed.
type orderText struct {
	Line    events.Name `json:"line"`
	Version uint64      `json:"version"`
}

func (l *logVerifier) private(v *verifier, seat domain.Seat, r *events.Record) {
	at := Fault{Stream: r.Stream, Version: r.Version}
	meta, err := events.ReadMeta(r)
	at.unless(err == nil, "%v", err)
	at.unless(len(r.Parts) == 1 && r.Parts[0].To == domain.To(seat) && string(r.Data) == "{}", "what a seat does in private is one part for it alone")
	_, text, err := l.keys.Unseal(r, 0)
	at.unless(err == nil, "%v", err)
	var says orderText
	err = json.Unmarshal(text, &says)
	at.unless(err == nil, "%v", err)
	at.unless(v.line(says.Line.String()) != nil, "the table has no line %s", says.Line)
	switch r.Type {
	case events.TypeOrdered:
		held := slices.ContainsFunc(v.statesAt(r.At.UnixMilli()), func(t *domain.Table) bool {
			return int(seat) < len(t.Places) && t.Places[seat].Humans() && t.Places[seat].Holds(meta.By)
		})
		at.unless(held && slices.Contains(doors, meta.Door) && meta.Door != events.DoorOrder, "the orders were given by somebody who did not hold seat %s", seat.Letter())
	case events.TypeObeyed:
		at.unless(meta.By == "" && meta.Door == events.House.Door, "the house alone notes what it obeyed")
		if says.Version > 0 { // or it was refused
			i, ok := v.find(says.Line, says.Version)
			at.unless(ok, "it notes version %d of line %s, which is missing", says.Version, says.Line)
			at.unless(v.publicOf(i).Seat == seat && v.metaOf(i).Door == events.DoorOrder, "version %d of line %s is no move of an order of seat %s", says.Version, says.Line, seat.Letter())
		}
	default:
		at.unless(false, "a seat has no event %q", r.Type)
	}
}
