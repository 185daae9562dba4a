// Package reply reads what somebody answered a mail with: from the bytes that a mail server handed over to the lines
// that they wrote themselves, without quotes, and what each line is for.
//
// Everything here comes from strangers: sizes, depth and counts are bounded, nothing searches backwards, and what
// cannot be read is ignored. What must not live here: whose mail it is, what may be played, and anything that needs a
// clock, a file or the network.
package reply
