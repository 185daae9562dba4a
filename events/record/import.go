package record

import (
	"cmp"
	"context"
	"crypto/hpke"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// ErrElsewhere is returned if this server's history of a table that a branch goes on from differs from the
// handover's.
var ErrElsewhere = errors.New("a table that it goes on from is known here otherwise")

// Import verifies a handover with its secrets open, folds it as this house will, seals its secrets with this server's
// key and adopts the table under the same hashes. With a branch it also adopts the finished tables that it goes on
// from, unless they are here already. It adopts everything, or nothing if anything is wrong. Importing twice changes
// nothing.
func Import(ctx context.Context, log events.Log, keys *events.Keys, f *File,
	named func(string) (domain.Rulebook, bool)) (*Report, error) {
	if !f.Header.Handover {
		return nil, fmt.Errorf("%w: it is a record for people", ErrHandover)
	}
	if _, ok := named(f.Header.Rulebook); !ok {
		return nil, domain.Refuse("no-game", "game", f.Header.Rulebook)
	}
	m := &moving{ctx: ctx, log: log, keys: keys, named: named, f: f}
	report, err := m.prove()
	if err != nil {
		return report, err
	}
	streams, recs, err := m.new()
	if err != nil {
		return report, err
	}
	if err := log.Adopt(ctx, streams, recs); err != nil {
		return report, fmt.Errorf("adopt table %s: %w", f.Header.Table, err)
	}
	return report, nil
}

// moving is a handover being imported.
type moving struct {
	ctx    context.Context
	log    events.Log
	keys   *events.Keys
	named  func(string) (domain.Rulebook, bool)
	f      *File
	tables []movingTable // those that it goes on from, furthest first, and then itself
}

// movingTable is a table that was proved, and what to adopt of it: its own streams, sealed with this server's key,
// and its arrival.
type movingTable struct {
	v       *verifier
	streams []events.Stream
	recs    []events.Record
}

// prove opens a handover, verifies it and folds it as this house will. It returns any failure as an error, even a
// panic: no honest server writes what a rulebook cannot handle.
func (m *moving) prove() (report *Report, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: no server writes what it holds: %v", ErrHandover, p)
		}
	}()
	key, err := private(m.keys)
	if err != nil {
		return nil, err
	}
	rb, _ := m.named(m.f.Header.Rulebook)
	for _, b := range m.f.Before {
		if report, err = m.proveTable(b, sealedAnew(m.keys, b, rb)); err != nil {
			return report, err
		}
	}
	opened, recs, err := open(key, m.keys, m.f, rb)
	if err != nil {
		return nil, err
	}
	if report, err = m.proveTable(opened, recs); err != nil {
		return report, err
	}
	if err := m.together(); err != nil {
		return report, err
	}
	return report, m.rehearse()
}

// proveTable verifies one record, and notes what to adopt of it.
func (m *moving) proveTable(f *File, recs []events.Record) (*Report, error) {
	v := newVerifier(f)
	if err := v.all(m.named, nil); err != nil {
		return v.report, f.placed(err)
	}
	t := movingTable{v: v}
	for _, s := range f.Header.Streams {
		if s.Table == f.Header.Table {
			t.streams = append(t.streams, s)
		}
	}
	for _, r := range recs {
		if v.streams[r.Stream].Table == f.Header.Table {
			t.recs = append(t.recs, r)
		}
	}
	arrived, err := arrival(m.keys, v)
	t.recs = append(t.recs, arrived)
	m.tables = append(m.tables, t)
	return v.report, err
}

// together checks that the records make one handover: a branch comes with all that it goes on from, and any other
// table comes alone.
func (m *moving) together() error {
	if own := m.tables[len(m.tables)-1].v; len(m.f.Before) == 0 && own.table.Branch != nil {
		return fmt.Errorf("%w: it is a branch, and comes without the tables that it goes on from", ErrHandover)
	}
	var vs []*verifier
	for _, t := range m.tables {
		vs = append(vs, t.v)
	}
	return together(vs)
}

// new returns what of the tables is not in this log yet, and must be adopted. A table that a branch goes on from may
// have come earlier with another branch, or through a handover of its own.
func (m *moving) new() (streams []events.Stream, recs []events.Record, err error) {
	known := map[events.Name]bool{}
	desk := desk.NewDesk(m.log, m.keys, m.named, nil)
	for n, t := range m.tables {
		if err := m.goesOn(t.v, known); err != nil {
			return nil, nil, err
		}
		_, err := m.log.Stream(m.ctx, t.v.f.Header.Table)
		if err != nil && !errors.Is(err, events.ErrNoStream) {
			return nil, nil, fmt.Errorf("table %s: %w", t.v.f.Header.Table, err)
		}
		if n == len(m.tables)-1 || err != nil {
			streams, recs = append(streams, t.streams...), append(recs, t.recs...)
			continue
		}
		look, err := desk.Look(m.ctx, t.v.f.Header.Table)
		if err != nil {
			return nil, nil, err
		}
		if !look.Table.Open() {
			return nil, nil, fmt.Errorf("%w: table %s has not ended here: import its finished record first",
				ErrElsewhere, look.Name)
		}
		known[look.Name] = true
	}
	return streams, recs, nil
}

