// Package http is the browser's door: the pages, the JSON API and the live stream, behind one
// guard. It puts its parts together and holds the words that they say.
//
// Two rules hold everywhere. GET and HEAD change nothing, whatever the address. And the only
// address of this server that anything here ever writes down is the configured public one.
package http
