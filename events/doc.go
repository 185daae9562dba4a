// Package events is the log and what stands around it: immutable events appended to
// streams, hash-chained, branched without copying, and followed by position; the keys
// that seal and sign; and the [Desk], which runs every command from every door.
//
// The logs themselves are in events/memory and events/sqlite and pass one conformance
// suite (events/logtest). What may not live here: how anything is shown, mailed or
// served, and any rule of a game.
package events
