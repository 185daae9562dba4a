package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"posthorn/http/door"
)

// mostLongest is how many tables that wait the host's page lists.
const mostLongest = 30

// hosting tells the host's page how the house stands.
type hosting struct {
	h     *house
	since time.Time
}

// Standing is how the house stands now.
func (s hosting) Standing(ctx context.Context) (out door.Standing) {
	ctx, cancel := context.WithTimeout(ctx, mostWait)
	defer cancel()
	missing := func(what string, err error) {
		if err != nil {
			out.Missing = append(out.Missing, fmt.Sprintf("%s: %s", what, unsecret(err.Error())))
		}
	}
	h, err := s.h, error(nil)
	out.Since, out.Told = s.since, h.watched.told.list()
	out.Tables, err = h.views.Census(ctx)
	missing("tables", err)
	out.Longest, err = h.views.Longest(ctx, mostLongest)
	missing("tables", err)
	for _, u := range h.desk.Unreadables() {
		out.Stopped = append(out.Stopped, u.Table)
	}
	out.People, err = h.people.Census(ctx)
	missing("people.db", err)
	out.Last, err = h.log.Last(ctx)
	missing("events.db", err)
	mailed, err := h.outbox.Position(ctx)
	missing("mail.db", err)
	health := h.relay.Health()
	out.Follow = []door.Follower{{Name: "views", At: h.views.Position()}, {Name: "notifier", At: mailed}, {Name: "nats", At: health.Published}}
	if out.Alarm = health.Alarm != nil; out.Alarm {
		out.NATS = unsecret(health.Alarm.Error())
	} else if !health.Up && health.Trouble != nil {
		out.NATS = unsecret(health.Trouble.Error())
	}
	out.Disk, err = diskOf(h.cfg.Data)
	missing("disk", err)
	out.Files, err = filesOf(h.cfg.Data)
	missing("files", err)
	out.Backup, err = backedUp(h.cfg.Data)
	missing("backup", err)
	return out
}

// filesOf lists the databases of a house, each with what lies beside it.
func filesOf(data string) (out []door.File, err error) {
	paths, err := filepath.Glob(filepath.Join(data, "*.db"))
	for _, path := range paths {
		f := door.File{Name: filepath.Base(path)}
		for _, rest := range []string{"", "-wal"} {
			if info, err := os.Stat(path + rest); err == nil {
				f.Bytes += info.Size()
			}
		}
		out = append(out, f)
	}
	return out, err
}

// backupNote is the file whose time is when the house was last backed up.
const backupNote = "backed-up"

// noteBackup notes that a house was backed up just now.
func noteBackup(data string) error {
	return touch(filepath.Join(data, backupNote), time.Now(), "The time of this file is when \"posthorn backup\" last copied the house.\n")
}

// backedUp is when a house was last backed up; zero if nothing says so.
func backedUp(data string) (time.Time, error) {
	info, err := os.Stat(filepath.Join(data, backupNote))
	if errors.Is(err, os.ErrNotExist) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("when it was backed up: %w", err)
	}
	return info.ModTime(), nil
}

// touch sets the time of a file, and makes it with a text if it is not there.
func touch(path string, now time.Time, text string) error {
	err := os.Chtimes(path, now, now)
	if errors.Is(err, os.ErrNotExist) {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	return err
}
