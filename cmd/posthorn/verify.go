package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/record"
)

type verifyCmd struct {
	Data    string   `type:"path" help:"Check every table of this house instead of a file."`
	Receipt []string `help:"A signed receipt from a mail, to be held against the record. May be given several times."`
	File    string   `arg:"" optional:"" help:"A record, or - for standard input."`
}

// Help is what the sub-command says about itself.
func (verifyCmd) Help() string {
	return `Checks a record without trusting whoever wrote it: every hash of the chain, every secret
that is open against its digest, the receipts, and, once the table has ended, that its luck
is the one committed to at the opening and that every move was legal.

The exit status is 1, and the first fault is named with its line, if anything is wrong.`
}

// Run checks a file or a whole house.
func (c *verifyCmd) Run(con console) error {
	switch {
	case c.File == "" && c.Data == "":
		return &exit{2, errors.New("name a record to check, or a house with --data")}
	case c.File != "":
		return c.file(con)
	default:
		return c.house(con)
	}
}

func (c *verifyCmd) file(con console) error {
	var in io.Reader = con.in
	if c.File != "-" {
		f, err := os.Open(c.File)
		if err != nil {
			return &exit{2, fmt.Errorf("read the record: %w", err)}
		}
		defer func() { _ = f.Close() }() // only read
		in = f
	}
	f, err := record.Read(in)
	if err == nil {
		var r *record.Report
		if r, err = record.Verify(f, rulebooks.Named, c.Receipt...); err == nil {
			tellReport(con.out, r)
			return nil
		}
	}
	return &exit{1, fmt.Errorf("the record is not as it should be: %w", firstFault(f, err))}
}

// firstFault is what is wrong first in a record that could not be read: the sum at its end
// tells that it was altered, the chain tells where.
func firstFault(f *record.File, err error) error {
	var read, chain *record.Fault
	if !errors.As(err, &read) || f == nil {
		return err
	}
	if _, also := record.Verify(f, rulebooks.Named); errors.As(also, &chain) && chain.Line > 1 && chain.Line < read.Line {
		return chain
	}
	return err
}

func tellReport(w io.Writer, r *record.Report) {
	fmt.Fprintf(w, "Table %s: unaltered.\n", r.Table)
	fmt.Fprintf(w, "  %d events in unbroken chains, %d receipts\n  %d secret parts fit their digests", r.Events, r.Receipts, r.Secrets)
	if r.Hidden > 0 {
		fmt.Fprintf(w, ", %d are not open to the reader of this record", r.Hidden)
	}
	fmt.Fprintln(w)
	if r.Judged {
		fmt.Fprintf(w, "  %d moves judged again, %d draws computed again from the seed committed to\n", r.Moves, r.Draws)
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(w, "  not checked: %s\n", s)
	}
}

func (c *verifyCmd) house(con console) error {
	ctx := context.Background()
	return inCabinet(ctx, c.Data, false, func(cab cabinet) error {
		if err := wholeLog(ctx, cab, howFar(con, "events")); err != nil {
			return &exit{1, err}
		}
		bar := howFar(con, "tables")
		tables, err := tablesOf(ctx, cab.log)
		if err != nil {
			return &exit{1, err}
		}
		for i, name := range tables {
			bar(i, len(tables))
			if err := verifyTable(ctx, cab, name); err != nil {
				return &exit{1, fmt.Errorf("table %s: %w", name, err)}
			}
		}
		bar(len(tables), len(tables))
		fmt.Fprintf(con.out, "%d tables: unaltered.\n", len(tables))
		return nil
	})
}

// verifyTable checks the record that a table would be exported as.
func verifyTable(ctx context.Context, cab cabinet, name events.Name) error {
	look, err := cab.desk.Look(ctx, name)
	if err != nil {
		return err
	}
	pipe, into := io.Pipe()
	go func() {
		viewer := look.Table.ViewerOf("", domain.Nobody)
		into.CloseWithError(record.Export(ctx, cab.desk, name, viewer, time.Now(), into))
	}()
	f, err := record.Read(pipe)
	_ = pipe.Close() // whoever still writes may stop
	if err == nil {
		_, err = record.Verify(f, rulebooks.Named)
	}
	return err
}

// wholeLog checks every event of a house where it stands, whoever may read it: that no
// position is missing, that it follows from the one before it in its stream, and that each
// secret part opens with the server's key and fits its digest.
func wholeLog(ctx context.Context, cab cabinet, bar func(done, total int)) error {
	last, err := cab.log.Last(ctx)
	if err != nil {
		return err
	}
	heads := map[events.Name]events.Head{}
	for pos := uint64(0); pos < last; {
		recs, err := cab.log.Read(ctx, pos, 4096)
		if err != nil {
			return fmt.Errorf("after position %d: %w", pos, err)
		}
		if len(recs) == 0 {
			return fmt.Errorf("position %d is missing", pos+1)
		}
		for i := range recs {
			r := &recs[i]
			if pos++; r.Pos != pos {
				return fmt.Errorf("position %d is missing", pos)
			}
			if err := cab.sound(ctx, heads, r); err != nil {
				return fmt.Errorf("position %d, stream %s, version %d: %w", r.Pos, r.Stream, r.Version, err)
			}
		}
		bar(int(pos), int(last))
	}
	return nil
}

func (c cabinet) sound(ctx context.Context, heads map[events.Name]events.Head, r *events.Record) error {
	head, ok := heads[r.Stream]
	if !ok {
		s, err := c.log.Stream(ctx, r.Stream)
		if err != nil {
			return err
		}
		head = events.Head{Version: s.Fork, Hash: s.Origin}
		if !s.Parent.IsZero() {
			before, err := c.log.Load(ctx, s.Parent, s.Fork-1, s.Fork)
			if err != nil || len(before) != 1 {
				return errors.Join(errors.New("the version it forked from is missing"), err)
			}
			head.Hash = before[0].Hash
		}
	}
	if r.Version != head.Version+1 {
		return fmt.Errorf("version %d should come here", head.Version+1)
	}
	if events.ChainHash(head.Hash, r) != r.Hash {
		return errors.New("the event was altered: its hash does not fit")
	}
	for n := range r.Parts {
		if len(r.Parts[n].Sealed) == 0 {
			continue // of a table that stayed at another server
		}
		if _, _, err := c.desk.Keys().Unseal(r, n); err != nil {
			return fmt.Errorf("secret part %d: %w", n, err)
		}
	}
	heads[r.Stream] = events.Head{Version: r.Version, Hash: r.Hash}
	return nil
}
