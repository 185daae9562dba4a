package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// arrival is the event with which a table goes on here: it keeps the key that the former
// server's receipts are checked with, proved by that server's receipts of how it handed the
// table over. The same handover gives the same event here, so that an import may be repeated.
func arrival(keys *events.Keys, f *File) (events.Record, error) {
	last := -1
	at := int64(0)
	held := f.hashes()
	for i := range f.Events {
		e := &f.Events[i]
		at = max(at, e.At)
		if e.Stream == f.Header.Table {
			last = i
		}
	}
	if last < 0 {
		return events.Record{}, errors.New("the handover holds no event of its table")
	}
	fact := domain.Arrived{Key: f.Header.Key, Receipts: []string{}}
	for _, line := range f.Header.Heads {
		r, err := events.ReadReceipt(f.Header.Key, line)
		if err != nil {
			return events.Record{}, fmt.Errorf("a receipt of the handover: %w", err)
		}
		if held[place{r.Stream, r.Version}] == r.Hash { // the closing event stays where it was written
			fact.Receipts = append(fact.Receipts, line)
		}
	}
	data, err := json.Marshal(fact)
	if err != nil {
		return events.Record{}, fmt.Errorf("arrival: %w", err)
	}
	meta, err := json.Marshal(events.Meta{Door: "host"})
	if err != nil {
		return events.Record{}, fmt.Errorf("arrival: %w", err)
	}
	before := &f.Events[last]
	r := events.Record{Stream: f.Header.Table, Version: before.Version + 1, Type: domain.TableEventType(&fact), Codec: "json",
		At: time.UnixMilli(at).UTC(), Command: keys.OwnID(events.Because("arrive", f.Header.Table[:], before.Hash[:])), Meta: meta, Data: data}
	r.Hash = events.ChainHash(before.Hash, &r)
	return r, nil
}
