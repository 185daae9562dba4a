// Package state is how a game of Catan stands: the state, moves and events, how events change
// it, how it is seen and written. It judges nothing.
package state
