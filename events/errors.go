package events

import (
	"errors"
	"slices"
	"syscall"
)

var (
	// ErrInvalid is returned by [Log.Append] and [Log.Adopt] for a malformed event or stream: no name, no command id,
	// a fork without a version. Nothing was written.
	ErrInvalid = errors.New("not a well-formed event")
	// ErrChain is returned by [Log.Adopt] for records that do not fit the log or one another: another hash, a gap,
	// another stream under the same name. Nothing was written.
	ErrChain = errors.New("records do not fit the chain")
	// ErrUnsafe is returned by a log that answers for a cluster (events/safe) for what the cluster has not confirmed.
	// The cluster may still confirm it: the caller may repeat the command, which is done once.
	ErrUnsafe = errors.New("not safe yet")
)

// diskFaults are SQLite's primary result codes READONLY, IOERR, FULL and CANTOPEN: the disk's fault, not the
// caller's.
var diskFaults = []int{8, 10, 13, 14}

// Unstored reports whether an error comes from a full, failing or read-only disk, whichever of the house's files it
// was about. The write may or may not have happened; the caller may try again.
func Unstored(err error) bool {
	var coded interface{ Code() int }
	if errors.As(err, &coded) && slices.Contains(diskFaults, coded.Code()&0xff) {
		return true
	}
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EROFS) ||
		errors.Is(err, syscall.EIO)
}
