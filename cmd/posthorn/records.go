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

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/checkpoint"
	"posthorn/events/desk"
	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/events/record"
	"posthorn/projections/turn"
	"posthorn/projections/views"
)

type exportCmd struct {
	folder.Settings
	As    string `default:"spectator" help:"Whose knowledge goes into it: spectator, or a seat's letter. A table that has ended is exported whole."`
	Out   string `short:"o" default:"-" help:"The file to write, or - for standard output."`
	Proof string `placeholder:"FILE" help:"Write beside it the proof that the log which the house signed last holds this table."`
	Table string `arg:"" help:"The table's name, the 32 digits in its address."`
}

// Help returns the long help of the sub-command.
func (exportCmd) Help() string {
	return `Writes a record: a table's whole history as JSON Lines, which anyone can check with
"posthorn verify". While the table runs, what its reader may not know stands in it as
digests alone; once it has ended the record is whole, the seed of its luck included.`
}

// Run writes the record.
func (c *exportCmd) Run(ctx context.Context, con console.Console) error {
	return folder.AtTable(ctx, c.Data, c.Table, false, func(offline folder.Offline, name events.Name) error {
		look, err := offline.Desk.Look(ctx, name)
		if err != nil {
			return err
		}
		viewer, err := c.viewer(look.Table)
		if err != nil {
			return err
		}
		if c.Proof != "" {
			if err := c.prove(ctx, con, offline, name); err != nil {
				return err
			}
		}
		return writeTo(c.Out, con.Raw, func(w io.Writer) error {
			return record.Export(ctx, offline.Desk, name, viewer, time.Now(), w)
		})
	})
}

// prove writes a proof that the last signed log contains a table.
func (c *exportCmd) prove(ctx context.Context, con console.Console, offline folder.Offline, name events.Name) error {
	return withKeeper(c.Data, offline, func(k *checkpoint.Keeper) error {
		if err := errors.Join(k.Recall(), k.Tree.Grow(ctx, offline.Log)); err != nil {
			return err
		}
		p, err := k.ProveTable(ctx, name)
		if errors.Is(err, checkpoint.ErrNone) {
			return errors.New("--proof: this house has not signed its log yet; it does when it starts, and every hour")
		}
		if err != nil {
			return err
		}
		return writeTo(c.Proof, con.Raw, p.Write)
	})
}

