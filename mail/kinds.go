package mail

import (
	"context"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/events/pass"
	"posthorn/events/people"
)

// Kind is what a mail is about.
type Kind string

// The kinds of mail.
const (
	KindTurn       = Kind(desk.AskTurn)       // a decision in the game is awaited
	KindConsent    = Kind(desk.AskConsent)    // an answer to a proposal is awaited
	KindInvitation = Kind(desk.AskInvitation) // somebody is asked to take a seat
	KindOver       = Kind(desk.AskOver)       // a game has ended
	KindNews       = Kind("news")             // people did something that asks nothing of the reader
	KindReminder   = Kind("reminder")         // part of the time has passed
	KindNudge      = Kind("nudge")            // somebody at the table asked for it
	KindDigest     = Kind("digest")           // several of the kinds above, for people who want them together
	KindReply      = Kind("reply")            // our answer to what somebody wrote to a mail's address
	KindSignIn     = Kind("sign-in")          // somebody asked to sign in
	KindLink       = Kind("link")             // somebody asked for a fresh link to their seat
	KindUsed       = Kind("used")             // a browser acts for its person that may be somebody else's
	KindConfirm    = Kind("confirm")          // nothing proves that an answer is its person's
	KindStopped    = Kind("stopped")          // mails were stopped by a complaint or a link, perhaps somebody else's
	KindHouse      = Kind("house")            // somebody wrote to the address that mails are sent from
)

// How is what can be written in reply to a mail.
type How string

// The ways to reply.
const (
	HowMoves How = "moves"  // moves and standing orders, a step back, chat and absence
	HowYesNo How = "yes-no" // yes or no, and chat
	HowWords How = "words"  // chat, which needs no word before it
	HowHouse How = "house"  // nothing: the sender's own address says what it is
)

// stops is what a mail's unsubscribe link stops. A mail with none cannot be switched off.
type stops int

const (
	stopsNothing stops = iota
	stopsTable         // its kind, from its table
	stopsKind          // its kind
	stopsAll           // all that it bundles
)

// kindRow is all that the house knows of a kind of mail. A new kind is a row, its words and, if no other row's will do,
// what writes it. Its words are mail.KIND.… and, if it can be switched off, mail.unsubscribe.KIND and mails.KIND, what
// the settings call it. What can be switched off, except what bundles others, waits for its reader's rhythm and hours.
type kindRow struct {
	kind Kind
	how  How
	stops
	purpose pass.Purpose // what its link lets its reader do
	does
}

// does is what is of one kind alone, as far as there is anything.
type does struct {
	// It goes to those whom a table asks what has the kind's name, or whom an event of a table concerns, or to whoever
	// a door has it sent to.
	asked bool
	on    func(*domain.Table, domain.TableEvent) []domain.PersonID

	stale func(Notice, desk.Look) string // why its table no longer calls for it; "" while it does

	// write writes it; nil is the letter about its table, to which says adds what is of this kind. begins returns the
	// sentence before the letter that it repeats. line is what a digest says; nil is what the table's page says.
	write  func(*Composer, context.Context, Letter, Recipient) (content, []inline, error)
	says   func(*Composer, context.Context, *draft) error
	begins func(*Composer, context.Context, *draft) (string, error)
	line   func(*Composer, context.Context, *entry) (string, error)
}

// rows has the kinds of mail, as settings list those that can be switched off.
var rows []kindRow

