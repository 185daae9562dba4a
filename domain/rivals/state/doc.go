// Package state is how a game of the Rivals stands: the state, the outcomes that change it,
// what each viewer may know of it, and how it is written.
package state
