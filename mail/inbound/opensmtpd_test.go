package inbound_test

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// The configuration from docs/smtpd.conf, people's mailboxes, and a server that knows nobody, for mails to
// gone@example.org.
const smtpdConf = `listen on 127.0.0.1 port PORT hostname mx.example.org
table posthorn { "@" = "posthorn" }
action "posthorn" lmtp "127.0.0.1:DOOR" rcpt-to virtual <posthorn>
action "people" lmtp "127.0.0.1:PEOPLE" rcpt-to virtual <posthorn>
action "gone" relay host smtp://127.0.0.1:NOBODY
match from any for rcpt-to regex "^games\+(b\.[a-z2-7]{24,32}|[a-z2-7]{43,55})@games\.example\.org$" action "posthorn"
match from any for rcpt-to regex "^(posthorn|games)@games\.example\.org$" action "posthorn"
match from any for rcpt-to "gone@example.org" action "gone"
match from any for domain "example.org" action "people"
`

const smtpdUsers = `root:x:0:0::/:/bin/sh
opensmtpd:x:990:990::/var/lib/opensmtpd/empty:/usr/sbin/nologin
opensmtpq:x:991:991::/var/lib/opensmtpd/empty:/usr/sbin/nologin
posthorn:x:992:992::/:/usr/sbin/nologin
`

// startOpenSMTPD starts Debian's OpenSMTPD. Its package cannot be installed alongside Postfix's, so it runs from a
// folder into which .ci/opensmtpd has unpacked it, with that folder as its root.
func startOpenSMTPD(t *testing.T, s *mailServer) {
	t.Helper()
	from := opensmtpd()
	s.says, s.queue = filepath.Join(s.dir, "log"),
		[]string{"root/var/spool/smtpd/temporary", "root/var/spool/smtpd/incoming", "root/var/spool/smtpd/queue"}
	root := filepath.Join(s.dir, "root")
	require.NoError(t, command("cp", "-a", from, root))
	for _, d := range []string{"dev", "tmp", "run", "var", "var/spool", "var/spool/smtpd"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, d), 0o711))
	}
	require.NoError(t, os.Symlink("../run", filepath.Join(root, "var/run")))
	files(t, root, map[string]any{"PORT": s.port, "PEOPLE": machine.people.lmtp, "DOOR": machine.door,
		"NOBODY": machine.nobody}, map[string]string{
		"etc/smtpd.conf": smtpdConf, "etc/passwd": smtpdUsers,
		"etc/group":    "root:x:0:\nopensmtpd:x:990:\nopensmtpq:x:991:\nposthorn:x:992:\n",
		"etc/mailname": "mx.example.org\n", "etc/hosts": "127.0.0.1 localhost\n", "etc/resolv.conf": "lookup file\n",
		"etc/nsswitch.conf": "hosts: files\n", "dev/null": "",
	})
	require.NoError(t, os.Chmod(filepath.Join(root, "dev/null"), 0o666))
	c := exec.Command("/usr/sbin/smtpd", "-d")
	c.Dir, c.SysProcAttr = "/", &syscall.SysProcAttr{Chroot: root}
	background(t, c, s.says)
}

// opensmtpd returns OpenSMTPD's folder.
func opensmtpd() string { return cmp.Or(os.Getenv("POSTHORN_OPENSMTPD"), "/opt/opensmtpd") }
