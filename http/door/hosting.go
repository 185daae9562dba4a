package door

import (
	"context"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
	"posthorn/projections/views"
)

// Hosting tells those who run the house how it stands.
type Hosting interface {
	// Standing is how the house stands now. What could not be found out is left out, and said in Missing.
	Standing(ctx context.Context) Standing
	// Ban keeps a person out, for a reason that those who run the house alone may know. Refused:
	// banned-host, reason-long (n, the most bytes).
	Ban(ctx context.Context, by events.Actor, who domain.PersonID, reason string) error
	// Unban lets a person in again.
	Unban(ctx context.Context, by events.Actor, who domain.PersonID) error
}

// Standing is how a house stands.
type Standing struct {
	Tables  views.Census
	Longest []views.Waits // tables that are played, as many as a page shows
	Stopped []events.Name // tables that cannot be read
	People  people.Census
	Last    uint64 // the last event of the log
	Follow  []Follower
	NATS    string // why its copy of the log is not up; "" while it is
	Alarm   bool   // and that nobody tries again
	Disk    Disk
	Files   []File
	Backup  time.Time // when the house was last backed up; zero if that is not known
	Told    []Told    // the last warnings and errors of the program's log, the newest first
	Since   time.Time // when the program was started
	Missing []string  // what could not be found out, and why
}

// Follower is something that follows the log, and how far it has come.
type Follower struct {
	Name string // "views", "notifier" or "nats"
	At   uint64
}

// Disk is the space where the house keeps its things, in bytes. All is 0 where that cannot be told.
type Disk struct{ Free, All uint64 }

// File is one of the files of a house.
type File struct {
	Name  string
	Bytes int64
}

// Told is a line that the program wrote to its log, without what is secret.
type Told struct {
	At    time.Time
	Error bool // and not only a warning
	Text  string
}
