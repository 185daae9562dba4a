package door

import (
	"context"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// Mails tells pages how mails fare.
type Mails interface {
	// Invitation is how the newest invitation of a person to a table fares; ok is false if none was wanted yet.
	Invitation(ctx context.Context, table events.Name, person domain.PersonID) (f Fare, ok bool, err error)
	// Unreachable are those of some people, or of all if none are named, whose mails come back, each with why.
	Unreachable(ctx context.Context, of ...domain.PersonID) (map[domain.PersonID]string, error)
	// Letters tells of the mails that were written to a person about tables, the oldest first.
	Letters(ctx context.Context, person domain.PersonID, each func(LetterMade)) error
	// Queue is how the mail queue stands, for those who run the house.
	Queue(ctx context.Context) (Queue, error)
}

// Fare is how a mail fares.
type Fare struct {
	State string // "sent", "waiting", "refused", "returned", "withheld"
	Why   string // in the mail server's words, without addresses
}

// Queue is how the mail queue stands.
type Queue struct {
	Stopped bool      // the mail server takes no mail at all
	Since   time.Time // and since when
	Why     string
	Next    time.Time // when it is tried again
	Letters int       // that wait
	Tables  []events.Name
	Failed  []FailedLetter
}

// FailedLetter is a letter that was refused or given up for good.
type FailedLetter struct {
	ID    int64
	Kind  string
	Table events.Name
	Made  time.Time
	Why   string
}

// IsHost reports whether the reader runs this house.
func (v *Visit) IsHost() bool { return v.SignedIn() && slices.Contains(v.Hosts, v.Me) }

// Unreachable are those of some people whose mails come back, each with why.
func (v *Visit) Unreachable(of ...domain.PersonID) (map[domain.PersonID]string, error) {
	if v.Mails == nil || len(of) == 0 {
		return nil, nil
	}
	return v.Mails.Unreachable(v.Ctx(), of...)
}
