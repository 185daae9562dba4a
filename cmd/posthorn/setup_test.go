package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	goimap "github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/cmd/posthorn/internal/setup"
	"posthorn/events/porttest"
	"posthorn/mail"
)

// submission is a provider, which lets games@house.example send mails and read a mailbox. What is sent to that address
// comes into the mailbox.
type submission struct {
	posthorntest.Tail // the mails, one after another
	at, imap          string
	noPlus            bool // nothing comes to addresses with a +
	mailbox           *imapmemserver.User

	mu    sync.Mutex
	mails map[string][][]byte // by whom they are for
}

const (
	housePassword = `p:ss@wörd "$x" \'` // what a quoting can get wrong
	houseUser     = "games%40house.example:p%3Ass%40w%C3%B6rd%20%22$x%22%20%5C%27"
)

func newSubmission(t *testing.T, certificate ...*tls.Config) *submission {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &submission{at: l.Addr().String(), mails: map[string][][]byte{},
		mailbox: imapmemserver.NewUser("games@house.example", housePassword)}
	require.NoError(t, s.mailbox.Create("INBOX", nil))
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) {
		return &submitting{to: s}, nil
	}))
	server.AllowInsecureAuth = true
	users := imapmemserver.New()
	users.AddUser(s.mailbox)
	box := imapserver.New(&imapserver.Options{InsecureAuth: true, Logger: log.New(io.Discard, "", 0),
		Caps: goimap.CapSet{goimap.CapIMAP4rev1: {}, goimap.CapMove: {}, goimap.CapUIDPlus: {}},
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return users.NewSession(), &imapserver.GreetingData{}, nil
		}})
	lbox, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s.imap = lbox.Addr().String()
	for _, mine := range certificate {
		l, lbox = tls.NewListener(l, mine), tls.NewListener(lbox, mine)
	}
	ended := make(chan error, 2)
	go func() { ended <- server.Serve(l) }()
	go func() { ended <- box.Serve(lbox) }()
	t.Cleanup(func() {
		_, _ = server.Close(), box.Close()
		_, _ = l.Close(), lbox.Close() // a server that has not begun yet does not close it
		<-ended
		<-ended
	})
	return s
}

func (s *submission) keeps(rcpt string, raw []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mails[rcpt] = append(s.mails[rcpt], raw)
}

// next waits for somebody's mail after a number of others.
func (s *submission) next(t *testing.T, rcpt string, after int) mail.Parts {
	t.Helper()
	var got [][]byte
	require.Eventually(t, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		got = s.mails[rcpt]
		return len(got) > after
	}, posthorntest.Patient, 10*time.Millisecond, "no mail comes to %s: %s", rcpt, s.String())
	p, err := mail.Message{Raw: got[after]}.Read()
	require.NoError(t, err)
	return p
}

// lie returns how many mails lie in a folder of the mailbox.
func (s *submission) lie(t *testing.T, folder string) uint32 {
	t.Helper()
	is, err := s.mailbox.Status(folder, &goimap.StatusOptions{NumMessages: true})
	require.NoError(t, err)
	return *is.NumMessages
}

// comes puts a mail into the mailbox.
func (s *submission) comes(raw []byte) error {
	_, err := s.mailbox.Append("INBOX", bytes.NewReader(raw), &goimap.AppendOptions{Time: time.Now()})
	return err
}

type submitting struct {
	to   *submission
	in   bool
	rcpt string
	own  bool // the mail is for the mailbox
}

func (s *submitting) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *submitting) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if s.in = user == "games@house.example" && password == housePassword; s.in {
			return nil
		}
		return &smtp.SMTPError{Code: 535, EnhancedCode: smtp.EnhancedCode{5, 7, 8},
			Message: "Username and Password not accepted"}
	}), nil
}

func (s *submitting) Mail(from string, _ *smtp.MailOptions) error {
	if !s.in || from != "games@house.example" {
		return &smtp.SMTPError{Code: 530, Message: "sign in first"}
	}
	return nil
}

