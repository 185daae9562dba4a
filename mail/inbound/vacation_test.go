package inbound_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
)

// Sieve scripts of people who are away. A text that could be taken for a move is a real move.
const (
	// Answers as Dovecot's vacation does: it follows RFC 3834 and RFC 5230 on automatic mails.
	polite = `require ["vacation", "vacation-seconds", "enotify", "variables"];
vacation :seconds 0 :addresses ["WHO@example.org"] "keep";
if header :matches "Reply-To" "*<*>*" { notify :from "WHO@example.org" :message "keep" "mailto:${2}"; }
`
	// A mailbox that forwards everything to the address for answers.
	returning = `require ["variables", "copy"];
if header :matches "Reply-To" "*<*>*" { redirect :copy "${2}"; }
`
	// A home-made script that follows no rules: with a header field of its own, it writes a text to the bounce address
	// or to the address for answers.
	homemade = `require ["variables", "envelope", "vnd.dovecot.pipe", "copy"];
if envelope :matches "from" "*" { set "back" "${1}"; }
if header :matches "Reply-To" "*<*>*" { set "answers" "${2}"; }
pipe :copy "away" ["${%s}", %q, %q];
`
)

// away is such a script: it writes with mutt.
const away = `#!/bin/sh
cd HOME && cat > last && echo "$3" | mutt -F muttrc -e "my_hdr $2" -s "Not here" -- "$1"
`

const awayRC = `set from = bo@example.org
set use_from = yes
set copy = no
set smtp_url = smtp://127.0.0.1:SMTP/
set ssl_starttls = no
set ssl_force_tls = no
`

func TestVacationsOnBothSidesComeToNothing(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		why    string // what the door, or Dovecot, says about it
		wrote  int    // mails that reached us
		got    int    // mails that the person away got, including the one about their turn
	}{
		"a polite one":                     {polite, "discarding vacation response", 0, 1},
		"a mailbox that returns all mails": {returning, "why=auto-submitted", 1, 1},
		"one to the return address":        {fmt.Sprintf(homemade, "back", "X-Mailer: none", "keep"), "", 1, 1},
		"one to where answers go": {fmt.Sprintf(homemade, "answers", "Auto-Submitted: auto-replied", "keep"),
			"why=auto-submitted", 1, 1},
		"an old one to where answers go": {fmt.Sprintf(homemade, "answers", "Precedence: junk", "keep"),
			"why=precedence", 1, 1},
		"one that says nothing of itself": {
			fmt.Sprintf(homemade, "answers", "X-Mailer: none", "I am not here until the 30th."), "outcome=unread", 4,
			4},
	} {
		t.Run(name, func(t *testing.T) {
			r := newReal(t, "postfix")
			ana, bo := r.person("Ana", "en"), r.person("Bo", "en")
			r.leaves(t, "bo", c.script)
			table := r.started(desk.NewTable{Rulebook: "tiny"}, ana, bo)
			r.Follows(table)
			require.ErrorIs(t, r.notifier.Run(r.Ctx, sofar{r.Desk.Log()}), errCaughtUp)
			r.settles("bo")
			r.server.until("it is said why: "+c.why, func() bool { // Dovecot writes its log a moment after it delivers
				return strings.Contains(r.log.String()+machine.people.said(t), c.why)
			})
			require.Equal(t, c.wrote, machine.house.handled())
			require.Len(t, r.mailbox("bo"), c.got)
			require.EqualValues(t, 1, r.Sees(table).Line.Version, "nothing was played")
			unreachable, err := r.outbox.Unreachable(t.Context())
			require.NoError(t, err)
			require.Empty(t, unreachable, "and no mail came back")
		})
	}
}

// The host, in whose name mails go out, is away too.
func TestTwoOnVacationAreLeftAlone(t *testing.T) {
	r := newReal(t, "postfix")
	r.composer.From = "host@example.org"
	ana, bo := r.person("Ana", "en"), r.person("Bo", "en")
	r.leaves(t, "bo", polite)
	r.leaves(t, "host", polite)
	table := r.started(desk.NewTable{Rulebook: "tiny"}, ana, bo)
	r.deliver(table)
	r.answers("bo", "what is this?") // this gets an answer
	r.settles("bo", "host")
	require.Len(t, r.mailbox("bo"), 2)
	require.Empty(t, r.mailbox("host"))
	r.mutt("bo", "<mail>host@example.org<enter>hello<enter><send-message>", false, nil)
	r.settles("bo", "host")
	require.Len(t, r.mailbox("host"), 1)
	require.Len(t, r.mailbox("bo"), 3, "the host's vacation has answered, and it was not answered")
	require.EqualValues(t, 1, r.Sees(table).Line.Version)
}

// leaves sends somebody's mails through a Sieve script.
func (r *real) leaves(t *testing.T, who, script string) {
	t.Helper()
	dir := machine.people.dir
	home := filepath.Join(dir, "people", who)
	require.NoError(t, os.Mkdir(home, 0o755))
	files(t, dir, map[string]any{"WHO": who, "HOME": home, "SMTP": r.server.port}, map[string]string{
		"people/" + who + "/.dovecot.sieve": script, "people/" + who + "/muttrc": awayRC, "bin/away": away})
	require.NoError(t, os.Chmod(filepath.Join(dir, "bin/away"), 0o755))
	require.NoError(t, command("chown", "-R", "65534:65534", home))
}

// settles sends what is due until nobody has a new mail.
func (r *real) settles(people ...string) {
	r.T.Helper()
	count := func() (n int) {
		for _, who := range people {
			n += len(r.mailbox(who))
		}
		return n
	}
	for last := -1; last != count(); {
		last = count()
		require.Less(r.T, last, 30, "they write to each other for ever")
		require.NoError(r.T, r.sender.Flush(r.Ctx))
		r.server.quiet()
	}
}
