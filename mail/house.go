package mail

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"posthorn/domain"
)

// Stranger is somebody who wrote to the address that mails are sent from, and is told what it is.
type Stranger struct {
	Person  domain.PersonID `json:"-"` // "" if they are nobody of this house
	Address string          `json:"address"`
	Lang    string          `json:"lang"`              // as a browser or a mail program asks for one
	Message string          `json:"message,omitempty"` // their mail's Message-ID, without angle brackets
}

// errTold ends the transaction for somebody who was told before.
var errTold = errors.New("told before")

// TellOnce queues the letter that says what the address is, unless one of the keys, which are like an answer's, was
// used before.
func (o *Outbox) TellOnce(ctx context.Context, keys []string, s Stranger) (told bool, err error) {
	secret, err := json.Marshal(s)
	if err != nil {
		return false, fmt.Errorf("a letter about the house: %w", err)
	}
	n := Notice{Kind: KindHouse, Person: s.Person, Secret: secret}
	if err := n.Head.UnmarshalText([]byte(keys[0])); err != nil {
		return false, fmt.Errorf("key of a letter about the house: %w", err)
	}
	err = o.change(ctx, "a letter about the house", func(tx *sql.Tx) error {
		for _, key := range keys {
			fresh, err := o.reply(ctx, tx, key, Answer{Person: s.Person, Outcome: string(KindHouse)})
			if err == nil && !fresh {
				err = errTold
			}
			if err != nil {
				return err
			}
		}
		return o.add(ctx, tx, n)
	})
	if errors.Is(err, errTold) {
		return false, nil
	}
	o.rouse()
	return err == nil, err
}

// strangerOf returns whom a letter about the house goes to.
func strangerOf(n Notice) (s Stranger, ok bool) {
	return s, n.Kind == KindHouse && json.Unmarshal(n.Secret, &s) == nil
}

// house tells what the address is, how to reach a game and those who run the house.
func (c *Composer) house(_ context.Context, l Letter, r Recipient) (content, []inline, error) {
	s, _ := strangerOf(l.Notice)
	p := c.Book.Printer(r.Lang, "", nil)
	head := p.Text("mail.house.headline")
	body := content{Lang: p.Lang(), Subject: p.Text("mail.house.subject"), Headline: head, Preheader: head,
		InReplyTo: s.Message, Intro: []string{p.Text("mail.house.intro"), p.Text("mail.house.play")},
		Button: link{p.Text("mail.house.button"), strings.TrimSuffix(c.Links.Base, "/") + "/"}}
	if s.Person == "" {
		body.Intro = append(body.Intro, p.Text("mail.house.unknown"))
	}
	if len(c.Hosts) > 0 {
		body.Intro = append(body.Intro, p.Text("mail.house.host", "who", strings.Join(c.Hosts, ", ")))
	}
	return body, nil, nil
}