func (s *submitting) Rcpt(to string, _ *smtp.RcptOptions) error {
	local, host, _ := strings.Cut(to, "@")
	name, _, plus := strings.Cut(local, "+")
	s.rcpt, s.own = to, host == "house.example" && name == "games" && (!plus || !s.to.noPlus)
	return nil
}

func (s *submitting) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err == nil {
		_, err = s.to.Write(raw)
		s.to.keeps(s.rcpt, raw)
	}
	if err == nil && s.own {
		err = s.to.comes(raw)
	}
	return err
}

func (s *submitting) Reset() {}

func (s *submitting) Logout() error { return nil }

// beginner is a host who sets up a house in a folder.
type beginner struct {
	t    *testing.T
	dir  string
	mail *submission
	url  string
}

func newBeginner(t *testing.T) *beginner {
	t.Helper()
	return &beginner{t: t, dir: t.TempDir(), mail: newSubmission(t), url: "http://" + porttest.Address(t)}
}

func (b *beginner) path(name string) string { return filepath.Join(b.dir, name) }

// types are the lines with which each question is answered.
func (b *beginner) types() []string {
	return []string{b.url, b.path("house"), "games@house.example", "smtp://" + b.mail.at, "games@house.example",
		housePassword, "imap://" + b.mail.imap, "you@house.example", "invited"}
}

// sets runs setup with lines typed.
func (b *beginner) sets(lines []string, flags ...string) (out string, status int) {
	return says(strings.Join(lines, "\n"), append([]string{"setup", "--env", b.path("env"), "--no-start"}, flags...)...)
}

// tree is everything in the folder.
func (b *beginner) tree() map[string]string {
	b.t.Helper()
	all := map[string]string{}
	require.NoError(b.t, filepath.WalkDir(b.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			all[path] = ""
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	}))
	return all
}

// sourced is what a shell makes of the file of settings.
func (b *beginner) sourced() map[string]string {
	b.t.Helper()
	out, err := exec.Command("env", "-i", "sh", "-c", "set -a; . "+b.path("env")+"; /usr/bin/env").Output()
	require.NoError(b.t, err)
	all := map[string]string{}
	for _, l := range strings.Split(string(out), "\n") {
		if name, value, _ := strings.Cut(l, "="); strings.HasPrefix(name, "POSTHORN_") {
			all[strings.TrimPrefix(name, "POSTHORN_")] = value
		}
	}
	return all
}

func TestSetupAsksTriesAndWrites(t *testing.T) {
	b := newBeginner(t)
	require.NoError(t, b.mail.comes([]byte("From: bo@house.example\r\nTo: games@house.example\r\n\r\nLunch?\r\n")))
	out, status := b.sets(b.types())
	require.Zero(t, status, out)
	require.EqualValues(t, 1, b.mail.lie(t, "INBOX"), "others' mails stay")
	require.EqualValues(t, 1, b.mail.lie(t, "Posthorn"), "the mail that was tried is put away")
	for n := range 6 {
		require.Contains(t, out, fmt.Sprintf("\n%d/6  ", n+1))
	}
	require.NotContains(t, out, "wörd", "a password is not shown")
	require.Contains(t, out, "The server lets us in.")
	require.Contains(t, b.mail.String(), "A test mail of Posthorn")
	require.Contains(t, b.mail.String(), "To: <you@house.example>")
	require.Contains(t, out, "  It came.\n", "people's answers come in")
	require.Contains(t, b.tree(), b.path("env"))
	require.Equal(t, map[string]string{"DATA": b.path("house"), "LISTEN": strings.TrimPrefix(b.url, "http://"),
		"PUBLIC_URL": b.url, "FROM": "games@house.example", "HOST": "you@house.example", "OPENING": "invited",
		"DKIM": "false",
		"SMTP": "smtp://" + houseUser + "@" + b.mail.at, "INBOUND": "imap://" + houseUser + "@" + b.mail.imap},
		b.sourced())
	info, err := os.Stat(b.path("env"))
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())
	require.Contains(t, out, "set -a; . "+b.path("env")+"; set +a; ")
}

