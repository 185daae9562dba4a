package provider

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/events/porttest"
	"posthorn/events/programtest"
	"posthorn/mail"
)

func TestMain(m *testing.M) { os.Exit(posthorntest.Main(m)) }

const dovecotConf = `base_dir = DIR/run
state_dir = DIR/run
log_path = DIR/log
protocols = imap lmtp
ssl = no
disable_plaintext_auth = no
listen = 127.0.0.1
hostname = mx.provider.test
postmaster_address = postmaster@provider.test
mail_location = maildir:~/mail
first_valid_uid = 1
recipient_delimiter = +
auth_username_format = %n
IDLE
passdb {
  driver = passwd-file
  args = scheme=PLAIN DIR/passwords
}
userdb {
  driver = static
  args = uid=65534 gid=65534 home=DIR/people/%n allow_all_users=yes
}
service imap-login {
  inet_listener imap {
    port = IMAP
  }
  inet_listener imaps {
    port = 0
  }
}
service lmtp {
  inet_listener lmtp {
    port = LMTP
  }
}
service auth {
  inet_listener {
    address = 127.0.0.1
    port = AUTH
  }
}
service stats {
  unix_listener stats-writer {
    mode = 0666
  }
}
`

const mainCF = `compatibility_level = 3.6
queue_directory = DIR/queue
data_directory = DIR/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
myhostname = mx.provider.test
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 192.0.2.1/32
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:AUTH
smtpd_relay_restrictions = permit_sasl_authenticated, reject
smtpd_recipient_restrictions = reject_unlisted_recipient, RESULTS permit_sasl_authenticated, reject
maillog_file = DIR/log
maillog_file_prefixes = DIR
recipient_delimiter = +
virtual_mailbox_domains = provider.test
virtual_mailbox_maps = inline:{games@provider.test=games, ana@provider.test=ana, bob@provider.test=bob}
virtual_transport = lmtp:inet:127.0.0.1:LMTP
lmtp_destination_recipient_limit = 1
alias_maps =
`

// results has the provider say that a signature of its people is good.
const results = `ana@provider.test PREPEND Authentication-Results: mx.provider.test; dkim=pass header.d=provider.test
bob@provider.test PREPEND Authentication-Results: mx.provider.test; dkim=pass header.d=provider.test
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
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`

// provider is an ordinary provider: people send through it and read their mailboxes, each by a password.
type provider struct {
	t                         *testing.T
	dir                       string
	submits, imap, lmtp, auth int
	idle, results             bool
	stopDovecot               func()
}

