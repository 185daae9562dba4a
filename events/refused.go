package events

import "errors"

var (
	// ErrInvalid is returned by [Log.Append] and [Log.Adopt] for an event or a stream that does
	// not hold together: no name, no command id, a fork without a version. Nothing was written.
	ErrInvalid = errors.New("not a well-formed event")
	// ErrChain is returned by [Log.Adopt] for records that do not fit what the log holds or
	// one another: another hash, a gap, another stream under the same name. Nothing was written.
	ErrChain = errors.New("records do not fit the chain")
)
