// Package pages is the browser's door for people: pages that work without JavaScript, and the
// links that mails carry. A handler is thin: it reads a request, asks the desk or a projection,
// and says the answer in the reader's language.
package pages
