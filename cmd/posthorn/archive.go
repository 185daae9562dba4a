package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/archive"
	"posthorn/events/record"
)

type archiveCmd struct {
	folder.Settings
	Dir string `arg:"" type:"path" help:"The folder that the games are written to, each a file."`
}

// Help returns the long help of the sub-command.
func (archiveCmd) Help() string {
	return `Writes each finished game that is not in the folder yet to a small file, also while the house
is served. The file is the game's whole record, written smaller: "posthorn verify" checks it, or
all that are in the folder, and "posthorn unpack" gives the record back. It has nothing that the
record of a finished game does not tell everybody: no names, no key of a person or of the house.
The log keeps all events. Run it as often as you like; it goes on from where it was.

The exit status is 1 if a game could not be written, which is said; the next run tries it again.`
}

// Run archives the games that ended since the last run.
func (c *archiveCmd) Run(ctx context.Context, con console.Console) error {
	return folder.WhileOffline(ctx, c.Data, false, func(offline folder.Offline) error {
		games, written, failed := 0, 0, 0
		bar := console.HowFar(con, "games")
		k := &archive.Keeper{Desk: offline.Desk, Named: rulebooks.Named, Folder: archive.Folder(c.Dir),
			Kept: func(_ events.Name, size int) {
				games, written = games+1, written+size
				bar(games, games)
			},
			Failed: func(table events.Name, err error) {
				failed++
				fmt.Fprintf(con.Out, "Table %s is not archived: %v\n", table, err)
			}}
		if err := k.CatchUp(ctx); err != nil {
			return err
		}
		fmt.Fprintf(con.Out, "%d games archived, %d bytes.\n", games, written)
		if failed > 0 {
			return console.Fails(1, "%d games were not archived", failed)
		}
		return nil
	})
}

type unpackCmd struct {
	Out  string `short:"o" default:"-" help:"The file to write, or - for standard output."`
	File string `arg:"" type:"existingfile" help:"An archived game."`
}

// Help returns the long help of the sub-command.
func (unpackCmd) Help() string {
	return `Writes an archived game as a record, byte for byte as it was, for whatever reads records.`
}

// Run writes the record.
func (c *unpackCmd) Run(ctx context.Context, con console.Console) error {
	var text []byte
	err := console.Leave(ctx, func() error {
		packed, err := console.ReadFile(c.File, record.Longest)
		if err != nil {
			return console.Fails(2, "read the archived game: %w", err)
		}
		if text, err = archive.Unpack(packed); err != nil {
			return console.Fails(1, "%s: %w", c.File, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return writeTo(c.Out, con.Raw, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// openRecord opens a record, or an archived game as its record, and reports whether the file was archived.
func openRecord(path string) (in io.ReadCloser, archived bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, false, err
	}
	text, archived, err := unarchived(f)
	if err != nil {
		return nil, false, errors.Join(err, f.Close())
	}
	return struct {
		io.Reader
		io.Closer
	}{text, f}, archived, nil
}

// unarchived reads a record as it is, and an archived game as its record.
func unarchived(in io.Reader) (text io.Reader, archived bool, err error) {
	buffered := bufio.NewReader(in)
	start, _ := buffered.Peek(len(archive.Format) + 1) // the caller sees any error when reading on
	if !archive.Is(start) {
		return buffered, false, nil
	}
	packed, err := console.ReadAll(buffered, record.Longest)
	if err != nil {
		return nil, true, err
	}
	whole, err := archive.Unpack(packed)
	if err != nil {
		return nil, true, console.Fails(1, "%w", err)
	}
	return bytes.NewReader(whole), true, nil
}
