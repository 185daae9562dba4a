package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	nethttp "net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/setup"
	"posthorn/domain"
	"posthorn/events/people"
	"posthorn/events/sqlite"
	"posthorn/mail"
	"posthorn/mail/sign"
)

type doctorCmd struct {
	house.Settings
	To   string `placeholder:"ADDRESS" help:"Send a test mail to this address, past the queue."`
	File string `name:"settings" placeholder:"FILE" help:"Read the environment variables in this file, which setup wrote; flags count before them."`
}

// BeforeReset reads the file of --settings before the variables are looked at.
func (doctorCmd) BeforeReset(ctx *kong.Context) error {
	for _, p := range ctx.Path {
		if p.Flag == nil || p.Flag.Name != "settings" {
			continue
		}
		path, _ := ctx.FlagValue(p.Flag).(string)
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("--settings: %w", err)
		}
		env, err := setup.ReadEnvironment(path)
		if err == nil {
			err = takesOn(env)
		}
		if err != nil {
			return fmt.Errorf("--settings: %w", err)
		}
	}
	return nil
}

// Help returns the long help of the sub-command.
func (doctorCmd) Help() string {
	return `Looks whether mails go out, and says what is wrong and what to do. Give it the settings that
"serve" is given: the file that "setup" wrote (--settings /etc/posthorn.env), flags, or
environment variables; the server may be running. It ends with 0
if it found nothing wrong, and with 1 if it did.`
}

// health is the state of something that was checked.
type health string

const (
	well  health = "ok"
	worth health = "note"  // worth knowing or setting up
	wrong health = "WRONG" // keeps mails or pages from people
)

// finding is one thing found out about a house.
type finding struct {
	how  health
	text string
}

func (f finding) prints(con console.Console) {
	fmt.Fprintf(con.Out, "%-5s  %s\n", f.how, strings.ReplaceAll(f.text, "\n", "\n       "))
}

// Run checks everything and prints its findings.
func (c *doctorCmd) Run(ctx context.Context, con console.Console) error {
	within, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	checks := []func(context.Context) ([]finding, error){c.files, c.disk, c.games, c.queue, c.server, c.inbound,
		c.roundTrip, c.forged, c.dns, c.pages, c.time, c.test}
	ill, said := 0, map[finding]bool{}
	for _, check := range checks {
		found, err := check(within)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			found = append(found, finding{wrong, err.Error()})
		}
		for _, f := range found {
			if said[f] {
				continue // by another check of the same file
			}
			said[f] = true
			f.prints(con)
			if f.how == wrong {
				ill++
			}
		}
	}
	if ill > 0 {
		return console.Fails(1, "%d of these keep mails or pages from people", ill)
	}
	return nil
}

// files reads the house's files through.
func (c *doctorCmd) files(ctx context.Context) (out []finding, err error) {
	faults, err := folder.Examine(ctx, c.Data)
	ill := false
	for _, f := range faults {
		how := wrong
		if !f.Grave() {
			how = worth
		}
		out, ill = append(out, finding{how, f.Text}), ill || f.Grave()
	}
	gone, failed := folder.Empty(filepath.Join(c.Data, "events.db"))
	if err = errors.Join(err, failed); err != nil || ill || gone {
		return out, err
	}
	offline, err := folder.OpenOffline(ctx, c.Data, false)
	if err != nil {
		return out, err
	}
	if err := errors.Join(folder.Together(ctx, c.Data, offline), offline.Log.Close()); err != nil {
		return out, err
	}
	return append(out, finding{well, "the files of the house are whole, and belong together"}), nil
}

// disk tries whether the disk takes anything.
func (c *doctorCmd) disk(context.Context) ([]finding, error) {
	if _, err := os.Stat(c.Data); err != nil {
		return nil, nil // nothing is kept there yet
	}
	if err := house.TryWriting(c.Data); err != nil {
		return []finding{{wrong, fmt.Sprintf(
			"writes: stopped. Nothing can be stored in %s, though what is there can be read: make room, "+
				"or see what is wrong with the disk; the program goes on by itself then (%v)", c.Data, err)}}, nil
	}
	return []finding{{well, "the disk takes what is written"}}, nil
}

// games names the games in play that began under an earlier edition of their rules, and says what becomes of them.
func (c *doctorCmd) games(ctx context.Context) (out []finding, err error) {
	if gone, err := folder.Empty(filepath.Join(c.Data, "events.db")); err != nil || gone {
		return nil, nil // the look at the files says so
	}
	var older []string
	err = folder.WhileOffline(ctx, c.Data, false, func(offline folder.Offline) error {
		for after := uint64(0); ; {
			recs, err := offline.Log.Read(ctx, after, 1000)
			if err != nil || len(recs) == 0 {
				return err
			}
			for i := range recs {
				if !house.BeganEarlier(&recs[i]) {
					continue
				}
				look, err := offline.Desk.Look(ctx, recs[i].Stream)
				if err == nil && look.Table.Status == domain.TableStarted {
					older = append(older, recs[i].Stream.String())
				}
			}
			after = recs[len(recs)-1].Pos
		}
	})
	if err != nil || len(older) == 0 {
		return nil, err
	}
	return []finding{{worth, fmt.Sprintf(
		"games in play that began under an earlier edition of their rules: %d. They are played "+
			"on by today's, and their "+
			"players are told that luck and legality of their records cannot be checked\n%s", len(older),
		strings.Join(older, "\n"))}}, nil
}

