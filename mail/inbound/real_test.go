package inbound_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	netmail "net/mail"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/programtest"
	"posthorn/mail"
	"posthorn/mail/authentic/providertest"
	"posthorn/mail/bounce"
)

// real is a house behind a real mail server, with people who answer from a real mail program.
type real struct {
	*post
	server *mailServer
	which  string // see mutt
}

// newReal opens a house behind a named mail server.
func newReal(t *testing.T, server string) *real {
	t.Helper()
	programtest.Need(t, map[string][]string{"postfix": {"postfix"},
		"opensmtpd": {filepath.Join(opensmtpd(), "usr/sbin/smtpd")}}[server]...)
	programtest.Need(t, "dovecot", "/usr/lib/dovecot/lmtp", "sievec", "mutt", "script")
	p := &post{house: newHouse(t)}
	p.unsigned = true // no program between mutt and Posthorn signs
	p.notifier = &mail.Notifier{Desk: p.Desk, Outbox: p.outbox, Patience: time.Minute}
	r := &real{post: p, server: starts(t, server)}
	machine.people.forget(t)
	r.server.read += len(r.server.log())
	machine.people.read += len(machine.people.said(t))
	returns := mail.NewReturnAddress("games@games.example.org", p.Desk.Keys())
	transport, err := mail.NewSMTP(fmt.Sprintf("smtp://127.0.0.1:%d", r.server.port), "games.example.org", 2)
	require.NoError(t, err)
	p.sender = &mail.Sender{Outbox: p.outbox, Return: returns, Composer: p.composer, Transport: transport,
		Now: p.now.Now, Delays: mail.DefaultDelays,
		GiveUp: mail.DefaultGiveUp, Alarm: func(err error) { t.Errorf("an alarm: %v", err) }}
	machine.house.set(&bounce.Door{Address: returns, Outbox: p.outbox, People: p.people,
		Log: slog.New(slog.DiscardHandler)}, p.door, p.own)
	t.Cleanup(func() {
		r.server.quiet()
		machine.house.set()
		require.NoError(t, transport.Close())
		if t.Failed() {
			t.Logf("the mail server said:\n%s\nand Dovecot:\n%s", r.server.log(), machine.people.said(t))
		}
	})
	return r
}

// onEachServer runs a test behind each mail server.
func onEachServer(t *testing.T, f func(t *testing.T, r *real)) {
	for _, name := range []string{"postfix", "opensmtpd"} {
		t.Run(name, func(t *testing.T) { f(t, newReal(t, name)) })
	}
}

// deliver waits until everything to be mailed has arrived.
func (r *real) deliver(table events.Name) {
	r.T.Helper()
	r.post.deliver(table)
	r.server.quiet()
}

// mailbox returns somebody's mails, in order of arrival.
func (r *real) mailbox(who string) []mail.Parts {
	r.T.Helper()
	return machine.people.mailbox(r.T.(*testing.T), who)
}

func TestAMailServerSendsNothingBackForWhatIsDropped(t *testing.T) {
	onEachServer(t, func(t *testing.T, r *real) {
		ana, bo := r.person("Ana", "en"), r.person("Bo", "en")
		table := r.started(desk.NewTable{Rulebook: "tiny"}, ana, bo)
		r.deliver(table)
		a, err := netmail.ParseAddress(r.mailbox("bo")[0].Header.Get("Reply-To"))
		require.NoError(t, err)
		local, host, _ := strings.Cut(a.Address, "@")
		forged := local[:len(local)-4] + "aaaa@" + host // looks like an address of ours, but is none
		conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", r.server.port))
		require.NoError(t, err)
		c := smtp.NewClient(conn)
		before := len(r.mailbox("ana")) + len(r.mailbox("bo"))
		for _, m := range []struct{ sender, to, head string }{
			{"ana@example.org", forged, ""}, {"bo@example.org", a.Address, "Auto-Submitted: auto-replied\r\n"},
			{"", a.Address, "Content-Type: multipart/report; boundary=x\r\n"},
		} {
			require.NoError(t, c.SendMail(m.sender, []string{m.to},
				strings.NewReader(m.head+string(written("bo@example.org", "x"+m.sender, "keep")))))
		}
		err = c.SendMail("ana@example.org", []string{"games+nonsense@" + host},
			strings.NewReader("Subject: x\r\n\r\nkeep\r\n"))
		var refused *smtp.SMTPError
		require.ErrorAs(t, err, &refused, "what looks like none is refused at once")
		require.Equal(t, 550, refused.Code)
		require.NoError(t, c.Quit())
		r.server.quiet()
		r.deliver(table)
		require.Len(t, append(r.mailbox("ana"), r.mailbox("bo")...), before, "nobody is written to")
		require.NotContains(t, r.server.log(), "status=bounced")
		require.EqualValues(t, 1, r.Sees(table).Line.Version)
	})
}

