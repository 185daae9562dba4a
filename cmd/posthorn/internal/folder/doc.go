// Package folder opens a data folder: whether its files belong together and are whole, its keys, the log with the desk before it, and
// the small files that note when something happened. It serves nothing, and what runs a house does not belong here.
package folder
