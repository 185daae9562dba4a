// Package console is how the program talks to the person who started it: where a sub-command reads and writes, text
// that a terminal shows and never obeys, input of bounded size, and the exit status. It knows no house and no data
// folder.
package console
