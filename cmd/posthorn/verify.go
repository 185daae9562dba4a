package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	nethttp "net/http"
	"net/url"
	"strings"
	"time"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/checkpoint"
	"posthorn/events/people"
	"posthorn/events/record"
	"posthorn/events/sqlite"
)

type verifyCmd struct {
	Data       string   `type:"path" help:"Check every table of this house instead of a file."`
	Receipt    []string `sep:"none" help:"A signed receipt from a mail, or a file with mails that hold some, also quoted or forwarded, to be held against it. May be given several times."`
	Server     string   `placeholder:"URL" help:"Hold checkpoints that you kept, and a record, against the log of a running server: its address."`
	Checkpoint []string `type:"existingfile" sep:"none" help:"With --server or --proof: a file with checkpoints that you kept. May be given several times."`
	WriteProof string   `placeholder:"FILE" help:"With --server: write what it has proved to a file that anybody can check."`
	Proof      []string `type:"existingfile" sep:"none" help:"A proof of a server's log, to be checked by itself or with a record. May be given several times."`
	Key        []string `placeholder:"KEY" help:"The key of the server that you know, as the header of its records has it: a record, or a server, with another one is refused. May be given several times."`
	Known      string   `type:"path" placeholder:"FILE" help:"Where the keys of tables and servers are kept that were seen, so that another one is noticed later; else posthorn/known-keys among your settings."`
	Against    []string `type:"existingfile" sep:"none" help:"Another record of the same table, or of the one that it was branched from: where both hold a version, it must be the same event. May be given several times."`
	File       string   `arg:"" optional:"" help:"A record or an archived game, or - for standard input, or a folder of archived games; with --server also the name of a table, the 32 digits in its address."`

	fetched  []byte       // the record of a table, as fetched from a server
	kept     bytes.Buffer // what was read from standard input
	archived bool         // the file was an archived game
	cut      bool         // the house was put back as it was earlier: its log ends before what was signed last
}

// Help returns the long help of the sub-command.
func (verifyCmd) Help() string {
	return `Checks a record without trusting whoever wrote it: every hash of the chain, every secret
that is open against its digest, whether each event may follow from those before it and was
given by somebody who might, the receipts, and, where its secrets are open, that its luck is
the one committed to at the opening and that every move was legal. With --data it does so
with every table of a house, also those that are being played, and checks the database.
With --server it asks a running server for its latest checkpoint, prints it for you to keep,
and has it proved that the log goes on from each checkpoint that you kept before, and that it
holds the record. Instead of a record it takes the name of a table, and asks the server for the
record that everybody may see. With --proof it checks what was proved before, and asks nobody.
What "posthorn archive" wrote is checked as the record that it is: a file, or a whole folder, of
which each game that is not as it should be is named.

The exit status is 0 if all is unaltered; 1 if anything is wrong, and the first fault is
named with its stream and version; 2 if verify could not make sense of what it was given;
3 if nothing wrong was found, but not everything could be checked: what, is said.`
}

// Run checks a file or a whole house.
func (c *verifyCmd) Run(ctx context.Context, con console.Console) error {
	switch {
	case c.Server != "":
		return c.server(ctx, con)
	case c.File == "" && c.Data == "" && len(c.Proof) == 0:
		return console.Fails(2, "name a record to check, or a house with --data, or a server with --server")
	case len(c.Proof) > 0:
		return console.Leave(ctx, func() error {
			recorded := c.recorded(con)
			return errors.Join(c.offline(con), recorded) // a fault matters more than what could not be checked
		})
	case c.File != "" && isFolder(c.File):
		return console.Leave(ctx, func() error { return c.folder(con) })
	case c.File != "":
		return console.Leave(ctx, func() error { return c.file(con) })
	default:
		return c.house(ctx, con)
	}
}

// server checks a server's log, and a record: the one given, or the one the server shows.
func (c *verifyCmd) server(ctx context.Context, con console.Console) error {
	base, err := url.Parse(c.Server)
	if err != nil || base.Host == "" {
		return console.Fails(2, "--server %q: write it as https://games.example.org", c.Server)
	}
	s := remote{base, &nethttp.Client{Timeout: 30 * time.Second}}
	if table, err := events.ParseName(c.File); err == nil {
		if err := s.get(ctx, "tables/"+table.String()+"/record", nil, &c.fetched); err != nil {
			return console.Fails(2, "%w", err)
		}
	}
	recorded := console.Leave(ctx, func() error { return c.recorded(con) })
	return errors.Join(c.online(ctx, con, s), recorded) // a fault matters more than what could not be checked
}

// recorded checks the record that is compared with a server, if one is given.
func (c *verifyCmd) recorded(con console.Console) error {
	if c.File == "" {
		return nil
	}
	return c.file(con)
}

