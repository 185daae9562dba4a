package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/pass"
	"posthorn/events/record"
	"posthorn/events/sqlite"
	"posthorn/projections/turn"
	"posthorn/projections/views"
)

// cabinet is the log with the desk before it, without the rest of the house.
type cabinet struct {
	log  *sqlite.Log
	desk *events.Desk
}

func openCabinet(ctx context.Context, data string, write bool) (cabinet, error) {
	if _, err := os.Stat(filepath.Join(data, "events.db")); err != nil {
		return cabinet{}, fmt.Errorf("there is no house in %s (name its folder with --data): %w", data, err)
	}
	keys, err := serverKeys(data)
	if err != nil {
		return cabinet{}, err
	}
	open := sqlite.OpenReadOnly
	if write {
		open = sqlite.Open
	}
	log, err := open(ctx, filepath.Join(data, "events.db"))
	if err != nil {
		return cabinet{}, err
	}
	return cabinet{log, events.NewDesk(log, keys, rulebooks.Named, time.Now)}, nil
}

type exportCmd struct {
	dataSettings
	As    string `default:"spectator" help:"Whose knowledge goes into it: spectator, or a seat's letter. A table that has ended is exported whole."`
	Out   string `short:"o" default:"-" help:"The file to write, or - for standard output."`
	Table string `arg:"" help:"The table's name, the 32 digits in its address."`
}

// Help is what the sub-command says about itself.
func (exportCmd) Help() string {
	return `Writes a record: a table's whole history as JSON Lines, which anyone can check with
"posthorn verify". While the table runs, what its reader may not know stands in it as
digests alone; once it has ended the record is whole, the seed of its luck included.`
}

// Run writes the record.
func (c *exportCmd) Run(con console) (err error) {
	ctx := context.Background()
	cab, err := openCabinet(ctx, c.Data, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cab.log.Close()) }()
	name, err := events.ParseName(c.Table)
	if err != nil {
		return fmt.Errorf("table %q: %w", c.Table, err)
	}
	look, err := cab.desk.Look(ctx, name)
	if err != nil {
		return err
	}
	viewer := domain.Spectator
	switch letter := strings.ToUpper(c.As); {
	case look.Table.ViewerOf("", domain.Nobody) == domain.Referee:
		viewer = domain.Referee
	case len(letter) == 1 && letter[0] >= 'A' && int(letter[0]-'A') < len(look.Table.Places):
		viewer = domain.Viewer(letter[0] - 'A')
	case letter != "SPECTATOR":
		return fmt.Errorf("--as %s: name spectator, or a seat from A", c.As)
	}
	return writeTo(c.Out, con.out, func(w io.Writer) error { return record.Export(ctx, cab.desk, name, viewer, time.Now(), w) })
}

// writeTo writes a file as a whole or not at all, or to standard output.
func writeTo(path string, out io.Writer, write func(io.Writer) error) error {
	if path == "-" {
		return write(out)
	}
	f, err := os.Create(path + ".part")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(path+".part"))
	}
	if err := os.Rename(path+".part", path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

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
	if r.Ended {
		fmt.Fprintf(w, "  %d moves judged again, %d draws computed again from the seed committed to\n", r.Moves, r.Draws)
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(w, "  not checked: %s\n", s)
	}
}

func (c *verifyCmd) house(con console) (err error) {
	ctx := context.Background()
	cab, err := openCabinet(ctx, c.Data, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cab.log.Close()) }()
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
		look, err := cab.desk.Look(ctx, name)
		if err != nil {
			return &exit{1, err}
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
		if err != nil {
			return &exit{1, fmt.Errorf("table %s: %w", name, err)}
		}
	}
	bar(len(tables), len(tables))
	fmt.Fprintf(con.out, "%d tables: unaltered.\n", len(tables))
	return nil
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

// tablesOf lists every table of a log, in the order they were opened.
func tablesOf(ctx context.Context, log events.Log) ([]events.Name, error) {
	var out []events.Name
	for pos := uint64(0); ; {
		recs, err := log.Read(ctx, pos, 4096)
		if err != nil || len(recs) == 0 {
			return out, err
		}
		for i := range recs {
			if recs[i].Version == 1 && strings.HasPrefix(recs[i].Type, "table.opened.") {
				out = append(out, recs[i].Stream)
			}
		}
		pos = recs[len(recs)-1].Pos
	}
}

