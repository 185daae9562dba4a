package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/domain/rulebooks"
	"posthorn/events/archive"
	"posthorn/events/record"
)

// errMisnamed is returned for an archived game in the place of another one.
var errMisnamed = errors.New("the file has the name of another table")

// folder checks all archived games in a folder and names each faulty one.
func (c *verifyCmd) folder(con console.Console) error {
	if len(c.Receipt) > 0 {
		return console.Fails(2, "--receipt is held against one game: name its file")
	}
	games, bad, open, all := 0, 0, 0, 0
	bar := console.HowFar(con, "games")
	err := archive.Folder(c.File).Each(func(path string) error {
		games++
		bar(games, games)
		size, f, r, err := verifyArchived(path)
		all += size
		if err == nil {
			trusted, _ := trustedBy(f, r)
			err = c.pinnedAlone("table "+r.Table.String(), trusted...)
		}
		switch {
		case err != nil:
			bad++
			fmt.Fprintf(con.Out, "%s: %v\n", path, err)
		case len(r.Skipped) > 0:
			open++
			tellOpen(con.Out, path+": ", r.Open...)
			for _, s := range r.Skipped {
				fmt.Fprintf(con.Out, "%s: not checked: %s\n", path, s)
			}
		}
		return nil
	})
	if err != nil {
		return console.Fails(2, "%w", err)
	}
	switch {
	case games == 0:
		return console.Fails(2, "no archived game is in %s", c.File)
	case bad > 0:
		return console.Fails(1, "%d of %d archived games are not as they should be", bad, games)
	case open > 0:
		fmt.Fprintf(con.Out, "%d archived games: no fault found, but of %d not everything could be checked.\n", games,
			open)
		return console.Fails(3, "not everything could be checked")
	}
	fmt.Fprintf(con.Out, "%d archived games, %d bytes: unaltered.\n", games, all)
	return nil
}

// verifyArchived checks one archived game.
func verifyArchived(path string) (size int, f *record.File, r *record.Report, err error) {
	packed, err := console.ReadFile(path, record.Longest)
	if err != nil {
		return 0, nil, nil, err
	}
	text, err := archive.Unpack(packed)
	if err != nil {
		return len(packed), nil, nil, err
	}
	f, err = record.Read(bytes.NewReader(text))
	if err == nil {
		r, err = record.Verify(f, rulebooks.Named)
	}
	if err == nil && !archive.Named(path, r.Table) {
		err = errMisnamed
	}
	return len(packed), f, r, err
}

// isFolder reports whether the path is a folder.
func isFolder(path string) bool {
	is, err := os.Stat(path)
	return err == nil && is.IsDir()
}
