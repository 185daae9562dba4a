// Package rules is what judges in Carcassonne: what may be done, what comes of it, who is
// awaited and how it counts.
package rules
