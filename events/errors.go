package events

import (
	"errors"
	"slices"
	"syscall"
)

var (
	// ErrInvalid is returned by [Log.Append] and [Log.Adopt] for an event or a stream that does
	// not hold together: no name, no command id, a fork without a version. Nothing was written.
	ErrInvalid = errors.New("not a well-formed event")
	// ErrChain is returned by [Log.Adopt] for records that do not fit what the log holds or
	// one another: another hash, a gap, another stream under the same name. Nothing was written.
	ErrChain = errors.New("records do not fit the chain")
	// ErrUnsafe is returned by a log that answers for a cluster (events/safe) for what the cluster has
	// not confirmed. It may yet be: the same command may be given again, and is done once.
	ErrUnsafe = errors.New("not safe yet")
)

// diskFaults are SQLite's primary result codes READONLY, IOERR, FULL and CANTOPEN: the disk's fault and not the caller's.
var diskFaults = []int{8, 10, 13, 14}

// Unstored reports whether an error is of a disk that is full, failing or read-only, whichever
// of the house's files it was about. What was to be written is not known to be; it may be
// tried again.
func Unstored(err error) bool {
	var coded interface{ Code() int }
	if errors.As(err, &coded) && slices.Contains(diskFaults, coded.Code()&0xff) {
		return true
	}
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EIO)
}