func (c *doctorCmd) queue(ctx context.Context) (out []finding, err error) {
	gone, err := folder.Empty(filepath.Join(c.Data, "mail.db"))
	if err != nil {
		return nil, nil // the look at the files says so
	}
	if gone {
		return []finding{{worth, "there is no mail queue in " + c.Data + " yet: the first start makes it"}}, err
	}
	err = inQueue(ctx, c.Data, func(queue *mail.Outbox) error {
		for _, look := range []func(context.Context, string, *mail.Outbox) ([]finding, error){queueStands, queueFailed,
			queueUnreachable} {
			found, err := look(ctx, c.Data, queue)
			if err != nil {
				return err
			}
			out = append(out, found...)
		}
		if queue.Fresh {
			out = append(out, finding{wrong, house.AnewNote})
		}
		return nil
	})
	return out, err
}

// queueStands reports whether the whole queue waits, and what waits in it.
func queueStands(ctx context.Context, _ string, queue *mail.Outbox) ([]finding, error) {
	s, err := queue.Standing(ctx)
	if err != nil {
		return nil, err
	}
	waits := fmt.Sprintf("letters: %d, due: %d", s.Letters+s.Later, s.Letters)
	if s.Letters == 0 {
		waits = fmt.Sprintf("letters: %d, none due", s.Later)
	}
	if s.SignIns > 0 {
		waits += fmt.Sprintf(", of them sign-ins: %d", s.SignIns)
	}
	if len(s.Tables) > 0 {
		waits += fmt.Sprintf(", about %d tables: %s", len(s.Tables), s.Names())
	}
	if s.Held > 0 {
		waits += fmt.Sprintf("; held: at the table: %d", s.Held)
	}
	if !s.Stopped() {
		return []finding{{well, "the mail queue goes on; " + waits}}, nil
	}
	return []finding{{wrong, fmt.Sprintf(
		"the mail server has taken no mail since %s, and all letters wait: %s\n%s\nit was tried %d times, "+
			"and is tried again at %s",
		minute(s.Since), s.Why, waits, s.Tries, minute(s.Next))}}, nil
}

// queueFailed lists letters that failed for good.
func queueFailed(ctx context.Context, _ string, queue *mail.Outbox) ([]finding, error) {
	failed, err := queue.Failed(ctx)
	if err != nil || len(failed) == 0 {
		return nil, err
	}
	text := fmt.Sprintf("%d letters failed for good; \"posthorn mail resend NUMBER…\" sends them again:", len(failed))
	for _, l := range failed {
		text += fmt.Sprintf("\n%6d  %s: %s", l.ID, l.Summary(), l.Note)
	}
	return []finding{{worth, text}}, nil
}

// queueUnreachable lists the people whose mails come back.
func queueUnreachable(ctx context.Context, data string, queue *mail.Outbox) ([]finding, error) {
	all, err := queue.Unreachable(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	text := fmt.Sprintf("the mails of %d people come back; their seats say so; \"posthorn mail reach "+
		"ADDRESS\" once it is mended:", len(all))
	err = ofPeople(ctx, data, func(store *people.Store) error {
		for _, r := range all {
			p, err := store.Person(ctx, r.Person)
			if err != nil && !errors.Is(err, people.ErrNobody) {
				return err
			}
			text += fmt.Sprintf("\n%s since %s: %s", p.Address, minute(r.Since), strings.TrimSpace(r.Status+" "+r.Why))
		}
		return nil
	})
	return []finding{{worth, text}}, err
}

func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// server signs in to the mail server and disconnects.
func (c *doctorCmd) server(ctx context.Context) ([]finding, error) {
	if c.SMTP == "" {
		return []finding{{worth, "no --smtp: the built-in mailbox catches every mail, and nobody else gets one"}}, nil
	}
	tr, err := mail.NewSMTP(c.SMTP, house.HelloOf(c.From), 1)
	if err != nil {
		return nil, fmt.Errorf("--smtp: %w", err)
	}
	if err := tr.Try(ctx); err != nil {
		return nil, fmt.Errorf("the mail server: %w", err)
	}
	return []finding{{well, "the mail server greets, and lets us in"}}, nil
}

// httpWait is how long a page may take.
const httpWait = 20 * time.Second

// pages requests a page from the public address, and compares this machine's clock with that server's.
func (c *doctorCmd) pages(ctx context.Context) ([]finding, error) {
	if c.PublicURL == "" {
		return []finding{{worth, "no --public-url: mails name the address of --listen, which " +
			"only this machine can reach"}}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, httpWait)
	defer cancel()
	req, err := nethttp.NewRequestWithContext(ctx, nethttp.MethodGet, strings.TrimSuffix(c.PublicURL, "/")+"/", nil)
	if err != nil {
		return nil, fmt.Errorf("--public-url: %w", err)
	}
	resp, err := nethttp.DefaultClient.Do(req)
	if err != nil {
		hint := ""
		if c.TLS == "auto" {
			hint = "\nwith --tls auto: the program's log and the host's page say why there is no certificate; the " +
				"name must lead to this machine, and port 443 be reached from everywhere"
		}
		return nil, fmt.Errorf("the public address: %w%s", err, hint)
	}
	page, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return nil, fmt.Errorf("the public address: %w", err)
	}
	if resp.StatusCode != nethttp.StatusOK || !strings.Contains(string(page), "Posthorn") {
		return []finding{{wrong, fmt.Sprintf(
			"%s answers %q, and not with the front page of Posthorn: see that the web server passes it on", c.PublicURL,
			resp.Status)}}, nil
	}
	out := append([]finding{{well, "the public address leads to the pages"}}, secureEnough(resp, time.Now())...)
	if at, err := nethttp.ParseTime(resp.Header.Get("Date")); err == nil {
		if off := time.Since(at); off.Abs() > 2*time.Minute {
			out = append(out, finding{wrong,
				fmt.Sprintf("this machine's clock and that of the public address are %s apart",
					off.Round(time.Second))})
		}
	}
	return out, nil
}

