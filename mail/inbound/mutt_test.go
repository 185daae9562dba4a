package inbound_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/stretchr/testify/require"
)

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
set pipe_decode = yes
set header_cache =
alternative_order text/plain
push '<limit>=h "Reply-To: games" WHICH<enter><last-entry>KEYS<quit>'
`

// mutt has somebody press keys on the last mail in their mailbox that can be answered, of those that a pattern of
// mutt's (r.which) picks: mails sent at the same time arrive in any order. Mutt reads them over IMAP. files are the
// other files in the folder that it starts in.
func (r *real) mutt(who, keys string, flowed bool, files map[string]string) (dir string) {
	r.T.Helper()
	dir = r.T.TempDir()
	yes := map[bool]string{true: "yes", false: "no"}
	rc := strings.NewReplacer("WHO", who, "IMAP", fmt.Sprint(machine.people.imap), "SMTP", fmt.Sprint(r.server.port),
		"DIR", dir, "FLOWED", yes[flowed], "WHICH", r.which,
		"KEYS", strings.ReplaceAll(keys, "DIR", dir)).Replace(muttrc)
	for name, text := range files {
		require.NoError(r.T, os.WriteFile(filepath.Join(dir, name), []byte(strings.ReplaceAll(text, "DIR", dir)),
			0o755))
	}
	require.NoError(r.T, os.WriteFile(filepath.Join(dir, "rc"), []byte(rc), 0o600))
	c := exec.Command("timeout", "120", "script", "-qec", "mutt -F "+dir+"/rc", "/dev/null")
	c.Env = append(os.Environ(), "TERM=xterm", "HOME="+dir, "LC_ALL=C.UTF-8")
	_, err := c.StdinPipe() // as if somebody sat at the terminal
	require.NoError(r.T, err)
	out, err := c.CombinedOutput()
	require.NoError(r.T, err, "mutt: %s", out)
	return dir
}

// answers answers the last mail in somebody's mailbox, with the mail quoted below.
func (r *real) answers(who string, lines ...string) {
	r.T.Helper()
	r.log.Reset()
	// The file keeps its modification time, because otherwise mutt asks whether it was changed behind its back.
	r.mutt(who, "<reply><send-message>", len(lines)%2 == 0, map[string]string{
		"edit": "#!/bin/sh\ncd DIR && touch -r \"$1\" time && { cat lines; echo; cat \"$1\"; } > new && cat new > " +
			"\"$1\" && touch -r time \"$1\"\n",
		"lines": strings.Join(lines, "\n") + "\n",
	})
	r.server.quiet()
}