// What writes a mail looks its kind up, so the table is filled after its functions are known.
func init() {
	rows = []kindRow{
		{KindTurn, HowMoves, stopsTable, pass.Play,
			does{asked: true, stale: notAsked, says: (*Composer).turn}},
		{KindConsent, HowYesNo, stopsKind, pass.Answer,
			does{asked: true, stale: notAsked, says: (*Composer).consent, line: (*Composer).lineOfConsent}},
		{KindInvitation, HowYesNo, stopsKind, pass.Join,
			does{asked: true, stale: notAsked, says: (*Composer).invitation, line: (*Composer).lineOfInvitation}},
		{KindOver, HowWords, stopsKind, pass.View,
			does{asked: true, stale: notAsked, says: (*Composer).over, line: (*Composer).lineOfOver}},
		{KindNews, HowWords, stopsKind, pass.View,
			does{on: concerned, says: (*Composer).aboutNews, line: (*Composer).lineOfNews}},
		{KindReminder, HowMoves, stopsKind, pass.View, does{stale: deadlineMoved, begins: (*Composer).partOver}},
		{KindNudge, HowMoves, stopsKind, pass.View, does{stale: nudgeAnswered, begins: (*Composer).nudgedBy}},
		{KindDigest, HowHouse, stopsAll, pass.View, does{write: (*Composer).digest}},
		{KindReply, HowMoves, stopsNothing, pass.View, does{write: (*Composer).reply, says: (*Composer).answer}},
		{KindSignIn, HowHouse, stopsNothing, pass.SignIn, does{write: (*Composer).signIn}},
		{KindLink, HowHouse, stopsNothing, pass.Seat, does{}},
		{KindUsed, HowHouse, stopsNothing, pass.Withdraw, does{says: (*Composer).used}},
		{KindConfirm, HowHouse, stopsNothing, pass.Confirm, does{says: (*Composer).confirm}},
		{KindStopped, HowHouse, stopsNothing, pass.View, does{write: (*Composer).stopped}},
		{KindHouse, HowHouse, stopsNothing, pass.View, does{write: (*Composer).house}},
	}
}

// row returns what is known of a kind; of one that is no mail, nothing.
func (k Kind) row() (r kindRow) {
	if i := slices.IndexFunc(rows, func(r kindRow) bool { return r.kind == k }); i >= 0 {
		return rows[i]
	}
	return r
}

// kindsThat lists the kinds of mail for which something is so.
func kindsThat[K ~string](is func(kindRow) bool) (out []K) {
	for _, r := range rows {
		if is(r) {
			out = append(out, K(r.kind))
		}
	}
	return out
}

// Kinds lists the kinds of mail.
func Kinds() []Kind { return kindsThat[Kind](func(kindRow) bool { return true }) }

// Switches lists the kinds of mail that people can switch off, each by itself, as settings list them. Of answers those
// stop that say only that all was done.
func Switches() []string {
	return kindsThat[string](func(r kindRow) bool { return r.bundled() || r.kind == KindReply })
}

// Posted lists the kinds of mail whose news are posted to webhooks, too: programs know a deadline.
func Posted() []string {
	return kindsThat[string](func(r kindRow) bool { return r.bundled() && !r.reminds() })
}

// listed lists kinds, for SQL.
func listed(is func(kindRow) bool) string {
	return "'" + strings.Join(kindsThat[string](is), "','") + "'"
}

// How returns how a mail is replied to: an answer to a reply as the mail whose reply it answers.
func (k Kind) How() How { return k.row().how }

// ToStrangers reports whether such a mail may go to somebody who never asked for any.
func (k Kind) ToStrangers() bool { return k.row().purpose == pass.Join }

// Switch returns the name of what switches such mails off: of a digest, everything that it bundles; "" for mails that
// cannot be switched off.
func (k Kind) Switch() string {
	switch k.row().stops {
	case stopsNothing:
		return ""
	case stopsAll:
		return people.AllMails
	}
	return string(k)
}

// optional reports whether a mail can be switched off.
func (r kindRow) optional() bool { return r.stops != stopsNothing }

// bundles reports whether a mail stands for several others.
func (r kindRow) bundles() bool { return r.stops == stopsAll }

// bundled reports whether a mail waits for its reader's rhythm and hours, and may come in one with others.
func (r kindRow) bundled() bool { return r.optional() && !r.bundles() }

// reminds reports whether a mail repeats what an earlier one was about.
func (r kindRow) reminds() bool { return r.begins != nil }

// told reports whether a mail is about a table, but nothing there called for it.
func (r kindRow) told() bool { return r.write == nil && !r.optional() }

// notAsked returns why a table no longer asks what a mail tells.
func notAsked(n Notice, look desk.Look) string { return string(look.Stale(n.ask())) }
