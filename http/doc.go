// Package http is the browser's door: pages that work without JavaScript, the links that
// mails carry, and (in files of their own) the JSON API and the live stream. Handlers are thin:
// they read a request, ask the desk or a projection, and say the answer in the reader's
// language.
//
// Two rules hold everywhere. GET and HEAD change nothing, whatever the address. And the only
// address of this server that anything here ever writes down is the configured public one.
package http
