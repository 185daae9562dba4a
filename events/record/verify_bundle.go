package record

import (
	"slices"

	"posthorn/events"
)

// verifyBundle verifies each record of a file of several, and then that they belong together.
func verifyBundle(f *File, verify func(v *verifier, receipts []string) error, receipts []string) (*Report, error) {
	report := &Report{Table: f.Header.Table}
	all := append(append([]*File{}, f.Before...), f)
	var vs []*verifier
	beside := map[events.Name]bool{}
	for _, b := range all {
		v := newVerifier(b)
		v.beside = beside
		err := verify(v, receiptsOf(all, b, receipts))
		report.join(v.report)
		if err != nil {
			return report, b.placed(err)
		}
		vs, beside[b.Header.Table] = append(vs, v), true
	}
	return report, together(vs)
}

// join adds what was checked in another record; the last record's own description stands for all.
func (r *Report) join(o *Report) {
	r.Events, r.Secrets, r.Hidden, r.Receipts = r.Events+o.Events, r.Secrets+o.Secrets, r.Hidden+o.Hidden,
		r.Receipts+o.Receipts
	r.Draws, r.Moves, r.Judged, r.Witnessed = r.Draws+o.Draws, r.Moves+o.Moves, o.Judged, o.Witnessed
	r.Hands = append(r.Hands, o.Hands...)
	for _, what := range o.Said {
		if o.Table != r.Table {
			what = "table " + o.Table.String() + ": " + what
		}
		r.say("%s", what)
	}
	for _, what := range o.Skipped {
		if o.Table != r.Table {
			what = "table " + o.Table.String() + ": " + what
		}
		if !slices.Contains(r.Skipped, what) {
			r.Skipped = append(r.Skipped, what)
		}
	}
	for _, why := range o.Open {
		r.Open = oneMore(r.Open, why)
	}
}

// together checks that verified records are the handover of a branch, which comes last, and the finished records of
// all that it goes on from, each after those it goes on from itself. A single record always passes.
func together(vs []*verifier) error {
	of := map[events.Name]*verifier{}
	for _, v := range vs {
		if len(vs) == 1 {
			break
		}
		if err := v.belongs(vs, of); err != nil {
			return v.f.placed(err)
		}
		of[v.f.Header.Table] = v
	}
	return nil
}

// belongs checks that a record is one of those that a branch is handed over with. of holds those before it, by table.
func (v *verifier) belongs(vs []*verifier, of map[events.Name]*verifier) (err error) {
	defer v.guard(&err)
	h, own := &v.f.Header, vs[len(vs)-1]
	must := func(holds bool, what string) { mustAt(holds, h.Table, 1, "%s", what) }
	must(h.Handover == (v == own) && (v != own || v.table.Branch != nil),
		"several records are the handover of a branch and the tables that it goes on from, and nothing else")
	must(v == own || v.table.Open() && v.report.Hidden == 0,
		"a table that the branch goes on from has not ended, or its secrets are not open")
	must(h.Key.Equal(own.f.Header.Key), "the record of a table that the branch goes on from is of another server")
	must(of[h.Table] == nil, "the table is recorded twice")
	must(v == own || slices.ContainsFunc(vs, func(o *verifier) bool { return o.standsOn(h.Table) }),
		"nothing here goes on from the table")
	if b := v.table.Branch; b != nil {
		table, err1 := events.ParseName(b.Table)
		line, err2 := events.ParseName(b.Line)
		must(err1 == nil && err2 == nil && of[table] != nil,
			"the record of the table that it goes on from is missing before it")
		_, ok := of[table].find(line, b.Version)
		must(ok && of[table].streams[line].Kind == events.KindLine && of[table].streams[line].Table == table,
			"the record of the table that it goes on from does not hold where it forked")
	}
	v.retold(of)
	return nil
}

// retold checks that what a record holds of other tables matches their own records.
func (v *verifier) retold(of map[events.Name]*verifier) {
	for _, s := range v.f.Header.Streams {
		mustAt(s.Table == v.f.Header.Table || of[s.Table] != nil, s.Name, s.Fork+1,
			"the record of the table that it goes on from is missing before it")
	}
	for i, e := range v.each() {
		if o := of[v.streams[e.Stream].Table]; o != nil {
			v.must(o.holds(e.Stream, e.Version, e.Hash), i,
				"the event is another one than in the record of its own table")
		}
	}
}

// standsOn reports whether a record's table goes on from another.
func (v *verifier) standsOn(table events.Name) bool {
	if b := v.table.Branch; b != nil && b.Table == table.String() {
		return true
	}
	return v.f.Header.Table != table &&
		slices.ContainsFunc(v.f.Header.Streams, func(s events.Stream) bool { return s.Table == table })
}
