// Package notation reads and writes the moves of Carcassonne as people type them; see
// docs/notation-carcassonne.md.
package notation