// open opens the record: a file, what a server sent, or standard input.
func (c *verifyCmd) open(con console.Console) (io.ReadCloser, error) {
	switch {
	case c.fetched != nil:
		return io.NopCloser(bytes.NewReader(c.fetched)), nil
	case c.File == "-":
		before := c.kept.Bytes() // it may be read twice
		text, archived, err := unarchived(io.MultiReader(bytes.NewReader(before), io.TeeReader(con.In, &c.kept)))
		c.archived = archived
		return io.NopCloser(text), err
	}
	f, archived, err := openRecord(c.File)
	c.archived = archived
	if e := (*console.Exit)(nil); err != nil && !errors.As(err, &e) {
		return nil, console.Fails(2, "read the record: %w", err)
	}
	return f, err
}

// record reads the record that is checked.
func (c *verifyCmd) record(con console.Console) (*record.File, error) {
	in, err := c.open(con)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // only read
	return sound(record.Read(in))
}

func (c *verifyCmd) file(con console.Console) error {
	in, err := c.open(con)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // only read
	receipts, err := c.receipts()
	if err != nil {
		return err
	}
	f, err := record.Read(in)
	if asked, _ := events.ParseName(c.File); err == nil && c.fetched != nil && f.Header.Table != asked {
		return console.Fails(1, "%w: %s", errOtherTable, f.Header.Table)
	}
	if err == nil {
		var r *record.Report
		var others []*record.File
		if others, err = c.others(); err != nil {
			return err
		}
		if r, err = record.VerifyAgainst(f, others, rulebooks.Named, receipts...); err == nil {
			if c.archived {
				fmt.Fprintln(con.Out, "An archived game.")
			}
			told := tellReport(con.Out, r)
			if len(others) > 0 && r.Compared == 0 {
				fmt.Fprintln(con.Out, "  The other records hold no event of this one: they are of other tables.")
			}
			return errors.Join(c.knows(con, f, r), told) // a fault matters more
		}
	}
	return console.Fails(1, "the record is not as it should be: %w", firstFault(f, err))
}

// errOtherTable is returned for a server's answer that is the record of another table than it was asked for.
var errOtherTable = errors.New("the server answers with the record of another table")

// others reads the records that are held against the one to check.
func (c *verifyCmd) others() (all []*record.File, err error) {
	for _, name := range c.Against {
		in, _, err := openRecord(name)
		if err != nil {
			return nil, console.Fails(2, "--against: %w", err)
		}
		f, err := record.Read(in)
		if err = errors.Join(err, in.Close()); err != nil {
			return nil, console.Fails(1, "the other record is at fault: %s: %w", name, firstFault(f, err))
		}
		all = append(all, f)
	}
	return all, nil
}

// firstFault returns the first fault in an unreadable record. The sum at its end shows that it was altered; the chain
// shows where.
func firstFault(f *record.File, err error) error {
	var read, chain *record.Fault
	if !errors.As(err, &read) || f == nil {
		return err
	}
	if _, also := record.Verify(f, rulebooks.Named); errors.As(also, &chain) && chain.Line > 1 &&
		chain.Line < read.Line {
		return chain
	}
	return err
}

func tellReport(w io.Writer, r *record.Report) error {
	says := "unaltered"
	if len(r.Skipped) > 0 {
		says = "no fault found, but not everything could be checked"
	}
	for _, h := range r.Hands {
		key := base64.StdEncoding.EncodeToString
		fmt.Fprintf(w, "It changed hands: up to version %d of the table it was at the server with the key %s, since "+
			"then at the one with the key %s.\n", h.Since-1, key(h.From), key(h.To))
		if !h.Proved {
			fmt.Fprintln(w, "  Nothing shows that the former server gave it away.")
		}
	}
	fmt.Fprintf(w, "Table %s: %s.\n", r.Table, says)
	tellOpen(w, "  ", r.Open...)
	fmt.Fprintf(w, "  %d events in unbroken chains, %d receipts\n  %d secret parts fit their digests", r.Events,
		r.Receipts, r.Secrets)
	if r.Hidden > 0 {
		fmt.Fprintf(w, ", %d are not open to the reader of this record", r.Hidden)
	}
	fmt.Fprintln(w)
	if r.Judged || r.Moves > 0 { // of a branch that is handed over: those of the games it goes on from
		fmt.Fprintf(w, "  %d moves judged again, %d draws computed again from the seed committed to\n", r.Moves,
			r.Draws)
	}
	for _, what := range r.Said {
		fmt.Fprintf(w, "  note: %s\n", what)
	}
	if r.Compared > 0 {
		fmt.Fprintf(w, "  %d events are the same in the other records\n", r.Compared)
	}
	if b := r.Back; b.All > 0 {
		fmt.Fprintf(w, "  %d steps were taken back before a draw, at most %d before the same", b.All, b.Most)
		if b.Gave {
			fmt.Fprint(w, ": at this table, which an older program opened, each gave other draws")
		}
		fmt.Fprintln(w)
	}
	return tellUnchecked(w, r.Skipped, r.Witnessed)
}

