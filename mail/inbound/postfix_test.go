package inbound_test

import (
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

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
maillog_file = DIR/log
maillog_file_prefixes = DIR
relay_domains = games.example.org
relay_recipient_maps = pcre:DIR/posthorn_recipients
transport_maps = pcre:DIR/posthorn_transport
virtual_mailbox_domains = example.org
virtual_mailbox_maps = inline:{ana@example.org=ana, bo@example.org=bo, gone@example.org=gone, host@example.org=host}
virtual_transport = lmtp:inet:127.0.0.1:PEOPLE
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
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`

// The configuration from docs/postfix.conf, and a server that knows nobody, for mails to gone@example.org.
const (
	postfixRecipients = `/^games\+(b\.[a-z2-7]{24,32}|[a-z2-7]{43,55})@games\.example\.org$/  ok
/^(posthorn|games)@games\.example\.org$/  ok
`
	postfixTransport = `/^games\+(b\.[a-z2-7]{24,32}|[a-z2-7]{43,55})@games\.example\.org$/  lmtp:inet:127.0.0.1:DOOR
/^(posthorn|games)@games\.example\.org$/  lmtp:inet:127.0.0.1:DOOR
/^gone@/  smtp:[127.0.0.1]:NOBODY
`
)

// startPostfix starts Debian's Postfix, with files of its own.
func startPostfix(t *testing.T, s *mailServer) {
	t.Helper()
	s.says, s.queue = filepath.Join(s.dir, "log"),
		[]string{"queue/maildrop", "queue/incoming", "queue/active", "queue/deferred"}
	files(t, s.dir, map[string]any{"DIR": s.dir, "PORT": s.port, "PEOPLE": machine.people.lmtp, "DOOR": machine.door,
		"NOBODY": machine.nobody},
		map[string]string{"main.cf": mainCF, "master.cf": masterCF, "posthorn_recipients": postfixRecipients,
			"posthorn_transport": postfixTransport})
	owner, group := ids(t, "postfix", "postdrop")
	dirs := map[string]os.FileMode{"data": 0o700, "queue/maildrop": 0o730, "queue/public": 0o710}
	for _, d := range []string{"active", "bounce", "corrupt", "defer", "deferred", "flush", "hold", "incoming",
		"private", "saved", "trace"} {
		dirs["queue/"+d] = 0o700
	}
	require.NoError(t, os.MkdirAll(filepath.Join(s.dir, "queue/pid"), 0o755))
	for d, mode := range dirs {
		require.NoError(t, os.Mkdir(filepath.Join(s.dir, d), mode))
		require.NoError(t, os.Chown(filepath.Join(s.dir, d), owner, group))
	}
	background(t, exec.Command("/usr/lib/postfix/sbin/master", "-c", s.dir, "-d"), s.says+".master")
}

// ids returns the numeric ids of a user and a group on this machine.
func ids(t *testing.T, name, group string) (uid, gid int) {
	t.Helper()
	u, err := user.Lookup(name)
	require.NoError(t, err)
	g, err := user.LookupGroup(group)
	require.NoError(t, err)
	uid, err = strconv.Atoi(u.Uid)
	require.NoError(t, err)
	gid, err = strconv.Atoi(g.Gid)
	require.NoError(t, err)
	return uid, gid
}
