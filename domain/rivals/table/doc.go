// Package table is what lies in the box of the Rivals: cards and what they do, resources,
// places, the plays and options, and what all of it is called.
package table
