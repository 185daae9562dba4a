// Package folder opens a data folder. It checks that the files are whole and belong together, and gives access to the
// keys, to the log with its desk, and to the small files that record when something happened. It serves nothing; code
// that runs a house does not belong here.
package folder
