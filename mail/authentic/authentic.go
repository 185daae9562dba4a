// Package authentic judges whether a mail is its writer's: by the DKIM signatures that it carries (RFC 6376), checked
// here or by the host's own mail server (RFC 8601). What must not live here: whose mails are asked about, and what they
// say.
package authentic

import (
	"slices"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"
)

// Mail is what a mail shows of its writer.
type Mail struct {
	From       string    // the one address that it is from, in lower case; "" if it names none, or several
	Single     bool      // it has one From and one Date, and no header twice that a signature must cover
	Date       time.Time // zero for none that can be read
	To, Cc     []string  // its recipients, in lower case
	Answers    string    // the Message-ID in its In-Reply-To, without angle brackets
	Signatures []Signature
}

// Signature is a DKIM signature of a mail.
type Signature struct {
	Domain   string   // who signs, in lower case
	Covers   []string // the headers that it covers, in lower case
	ID       string   // names it: the signature and the hash of the body
	Verified bool
	Seen     bool  // another mail had it
	Fault    error // DNS did not say whether it verifies; nil if it did
}

// Letter is what a mail answers.
type Letter struct {
	Address string    // which answers to it go to
	Written time.Time // no later than it was
	Named   bool      // the mail's In-Reply-To is a letter to the same person about the same table
	Quoted  bool      // the mail's body has the letter's mark
	// House reports whether mail to an address comes to this house; nil if that does not matter.
	House func(address string) bool
}

// Writer is the person whose mail it should be.
type Writer struct {
	Address string   // one of theirs, as the house knows it
	Domains []string // which sign their mails from this From, as earlier ones have shown; "" alone: none does
}

// Verdict is what to do with a mail.
type Verdict string

// The verdicts.
const (
	Acts  Verdict = "acts"  // it is its writer's
	Asks  Verdict = "asks"  // its writer is to be asked
	Waits Verdict = "waits" // nobody knows yet: it is to come again
)

// slow is how far the clock of a writer's program may be behind.
const slow = 10 * time.Minute

// fresh is how old a mail may be that answers no letter.
const fresh = 24 * time.Hour

// patience is how long a mail comes again whose signature cannot be checked; then its writer is asked.
const patience = time.Hour

// Judge judges a mail that comes in now as an answer to a letter. by is the signature that proves it or, if its writer
// is to be asked, one that would if they said that its domain signs for them; zero for none.
func Judge(m Mail, l Letter, w Writer, now time.Time) (v Verdict, by Signature) {
	if m.From == "" || !m.Single {
		return Asks, by
	}
	own := strings.EqualFold(m.From, w.Address)
	v = Asks
	for _, s := range m.Signatures {
		if !s.Verified && s.Fault == nil || s.Seen || !s.binds(m, l) {
			continue
		}
		theirs := slices.Contains(w.Domains, s.Domain) || own && aligned(s.Domain, m.From)
		switch {
		case theirs && s.Verified:
			return Acts, s
		case theirs && now.Sub(m.Date) < patience:
			v, by = Waits, s
		case s.Verified && v == Asks && by.Domain == "":
			by = s
		}
	}
	if m.Unsigned() && own && slices.Equal(w.Domains, []string{""}) {
		return Acts, Signature{}
	}
	return v, by
}

// Proves reports whether a mail that comes in now is its writer's, whatever it answers.
func (m Mail) Proves(w Writer, now time.Time) bool {
	v, _ := Judge(m, Letter{Written: now.Add(-fresh), Quoted: true}, w, now)
	return v == Acts
}

// Unsigned reports whether nobody who could claims to have signed a mail.
func (m Mail) Unsigned() bool {
	return !slices.ContainsFunc(m.Signatures, func(s Signature) bool { return aligned(s.Domain, m.From) })
}

// binds reports whether a signature covers who wrote a mail, when, and what it answers: a signed mail that its writer
// sent to somebody else must be no answer of theirs.
func (s Signature) binds(m Mail, l Letter) bool {
	covers := func(name string) bool { return slices.Contains(s.Covers, name) }
	switch {
	case !covers("from") || !covers("date") || m.Date.Before(l.Written.Add(-slow)):
		return false
	case l.House != nil && !slices.ContainsFunc(s.recipients(m), l.House):
		return false
	case l.Quoted, l.Named && covers("in-reply-to"):
		return true
	}
	return covers("to") && slices.ContainsFunc(m.To, func(to string) bool { return strings.EqualFold(to, l.Address) })
}

// recipients returns those that a signature covers; a provider that signs no To is believed what the mail shows.
func (s Signature) recipients(m Mail) (to []string) {
	if slices.Contains(s.Covers, "to") && !slices.Contains(s.Covers, "cc") {
		return m.To
	}
	return slices.Concat(m.To, m.Cc)
}

// aligned reports whether a domain is that of an address, or of the same organisation (RFC 7489, section 3.1).
func aligned(domain, address string) bool {
	from := address[strings.LastIndexByte(address, '@')+1:]
	return strings.EqualFold(domain, from) || organisation(domain) != "" && organisation(domain) == organisation(from)
}

// organisation returns the domain that an organisation has registered, or "".
func organisation(domain string) string {
	o, err := publicsuffix.EffectiveTLDPlusOne(strings.TrimSuffix(strings.ToLower(domain), "."))
	if err != nil {
		return ""
	}
	return o
}
