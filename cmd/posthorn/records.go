package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/pass"
	"posthorn/events/record"
	"posthorn/projections/turn"
	"posthorn/projections/views"
)

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
func (c *exportCmd) Run(con console) error {
	ctx := context.Background()
	return atTable(ctx, c.Data, c.Table, false, func(cab cabinet, name events.Name) error {
		look, err := cab.desk.Look(ctx, name)
		if err != nil {
			return err
		}
		viewer, err := c.viewer(look.Table)
		if err != nil {
			return err
		}
		return writeTo(c.Out, con.raw, func(w io.Writer) error { return record.Export(ctx, cab.desk, name, viewer, time.Now(), w) })
	})
}

// viewer is by whose knowledge the record is written.
func (c *exportCmd) viewer(t *domain.Table) (domain.Viewer, error) {
	letter := strings.ToUpper(c.As)
	switch {
	case t.ViewerOf("", domain.Nobody) == domain.Referee:
		return domain.Referee, nil
	case len(letter) == 1 && letter[0] >= 'A' && int(letter[0]-'A') < len(t.Places):
		return domain.Viewer(letter[0] - 'A'), nil
	case letter == "SPECTATOR":
		return domain.Spectator, nil
	}
	return domain.Spectator, fmt.Errorf("--as %s: name spectator, or a seat from A", c.As)
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

type keyCmd struct{ dataSettings }

// Run prints the public key that another server seals a handover for.
func (c *keyCmd) Run(con console) error {
	keys, err := houseKeys(c.Data)
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
func (c *handoverCmd) Run(con console) error {
	ctx := context.Background()
	return atTable(ctx, c.Data, c.Table, true, func(cab cabinet, name events.Name) error {
		return writeTo(c.Out, con.raw, func(w io.Writer) error { return record.Handover(ctx, cab.desk, name, c.To, time.Now(), w) })
	})
}

type importCmd struct {
	dataSettings
	PublicURL string `name:"public-url" default:"http://127.0.0.1:8080" help:"The address that the links for the players name."`
	File      string `arg:"" help:"What \"posthorn handover\" wrote on the other server, or the finished record of a table that was handed over from here."`
}

// Help is what the sub-command says about itself.
func (importCmd) Help() string {
	return `Verifies a handover and goes on with the table here. It prints a link for each seat,
to be sent to whoever held it there: signed in here, they take it up again.

It also takes the finished record of a table that was handed over from here ("posthorn export"
on the other server): its end is noted, and what is hidden in branches of it opens.`
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
	keys, err := houseKeys(c.Data)
	if err != nil {
		return err
	}
	log, err := openEvents(ctx, c.Data, keys, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	desk := events.NewDesk(log, keys, rulebooks.Named, time.Now)
	if !f.Header.Handover {
		return concluded(ctx, con, desk, f)
	}
	if _, err := record.Import(ctx, log, keys, f, rulebooks.Named); err != nil {
		return &exit{1, err}
	}
	look, err := desk.Look(ctx, f.Header.Table)
	if err != nil {
		return err
	}
	fmt.Fprintf(con.out, "Table %s goes on here. Links for those who held its seats:\n", look.Name)
	return claims(con.out, keys, c.PublicURL, look)
}

// concluded notes the end of a table that was handed over from here.
func concluded(ctx context.Context, con console, desk *events.Desk, f *record.File) error {
	_, err := record.Conclude(ctx, desk, f, rulebooks.Named)
	if r, ok := domain.AsRefusal(err); ok && r.Code == "not-handed-over" {
		err = fmt.Errorf("%w: it is a record for people, and of no table that was handed over from here", record.ErrHandover)
	}
	if err != nil {
		return &exit{1, err}
	}
	fmt.Fprintf(con.out, "Table %s has ended at the other server. That is noted; what waited for it here opens when the server runs.\n", f.Header.Table)
	return nil
}

// claims prints a link for each holder of a seat, by which they take it again.
func claims(out io.Writer, keys *events.Keys, base string, look events.Look) error {
	maker, links := pass.New(keys), turn.Links{Base: base}
	for i, p := range look.Table.Places {
		for n := range p.Holders {
			t, err := maker.Make(pass.Facts{Purpose: pass.Join, Stream: look.Name, Seat: domain.Seat(i), Kind: pass.KindClaim, Serial: n})
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "  seat %s: %s\n", domain.Seat(i).Letter(), links.Pass(t.Text()))
		}
	}
	return nil
}

type claimsCmd struct {
	dataSettings
	PublicURL string `name:"public-url" default:"http://127.0.0.1:8080" help:"The address that the links name."`
}

// Help is what the sub-command says about itself.
func (claimsCmd) Help() string {
	return `For a house whose people.db is lost and that was started with --new-people. It prints a link
for each seat of each table that has not ended, to be sent to whoever held it: signed in
here, they take it up again. A seat that somebody holds by now is theirs whatever its link says.`
}

// Run prints the links.
func (c *claimsCmd) Run(con console) error {
	ctx := context.Background()
	return inCabinet(ctx, c.Data, false, func(cab cabinet) error {
		tables, err := tablesOf(ctx, cab.log)
		if err != nil {
			return err
		}
		return cab.desk.Each(ctx, tables, func(look events.Look) error {
			if look.Table.Status == domain.TableEnded {
				return nil
			}
			fmt.Fprintf(con.out, "Table %s, %s. Links for those who held its seats:\n", look.Name, look.Table.Rulebook)
			return claims(con.out, cab.desk.Keys(), c.PublicURL, look)
		})
	})
}

type rebuildCmd struct{ dataSettings }

// Run fills the views anew from the log, and mails nobody. The server must not be running:
// it has the old file open.
func (c *rebuildCmd) Run(con console) error {
	ctx := context.Background()
	return inCabinet(ctx, c.Data, true, func(cab cabinet) (err error) {
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
	})
}
