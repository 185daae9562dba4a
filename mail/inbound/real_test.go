package inbound_test

import (
	"fmt"
	"log/slog"
	"net"
	netmail "net/mail"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/mail"
	"posthorn/mail/bounce"
)

// real is a house behind a real mail server, and people who answer with a real mail program.
type real struct {
	*post
	server *postfix
	imap   int
}

func newReal(t *testing.T) *real {
	t.Helper()
	needs(t, "postfix", "dovecot", "mutt", "script")
	p := &post{house: newHouse(t)}
	p.notifier = &mail.Notifier{Desk: p.Desk, Outbox: p.outbox, Patience: time.Minute}
	returns := mail.NewReturnAddress("games@games.example.org", p.Desk.Keys())
	at := serve(t, "lmtp://127.0.0.1:0", &bounce.Door{Address: returns, Outbox: p.outbox, People: p.people, Log: slog.New(slog.DiscardHandler)}, p.door).(*net.TCPAddr)
	r := &real{post: p, server: startPostfix(t, at.Port, serve(t, "smtp://127.0.0.1:0").(*net.TCPAddr).Port)}
	transport, err := mail.NewSMTP(fmt.Sprintf("smtp://127.0.0.1:%d", r.server.port), "games.example.org", 2)
	require.NoError(t, err)
	p.sender = &mail.Sender{Outbox: p.outbox, Return: returns, Composer: p.composer, Transport: transport, Now: func() time.Time { return p.now }, Delays: mail.DefaultDelays,
		GiveUp: mail.DefaultGiveUp, Alarm: func(err error) { t.Errorf("an alarm: %v", err) }}
	t.Cleanup(func() { require.NoError(t, transport.Close()) })
	r.imap = startDovecot(t, r.server.dir)
	return r
}

const dovecotConf = `base_dir = DIR/dovecot
state_dir = DIR/dovecot
log_path = DIR/dovecot.log
protocols = imap
ssl = no
disable_plaintext_auth = no
listen = 127.0.0.1
mail_location = maildir:DIR/mail/%n
first_valid_uid = 1
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=65534 gid=65534 home=DIR/mail/%n
}
service imap-login {
  inet_listener imap {
    port = PORT
  }
  inet_listener imaps {
    port = 0
  }
}
service stats {
  unix_listener stats-writer {
    mode = 0666
  }
}
`

// startDovecot lets people read their mailboxes over IMAP.
func startDovecot(t *testing.T, dir string) int {
	t.Helper()
	port := free(t)
	conf := filepath.Join(dir, "dovecot.conf")
	text := strings.NewReplacer("DIR", dir, "PORT", fmt.Sprint(port)).Replace(dovecotConf)
	require.NoError(t, os.WriteFile(conf, []byte(text), 0o644))
	run(t, "dovecot", "-c", conf)
	t.Cleanup(func() { run(t, "doveadm", "-c", conf, "stop") })
	return port
}

// deliver lets everything that is to be mailed arrive.
func (r *real) deliver(table events.Name) {
	r.T.Helper()
	r.post.deliver(table)
	r.server.quiet()
}

const muttrc = `set from = WHO@example.org
set realname = "WHO"
set use_from = yes
set folder = imap://WHO@127.0.0.1:IMAP/
set spoolfile = imap://WHO@127.0.0.1:IMAP/INBOX
set imap_user = WHO
set imap_pass = secret
set smtp_url = smtp://127.0.0.1:SMTP/
set ssl_starttls = no
set ssl_force_tls = no
set editor = DIR/edit
set include = yes
set reply_to = yes
set fast_reply = yes
set autoedit = no
set abort_unmodified = no
set recall = no
set copy = no
set move = no
set quit = yes
set sleep_time = 0
set wait_key = no
set sort = mailbox-order
set text_flowed = FLOWED
set header_cache =
push "<last-entry><reply><send-message><quit>"
`

// answers answers the last mail of somebody's mailbox with mutt: over IMAP, what is answered quoted below.
func (r *real) answers(who string, lines ...string) {
	r.T.Helper()
	r.log.Reset()
	dir := r.T.TempDir()
	flowed := "no"
	if len(lines)%2 == 0 {
		flowed = "yes"
	}
	rc := strings.NewReplacer("WHO", who, "IMAP", fmt.Sprint(r.imap), "SMTP", fmt.Sprint(r.server.port), "DIR", dir, "FLOWED", flowed).Replace(muttrc)
	// The file keeps its time, or mutt asks whether it was changed behind its back.
	edit := "#!/bin/sh\ncd " + dir + " && touch -r \"$1\" time && { cat lines; echo; cat \"$1\"; } > new && cat new > \"$1\" && touch -r time \"$1\"\n"
	for name, text := range map[string]string{"rc": rc, "edit": edit, "lines": strings.Join(lines, "\n") + "\n"} {
		require.NoError(r.T, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755))
	}
	c := exec.Command("timeout", "30", "script", "-qec", "mutt -F "+dir+"/rc", "/dev/null")
	c.Env = append(os.Environ(), "TERM=xterm", "HOME="+dir, "LC_ALL=C.UTF-8")
	_, err := c.StdinPipe() // somebody sits at the terminal
	require.NoError(r.T, err)
	out, err := c.CombinedOutput()
	require.NoError(r.T, err, "mutt: %s", out)
	r.server.quiet()
}

