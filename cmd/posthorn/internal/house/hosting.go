package house

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/http/door"
)

// mostLongest is how many waiting tables the host's page lists.
const mostLongest = 30

// hosting tells the host's page how the house is doing.
type hosting struct {
	h     *House
	since time.Time
}

// Standing returns how the house is doing now.
func (s hosting) Standing(ctx context.Context) (out door.Standing) {
	ctx, cancel := context.WithTimeout(ctx, mostWait)
	defer cancel()
	missing := func(what string, err error) {
		if err != nil {
			out.Missing = append(out.Missing, fmt.Sprintf("%s: %s", what, unsecret(err.Error())))
		}
	}
	h, err := s.h, error(nil)
	out.Since, out.Told = s.since, h.Watched.Told.List()
	out.Tables, err = h.Views.Census(ctx)
	missing("tables", err)
	out.Longest, err = h.Views.Longest(ctx, mostLongest)
	missing("tables", err)
	for _, u := range h.Desk.Unreadables() {
		out.Stopped = append(out.Stopped, u.Table)
	}
	out.People, err = h.People.Census(ctx)
	missing("people.db", err)
	out.Last, err = h.Log.Last(ctx)
	missing("events.db", err)
	mailed, err := h.Outbox.Position(ctx)
	missing("mail.db", err)
	health := h.relayed()
	out.Follow = []door.Follower{{Name: "views", At: h.Views.Position()}, {Name: "notifier", At: mailed},
		{Name: "nats", At: health.Published}}
	if out.Alarm = health.Alarm != nil; out.Alarm {
		out.NATS = unsecret(health.Alarm.Error())
	} else if !health.Up && health.Trouble != nil {
		out.NATS = unsecret(health.Trouble.Error())
	}
	out.Full, out.Anew = h.Health.Stopped(), h.Outbox.Fresh
	for _, f := range h.Health.Faults() {
		out.Faults = append(out.Faults, door.Fault{File: f.File, Kind: string(f.Kind)})
	}
	out.Older = h.Health.Older()
	out.Disk, err = diskOf(h.Config.Data)
	missing("disk", err)
	out.Files, err = filesOf(h.Config.Data)
	missing("files", err)
	out.Backup, err = folder.BackedUp(h.Config.Data)
	missing("backup", err)
	return out
}

// filesOf lists the databases of a house, each together with the files beside it.
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
