package mail

import (
	"crypto/sha256"
	"fmt"
	"net/mail"
	"net/url"
	"strings"

	"posthorn/events/pass"
)

// maxLocal is the most characters before the @ of an address (RFC 5321, section 4.5.3.1.1).
const maxLocal = 64

// youngLog is the position up to which a log is that of some friends.
const youngLog = 1<<21 - 1

// ErrReplyTo is returned for an address that cannot take answers.
var ErrReplyTo = fmt.Errorf("write it as games@example.org, with at most %d letters and digits before the @ and no +",
	maxLocal-pass.ReplyLen(youngLog)-1)

// CheckReplyTo checks that a token fits between the part of an address before its @ and its domain, in a house whose
// log goes up to a position. It returns ErrReplyTo if not. A token that does not fit after all gives its letter no
// address for answers.
func CheckReplyTo(address string, last uint64) error {
	a, err := mail.ParseAddress(address)
	if err != nil || a.Address != address || a.Name != "" {
		return ErrReplyTo
	}
	local, _, _ := strings.Cut(address, "@")
	if len(local)+1+pass.ReplyLen(max(last, youngLog)) > maxLocal || strings.ContainsAny(local, "+\"\\ ") {
		return ErrReplyTo
	}
	return nil
}

// consonants are what marks are made of: they spell no word, and are no move.
const consonants = "bcdfghjklmnpqrst"

// ReplyMark returns what a letter's text says of the address that answers to it go to, which the token makes: an answer
// that quotes it answers that letter.
func ReplyMark(token string) string {
	sum := sha256.Sum256([]byte("mark of a letter " + strings.ToLower(token)))
	mark := make([]byte, 12)
	for i := range mark {
		mark[i] = consonants[sum[i]&15]
	}
	return string(mark)
}

// fits reports whether an address is none that mail servers may refuse for its length.
func fits(address string) bool { return strings.IndexByte(address, '@') <= maxLocal }

// ReplyAddress returns an address with a token: the part after the + is for this program, and mail servers ignore it.
func ReplyAddress(base, token string) string {
	local, host, _ := strings.Cut(base, "@")
	return local + "+" + token + "@" + host
}

// begins gives what may be answered to a mail with a subject links that begin such an answer.
func (c *content) begins(subject string) {
	if c.ReplyTo == "" {
		return
	}
	escaped := func(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
	local, host, _ := strings.Cut(c.ReplyTo, "@")
	answer := "mailto:" + escaped(local) + "@" + host + "?subject=" + escaped("Re: "+subject) + "&body="
	for i := range c.Typed {
		t := &c.Typed[i]
		t.Mail = answer + escaped(strings.TrimSuffix(t.Write, "…"))
		for j := range t.Also {
			t.Also[j].URL = answer + escaped(t.Also[j].Label)
		}
	}
}
