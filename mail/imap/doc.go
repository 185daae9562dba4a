// Package imap takes the mails of this house out of an ordinary mailbox at a provider (IMAP), where others' mails lie,
// too. It reads the headers of what is new, hands over the mails that bear an address of this house, and puts them
// into a folder of their own. Of all other mails it fetches no body, and changes nothing.
//
// What must not live here: whose an address is, and what a mail says (mail/inbound).
package imap
