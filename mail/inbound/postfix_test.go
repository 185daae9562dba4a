package inbound_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/mail"
)

// needs looks for real programs. Where one is missing the test says so and is left out, or fails
// where everything is meant to be there.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			if os.Getenv("CI") == "true" {
				require.Fail(t, "not here: "+p, ".ci/run installs it")
			}
			t.Skipf("NOT TESTED: %s is not installed (apt-get install postfix postfix-pcre dovecot-imapd mutt)", p)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("NOT TESTED: a mail server of one's own needs root")
	}
}

// free is a port that nobody listens on.
func free(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, l.Close()) }()
	return l.Addr().(*net.TCPAddr).Port
}

// run runs a program, which must succeed. What it leaves running does not hold its output.
func run(t *testing.T, name string, args ...string) {
	t.Helper()
	out, err := os.CreateTemp(t.TempDir(), "out")
	require.NoError(t, err)
	c := exec.Command(name, args...)
	c.Stdout, c.Stderr = out, out
	failed := c.Run()
	text, err := os.ReadFile(out.Name())
	require.NoError(t, err)
	require.NoError(t, out.Close())
	require.NoError(t, failed, "%s %v: %s", name, args, text)
}

// postfix is a real mail server: it takes mails at a port, hands those for games.example.org to the
// door, as docs/hosting.md says, and puts those for example.org into mailboxes.
type postfix struct {
	t    *testing.T
	dir  string
	port int
}

const mainCF = `compatibility_level = 3.6
queue_directory = DIR/queue
data_directory = DIR/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
myhostname = mx.example.org
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_recipient_restrictions = reject_unlisted_recipient, permit_mynetworks, reject
maillog_file = DIR/mail.log
maillog_file_prefixes = DIR
relay_domains = games.example.org
relay_recipient_maps = pcre:DIR/posthorn_recipients
transport_maps = pcre:DIR/posthorn_transport
virtual_mailbox_domains = example.org
virtual_mailbox_base = DIR/mail
virtual_mailbox_maps = inline:{ana@example.org=ana/, bo@example.org=bo/, gone@example.org=gone/}
virtual_uid_maps = static:65534
virtual_gid_maps = static:65534
virtual_minimum_uid = 100
alias_maps =
`

const masterCF = `127.0.0.1:PORT inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
virtual unix - n n - - virtual
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`

// startPostfix starts one that hands answers to a port, and mails to gone@example.org to a server
// that knows nobody.
func startPostfix(t *testing.T, inbound, nobody int) *postfix {
	t.Helper()
	dir, err := os.MkdirTemp("", "posthorn-postfix-")
	require.NoError(t, err)
	p := &postfix{t: t, dir: dir, port: free(t)}
	require.NoError(t, os.Chmod(dir, 0o755)) // the server's parts are other users
	for _, d := range []string{"queue", "data", "mail"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, d), 0o755))
	}
	run(t, "chown", "postfix", filepath.Join(dir, "data"))
	run(t, "chown", "65534:65534", filepath.Join(dir, "mail"))
	address := `/^games\+(b\.[a-z2-7]{24,32}|[a-z2-7]{43,55})@games\.example\.org$/  `
	for name, text := range map[string]string{"main.cf": mainCF, "master.cf": masterCF, "posthorn_recipients": address + "ok\n",
		"posthorn_transport": address + fmt.Sprintf("lmtp:inet:127.0.0.1:%d\n/^gone@/  smtp:[127.0.0.1]:%d\n", inbound, nobody)} {
		text = strings.NewReplacer("DIR", dir, "PORT", fmt.Sprint(p.port)).Replace(text)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	run(t, "postfix", "-c", dir, "start")
	t.Cleanup(func() {
		run(t, "postfix", "-c", dir, "stop")
		if t.Failed() {
			t.Logf("the mail server said:\n%s", p.log())
		}
		require.NoError(t, os.RemoveAll(dir))
	})
	p.until("it answers", func() bool {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", p.port))
		if err != nil {
			return false
		}
		return c.Close() == nil
	})
	return p
}

// log is what the server has written down.
func (p *postfix) log() string {
	text, err := os.ReadFile(filepath.Join(p.dir, "mail.log"))
	require.NoError(p.t, err)
	return string(text)
}

// until waits for something that another program does.
func (p *postfix) until(what string, done func() bool) {
	p.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if done() {
			return
		}
	}
	require.Fail(p.t, "it took a minute: "+what, p.log())
}

// mailbox are the mails that somebody has, in the order in which they came.
func (p *postfix) mailbox(who string) (out []mail.Message) {
	p.t.Helper()
	for _, sub := range []string{"cur", "new"} {
		files, err := filepath.Glob(filepath.Join(p.dir, "mail", who, sub, "*"))
		require.NoError(p.t, err)
		for _, f := range files {
			raw, err := os.ReadFile(f)
			require.NoError(p.t, err)
			out = append(out, mail.Message{ID: filepath.Base(f), To: who, Raw: raw})
		}
	}
	return out
}

// quiet waits until the server has nothing left to do.
func (p *postfix) quiet() {
	p.t.Helper()
	p.until("the queue is empty", func() bool {
		for _, q := range []string{"maildrop", "incoming", "active", "deferred"} {
			n := 0
			_ = filepath.WalkDir(filepath.Join(p.dir, "queue", q), func(_ string, d os.DirEntry, err error) error {
				if err == nil && !d.IsDir() {
					n++
				}
				return nil
			})
			if n > 0 {
				return false
			}
		}
		return true
	})
}