// mostLeft is how long before its expiry a certificate should have been renewed. autocert renews 30 days before, others
// a week before at the latest.
const mostLeft = 7 * 24 * time.Hour

// secureEnough checks the certificate of the public address, whoever answers there, and whether browsers are told to
// use https only.
func secureEnough(resp *nethttp.Response, now time.Time) (out []finding) {
	if resp.TLS == nil || len(resp.TLS.PeerCertificates) == 0 {
		return nil
	}
	c := resp.TLS.PeerCertificates[0]
	if left := c.NotAfter.Sub(now); left < mostLeft {
		out = append(out, finding{wrong,
			fmt.Sprintf("the certificate of the public address ends at %s and was not renewed: whoever answers "+
				"there (--tls auto, or the web server) must be able to renew it; its log says why it does not",
				minute(c.NotAfter))})
	} else {
		out = append(out, finding{well,
			fmt.Sprintf("its certificate, of %s, is good until %s", c.Issuer.CommonName, minute(c.NotAfter))})
	}
	if resp.Header.Get("Strict-Transport-Security") == "" {
		out = append(out, finding{worth,
			"the web server in front takes Strict-Transport-Security away, which tells " +
				"browsers to come by https alone"})
	}
	return out
}

// time compares this machine's clock with the newest event.
func (c *doctorCmd) time(ctx context.Context) (out []finding, err error) {
	path := filepath.Join(c.Data, "events.db")
	if gone, err := folder.Empty(path); err != nil || gone {
		return nil, err
	}
	log, err := sqlite.OpenReadOnly(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	last, err := log.Last(ctx)
	if err != nil || last == 0 {
		return nil, err
	}
	recs, err := log.Read(ctx, last-1, 1)
	if err != nil || len(recs) == 0 {
		return nil, err
	}
	if ahead := time.Until(recs[0].At); ahead > time.Minute {
		return []finding{{wrong, fmt.Sprintf(
			"the newest event is of %s, which is %s from now by this machine's clock: set the clock right",
			minute(recs[0].At), ahead.Round(time.Second))}}, nil
	}
	return []finding{{well, "the clock is not behind the log: it is " + minute(time.Now())}}, nil
}

func (c *doctorCmd) signer() (*sign.Signer, error) {
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return nil, fmt.Errorf("the data folder: %w", err)
	}
	return sign.Open(c.Data, house.HelloOf(c.From))
}

// test sends a mail, if an address was given.
func (c *doctorCmd) test(ctx context.Context) ([]finding, error) {
	if c.To == "" || c.SMTP == "" {
		return nil, nil
	}
	answer, err := c.sends(ctx, c.To, mail.Test)
	if err != nil {
		return nil, fmt.Errorf("the test mail: %w", err)
	}
	return []finding{{well, fmt.Sprintf("the mail server took a test mail to %s: %s", c.To, answer)}}, nil
}

// sends sends a test mail past the queue, as letters are sent, and returns the mail server's answer.
func (c *doctorCmd) sends(ctx context.Context, to string,
	write func(from, to string, at time.Time) ([]byte, error)) (answer string, err error) {
	tr, err := mail.NewSMTP(c.SMTP, house.HelloOf(c.From), 1)
	if err != nil {
		return "", fmt.Errorf("--smtp: %w", err)
	}
	defer func() { err = errors.Join(err, tr.Close()) }()
	message, err := write(c.From, to, time.Now())
	if err != nil {
		return "", err
	}
	if c.DKIM {
		signer, err := c.signer()
		if err != nil {
			return "", err
		}
		if message, err = signer.Sign(message); err != nil {
			return "", err
		}
	}
	return tr.Send(ctx, c.From, to, message)
}
