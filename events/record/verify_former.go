package record

import (
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// Hand is a change of the server that a table is at.
type Hand struct {
	Table    events.Name // a record may hold others that it goes on from
	Since    uint64      // the table's version that noted the arrival
	From, To ed25519.PublicKey
	// Proved reports whether the former server signed that it gave the table to the next one. Nobody signs who keeps a
	// finished table, and older programs kept nothing that proves it.
	Proved bool
}

// former checks what the record says of the servers that had the table before: their receipts, and that each of them
// gave it to the next. Anybody else could go on with a public record, by a key of their own.
func (v *verifier) former() {
	for n, former := range v.table.Former {
		i, _ := v.tableEvent(former.Since)
		if len(former.Receipts) == 0 {
			v.report.skip(OpenReceipts, "server %d is said to have handed the table over at version %d, and "+
				"no receipt of it says so", n+1, former.Since)
		}
		v.must(events.Proves(former.Key), i, "anybody can sign for the key of a server: it proves nothing")
		signed := v.formerReceipts(i, n, former)
		next := v.f.Header.Key
		if n+1 < len(v.table.Former) {
			next = v.table.Former[n+1].Key
		}
		hand := Hand{Table: v.f.Header.Table, Since: former.Since, From: former.Key, To: next,
			Proved: v.gave(i, former, next, signed)}
		v.report.Hands = append(v.report.Hands, hand)
	}
}

// formerReceipts checks the receipts in event number i, by which a table arrived. signed reports whether one of them is
// of the event that closed the table there or, of a table that was not closed, of the last one before its arrival.
func (v *verifier) formerReceipts(i, n int, former domain.FormerServer) (signed bool) {
	closing := v.closingHash(i, former.Closing)
	for _, line := range former.Receipts {
		r, err := events.ReadReceipt(former.Key, line)
		v.must(err == nil, i, "a receipt of server %d, which handed the table over: %v", n+1, err)
		switch at := (place{r.Stream, r.Version}); {
		case former.Closing != nil && at == place{v.f.Header.Table, former.Since}:
			v.must(r.Table == r.Stream && r.Hash == closing, i, "there is a receipt of another history")
			signed = true
		default:
			v.fits(r, line)
			signed = signed || former.Closing == nil && at == place{v.f.Header.Table, former.Since - 1}
		}
	}
	return signed
}

// gave checks that a former server gave the table to the next one, and reports whether it signed that. Of a finished
// table it signed how it ended, as anybody has it: that proves nothing of who keeps it.
func (v *verifier) gave(i int, former domain.FormerServer, next ed25519.PublicKey, signed bool) bool {
	if c := former.Closing; c != nil {
		v.must(signed, i, "no receipt of the former server says that it handed the table over")
		to, err := handedTo(c.Data)
		v.must(err == nil, i, "the event that closed the table elsewhere cannot be read: %v", err)
		v.must(to.Equal(next), i, "the table was handed over to another server than the one that went on with it")
		return true
	}
	finished := signed && v.states[former.Since-1].Open()
	v.must(finished || !v.table.KeepsLuck, i, "no receipt of the former server says that it handed the table over")
	if !finished {
		v.report.skip(OpenReceipts, "version %d of the table is as older programs wrote it: nothing shows that the "+
			"former server gave the table away", former.Since)
	}
	return false
}

// closingHash returns the hash of the event that stands elsewhere in place of event number i.
func (v *verifier) closingHash(i int, c *domain.Closing) events.Hash {
	if c == nil {
		return events.Hash{}
	}
	e := &v.f.Events[i]
	before, ok := v.tableEvent(e.Version - 1)
	command, err := events.ParseCommandID(c.Command)
	v.must(ok && err == nil && command.String() == c.Command, i,
		"the event that closed the table elsewhere cannot be read: %v", "it has no command")
	r := events.Record{Stream: e.Stream, Version: e.Version, Type: domain.TableEventType(&domain.HandedOver{}),
		Codec: "json",
		At:    time.UnixMilli(c.At).UTC(), Command: command, Meta: []byte(c.Meta), Data: []byte(c.Data)}
	return events.ChainHash(v.f.Events[before].Hash, &r)
}

// closing checks the event that a handover names as the one that closed the table.
func (v *verifier) closing() {
	c, table := v.f.Header.Closing, v.f.Header.Table
	last := v.last[table]
	need := func(holds bool, what string) {
		mustAt(holds, table, last+1, "the event that closed the table elsewhere cannot be read: %s", what)
	}
	if c == nil {
		need(!v.f.Header.Handover || !v.table.KeepsLuck, "it is missing")
		return
	}
	need(v.f.Header.Handover, "this is no handover")
	rec := c.record()
	fits := c.Stream == table && c.Version == last+1 && c.Type == domain.TableEventType(&domain.HandedOver{}) &&
		c.Codec == "json" && len(c.Parts) == 0
	before, ok := v.tableEvent(last)
	need(fits && ok && events.ChainHash(v.f.Events[before].Hash, &rec) == c.Hash, "its place or its hash does not fit")
	_, err := handedTo(string(c.Data))
	need(err == nil, fmt.Sprint(err))
}

// handedTo returns the key by which the server signs that a table was handed over to.
func handedTo(data string) (ed25519.PublicKey, error) {
	var said map[string]any // whose names are taken as they are written
	if err := json.Unmarshal([]byte(data), &said); err != nil {
		return nil, fmt.Errorf("whom it names: %w", err)
	}
	to, _ := said["to"].(string)
	raw, err := readKey(to)
	if err != nil {
		return nil, err
	}
	return raw[sealing:], nil
}

// closingOf returns what an arrival keeps of the event that closed the table at the former server.
func closingOf(e *Event) *domain.Closing {
	if e == nil {
		return nil
	}
	return &domain.Closing{At: e.At, Command: e.Command.String(), Meta: string(e.Meta), Data: string(e.Data)}
}