// A yes to an invitation, and a mail to the address that mails come from, come in as docs/hosting.md says.
func TestAMailWithoutAMoveIsAnsweredThroughAServer(t *testing.T) {
	onEachServer(t, func(t *testing.T, r *real) {
		table := r.invites(r.person("Ana", "en"), r.person("Bo", "en"))
		r.server.quiet()
		r.answers("bo", "yes, I would love to!")
		require.Equal(t, "outcome: answered", outcome(r.log.String()))
		require.Equal(t, domain.TableStarted, r.Sees(table).Table.Status)

		r.deliver(table)
		r.log.Reset()
		before := len(r.mailbox("bo"))
		r.mutt("bo", "<mail>posthorn@games.example.org<enter>hello<enter><send-message>", false, nil)
		r.server.quiet()
		require.Equal(t, "outcome: told", outcome(r.log.String()))
		r.deliver(table)
		require.Len(t, r.mailbox("bo"), before+1)
		require.NotContains(t, r.server.log(), "status=bounced")
	})
}

// A mail server in front hands a signed mail over as it came, so that its signature still proves it.
func TestASignedAnswerComesThroughAServerWhole(t *testing.T) {
	onEachServer(t, func(t *testing.T, r *real) {
		r.unsigned = false
		ana, bob := r.person("Ana", "en"), r.person("Bo", "en")
		require.NoError(t, r.people.ForgetUnsigned(t.Context(), bob, bo))
		table := r.started(desk.NewTable{Rulebook: "tiny", Given: []byte(`{"roller":"A","hands":[17,23]}`)}, ana, bob)
		r.deliver(table)
		letter := r.mailbox("bo")[0]
		to, err := netmail.ParseAddress(letter.Header.Get("Reply-To"))
		require.NoError(t, err)
		head := "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n"
		raw := providertest.Sign(r.mailFrom(bo, to.Address, "signed", head,
			"keep\r\n\r\nsay zażółć gęślą jaźń\r\n.\r\n-- \r\nBo  "), "example.org")
		conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", r.server.port))
		require.NoError(t, err)
		c := smtp.NewClient(conn)
		require.NoError(t, c.Mail(bo, &smtp.MailOptions{Body: smtp.Body8BitMIME}))
		require.NoError(t, c.Rcpt(to.Address, nil))
		w, err := c.Data()
		require.NoError(t, err)
		_, err = w.Write(raw)
		require.NoError(t, errors.Join(err, w.Close(), c.Quit()))
		r.server.quiet()
		require.Equal(t, "outcome: played", outcome(r.log.String()))
	})
}

func TestTheServersAreSetUpAsTheDocumentationSays(t *testing.T) {
	var doc string
	for _, name := range []string{"postfix.conf", "smtpd.conf"} {
		text, err := os.ReadFile("../../docs/" + name)
		require.NoError(t, err)
		doc += string(text)
	}
	config := strings.NewReplacer("DOOR", "2424").Replace(postfixRecipients + postfixTransport + smtpdConf)
	said := 0
	for line := range strings.Lines(config) {
		if strings.Contains(line, "games") || strings.Contains(line, "posthorn") && !strings.Contains(line, "people") {
			require.Contains(t, doc, "\n"+line)
			said++
		}
	}
	require.Equal(t, 8, said)
}

func TestARealBounceIsScoredToItsPlayer(t *testing.T) {
	onEachServer(t, func(t *testing.T, r *real) {
		ana, gone := r.person("Ana", "en"), r.person("Gone", "en")
		for range 2 {
			r.deliver(r.started(desk.NewTable{Rulebook: "tiny"}, ana, gone))
		}
		unreachable, err := r.outbox.Unreachable(t.Context())
		require.NoError(t, err)
		require.Len(t, unreachable, 1, r.server.log())
		require.Equal(t, gone, unreachable[0].Person)
		require.Equal(t, "5.1.1", unreachable[0].Status)
	})
}