type keyCmd struct{ dataSettings }

// Run prints the public key that another server seals a handover for.
func (c *keyCmd) Run(con console) error {
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return fmt.Errorf("the data folder: %w", err)
	}
	keys, err := serverKeys(c.Data)
	if err != nil {
		return err
	}
	key, err := record.PublicKey(keys)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(con.out, key)
	return err
}

type handoverCmd struct {
	dataSettings
	To    string `required:"" help:"The other server's public key: what \"posthorn key\" prints there."`
	Out   string `short:"o" required:"" help:"The file to write."`
	Table string `arg:"" help:"The table's name, the 32 digits in its address."`
}

// Help is what the sub-command says about itself.
func (handoverCmd) Help() string {
	return `Takes a running table to another server: closes it here and writes a file that only the
other server can open. There, "posthorn import FILE" goes on under the same hashes. The
server must not be running here meanwhile.`
}

// Run hands a table over.
func (c *handoverCmd) Run(con console) (err error) {
	ctx := context.Background()
	cab, err := openCabinet(ctx, c.Data, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cab.log.Close()) }()
	name, err := events.ParseName(c.Table)
	if err != nil {
		return fmt.Errorf("table %q: %w", c.Table, err)
	}
	return writeTo(c.Out, con.out, func(w io.Writer) error { return record.Handover(ctx, cab.desk, name, c.To, time.Now(), w) })
}

type importCmd struct {
	dataSettings
	PublicURL string `name:"public-url" default:"http://127.0.0.1:8080" help:"The address that the links for the players name."`
	File      string `arg:"" help:"What \"posthorn handover\" wrote on the other server."`
}

// Help is what the sub-command says about itself.
func (importCmd) Help() string {
	return `Verifies a handover and goes on with the table here. It prints a link for each seat,
to be sent to whoever held it there: signed in here, they take it up again.`
}

// Run imports a table.
func (c *importCmd) Run(con console) (err error) {
	ctx := context.Background()
	in, err := os.Open(c.File)
	if err != nil {
		return &exit{2, fmt.Errorf("read the handover: %w", err)}
	}
	defer func() { _ = in.Close() }() // only read
	f, err := record.Read(in)
	if err != nil {
		return &exit{1, err}
	}
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return fmt.Errorf("the data folder: %w", err)
	}
	keys, err := serverKeys(c.Data)
	if err != nil {
		return err
	}
	log, err := sqlite.Open(ctx, filepath.Join(c.Data, "events.db"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	if _, err := record.Import(ctx, log, keys, f, rulebooks.Named); err != nil {
		return &exit{1, err}
	}
	look, err := events.NewDesk(log, keys, rulebooks.Named, time.Now).Look(ctx, f.Header.Table)
	if err != nil {
		return err
	}
	fmt.Fprintf(con.out, "Table %s goes on here. Links for those who held its seats:\n", look.Name)
	maker, links := pass.New(keys), turn.Links{Base: c.PublicURL}
	for i, p := range look.Table.Places {
		for n := range p.Holders {
			t, err := maker.Make(pass.Facts{Purpose: pass.Join, Stream: look.Name, Seat: domain.Seat(i), Kind: pass.KindClaim, Serial: n})
			if err != nil {
				return err
			}
			fmt.Fprintf(con.out, "  seat %s: %s\n", domain.Seat(i).Letter(), links.Pass(t.Text()))
		}
	}
	return nil
}

type rebuildCmd struct{ dataSettings }

// Run fills the views anew from the log, and mails nobody. The server must not be running:
// it has the old file open.
func (c *rebuildCmd) Run(con console) (err error) {
	ctx := context.Background()
	cab, err := openCabinet(ctx, c.Data, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cab.log.Close()) }()
	v, err := views.Open(ctx, c.Data, cab.desk)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	bar := howFar(con, "events")
	if err := v.Rebuild(ctx, func(done, total uint64) { bar(int(done), int(total)) }); err != nil {
		return err
	}
	fmt.Fprintf(con.out, "The views are filled anew, up to position %d.\n", v.Position())
	return nil
}
