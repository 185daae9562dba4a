// Package state is how a game of Carcassonne stands: the state, moves and events, how events
// change it, how it is seen and written. It judges nothing.
package state
