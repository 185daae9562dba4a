// Package people knows who is who: names, addresses, languages, sessions, and what may be
// mailed to whom. It stands beside the log, because people can be forgotten and events
// cannot: events name people by a random id alone, and what people wrote is encrypted with a
// key that is kept here and erased with them.
//
// A [Store] is one SQLite file with one writer, every change durable when it returns, and
// what is deleted overwritten. Secrets that people hold (cookies, sign-in links) are kept as
// hashes. Reading never writes, so a page that only shows changes nothing.
//
// What depends on whether an address is known, suppressed or over its quota is told to
// nobody: the answer is the same, and only the mail is missing.
//
// What may not live here: what people do at tables, and sending mail.
package people