// tellOpen prints why not everything could be checked.
func tellOpen(w io.Writer, before string, open ...record.Open) {
	var why []string
	for _, o := range open {
		why = append(why, o.Says())
	}
	if len(why) > 0 {
		fmt.Fprintf(w, "%sleft open: %s\n", before, strings.Join(why, "; "))
	}
}

func (c *verifyCmd) house(ctx context.Context, con console.Console) error {
	receipts, err := c.receipts()
	if err != nil {
		return err
	}
	return folder.WhileOffline(ctx, c.Data, false, func(offline folder.Offline) error {
		if err := c.pinnedAlone("the house", offline.Desk.Keys().PublicKey()); err != nil {
			return err
		}
		r, err := verifyHouse(ctx, offline, receipts, c.progress(con))
		err = errors.Join(err, sameHouse(ctx, c.Data, offline))
		if !c.cut {
			err = errors.Join(err, asSigned(ctx, c.Data, offline))
		}
		if err != nil {
			return console.Fails(1, "%w", err)
		}
		if len(r.Skipped) == 0 {
			fmt.Fprintf(con.Out, "%d tables: unaltered.\n", r.Tables)
		} else {
			fmt.Fprintf(con.Out, "%d tables: no fault found, but not everything could be checked.\n", r.Tables)
		}
		tellOpen(con.Out, "  ", r.Open...)
		fmt.Fprintf(con.Out, "  %d events in unbroken chains, %d moves judged again, %d draws computed again\n",
			r.Events, r.Moves, r.Draws)
		return tellUnchecked(con.Out, r.Skipped, r.Witnessed)
	})
}

// asSigned checks that the log still holds what the house signed last.
func asSigned(ctx context.Context, data string, offline folder.Offline) error {
	return withKeeper(data, offline, func(k *checkpoint.Keeper) error {
		if err := k.Holds(ctx); err != nil {
			return fmt.Errorf("%s: %w", folder.CheckpointsFile, err)
		}
		return nil
	})
}

// sameHouse checks that the log belongs to the same house as people.db, if that lies beside it.
func sameHouse(ctx context.Context, data string, offline folder.Offline) error {
	house, known, err := offline.Log.Owner(ctx)
	if err != nil || !known {
		return err
	}
	return folder.WithPeople(ctx, data, offline.Desk.Keys(), false, func(store *people.Store) error {
		name, named, err := store.LogName(ctx)
		if err == nil && named && name != house.Name {
			err = folder.ErrOtherHouse
		}
		return err
	})
}

// verifyHouse checks the rows, the events and the schema of a log. It reports a faulty event first, together with any
// fault in the schema.
func verifyHouse(ctx context.Context, offline folder.Offline, receipts []string,
	progress func(string, int, int)) (*record.LogReport, error) {
	r, err := (*record.LogReport)(nil), sqlite.InspectRows(ctx, offline.Log.Path())
	if err == nil {
		r, err = record.VerifyLog(ctx, offline.Log, offline.Desk.Keys(), rulebooks.Named, receipts, progress)
	}
	return r, errors.Join(err, sqlite.InspectSchema(ctx, offline.Log.Path()))
}

func (c *verifyCmd) progress(con console.Console) func(string, int, int) {
	bars := map[string]func(int, int){}
	return func(what string, done, total int) {
		if bars[what] == nil {
			bars[what] = console.HowFar(con, what)
		}
		bars[what](done, total)
	}
}

// tellUnchecked prints what was not checked, and what nobody can know without receipts.
func tellUnchecked(w io.Writer, skipped []string, witnessed bool) error {
	for _, s := range skipped {
		fmt.Fprintf(w, "  not checked: %s\n", s)
	}
	if !witnessed {
		fmt.Fprint(w, "  No receipt was held against it. Without one it cannot be known whether "+
			"whoever has the server's key\n"+
			"  computed all hashes anew, or cut events off at the end: see --receipt.\n")
	}
	if len(skipped) > 0 {
		return console.Fails(3, "not everything could be checked")
	}
	return nil
}

// receipts returns the given receipts. Each argument is a receipt, or a file with any number of them, as a mail program
// saved, forwarded or quoted it.
func (c *verifyCmd) receipts() ([]string, error) {
	var out []string
	for _, given := range c.Receipt {
		if lines, _ := events.FindReceipts(given); len(lines) > 0 {
			out = append(out, lines...)
			continue
		}
		if _, err := events.ParseReceipt(given); err == nil || strings.HasPrefix(given, "posthorn-receipt-") {
			out = append(out, given) // a broken one will be refused, with a reason
			continue
		}
		text, err := console.ReadFile(given, console.MostReceipt)
		if err != nil {
			return nil, console.Fails(2, "--receipt is neither a receipt nor a file: %w", err)
		}
		lines, broken := events.FindReceipts(string(text))
		if broken > 0 || len(lines) == 0 {
			return nil, console.Fails(2, "%s: %d whole receipts, and %d that are not whole", given, len(lines), broken)
		}
		out = append(out, lines...)
	}
	return out, nil
}