// The same answers by flags, with nobody to type.
func TestSetupTakesItsAnswersFromFlags(t *testing.T) {
	b, by := newBeginner(t), newBeginner(t)
	_, status := b.sets(b.types())
	require.Zero(t, status)
	l := by.types()
	out, status := by.sets(nil, "--public-url", l[0], "--data", l[1], "--from", l[2], "--smtp",
		"smtp://"+houseUser+"@"+by.mail.at, "--inbound", l[6],
		"--host", l[7], "--opening", l[8])
	require.Zero(t, status, out)
	require.NotContains(t, out, "%C3%B6rd")
	same := strings.NewReplacer(by.dir, b.dir, by.mail.at, b.mail.at, by.mail.imap,
		b.mail.imap, by.url[7:], b.url[7:])
	require.Equal(t, b.tree()[b.path("env")], same.Replace(by.tree()[by.path("env")]))
}

// Setup once more, with nothing but empty lines, tries everything and changes nothing: what the host added stays, and
// so do passwords and keys.
func TestSetupAgainKeepsWhatIsThere(t *testing.T) {
	b := newBeginner(t)
	b.url = "https://games.house.example"
	lines := append(b.types()[:1:1], append([]string{"proxy"}, b.types()[1:]...)...)
	out, status := b.sets(lines)
	require.Zero(t, status, out)
	require.Contains(t, out, "posthorn-rsa._domainkey.house.example", "what the host's own domain needs is printed")
	f, err := os.OpenFile(b.path("env"), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteString("\n# ours\nPOSTHORN_MEMORY='200'\nPOSTHORN_SIGNUP=invited # for now\n")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	before := b.tree()
	require.Contains(t, before[b.path("house/dkim-rsa.pem")], "PRIVATE KEY")
	mails := len(b.mail.String())
	out, status = b.sets(nil)
	require.Zero(t, status, out)
	require.Equal(t, before, b.tree())
	require.Greater(t, len(b.mail.String()), mails, "it is all tried again")
	out, status = b.sets(nil, "--opening", "anyone", "--host", "ana@house.example")
	require.Zero(t, status, out)
	after := b.tree()
	require.Equal(t, strings.NewReplacer(`OPENING="invited"`, `OPENING="anyone"`, "you@", "ana@").
		Replace(before[b.path("env")]), after[b.path("env")])
	after[b.path("env")] = before[b.path("env")]
	require.Equal(t, before, after)
}

func TestADryRunOfSetupWritesNothing(t *testing.T) {
	b := newBeginner(t)
	before := b.tree()
	out, status := b.sets(b.types(), "--dry-run")
	require.Zero(t, status, out)
	require.Contains(t, out, `POSTHORN_SMTP="smtp://games%40house.example:***@`)
	require.NotContains(t, out, "%C3%B6rd")
	require.Equal(t, before, b.tree())
	out, status = b.sets(b.types())
	require.Zero(t, status, out)
	before = b.tree()
	out, status = b.sets(b.types()[:8], "--dry-run", "--opening", "anyone")
	require.Zero(t, status, out)
	require.Contains(t, out, `POSTHORN_OPENING="anyone"`)
	require.Equal(t, before, b.tree())
}

// Somebody presses Ctrl-C at a question: nothing is written, whichever it is.
func TestSetupInterruptedLeavesNothing(t *testing.T) {
	b := newBeginner(t)
	before := b.tree()
	for n := range b.types() {
		ctx, stop := context.WithCancel(t.Context())
		in := io.MultiReader(strings.NewReader(strings.Join(append(b.types()[:n:n], ""), "\n")), &asked{stop, ctx})
		var said guarded
		status := run(ctx, []string{"setup", "--env", b.path("env"), "--no-start"},
			console.Console{In: in, Out: &said, Err: &said})
		require.Equal(t, console.Interrupted, status, "%d: %s", n, &said)
		require.Equal(t, before, b.tree(), "after %d answers", n)
	}
}

// asked presses Ctrl-C when somebody waits for it to type.
type asked struct {
	press context.CancelFunc
	ctx   context.Context
}

func (a *asked) Read([]byte) (int, error) {
	a.press()
	<-a.ctx.Done()
	return 0, io.EOF
}

func TestSetupSaysWhatWillNotDo(t *testing.T) {
	for name, c := range map[string]struct {
		line  int
		typed string
		says  string
	}{
		"a path":           {0, "https://games.example.org/play", "a name without a path"},
		"a file":           {1, "/dev/null", "cannot be used as a folder"},
		"no place":         {1, "/proc/posthorn", "nothing can be written in /proc"},
		"another's folder": {1, "/usr", "there are other things in /usr"},
		"no address":       {2, "games", "write it as games@example.org"},
		"no passwords":     {2, "games@outlook.com", "Outlook.com has let no program sign in"},
		"no server there":  {3, "smtp://" + porttest.Nobody(t), "nobody listens at"},
		"wrong password":   {5, "wrong", "user and password. It says: Username and Password not accepted"},
		"no way in":        {6, "ftp://here", "write it as lmtp://"},
		"no mailbox there": {6, "imap://" + porttest.Nobody(t), "nobody listens at"},
		"another mailbox":  {6, "imap://you:x@MAILBOX", "refuses the user or the password"},
		"nobody":           {7, "you", "write it as you@example.org"},
		"nothing of it":    {8, "maybe", "anyone or invited"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBeginner(t)
			before := b.tree()
			lines := b.types()
			lines[c.line] = strings.Replace(c.typed, "MAILBOX", b.mail.imap, 1)
			out, status := b.sets(lines)
			require.Equal(t, 1, status, out)
			require.Contains(t, out, c.says)
			require.NotContains(t, out, "wörd")
			require.Equal(t, before, b.tree())
		})
	}
	b := newBeginner(t)
	out, status := b.sets(b.types()[:2])
	require.Equal(t, 2, status, out)
	require.Contains(t, out, "there is no answer to --from")
}

