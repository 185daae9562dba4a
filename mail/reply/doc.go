// Package reply reads what somebody answered a mail with: from the bytes that a mail server
// handed over to the lines that they wrote themselves, without what is quoted, and what each
// line is for.
//
// Everything here comes from strangers: sizes, depth and numbers are bounded, nothing is
// searched backwards, and what cannot be read is left out. What may not live here: whose mail
// it is, what may be played, and anything that is asked of a clock, a file or the network.
package reply
