package mail

import (
	"fmt"
	"net/mail"
	"strings"

	"posthorn/events/pass"
)

// maxLocal is the most characters before the @ of an address (RFC 5321, section 4.5.3.1.1).
const maxLocal = 64

// ErrReplyTo is returned for an address that cannot take answers.
var ErrReplyTo = fmt.Errorf("write it as games@example.org, with at most %d letters and digits before the @ and no +", maxLocal-pass.MaxReply-1)

// CheckReplyTo checks that a token fits between the part of an address before its @ and its domain. It returns
// ErrReplyTo if not.
func CheckReplyTo(address string) error {
	a, err := mail.ParseAddress(address)
	if err != nil || a.Address != address || a.Name != "" {
		return ErrReplyTo
	}
	local, _, _ := strings.Cut(address, "@")
	if len(local)+1+pass.MaxReply > maxLocal || strings.ContainsAny(local, "+\"\\ ") {
		return ErrReplyTo
	}
	return nil
}

// replyAddress returns an address with a token: the part after the + is for this program, and mail servers ignore it.
func replyAddress(base, token string) string {
	local, host, _ := strings.Cut(base, "@")
	return local + "+" + token + "@" + host
}
