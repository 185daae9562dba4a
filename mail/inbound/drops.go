package inbound

import "slices"

// Drop is a reason for which a mail neither does anything nor gets an answer, as the log gives it.
type Drop string

// Dropped is such a reason and what it means.
type Dropped struct {
	Why   Drop
	Means string
}

// Drops lists every reason: a mail that is dropped for any other is a defect. docs/tables/drops.txt has the same list.
var Drops = []Dropped{
	{dropAddress, "This house made no such address."},
	{dropNoMail, "The bytes are no mail: they have no header that can be read."},
	{"no sender", "Its envelope names no sender, so it is a report and must never be answered."},
	{"auto-submitted", "Its header says that a program wrote it (RFC 3834)."},
	{"autoresponder", "It has a header of a program that answers mails."},
	{"precedence", "Its header says that it is bulk mail."},
	{"report", "It is a delivery report."},
	{"list", "It comes from a mailing list."},
	{"daemon", "It comes from an address at which nobody reads, such as mailer-daemon or noreply."},
	{"circle", "It has passed through so many servers that it must be going in circles."},
	{"out of office", "Its subject is that of a notice of absence."},
	{dropSame,
		"Its writer has sent the same text again and again within a week, and it plays nothing, so a program did."},
	{dropOwn, "It is a letter of this house."},
	{dropAgain, "It came before, and was answered then."},
	{dropHistory, "Its address belongs to an event that was lost when an older copy of the log was restored."},
	{dropNobody, "Its address belongs to nobody who was ever written to about the table."},
	{dropWithdrawn, "Its person has withdrawn their links and addresses since."},
	{dropForgotten, "Its person has been forgotten, or is banned."},
	{dropUnreadable, "Its table cannot be read; the host has been told."},
	{dropUnproved, "It came after what it answers was over, and nothing proves that it is its person's."},
	{dropEnough, "Its writer has been told that further mails like it get no answer for a while."},
	{dropSenders, "It went to the house's own address, and names no sender, or several."},
	{dropStranger, "It went to the house's own address, nothing proves that it is from somebody who is known here, " +
		"and it answers no mail of this house."},
	{"it reports nothing", "It went to a letter's return address, and is no report of a failed " +
		"delivery or a complaint."},
	{"no such letter, or told before",
		"It reports on a letter that is not known here, or on which the same was reported before."},
	{dropToday, "It went to the house's own address, and its writer was told today what that is."},
}

// The reasons that this package finds; mail/reply finds those that a mail alone shows, mail/bounce those of reports.
const (
	dropAddress    Drop = "address"
	dropNoMail     Drop = "no mail"
	dropSame       Drop = "same again"
	dropOwn        Drop = "our own"
	dropAgain      Drop = "again"
	dropHistory    Drop = "another history"
	dropNobody     Drop = "nobody there"
	dropWithdrawn  Drop = "withdrawn"
	dropForgotten  Drop = "forgotten"
	dropUnreadable Drop = "its table cannot be read"
	dropUnproved   Drop = "late and unproved"
	dropEnough     Drop = "enough"
	dropSenders    Drop = "senders"
	dropStranger   Drop = "stranger"
	dropToday      Drop = "told today"
)

// Listed reports whether Drops has a reason.
func (d Drop) Listed() bool {
	return slices.ContainsFunc(Drops, func(l Dropped) bool { return l.Why == d })
}