// Without a web server in front the program fetches a certificate, and where it cannot listen, setup says so.
func TestSetupServesHTTPSItself(t *testing.T) {
	b := newBeginner(t)
	taken, err := net.Listen("tcp", "0.0.0.0:0")
	require.NoError(t, err)
	b.url = fmt.Sprintf("https://games.house.example:%d", taken.Addr().(*net.TCPAddr).Port)
	out, status := b.sets(b.types()[:1], "--https", "self")
	require.Equal(t, 1, status, out)
	require.Contains(t, out, "nothing can be served at 0.0.0.0:")
	require.NoError(t, taken.Close())
	b.url = fmt.Sprintf("https://games.house.example:%d", porttest.Take(t))
	out, status = b.sets(b.types(), "--https", "self")
	require.Zero(t, status, out)
	require.Contains(t, out, "whose terms you accept by this")
	set := b.sourced()
	require.Equal(t, "auto", set["TLS"])
	require.Equal(t, "0.0.0.0"+b.url[strings.LastIndex(b.url, ":"):], set["LISTEN"])
	require.Empty(t, set["PROXIES"])
	require.Empty(t, set["DKIM"], "the sender's domain is the host's, so its mails are signed")
}

// A provider that knows no addresses with a + would swallow all answers.
func TestSetupNoticesThatNoAnswerWouldCome(t *testing.T) {
	was := probeWait
	probeWait = time.Second
	t.Cleanup(func() { probeWait = was })
	b := newBeginner(t)
	b.mail.noPlus = true
	before := b.tree()
	out, status := b.sets(b.types())
	require.Equal(t, 1, status, out)
	require.Contains(t, out, "it did not come within 1 seconds")
	require.Contains(t, out, "knows no addresses with a +")
	require.Equal(t, before, b.tree())
}

// The documentation shows what setup writes.
func TestTheServiceIsWrittenDownAsItIs(t *testing.T) {
	text, err := setup.Unit{Path: "/etc/systemd/system/posthorn.service", User: "posthorn", Data: "/var/lib/posthorn",
		Environment: "/etc/posthorn.env", Program: "/usr/local/bin/posthorn"}.Text()
	require.NoError(t, err)
	doc, err := os.ReadFile("../../docs/posthorn.service")
	require.NoError(t, err)
	require.Equal(t, string(doc), text)
}
