package mail

import (
	"context"
	"crypto/sha256"
	"errors"
	"strings"
	"time"

	"posthorn/events"
)

// Post is what the browser's door asks of this one.
type Post struct{ Outbox *Outbox }

// SignIn mails a sign-in link to an address, which need not be anybody's yet. The token is
// the text of the link; it is sealed in the queue and wiped when the mail is sent.
func (p Post) SignIn(ctx context.Context, address, token, lang string) error {
	if strings.ContainsAny(address+token+lang, "\r\n") {
		return errors.New("a sign-in mail of several lines")
	}
	return p.Outbox.Want(ctx, 0, Notice{Kind: KindSignIn, Secret: []byte(lang + "\n" + address + "\n" + token),
		Head: events.Hash(sha256.Sum256([]byte("sign-in " + token)))})
}

// signInOf reads what SignIn put into a notice.
func signInOf(n Notice) (r Recipient, token string, ok bool) {
	f := strings.Split(string(n.Secret), "\n")
	if len(f) != 3 {
		return r, "", false
	}
	return Recipient{Lang: f[0], Name: f[1], Address: f[1], Zone: time.UTC, Wants: func(Kind) bool { return true }}, f[2], true
}