// In a few mails of each game by default, and to the end of each with POSTHORN_LONG=1.
func TestPeoplePlayFromTheirMailProgramThroughARealMailServer(t *testing.T) {
	most := 4
	if os.Getenv("POSTHORN_LONG") == "1" {
		most = 1000
	}
	r := newReal(t)
	ana, bo := r.person("Ana", "en"), r.person("Bo", "pl")
	names := map[domain.PersonID]string{ana: "ana", bo: "bo"}
	for _, game := range []events.NewTable{{Rulebook: "carcassonne"}, {Rulebook: "catan"}, {Rulebook: "rivals", Choices: domain.Choices{"play": "intro"}}} {
		table := r.started(game, ana, bo)
		r.deliver(table)
		for n := 0; n < most && len(r.Sees(table).Line.Awaited()) > 0; n++ {
			look := r.Sees(table)
			seat := look.Line.Awaited()[0].Seat
			who := look.Table.Places[seat].Holders[0]
			lines, first := r.lines(table, seat, who)
			r.answers(names[who], lines...)
			if r.Sees(table).Line.Version == look.Line.Version { // a whole turn may read in two ways
				require.Equal(t, "outcome: asked", outcome(r.log.String()), "%v", lines)
				r.deliver(table)
				r.answers(names[who], first)
			}
			require.Greater(t, r.Sees(table).Line.Version, look.Line.Version, "%v: %s\n%s", lines, r.log.String(), r.server.log())
			r.deliver(table)
		}
		r.deliver(table)
		t.Logf("%s: %d moves", game.Rulebook, r.Sees(table).Line.Version-1)
		require.True(t, most < 1000 || r.Sees(table).Table.Status == domain.TableEnded)
	}
	for _, name := range []string{"ana", "bo"} {
		subjects := map[string]bool{}
		for _, m := range r.server.mailbox(name) {
			p, err := m.Read()
			require.NoError(t, err)
			subjects[p.Subject] = true
		}
		require.Len(t, subjects, 3, "one thread a table")
	}
	require.NotContains(t, r.server.log(), "status=bounced")
}

func TestAMailServerSendsNothingBackForWhatIsDropped(t *testing.T) {
	r := newReal(t)
	ana, bo := r.person("Ana", "en"), r.person("Bo", "en")
	table := r.started(events.NewTable{Rulebook: "tiny"}, ana, bo)
	r.deliver(table)
	p, err := r.server.mailbox("bo")[0].Read()
	require.NoError(t, err)
	a, err := netmail.ParseAddress(p.Header.Get("Reply-To"))
	require.NoError(t, err)
	local, host, _ := strings.Cut(a.Address, "@")
	forged := local[:len(local)-4] + "aaaa@" + host // looks like one, and is none
	conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", r.server.port))
	require.NoError(t, err)
	c := smtp.NewClient(conn)
	before := len(r.server.mailbox("ana")) + len(r.server.mailbox("bo"))
	for _, m := range []struct{ sender, to, head string }{
		{"ana@example.org", forged, ""}, {"bo@example.org", a.Address, "Auto-Submitted: auto-replied\r\n"}, {"", a.Address, "Content-Type: multipart/report; boundary=x\r\n"},
	} {
		require.NoError(t, c.SendMail(m.sender, []string{m.to}, strings.NewReader(m.head+string(written("bo@example.org", "x"+m.sender, "keep")))))
	}
	err = c.SendMail("ana@example.org", []string{"games+nonsense@" + host}, strings.NewReader("Subject: x\r\n\r\nkeep\r\n"))
	var refused *smtp.SMTPError
	require.ErrorAs(t, err, &refused, "what looks like none is refused at once")
	require.Equal(t, 550, refused.Code)
	require.NoError(t, c.Quit())
	r.server.quiet()
	r.deliver(table)
	require.Len(t, append(r.server.mailbox("ana"), r.server.mailbox("bo")...), before, "nobody is written to")
	require.NotContains(t, r.server.log(), "status=bounced")
	require.EqualValues(t, 1, r.Sees(table).Line.Version)
}

func TestARealBounceIsScoredToItsPlayer(t *testing.T) {
	r := newReal(t)
	ana, gone := r.person("Ana", "en"), r.person("Gone", "en")
	for range 2 {
		r.deliver(r.started(events.NewTable{Rulebook: "tiny"}, ana, gone))
	}
	unreachable, err := r.outbox.Unreachable(t.Context())
	require.NoError(t, err)
	require.Len(t, unreachable, 1, r.server.log())
	require.Equal(t, gone, unreachable[0].Person)
	require.Equal(t, "5.1.1", unreachable[0].Status)
}
