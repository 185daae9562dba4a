package door

import (
	"context"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
	"posthorn/projections/views"
)

// Hosting shows the hosts how the house is doing, and bans people.
type Hosting interface {
	// Standing returns how the house is doing now. It leaves out what it could not find out, and says so in Missing.
	Standing(ctx context.Context) Standing
	// Ban keeps a person out. Only the hosts may see the reason. It refuses with banned-host or reason-long (n, the
	// most bytes).
	Ban(ctx context.Context, by events.Actor, who domain.PersonID, reason string) error
	// Unban lets a person in again.
	Unban(ctx context.Context, by events.Actor, who domain.PersonID) error
}

// Standing is how a house is doing.
type Standing struct {
	Tables  views.Census
	Longest []views.Waits // tables in play, as many as a page shows
	Stopped []events.Name // tables that cannot be read
	People  people.Census
	Last    uint64 // position of the last event in the log
	Follow  []Follower
	NATS    string // why its copy of the log is down; "" while it is up
	Alarm   bool   // nothing retries it any more
	Disk    Disk
	Files   []File
	Backup  time.Time // when the house was last backed up; zero if unknown
	Told    []Told    // the latest warnings and errors of the program's log, newest first
	Since   time.Time // when the program started
	Missing []string  // what could not be found out, and why
	Full    bool      // the disk takes nothing new
	Faults  []Fault   // what is wrong with the house's files
	Older   int       // games in play that began under an earlier edition of their rules
	Anew    bool      // the mail queue was lost and made anew, and nobody was reminded since
}

// Fault is something wrong with a file of the house: "damaged", "missing", "unreadable", "foreign", "newer", "disk" or
// "open".
type Fault struct{ File, Kind string }

// Follower is something that follows the log, and the position it has reached.
type Follower struct {
	Name string // "views", "notifier" or "nats"
	At   uint64
}

// Disk is the space where the house keeps its files, in bytes. All is 0 if unknown.
type Disk struct{ Free, All uint64 }

// File is one of a house's files.
type File struct {
	Name  string
	Bytes int64
}

// Told is a line that the program logged, without secrets.
type Told struct {
	At    time.Time
	Error bool // an error, not just a warning
	Text  string
}
