// Package console is how the program talks to whoever started it: where a sub-command reads and writes, text that a terminal
// shows and never obeys, input of a bounded size, and the status the program ends with. It knows no house and no data folder.
package console
