// Package notation is what is typed in the Rivals: moves and orders, read and written.
package notation
