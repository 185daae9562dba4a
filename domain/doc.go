// Package domain holds the rules of the house and the contract every game obeys.
//
// It is pure: no I/O, no clock, no goroutine, and no chance but the [Luck] that
// is handed in. What lives here: the [Rulebook] contract and its values, the
// [Line] (one stream of play, folded), the [Table] (the people around a game,
// their consent, invitations and endings) and [Luck] itself. The games live in
// folders of their own below this one and are registered in domain/rulebooks.
//
// What may not live here: addresses and names of people, databases, mail, pages,
// and sentences. The domain speaks in values ([Say], [Refusal]); the catalogues
// beside each rulebook turn them into a language.
package domain
