// Package mail is the mailbox's door: the notifier, which finds out from the log who is
// awaited; the outbox, which writes each mail once and sends it until it is accepted; the
// built-in mailbox, a real SMTP server on loopback for whoever has none.
//
// One mail per awaited decision and person: none lost, none stale, at most one duplicate
// after a crash, with the same bytes and the same Message-ID. What may not live here: rules,
// pages, and whether something is still awaited — that is asked of the log.
package mail