// goesOn checks that a branch of a table known here earlier goes on from what is known here.
func (m *moving) goesOn(v *verifier, known map[events.Name]bool) error {
	b := v.table.Branch
	if b == nil {
		return nil
	}
	table, err1 := events.ParseName(b.Table)
	line, err2 := events.ParseName(b.Line)
	if err := errors.Join(err1, err2); err != nil || !known[table] {
		return err
	}
	rec, err := events.LoadOne(m.ctx, m.log, line, b.Version)
	switch {
	case errors.Is(err, events.ErrNoStream), errors.Is(err, events.ErrNoRecord):
		return fmt.Errorf("%w: it goes on from version %d of line %s of table %s, which was played after that "+
			"table had left this server", ErrElsewhere, b.Version, line, table)
	case err != nil:
		return fmt.Errorf("table %s: %w", table, err)
	}
	for _, t := range m.tables {
		if i, ok := t.v.find(line, b.Version); ok && t.v.f.Events[i].Hash != rec.Hash {
			return fmt.Errorf("%w: version %d of line %s of table %s is another event here", ErrElsewhere, b.Version,
				line, table)
		}
	}
	return nil
}

// sealedAnew returns the events of a finished record as this house keeps them.
func sealedAnew(keys *events.Keys, f *File, rb domain.Rulebook) (recs []events.Record) {
	for i := range f.Events {
		e := &f.Events[i]
		rec := e.record()
		for n, p := range e.Parts {
			if p.Text != nil && len(p.Salt) == 32 { // else verifying says what is wrong
				rec.Parts[n] = keys.SealSaltedIn(events.PadOf(rb, e.Type), e.Stream, e.Version, n, p.To,
					[32]byte(p.Salt), []byte(*p.Text))
			}
		}
		recs = append(recs, rec)
	}
	return recs
}

// open unseals a handover. It returns the record with its secrets open, for verifying, and again with them sealed
// with this server's key, for adopting.
func open(key hpke.PrivateKey, keys *events.Keys, f *File, rb domain.Rulebook) (*File, []events.Record, error) {
	opened := &File{Header: f.Header, first: f.first, lines: f.lines, opened: true}
	var recs []events.Record
	for i := range f.Events {
		e := f.Events[i]
		e.Parts = slices.Clone(e.Parts)
		rec, err := openOne(key, keys, f, i, rb, e.Parts)
		if err != nil {
			return nil, nil, err
		}
		opened.Events, recs = append(opened.Events, e), append(recs, rec)
	}
	return opened, recs, nil
}

func openOne(key hpke.PrivateKey, keys *events.Keys, f *File, i int, rb domain.Rulebook, into []Part) (events.Record,
	error) {
	e := &f.Events[i]
	rec := e.record()
	for n, p := range e.Parts {
		if p.Sealed == nil {
			return rec, f.fault(i, "secret part %d is missing: the table cannot go on without it", n)
		}
		salt, text, ok := openPart(key, e, n)
		if !ok {
			return rec, fmt.Errorf("%w: secret part %d of version %d does not open", ErrHandover, n, e.Version)
		}
		if events.PartDigest(salt, text) != p.Digest {
			return rec, f.fault(i, "a sealed secret does not fit its digest")
		}
		into[n].Salt, into[n].Text = salt[:], new(string(text))
		rec.Parts[n] = keys.SealSaltedIn(events.PadOf(rb, e.Type), e.Stream, e.Version, n, p.To, salt, text)
	}
	return rec, nil
}

// arrival returns the event with which a table goes on here. It keeps the key that checks the former server's
// receipts, proved by that server's receipts for the handover. The same handover gives the same event here, so an
// import may be repeated.
func arrival(keys *events.Keys, v *verifier) (events.Record, error) {
	f := v.f
	fact := domain.Arrived{Key: f.Header.Key, Receipts: []string{}, Closing: closingOf(f.Header.Closing)}
	if fact.Closing != nil {
		if to, err := handedTo(fact.Closing.Data); err != nil || !to.Equal(keys.PublicKey()) {
			return events.Record{}, fmt.Errorf("%w: it was handed over to another one", ErrHandover)
		}
	}
	for _, line := range f.Header.Heads {
		r, err := events.ReadReceipt(f.Header.Key, line)
		if err != nil {
			return events.Record{}, fmt.Errorf("a receipt of the handover: %w", err)
		}
		if v.holds(r.Stream, r.Version, r.Hash) || fact.Closing != nil && r.Stream == f.Header.Table {
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
	last, _ := v.tableEvent(v.last[f.Header.Table])
	before, latest := &f.Events[last], slices.MaxFunc(f.Events, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
	r := events.Record{Stream: f.Header.Table, Version: before.Version + 1, Type: domain.TableEventType(&fact),
		Codec:   "json",
		At:      time.UnixMilli(latest.At).UTC(),
		Command: keys.Own(events.Because("arrive", f.Header.Table[:], before.Hash[:])), Meta: meta, Data: data}
	r.Hash = events.ChainHash(before.Hash, &r)
	return r, nil
}
