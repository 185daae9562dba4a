package inbound_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/porttest"
	"posthorn/mail"
)

const dovecotConf = `base_dir = DIR/run
state_dir = DIR/run
log_path = DIR/log
protocols = imap lmtp
ssl = no
disable_plaintext_auth = no
listen = 127.0.0.1
hostname = mx.example.org
postmaster_address = postmaster@example.org
mail_location = maildir:~/mail
first_valid_uid = 1
submission_host = 127.0.0.1:SUBMIT
passdb {
  driver = static
  args = password=secret
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
service stats {
  unix_listener stats-writer {
    mode = 0666
  }
}
protocol lmtp {
  mail_plugins = sieve
}
plugin {
  sieve = file:~/.dovecot.sieve
  sieve_plugins = sieve_extprograms
  sieve_extensions = +editheader +vacation-seconds +vnd.dovecot.pipe
  sieve_pipe_bin_dir = DIR/bin
  sieve_vacation_min_period = 0
}
`

// dovecot keeps people's mailboxes: mails arrive by LMTP, go through the person's Sieve script if there is one, and are
// read over IMAP.
type dovecot struct {
	dir        string
	imap, lmtp int
	read       int // how long its log was when the test began
}

func startDovecot(t *testing.T, dir string) *dovecot {
	t.Helper()
	d := &dovecot{dir: filepath.Join(dir, "dovecot"), imap: porttest.Take(t), lmtp: porttest.Take(t)}
	files(t, d.dir, map[string]any{"DIR": d.dir, "IMAP": d.imap, "LMTP": d.lmtp,
		"SUBMIT": machine.servers["postfix"].port}, map[string]string{"conf": dovecotConf})
	background(t, exec.Command("dovecot", "-F", "-c", filepath.Join(d.dir, "conf")), filepath.Join(d.dir, "said"))
	d.forget(t)
	return d
}

// forget empties all mailboxes, and removes their owners' scripts.
func (d *dovecot) forget(t *testing.T) {
	t.Helper()
	people := filepath.Join(d.dir, "people")
	require.NoError(t, os.RemoveAll(people))
	require.NoError(t, os.Mkdir(people, 0o755))
	require.NoError(t, os.Chown(people, 65534, 65534))
}

// said returns what Dovecot has logged since the test began: what its scripts did.
func (d *dovecot) said(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(d.dir, "log"))
	require.NoError(t, err)
	return string(text[d.read:])
}

// mailbox returns somebody's mails, in order of arrival.
func (d *dovecot) mailbox(t *testing.T, who string) (out []mail.Parts) {
	t.Helper()
	for _, sub := range []string{"cur", "new"} {
		all, err := filepath.Glob(filepath.Join(d.dir, "people", who, "mail", sub, "*"))
		require.NoError(t, err)
		for _, f := range all {
			raw, err := os.ReadFile(f)
			require.NoError(t, err)
			p, err := mail.Message{Raw: raw}.Read()
			require.NoError(t, err)
			out = append(out, p)
		}
	}
	return out
}
