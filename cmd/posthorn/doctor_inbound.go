package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/emersion/go-smtp"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/events/watch"
	"posthorn/mail"
	"posthorn/mail/authentic"
	"posthorn/mail/inbound"
)

// inbound connects to the door for answers and bounces, as a mail server would.
func (c *doctorCmd) inbound(ctx context.Context) ([]finding, error) {
	if c.Inbound == "" && c.SMTP == "" {
		return []finding{{worth, "no --inbound: mails are answered on the page of the built-in mailbox alone"}}, nil
	}
	if c.Inbound == "" {
		return []finding{{worth, "no --inbound: mails cannot be answered, and what comes back goes to " + c.From}}, nil
	}
	if c.AtProvider() {
		return c.mailbox(ctx)
	}
	u, err := url.Parse(c.Inbound)
	if err != nil || u.Scheme != "lmtp" && u.Scheme != "smtp" {
		return nil, fmt.Errorf("--inbound: %w", inbound.ErrAddress)
	}
	network, at := "unix", u.Path
	if u.Host != "" {
		host, port, err := net.SplitHostPort(u.Host)
		if err != nil {
			return nil, fmt.Errorf("--inbound: %w", inbound.ErrAddress)
		}
		if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
			host = "localhost"
		}
		network, at = "tcp", net.JoinHostPort(host, port)
	}
	ctx, cancel := context.WithTimeout(ctx, httpWait)
	defer cancel()
	wire, err := (&net.Dialer{}).DialContext(ctx, network, at)
	if err != nil {
		return nil, fmt.Errorf("nobody takes mails at --inbound (is the house running?): %w", err)
	}
	defer context.AfterFunc(ctx, func() { _ = wire.Close() })()
	client := smtp.NewClient(wire)
	if u.Scheme == "lmtp" {
		client = smtp.NewClientLMTP(wire)
	}
	err = client.Hello("localhost")
	if err == nil {
		err = client.Quit()
	}
	if err = errors.Join(err, ignoreClosed(client.Close())); err != nil {
		return nil, fmt.Errorf("at --inbound answers something else than this house: %w", err)
	}
	return append([]finding{{well, "mails can come in at " + c.Inbound}}, c.proofs(ctx, net.DefaultResolver)), nil
}

// mailbox signs in to the mailbox at a provider, as the house does.
func (c *doctorCmd) mailbox(ctx context.Context) ([]finding, error) {
	a, err := c.Account()
	if err != nil {
		return nil, err
	}
	found, err := a.Try(ctx)
	if err != nil {
		return nil, fmt.Errorf("--inbound: %w", err)
	}
	how := "its server tells of new mails at once"
	if !found.Idle {
		how = "its server does not tell of new mails, and is asked every few seconds"
	}
	out := []finding{{well, fmt.Sprintf("mails can come in by the folder %s of %s; %s", a.Folder, a.User, how)}}
	if a.Handled != "" && !found.Moves {
		out = append(out, finding{worth, "its server cannot move one mail without touching others: handled mails " +
			"stay where they are, marked as read"})
	}
	return append(out, c.proofs(ctx, net.DefaultResolver)), nil
}

// proofs says what proves that an answer by mail is its person's.
func (c *doctorCmd) proofs(ctx context.Context, dns authentic.Resolver) finding {
	if c.AnySender {
		return finding{worth, "--any-sender: whoever knows the address that a mail is answered to plays in its " +
			"reader's name; without it an answer must be signed or confirmed"}
	}
	_, err := dns.LookupTXT(ctx, house.HelloOf(c.From))
	var missing *net.DNSError
	switch {
	case err != nil && (!errors.As(err, &missing) || !missing.IsNotFound):
		return finding{worth, "DNS does not say who signs mails: a signed answer waits for up to an hour, then its " +
			"writer is asked whether it is theirs: " + err.Error()}
	case c.AuthServ != "":
		return finding{well, "answers are proved by their signatures, as DNS or " + c.AuthServ +
			" finds them; about others their writers are asked"}
	}
	return finding{well, "answers are proved by their signatures, which DNS has the keys for; about others " +
		"their writers are asked"}
}

// Bounds on trying whether an answer comes in.
const (
	tripWait = time.Minute     // how long a mail may be on its way from the mail server into the house
	lately   = 5 * time.Minute // a house that noted so long ago that it is up may be running
)

// roundTrip sends a mail out as letters go, to an address as answers go to, and says whether it comes into the house by
// the door that answers take, and whether an answer like it would be played.
func (c *doctorCmd) roundTrip(ctx context.Context) ([]finding, error) {
	if c.SMTP == "" || c.Inbound == "" {
		return nil, nil
	}
	if up, err := os.Stat(filepath.Join(c.Data, "alive")); err != nil || time.Since(up.ModTime()) > lately {
		return []finding{{worth, "the house is not running, so it was not tried whether an answer comes in"}}, nil
	}
	keys, err := folder.ReadKey(c.Data)
	if err != nil {
		return nil, err
	}
	var mark [4]byte
	_, _ = rand.Read(mark[:])
	within, cancel := context.WithTimeout(ctx, tripWait)
	defer cancel()
	began := time.Now()
	to := mail.NewReturnAddress(cmp.Or(c.ReplyTo, c.From), keys).Try(mark)
	if _, err := c.sends(within, to, mail.TestAnswer(house.TriedMove)); err != nil {
		return nil, fmt.Errorf("a mail to an address that answers go to could not be sent: %w", err)
	}
	for watch.Pause(within, tripWait/600) == nil {
		switch got := folder.ReadTried(c.Data); {
		case got.Mark != hex.EncodeToString(mark[:]):
		case got.Unplayed != "":
			return []finding{{wrong, fmt.Sprintf("a mail to an address that answers go to came in after %s, and its "+
				"move could not be played: %s. Does something on its way change what mails say?",
				time.Since(began).Round(time.Second/10), got.Unplayed)}}, nil
		case got.Believed:
			return []finding{{well, fmt.Sprintf("an answer came in after %s, signed, and its move was played at a "+
				"table in memory: such an answer is played at once", time.Since(began).Round(time.Second/10))}}, nil
		default:
			return []finding{{worth, fmt.Sprintf("an answer came in after %s, and its move was played at a "+
				"table in memory; no signature proves whose it is: about such an answer its writer is asked",
				time.Since(began).Round(time.Second/10))}}, nil
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	local, host, _ := strings.Cut(cmp.Or(c.ReplyTo, c.From), "@")
	return []finding{{wrong, fmt.Sprintf("a mail to an address that answers go to, %s+…@%s, has not come in after %s: "+
		"does whoever takes mails for %s take those with a + as well, and hand them over there? It may also lie in "+
		"another folder (spam)", local, host, tripWait, host)}}, nil
}

// ignoreClosed returns err, or nil if it says that the connection is closed.
func ignoreClosed(err error) error {
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
