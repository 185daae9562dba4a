package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/events/database"
)

type backupCmd struct {
	folder.Settings
	To string `arg:"" type:"path" help:"A folder that is empty or not there yet."`
}

// Help returns the long help of the sub-command.
func (backupCmd) Help() string {
	return `Copies a house, also while it is served, and checks the copy as "posthorn verify --data" does.
The copy holds server.key, which opens every secret of running games: keep it where you keep
passwords. Inbox, lobby and NATS's copy are left out, because they are made anew.`
}

// Run makes the copy. It never overwrites existing files.
func (c *backupCmd) Run(ctx context.Context, con console.Console) error {
	err := copyHouse(ctx, con, c.Data, c.To, false, func(name, to string) error {
		return database.Copy(ctx, filepath.Join(c.Data, name), to)
	})
	if e := (*console.Exit)(nil); err == nil || errors.As(err, &e) && e.Status == 3 {
		// the copy is whole; what could not be checked is printed
		if noted := folder.NoteBackup(c.Data); noted != nil {
			fmt.Fprintf(con.Err, "posthorn: the copy is made, but the house cannot note it, and its host's "+
				"page will not say so: %v\n", noted)
		}
	}
	return err
}

type restoreBackupCmd struct {
	folder.Settings
	untilSettings
	From string `arg:"" type:"path" help:"A folder that \"posthorn backup\" made."`
}

// Help returns the long help of the sub-command.
func (restoreBackupCmd) Help() string {
	return `Puts a backup into an empty folder, and checks it. Moves made after the backup are gone, and
the receipts in the players' mails show which. Move what is left of a lost house away first.
With --until the house is put back as it was at an earlier moment. What is no event (names,
sign-ins, settings, the mail queue) is as it was when the backup was made.`
}

// Run puts the files back.
func (c *restoreBackupCmd) Run(ctx context.Context, con console.Console) error {
	return copyHouse(ctx, con, c.From, c.Data, c.Until != "", func(name, to string) error {
		from := filepath.Join(c.From, name)
		if name == "events.db" && c.Until != "" {
			_, err := c.copyLog(ctx, con, from, to)
			return err
		}
		return folder.CopyFile(ctx, from, to)
	})
}

// copyHouse copies the files of a house into an empty folder and verifies the copy. What was copied in part, or was not
// checked to the end because somebody interrupted it, is deleted again.
func copyHouse(ctx context.Context, con console.Console, from, to string, cut bool,
	copyDB func(name, to string) error) error {
	for _, name := range []string{"server.key", "events.db"} {
		if _, err := os.Stat(filepath.Join(from, name)); err != nil {
			return console.Fails(2, "%s is no house: %w", from, err)
		}
	}
	if files, err := os.ReadDir(to); err == nil && len(files) > 0 {
		return console.Fails(2, "%s is not empty: choose another folder, or move what is there away", to)
	}
	if err := os.MkdirAll(to, 0o700); err != nil {
		return fmt.Errorf("the new folder: %w", err)
	}
	err := copyFiles(ctx, con, from, to, copyDB)
	if err != nil {
		return errors.Join(err, throwAwayCopy(to))
	}
	if err = (&verifyCmd{Data: to, cut: cut}).Run(ctx, con); err != nil && ctx.Err() != nil {
		err = errors.Join(err, throwAwayCopy(to))
	}
	return err
}

// copyFiles copies the files of a house into a folder: checkpoints first, so that the log holds all that they say.
func copyFiles(ctx context.Context, con console.Console, from, to string, copyDB func(name, to string) error) error {
	for _, name := range folder.KeptFiles {
		at := filepath.Join(from, name)
		if err := copied(con, at, filepath.Join(to, name), func(to string) error {
			return folder.CopyFile(ctx, at, to)
		}); err != nil {
			return err
		}
	}
	for _, name := range folder.KeptDatabases {
		if err := copied(con, filepath.Join(from, name), filepath.Join(to, name), func(to string) error {
			return copyDB(name, to)
		}); err != nil {
			return err
		}
	}
	return nil
}

// throwAwayCopy deletes the files of a copy that is not whole; the folder had nothing else in it.
func throwAwayCopy(dir string) error {
	var all error
	for _, name := range append(slices.Clone(folder.KeptDatabases), folder.KeptFiles...) {
		all = errors.Join(all, throwAway(filepath.Join(dir, name)))
	}
	return all
}

// copied copies one file, if the house has it, and prints its name.
func copied(con console.Console, from, to string, do func(to string) error) error {
	if _, err := os.Stat(from); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err := do(to); err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}
	info, err := os.Stat(to)
	if err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}
	_, err = fmt.Fprintf(con.Out, "%s: %d kB\n", filepath.Base(to), (info.Size()+1023)/1024)
	return err
}
