package door

import (
	"context"
	"time"

	"posthorn/events"
	"posthorn/events/pass"
)

// Answers has the answers by mail that nothing proves to be their person's.
type Answers interface {
	// Held returns the answer that a pass of purpose Confirm is about; ok is false if it waits no longer.
	Held(ctx context.Context, f pass.Facts) (h Held, ok bool, err error)
	// Confirm carries it out, and returns what came of it, in its person's language. unsigned says that their provider
	// signs nothing, so that answers from their address need no proof from now on. ok is false if it waits no longer.
	Confirm(ctx context.Context, f pass.Facts, unsigned bool) (said []string, ok bool, err error)
}

// Held is an answer by mail that waits for its person to say that it is theirs.
type Held struct {
	Table events.Name
	From  string // the address that it says it is from; "" for none or several
	At    time.Time
	Lines []string // what it says
	// the domain that signed it, which counts for its address once its person confirms it; "" for none
	By       string
	Unsigned bool // it came from an address of its person's, and nobody signed it
	Known    bool // it says that it is from an address of its person's
}
