package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/events"
	"posthorn/events/people"
	"posthorn/events/relay"
	"posthorn/events/sqlite"
)

type restoreCmd struct {
	folder.Settings
	house.NATSSettings
	untilSettings
}

// Help returns the long help of the sub-command.
func (restoreCmd) Help() string {
	return `For a house whose events.db is lost and of which there is no newer backup. It makes events.db
anew from the copy that NATS holds; every message must prove with a MAC that this house wrote
it, and every record must follow from the one before it. What had not reached NATS when events.db was lost is lost. The server must not be running.
With --until the log is made anew as it was at an earlier moment.`
}

// Run restores the log, as a whole or not at all.
func (c *restoreCmd) Run(ctx context.Context, con console.Console) (err error) {
	path := filepath.Join(c.Data, "events.db")
	gone, err := folder.Empty(path)
	if err != nil {
		return err
	}
	if !gone {
		return fmt.Errorf("%s is there: if it is damaged, move it and its -wal away first", path)
	}
	if _, err := os.Stat(filepath.Join(c.Data, "server.key")); err != nil {
		return fmt.Errorf("the log is sealed with the server's key: %w", err)
	}
	keys, err := folder.ServerKeys(c.Data)
	if err != nil {
		return err
	}
	part := path + ".part"
	if err := throwAway(part); err != nil {
		return err
	}
	n, err := c.fill(ctx, part, keys)
	if err == nil {
		err = sqlite.Settle(part)
	}
	if err != nil {
		return console.Fails(1, "%w", errors.Join(err, throwAway(part)))
	}
	if c.Until != "" {
		if part, n, err = c.cut(ctx, con, part); err != nil {
			return err
		}
	}
	for _, rest := range []string{"-wal", "-shm"} { // of the lost file; useless without it
		if err := os.Remove(path + rest); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("restore the log: %w", err)
		}
	}
	if err := os.Rename(part, path); err != nil {
		return fmt.Errorf("restore the log: %w", err)
	}
	if err := throwAway(part); err != nil {
		return err
	}
	_, err = fmt.Fprintf(con.Out, "The log is restored up to position %d. What was done after that is lost. "+
		"\"posthorn verify --data %s\" checks all of it.\n", n, c.Data)
	return err
}

// cut copies a log that was just filled up to the moment asked for, and deletes the whole one.
func (c *restoreCmd) cut(ctx context.Context, con console.Console, whole string) (part string, n uint64, err error) {
	part = whole + ".until"
	if err = throwAway(part); err == nil {
		n, err = c.copyLog(ctx, con, whole, part)
	}
	return part, n, errors.Join(err, throwAway(whole))
}

// fill fills a new log, checks that the key is its own, and names it as people.db does.
func (c *restoreCmd) fill(ctx context.Context, path string, keys *events.Keys) (n uint64, err error) {
	log, err := sqlite.Open(ctx, path)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	o, err := c.Relay()
	if err != nil {
		return 0, err
	}
	o.Keys = keys
	if o.URL == "" {
		o.Dir = filepath.Join(c.Data, "nats")
		if _, err := os.Stat(o.Dir); err != nil {
			return 0, fmt.Errorf("there is no copy to restore from: %w", err)
		}
	}
	if n, err = relay.Restore(ctx, o, log); err != nil {
		return n, err
	}
	if n == 0 {
		return n, errors.New("the copy that NATS holds is empty")
	}
	if err := folder.Opens(ctx, log, keys, sqlite.Owner{}, false); err != nil {
		return n, err
	}
	house := sqlite.Owner{Name: events.NewName(), Key: keys.Fingerprint()}
	err = folder.WithPeople(ctx, c.Data, keys, false, func(store *people.Store) error {
		name, named, err := store.LogName(ctx)
		if named {
			house.Name = name
		}
		return err
	})
	return n, errors.Join(err, log.SetOwner(ctx, house))
}

// throwAway deletes an unfinished log.
func throwAway(path string) error {
	for _, rest := range []string{"", "-wal", "-shm", "-journal", "-lock"} {
		if err := os.Remove(path + rest); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("throw away what is half done: %w", err)
		}
	}
	return nil
}
