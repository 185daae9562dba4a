// Package rules is what may be done in the Rivals and what follows.
package rules

// Room is the rules, for kit.New.
type Room struct{}
