package pass

import (
	"encoding/base32"

	"posthorn/domain"
	"posthorn/events"
)

var base32lower = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// MessageID returns the Message-ID, with its angle brackets, of the mail about a decision to a person: the same for
// the same facts and kind of mail, different for everything else.
func (m *Maker) MessageID(f Facts, kind, host string) (string, error) {
	f.Epoch, f.Expires = 0, Facts{}.Expires
	all, err := f.encode()
	if err != nil {
		return "", err
	}
	return m.id("t", host, all, []byte(kind)), nil
}

// ThreadID returns the id, with its angle brackets, that all mails of a table to a person refer to. No mail need have
// it.
func (m *Maker) ThreadID(table events.Name, person domain.PersonID, host string) string {
	return m.id("g", host, table[:], []byte(person))
}

func (m *Maker) id(kind, host string, fields ...[]byte) string {
	sum := mac(m.secret, "message "+kind, fields...)
	return "<" + kind + "." + base32lower.EncodeToString(sum[:20]) + "@" + host + ">"
}
