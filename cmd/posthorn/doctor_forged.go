package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"time"

	"github.com/emersion/go-smtp"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/events/watch"
	"posthorn/mail"
)

// forgedWait is how long a forged mail may be on its way through the host's own mail server.
const forgedWait = 20 * time.Second

// forged tries whether the mail server whose word is taken (--authserv-id) lets that word come in with a mail.
func (c *doctorCmd) forged(ctx context.Context) ([]finding, error) {
	if c.AuthServ == "" || c.Inbound == "" {
		return nil, nil
	}
	if gone, err := folder.Empty(filepath.Join(c.Data, "server.key")); gone || err != nil {
		return nil, err
	}
	domain := house.HelloOf(cmp.Or(c.ReplyTo, c.From))
	doors, err := net.DefaultResolver.LookupMX(ctx, domain)
	if err != nil || len(doors) == 0 {
		text := fmt.Sprintf("DNS names no mail server for %s, so no forged mail was sent through it: %v", domain, err)
		return []finding{{worth, text}}, nil
	}
	f, err := c.forges(ctx, net.JoinHostPort(strings.TrimSuffix(doors[0].Host, "."), "25"))
	return []finding{f}, err
}

// forges sends a forged mail through a mail server to the house, and says whether the house would believe it.
func (c *doctorCmd) forges(ctx context.Context, through string) (f finding, err error) {
	keys, err := folder.ReadKey(c.Data)
	if err != nil {
		return f, err
	}
	var mark [4]byte
	_, _ = rand.Read(mark[:])
	to := mail.NewReturnAddress(cmp.Or(c.ReplyTo, c.From), keys).Try(mark)
	within, cancel := context.WithTimeout(ctx, forgedWait)
	defer cancel()
	err = sends(within, through, c.From, to, mail.Forgery(c.AuthServ, c.From, to, time.Now()))
	var no *smtp.SMTPError
	switch {
	case errors.As(err, &no) && !no.Temporary():
		return finding{well, "the mail server refuses a mail that forges what it finds: " + no.Message}, nil
	case err != nil:
		return finding{worth, fmt.Sprintf("no forged mail could be sent through %s: %v", through, err)}, nil
	}
	for watch.Pause(within, forgedWait/200) == nil {
		switch got := folder.ReadTried(c.Data); {
		case got.Mark != hex.EncodeToString(mark[:]):
		case got.Believed:
			return finding{wrong, fmt.Sprintf(
				"a forged mail was believed: it came through %s with “Authentication-Results: %s” "+
					"of its own. Let that server take such lines out and put its own name into Received, or "+
					"leave out --authserv-id; "+
					"until then whoever sees the address that a mail is answered to plays in its reader's name",
				through,
				c.AuthServ)}, nil
		default:
			return finding{well, fmt.Sprintf("a mail that forges what %s finds came through %s, and is not believed",
				c.AuthServ, through)}, nil
		}
	}
	return finding{worth, fmt.Sprintf("a forged mail sent through %s has not come in after %s: it may be put off, "+
		"or the house is not running", through, forgedWait)}, ctx.Err()
}

// sends hands a mail to a mail server, as another one would.
func sends(ctx context.Context, through, from, to string, raw []byte) error {
	wire, err := (&net.Dialer{}).DialContext(ctx, "tcp", through)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = wire.Close() })()
	client := smtp.NewClient(wire)
	err = client.Hello(house.HelloOf(from))
	if err == nil {
		err = client.SendMail(from, []string{to}, strings.NewReader(string(raw)))
	}
	return errors.Join(err, ignoreClosed(client.Close()))
}