// starts starts one. idle is whether its IMAP server offers IDLE, results whether it says whose signatures are good.
func starts(t *testing.T, idle, says bool) *provider {
	t.Helper()
	programtest.Need(t, "postfix", "dovecot", "/usr/lib/dovecot/imap", "/usr/lib/dovecot/lmtp")
	dir, err := os.MkdirTemp("", "posthorn-provider-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	require.NoError(t, os.Chmod(dir, 0o755)) // the servers' parts run as other users
	p := &provider{t: t, dir: dir, submits: porttest.Take(t), imap: porttest.Take(t), lmtp: porttest.Take(t),
		auth: porttest.Take(t), idle: idle, results: says}
	people := filepath.Join(dir, "dovecot", "people")
	require.NoError(t, os.MkdirAll(people, 0o755))
	require.NoError(t, os.Chown(people, 65534, 65534))
	p.password("secret")
	p.dovecot()
	p.postfix()
	for _, port := range []int{p.submits, p.imap, p.lmtp, p.auth} {
		p.until("it answers", func() bool {
			c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
			return err == nil && c.Close() == nil
		})
	}
	return p
}

// password sets everybody's password.
func (p *provider) password(word string) {
	p.t.Helper()
	text := ""
	for _, who := range []string{"games", "ana", "bob"} {
		text += who + ":" + word + "\n"
	}
	require.NoError(p.t, os.WriteFile(filepath.Join(p.dir, "dovecot", "passwords"), []byte(text), 0o644))
}

// dovecot starts the IMAP server, with the mailboxes that it had.
func (p *provider) dovecot() {
	p.t.Helper()
	says := ""
	if !p.idle {
		says = "imap_capability = IMAP4rev1 SASL-IR LITERAL+ UIDPLUS MOVE"
	}
	dir := filepath.Join(p.dir, "dovecot")
	p.writes(dir, map[string]string{"conf": dovecotConf}, "IDLE", says)
	p.stopDovecot = p.runs(filepath.Join(dir, "said"), "dovecot", "-F", "-c", filepath.Join(dir, "conf"))
}

func (p *provider) postfix() {
	p.t.Helper()
	dir, says := filepath.Join(p.dir, "postfix"), ""
	if p.results {
		says = "check_sender_access texthash:" + dir + "/results,"
	}
	p.writes(dir, map[string]string{"main.cf": mainCF, "master.cf": masterCF, "results": results}, "RESULTS", says)
	owner, group := p.id("postfix"), p.group("postdrop")
	dirs := map[string]os.FileMode{"data": 0o700, "queue/maildrop": 0o730, "queue/public": 0o710}
	for _, d := range []string{"active", "bounce", "corrupt", "defer", "deferred", "flush", "hold", "incoming",
		"private", "saved", "trace"} {
		dirs["queue/"+d] = 0o700
	}
	require.NoError(p.t, os.MkdirAll(filepath.Join(dir, "queue/pid"), 0o755))
	for d, mode := range dirs {
		require.NoError(p.t, os.Mkdir(filepath.Join(dir, d), mode))
		require.NoError(p.t, os.Chown(filepath.Join(dir, d), owner, group))
	}
	p.runs(dir+".said", "/usr/lib/postfix/sbin/master", "-c", dir, "-d")
}

func (p *provider) id(name string) int {
	p.t.Helper()
	u, err := user.Lookup(name)
	require.NoError(p.t, err)
	uid, err := strconv.Atoi(u.Uid)
	require.NoError(p.t, err)
	return uid
}

func (p *provider) group(name string) int {
	p.t.Helper()
	g, err := user.LookupGroup(name)
	require.NoError(p.t, err)
	gid, err := strconv.Atoi(g.Gid)
	require.NoError(p.t, err)
	return gid
}

// writes writes configuration files.
func (p *provider) writes(dir string, texts map[string]string, more ...string) {
	p.t.Helper()
	require.NoError(p.t, os.MkdirAll(dir, 0o755))
	fill := strings.NewReplacer(append(more, "DIR", dir, "PORT", fmt.Sprint(p.submits), "IMAP", fmt.Sprint(p.imap),
		"LMTP", fmt.Sprint(p.lmtp), "AUTH", fmt.Sprint(p.auth))...)
	for name, text := range texts {
		require.NoError(p.t, os.WriteFile(filepath.Join(dir, name), []byte(fill.Replace(text)), 0o644))
	}
}

// runs runs a program until the returned function is called, or the test ends, even if that is killed: a shell waits
// for a pipe that only this program holds.
func (p *provider) runs(says, name string, args ...string) (stop func()) {
	p.t.Helper()
	out, err := os.Create(says)
	require.NoError(p.t, err)
	c := exec.Command("sh", append([]string{"-c", `"$@" & p=$!; cat >/dev/null; kill -TERM $p; wait $p`, "sh", name},
		args...)...)
	c.Stdout, c.Stderr = out, out
	held, err := c.StdinPipe()
	require.NoError(p.t, err)
	require.NoError(p.t, c.Start())
	ended := false
	stop = func() {
		if !ended {
			ended = true
			_ = errors.Join(held.Close(), c.Wait(), out.Close()) // its status says that it was told to end
		}
	}
	p.t.Cleanup(stop)
	return stop
}

// until waits for something that another program does.
func (p *provider) until(what string, done func() bool) {
	p.t.Helper()
	require.Eventually(p.t, done, posthorntest.Patient, 2*time.Millisecond, what)
}

// files lists the mails in a folder of somebody's mailbox.
func (p *provider) files(who, folder string) (out []string) {
	p.t.Helper()
	for _, sub := range []string{"cur", "new"} {
		all, err := filepath.Glob(filepath.Join(p.dir, "dovecot", "people", who, "mail", folder, sub, "*"))
		require.NoError(p.t, err)
		out = append(out, all...)
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Compare(filepath.Base(a), filepath.Base(b)) })
	return out // in the order in which they came, as their names say
}

// mails returns the mails in somebody's inbox.
func (p *provider) mails(who string) (out []mail.Parts) {
	p.t.Helper()
	for _, f := range p.files(who, "") {
		raw, err := os.ReadFile(f)
		if errors.Is(err, os.ErrNotExist) {
			continue // it is being moved
		}
		require.NoError(p.t, err)
		m, err := mail.Message{Raw: raw}.Read()
		require.NoError(p.t, err)
		out = append(out, m)
	}
	return out
}

// quiet waits until the provider has delivered all that it took. It looks twice, because a mail may move between
// folders while it looks.
func (p *provider) quiet() {
	p.t.Helper()
	waiting := func() (n int) {
		for _, q := range []string{"maildrop", "incoming", "active", "deferred"} {
			_ = filepath.WalkDir(filepath.Join(p.dir, "postfix/queue", q), // a folder may have just gone
				func(_ string, d fs.DirEntry, err error) error {
					if err == nil && !d.IsDir() {
						n++
					}
					return nil
				})
		}
		return n
	}
	p.until("the queue is empty", func() bool { return waiting()+waiting() == 0 })
}

// log returns what a server has logged.
func (p *provider) log() string {
	var all strings.Builder
	for _, name := range []string{"dovecot/log", "postfix/log"} {
		f, err := os.Open(filepath.Join(p.dir, name))
		if err == nil {
			_, _ = io.Copy(&all, f)
			_ = f.Close()
		}
	}
	return all.String()
}
