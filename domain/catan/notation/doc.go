// Package notation reads and writes the moves and standing orders of Catan as people type them;
// see docs/notation-catan.md.
package notation
