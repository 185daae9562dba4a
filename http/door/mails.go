package door

import (
	"context"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// Mails tells pages how mails are doing.
type Mails interface {
	// Invitation returns how a person's newest invitation to a table is doing; ok is false if none was requested yet.
	Invitation(ctx context.Context, table events.Name, person domain.PersonID) (f MailState, ok bool, err error)
	// Unreachable returns which of some people, or of everybody if none are named, have their mails bounce, each with
	// the reason.
	Unreachable(ctx context.Context, of ...domain.PersonID) (map[domain.PersonID]string, error)
	// Latest reports whether the latest mail about a table to a person was about an ask. A later one may still wait, or
	// not be wanted.
	Latest(ctx context.Context, a desk.Ask) (bool, error)
	// GoneOut reports whether a letter about an ask is on its way, or has gone out.
	GoneOut(ctx context.Context, a desk.Ask) (bool, error)
	// Letters calls each for every mail about a table written to a person, oldest first.
	Letters(ctx context.Context, person domain.PersonID, each func(LetterMade)) error
	// Queue returns the state of the mail queue, for the hosts.
	Queue(ctx context.Context) (Queue, error)
}

// MailState is how a mail is doing.
type MailState struct {
	State string // "sent", "waiting", "refused", "returned", "withheld"
	Why   string // in the mail server's words, without addresses
}

// LetterMade records a mail about a table written to somebody.
type LetterMade struct {
	Kind  string    `json:"kind"`
	Table string    `json:"table,omitempty"`
	Made  time.Time `json:"made"`
	State string    `json:"state"` // "new", "composed", "sending", "sent", "dropped" or "failed"
}

// Queue is the state of the mail queue.
type Queue struct {
	Stopped bool      // the mail server accepts no mail at all
	Since   time.Time // since when
	Why     string
	Next    time.Time // when the next try is
	Letters int       // how many are waiting
	Tables  []events.Name
	Failed  []FailedLetter
}

// FailedLetter is a letter that was refused or finally given up.
type FailedLetter struct {
	ID    int64
	Kind  string
	Table events.Name
	Made  time.Time
	Why   string
}

// IsHost reports whether the reader runs this house.
func (v *Visit) IsHost() bool { return v.SignedIn() && slices.Contains(v.Hosts, v.Me) }

// Unreachable returns which of some people have their mails bounce, each with the reason.
func (v *Visit) Unreachable(of ...domain.PersonID) (map[domain.PersonID]string, error) {
	if v.Mails == nil || len(of) == 0 {
		return nil, nil
	}
	return v.Mails.Unreachable(v.Ctx(), of...)
}
