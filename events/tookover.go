package events

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// TypeTookOver is the event that a server began to write the log of a house that several servers share. It is the
// first of its term: the previous writer expects its position for something else, and is refused.
//
// Its first version was written by programs whose messages to NATS prove nothing: from the second on, a log adopts no
// message that does not prove whose it is, and those programs, which do not know it, leave the log to others.
const TypeTookOver = "house.took-over.v2"

// TypeTookOverV1 is the same of programs before 0.9.
const TypeTookOverV1 = "house.took-over.v1"

type tookOver struct {
	Term uint64 `json:"term"` // of the lease that elected it
}

// TookOver returns the record with which a server would start to write at the end of a log. It does not write it: the
// record becomes the log's next once the cluster has confirmed it at its position.
func TookOver(ctx context.Context, log Log, keys *Keys, term uint64, now time.Time) (Stream, Record, error) {
	name := keys.HouseStream()
	s := Stream{Name: name, Kind: KindHouse, Table: name}
	head, err := log.Head(ctx, name)
	if err != nil && !errors.Is(err, ErrNoStream) {
		return s, Record{}, fmt.Errorf("take over: %w", err)
	}
	last, err := log.Last(ctx)
	if err != nil {
		return s, Record{}, fmt.Errorf("take over: %w", err)
	}
	if before, err := log.Read(ctx, max(last, 1)-1, 1); err != nil {
		return s, Record{}, fmt.Errorf("take over: %w", err)
	} else if len(before) > 0 && before[0].At.After(now) && before[0].At.Sub(now) <= ClockSet {
		now = before[0].At // the clocks of two machines differ a little
	}
	data, err := json.Marshal(tookOver{term})
	if err != nil {
		return s, Record{}, fmt.Errorf("take over: %w", err)
	}
	once := NewCommandID() // each attempt is a new one, even if a new cluster counts its terms from the start
	r := Record{Pos: last + 1, Stream: name, Version: head.Version + 1,
		Command: keys.Own(Because("took over", once[:])), Type: TypeTookOver, Codec: "json",
		At: now.UTC().Truncate(time.Millisecond), Meta: Meta{Door: House.Door}.Bytes(), Data: data}
	r.Hash = ChainHash(head.Hash, &r)
	return s, r, nil
}
