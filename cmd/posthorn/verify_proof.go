package main

import (
	"bytes"
	"fmt"
	"os"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/events/checkpoint"
	"posthorn/events/record"
)

// offline checks saved proofs against kept checkpoints, and what the proofs say about a record.
func (c *verifyCmd) offline(con console.Console) error {
	var kept []string
	for _, name := range c.Checkpoint {
		notes, err := keptIn(name)
		if err != nil {
			return err
		}
		kept = append(kept, notes...)
	}
	var f *record.File
	if c.File != "" {
		var err error
		if f, err = c.record(con); err != nil {
			return err
		}
	}
	for _, name := range c.Proof {
		if err := c.proofHolds(con, name, kept, f); err != nil {
			return err
		}
	}
	return nil
}

// proofHolds checks one proof.
func (c *verifyCmd) proofHolds(con console.Console, name string, kept []string, f *record.File) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return console.Fails(2, "read the proof: %w", err)
	}
	p, err := checkpoint.ReadProof(bytes.NewReader(text))
	if err != nil {
		return console.Fails(1, "%s: %w", name, err)
	}
	if f != nil && !p.SameKey(f.Header.Key) {
		return console.Fails(1, "%s: %w: the record is of another server", name, checkpoint.ErrNote)
	}
	if f == nil {
		if err := c.pinnedAlone("the proof", p.Key); err != nil {
			return err
		}
	}
	proved, err := p.Check(kept...)
	if err != nil {
		return console.Fails(1, "%s: %w", name, err)
	}
	fmt.Fprintf(con.Out, "%s: a log of %d events, signed.\n", name, proved.Latest.Size)
	for _, older := range proved.Before {
		fmt.Fprintf(con.Out, "  It goes on from the one of %d events.\n", older.Size)
	}
	open := len(proved.Loose) > 0
	for _, older := range proved.Loose {
		fmt.Fprintf(con.Out, "  not checked: the checkpoint of %d events: nothing proves that "+
			"the log goes on from it\n", older.Size)
	}
	if f != nil {
		late, err := inProof(con, p, f)
		if err != nil {
			return console.Fails(1, "%s: %w", name, err)
		}
		open = open || late
	}
	if open {
		tellOpen(con.Out, "  ", record.OpenReceipts)
		return console.Fails(3, "not everything could be checked")
	}
	return nil
}

// inProof compares a proof with a record's events, and reports whether some of them came later.
func inProof(con console.Console, p checkpoint.Proof, f *record.File) (late bool, err error) {
	last, proved := map[string]uint64{}, map[string]uint64{}
	for _, e := range f.Events {
		stream := e.Stream.String()
		last[stream] = e.Version
		h := p.Holds(e.Stream, e.Version)
		if h == nil {
			continue
		}
		if h.Hash != e.Hash {
			return false, fmt.Errorf("%w: version %d of stream %s", errOtherEvent, e.Version, stream)
		}
		proved[stream] = e.Version
	}
	for _, s := range f.Header.Streams {
		if from, to := max(proved[s.Name.String()], s.Fork), last[s.Name.String()]; s.Table == f.Header.Table &&
			from < to {
			late = true
			fmt.Fprintf(con.Out, "  not checked: versions %d to %d of stream %s: nothing proves "+
				"that they are in the log\n", from+1, to, s.Name)
		}
	}
	if !late {
		fmt.Fprintln(con.Out, "  The record's streams are in it, to their ends.")
	}
	return late, nil
}
