package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// formatBundle names the form of a file with several records: the handover of a branch, after the finished records of
// the tables it goes on from.
const formatBundle = "posthorn-bundle-1"

// mostRecords is how many records a file may hold.
const mostRecords = 1000

// bundle is the first line of such a file.
type bundle struct {
	Format  string `json:"format"`
	Records int    `json:"records"`
}

// saysBundle reports whether a first line announces several records.
func saysBundle(text []byte) bool {
	var said struct{ Format string }
	return json.Unmarshal(text, &said) == nil && said.Format == formatBundle
}

// readBundle reads how many records follow.
func readBundle(text []byte) (int, error) {
	var b bundle
	if err := json.Unmarshal(text, &b); err != nil {
		return 0, &Fault{Line: 1, What: "the line is malformed: " + err.Error()}
	}
	if b.Records < 2 || b.Records > mostRecords {
		return 0, &Fault{Line: 1, What: "the line is malformed: it says of how many records"}
	}
	return b.Records, written(1, text, b, events.Name{}, 0)
}

// openAncestors lists the tables that a branch goes on from, furthest first, including one whose line was left before
// its own first event. It returns ErrBranch if something in one of them is still hidden.
func openAncestors(ctx context.Context, d *desk.Desk, t *domain.Table) (out []events.Name, err error) {
	if t.Branch == nil {
		return nil, nil
	}
	line, err := events.ParseName(t.Branch.Line)
	if err != nil {
		return nil, fmt.Errorf("branched line: %w", err)
	}
	s, err := d.Log().Stream(ctx, line)
	if err != nil {
		return nil, fmt.Errorf("branched line %s: %w", line, err)
	}
	chain, err := lineage(ctx, d.Log(), s)
	if err != nil {
		return nil, err
	}
	for _, s := range chain {
		if slices.Contains(out, s.Table) {
			continue
		}
		look, err := d.Look(ctx, s.Table)
		if err != nil {
			return nil, err
		}
		if !look.Table.Open() {
			return nil, fmt.Errorf("%w (of table %s they are still shut)", ErrBranch, s.Table)
		}
		out = append(out, s.Table)
	}
	slices.Reverse(out)
	return out, nil
}

// writeBefore writes what comes before the handover of a branch.
func writeBefore(ctx context.Context, d *desk.Desk, ancestors []events.Name, at time.Time, w io.Writer) error {
	if len(ancestors) == 0 {
		return nil
	}
	if err := encoder(w).Encode(bundle{formatBundle, len(ancestors) + 1}); err != nil {
		return fmt.Errorf("write handover: %w", err)
	}
	for _, table := range ancestors {
		if err := Export(ctx, d, table, domain.Referee, at, w); err != nil {
			return err
		}
	}
	return nil
}

// receiptsOf returns the receipts to check against one of several records: those of its table; for the last record
// also those of tables not here, and texts that are not receipts.
func receiptsOf(all []*File, f *File, receipts []string) (out []string) {
	for _, line := range receipts {
		r, err := events.ParseReceipt(line)
		of := all[len(all)-1]
		for _, b := range all {
			if err == nil && b.Header.Table == r.Table {
				of = b
			}
		}
		if of == f {
			out = append(out, line)
		}
	}
	return out
}

// placed adds the line to a fault of a record in a file of several: a header fault is in the record's first line.
func (f *File) placed(err error) error {
	var fault *Fault
	if f.first > 1 && errors.As(err, &fault) && fault.Line == 1 {
		fault.Line = f.first
	}
	return err
}