// withKeeper calls do with a keeper of a house's checkpoints that has an empty tree of its own, because the house may
// be running.
func withKeeper(data string, offline folder.Offline, do func(*checkpoint.Keeper) error) (err error) {
	dir, err := os.MkdirTemp("", "posthorn-tree-")
	if err != nil {
		return fmt.Errorf("a tree of the log: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	tree, err := checkpoint.Open(filepath.Join(dir, folder.TreeFile))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tree.Close()) }()
	return do(&checkpoint.Keeper{Tree: tree, Log: offline.Log, Keys: offline.Desk.Keys(),
		Path: filepath.Join(data, folder.CheckpointsFile)})
}

type scriptCmd struct {
	Out  string `short:"o" default:"-" help:"The file to write, or - for standard output."`
	File string `arg:"" type:"existingfile" help:"A record of a table that has ended, or an archived game."`
}

// Help returns the long help of the sub-command.
func (scriptCmd) Help() string {
	return `Writes the main line of a record as a script, which "posthorn play" plays to the same
position: its options, the key of its luck, and its moves. The record is verified first.`
}

// Run writes the script.
func (c *scriptCmd) Run(ctx context.Context, con console.Console) error {
	var text []byte
	err := console.Leave(ctx, func() (err error) {
		text, err = c.script()
		return err
	})
	if err != nil {
		return err
	}
	return writeTo(c.Out, con.Raw, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// script reads the record and returns its script.
func (c *scriptCmd) script() ([]byte, error) {
	f, err := readRecord(c.File)
	if err != nil {
		return nil, err
	}
	text, err := record.Script(f, rulebooks.Named)
	switch {
	case errors.Is(err, record.ErrScript):
		return nil, console.Fails(2, "%w", err)
	case err != nil:
		return nil, console.Fails(1, "the record is not as it should be: %w", err)
	}
	return text, nil
}

// viewer returns whose knowledge the record shows.
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

// writeTo writes a file as a whole or not at all, or writes to standard output.
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

type keyCmd struct {
	folder.Settings
	PublicURL string `name:"public-url" help:"The address of this server: the other one tells the players where their game goes on, each with a link of their own."`
}

// Run prints the public key for which another server seals a handover.
func (c *keyCmd) Run(con console.Console) error {
	keys, err := folder.Keys(c.Data)
	if err != nil {
		return err
	}
	key, err := record.PublicKey(keys)
	if err == nil && c.PublicURL != "" {
		key, err = record.KeyAt(key, c.PublicURL)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(con.Out, key)
	return err
}

type handoverCmd struct {
	folder.Settings
	To    string `required:"" help:"The other server's public key: what \"posthorn key\" prints there."`
	Out   string `short:"o" required:"" help:"The file to write."`
	Taken bool   `help:"The other server can take a branch of a game that came here from a server: it is another one, or knows that game's end."`
	Table string `arg:"" help:"The table's name, the 32 digits in its address."`
}

// Help returns the long help of the sub-command.
func (handoverCmd) Help() string {
	return `Takes a running table to another server: closes it here and writes a file that only the
other server can open. There, "posthorn import FILE" goes on under the same hashes. The
server must not be running here meanwhile. A branch can be taken along once the games that it
goes on from have ended: their finished records go along, in the same file. Where one of them came
here from another server, that one may be unable to take it, so nothing is closed before --taken says that it can.`
}

// Run hands a table over.
func (c *handoverCmd) Run(ctx context.Context, con console.Console) error {
	return folder.AtTable(ctx, c.Data, c.Table, true, func(offline folder.Offline, name events.Name) error {
		if !c.Taken {
			if err := record.Returning(ctx, offline.Desk, name); errors.Is(err, record.ErrReturning) {
				return fmt.Errorf("%w; nothing was closed: if it goes to that server, mind this first; if to "+
					"another, or once that is done, say --taken", err)
			} else if err != nil {
				return err
			}
		}
		return writeTo(c.Out, con.Raw, func(w io.Writer) error {
			return record.Handover(ctx, offline.Desk, name, c.To, time.Now(), w)
		})
	})
}

type importCmd struct {
	folder.Settings
	PublicURL string `name:"public-url" default:"http://127.0.0.1:8080" help:"The address that the links for the players name."`
	File      string `arg:"" help:"What \"posthorn handover\" wrote on the other server, or the finished record, or archived game, of a table that was handed over from here."`
}

// Help returns the long help of the sub-command.
func (importCmd) Help() string {
	return `Verifies a handover and goes on with the table here. It prints a link for each seat,
to be sent to whoever held it there: signed in here, they take it up again.

It also takes the finished record of a table that was handed over from here ("posthorn export"
on the other server): its end is noted, and what is hidden in branches of it opens.`
}

// Run imports a table.
func (c *importCmd) Run(ctx context.Context, con console.Console) (err error) {
	var f *record.File
	err = console.Leave(ctx, func() (err error) {
		f, err = readRecord(c.File)
		return err
	})
	if err != nil {
		return err
	}
	keys, err := folder.Keys(c.Data)
	if err != nil {
		return err
	}
	log, err := folder.OpenEvents(ctx, c.Data, keys, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	desk := desk.NewDesk(log, keys, rulebooks.Named, time.Now)
	if !f.Header.Handover {
		return concluded(ctx, con, desk, f)
	}
	if _, err := record.Import(ctx, log, keys, f, rulebooks.Named); err != nil {
		return console.Fails(1, "%w", err)
	}
	look, err := desk.Look(ctx, f.Header.Table)
	if err != nil {
		return err
	}
	fmt.Fprintf(con.Out, "Table %s goes on here%s. Links for those who held its seats:\n", look.Name, cameAlong(f))
	return claims(con.Out, keys, c.PublicURL, look)
}

// readRecord reads a file with a record, or an archived game.
func readRecord(path string) (*record.File, error) {
	in, _, err := openRecord(path)
	if e := (*console.Exit)(nil); errors.As(err, &e) {
		return nil, e
	}
	if err != nil {
		return nil, console.Fails(2, "read the record: %w", err)
	}
	defer func() { _ = in.Close() }() // only read
	return sound(record.Read(in))
}

// sound returns a record, or how the program fails if it cannot be read.
func sound(f *record.File, err error) (*record.File, error) {
	if err != nil {
		return nil, console.Fails(1, "the record is not as it should be: %w", err)
	}
	return f, nil
}

// cameAlong names the finished tables that a branch goes on from, and that are now here.
func cameAlong(f *record.File) string {
	if len(f.Before) == 0 {
		return ""
	}
	var names []string
	for _, b := range f.Before {
		names = append(names, b.Header.Table.String())
	}
	tables := map[bool]string{true: "table", false: "tables"}[len(names) == 1]
	return fmt.Sprintf(", with the finished %s that it goes on from: %s", tables, strings.Join(names, ", "))
}

// concluded records the end of a table that was handed over from here.
func concluded(ctx context.Context, con console.Console, desk *desk.Desk, f *record.File) error {
	_, err := record.Conclude(ctx, desk, f, rulebooks.Named)
	if r, ok := domain.AsRefusal(err); ok && r.Code == "not-handed-over" {
		err = fmt.Errorf("%w: it is a record for people, and of no table that was handed over from here",
			record.ErrHandover)
	}
	if err != nil {
		return console.Fails(1, "%w", err)
	}
	fmt.Fprintf(con.Out, "Table %s has ended at the other server. That is noted; what waited for it here opens "+
		"when the server runs.\n", f.Header.Table)
	return nil
}

// claims prints a link for each holder of a seat, who takes the seat again with it.
func claims(out io.Writer, keys *events.Keys, base string, look desk.Look) error {
	maker, links := pass.New(keys), turn.Links{Base: base}
	for i, p := range look.Table.Places {
		for n := range p.Holders {
			t, err := maker.Make(pass.Facts{Purpose: pass.Join, Stream: look.Name, Seat: domain.Seat(i),
				Kind: pass.KindClaim, Serial: n})
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "  seat %s: %s\n", domain.Seat(i).Letter(), links.Pass(t.Text()))
		}
	}
	return nil
}

type claimsCmd struct {
	folder.Settings
	PublicURL string `name:"public-url" default:"http://127.0.0.1:8080" help:"The address that the links name."`
}

// Help returns the long help of the sub-command.
func (claimsCmd) Help() string {
	return `For a house whose people.db is lost and that was started with --new-people. It prints a link
for each seat of each table that has not ended, to be sent to whoever held it: signed in
here, they take it up again. A seat that somebody holds by now is theirs whatever its link says.`
}

// Run prints the links.
func (c *claimsCmd) Run(ctx context.Context, con console.Console) error {
	return folder.WhileOffline(ctx, c.Data, false, func(offline folder.Offline) error {
		tables, err := folder.TablesOf(ctx, offline.Log)
		if err != nil {
			return err
		}
		return offline.Desk.Each(ctx, tables, func(look desk.Look) error {
			if look.Table.Status == domain.TableEnded {
				return nil
			}
			fmt.Fprintf(con.Out, "Table %s, %s. Links for those who held its seats:\n", look.Name, look.Table.Rulebook)
			return claims(con.Out, offline.Desk.Keys(), c.PublicURL, look)
		})
	})
}

type rebuildCmd struct{ folder.Settings }

// Run rebuilds the views from the log and mails nobody. The server must not be running, because it has the old file
// open.
func (c *rebuildCmd) Run(ctx context.Context, con console.Console) error {
	return folder.WhileOffline(ctx, c.Data, true, func(offline folder.Offline) error {
		return ofPeople(ctx, c.Data, func(store *people.Store) (err error) {
			offline.Desk.KeepTime(store.Calendars) // the views know when to remind whom
			v, err := views.Open(ctx, c.Data, offline.Desk)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, v.Close()) }()
			bar := console.HowFar(con, "events")
			if err := v.Rebuild(ctx, func(done, total uint64) { bar(int(done), int(total)) }); err != nil {
				return err
			}
			fmt.Fprintf(con.Out, "The views are filled anew, up to position %d.\n", v.Position())
			return nil
		})
	})
}
