//go:build unix

package main

import (
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/user"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/events/porttest"
	"posthorn/events/programtest"
)

// On a machine with systemd, run by root: the unit is one that systemd understands, the folder is given to the user
// whom it names, and the service is started.
func TestSetupStartsAService(t *testing.T) {
	if os.Geteuid() != 0 {
		programtest.Missing(t, "a service needs root")
	}
	b := newBeginner(t)
	l, err := net.Listen("tcp", strings.TrimPrefix(b.url, "http://"))
	require.NoError(t, err)
	web := &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(
		func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "Posthorn") })}}
	web.Start()
	t.Cleanup(web.Close)
	was, closed := systemdFolder, closedToServices
	systemdFolder, closedToServices = b.dir, []string{"/home"}
	t.Cleanup(func() { systemdFolder, closedToServices = was, closed })
	require.NoError(t, os.Mkdir(b.path("bin"), 0o700))
	for _, name := range []string{"systemctl", "useradd"} {
		require.NoError(t, os.WriteFile(b.path("bin/"+name),
			[]byte("#!/bin/sh\necho $(basename $0) $* >>"+b.path("did")+"\n"), 0o700))
	}
	t.Setenv("PATH", b.path("bin")+":"+os.Getenv("PATH"))
	flags := []string{"setup", "--env", b.path("env"), "--unit", b.path("posthorn.service"), "--user"}
	out, status := says(strings.Join(b.types(), "\n"), append(flags, "daemon")...)
	require.Zero(t, status, out)
	require.Contains(t, out, "It answers at "+b.url)
	did, err := os.ReadFile(b.path("did"))
	require.NoError(t, err)
	require.Equal(t, "systemctl daemon-reload\nsystemctl enable posthorn.service\nsystemctl restart posthorn.service\n",
		string(did))
	daemon, err := user.Lookup("daemon")
	require.NoError(t, err)
	info, err := os.Stat(b.path("house"))
	require.NoError(t, err)
	require.Equal(t, daemon.Uid, fmt.Sprint(info.Sys().(*syscall.Stat_t).Uid))
	unit := b.tree()[b.path("posthorn.service")]
	require.Contains(t, unit, "\nUser=daemon\nReadWritePaths="+b.path("house")+"\nEnvironmentFile="+b.path("env")+"\n")

	// Somebody whom nobody knows is made, and if that fails, it is said.
	out, status = says("", append(flags, "posthorn-test")...)
	require.Equal(t, 1, status, out)
	did, err = os.ReadFile(b.path("did"))
	require.NoError(t, err)
	require.Contains(t, string(did), "useradd --system --home-dir "+b.path("house")+
		" --shell /usr/sbin/nologin posthorn-test\n")

	verify, err := exec.LookPath("systemd-analyze")
	if err != nil {
		programtest.Missing(t, "systemd-analyze is not here (.ci/run installs it)")
	}
	said, err := exec.Command(verify, "verify", "--man=no", b.path("posthorn.service")).CombinedOutput()
	require.NoError(t, err, "%s", said)
	require.Empty(t, string(said))
}

// A house behind an ordinary provider, all with TLS. What setup wrote is all that it is started with; it mails a turn,
// and the answer comes in.
func TestAHouseThatWasSetUpMailsATurn(t *testing.T) {
	bin := posthorntest.Binary(t)
	web := httptest.NewTLSServer(nil) // for its certificate
	t.Cleanup(web.Close)
	b := &beginner{t: t, dir: t.TempDir(), mail: newSubmission(t, web.TLS), url: "http://" + porttest.Address(t)}
	trusted := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: web.Certificate().Raw})
	lines := b.types()
	lines[3], lines[6] = "smtps://"+b.mail.at, "imaps://"+b.mail.imap
	sets := func() (string, error) {
		cmd := exec.CommandContext(t.Context(), bin, "setup", "--no-start", "--env", b.path("env"))
		cmd.Stdin = strings.NewReader(strings.Join(lines, "\n"))
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	out, err := sets()
	require.Error(t, err)
	require.Contains(t, out, "nobody whom this machine trusts has signed it")
	require.NoError(t, os.WriteFile(b.path("trusted"), trusted, 0o600))
	t.Setenv("SSL_CERT_FILE", b.path("trusted"))
	out, err = sets()
	require.NoError(t, err, out)

	posthorntest.Seed(t, b.path("house"), desk.NewTable{Rulebook: "carcassonne", Pace: "weekly",
		Choices: domain.Choices{"solo": "on"}, Places: []domain.TablePlace{{}}}, "you@house.example")
	p := posthorntest.Start(t, "/bin/sh", b.url[7:], "-c", "set -a; . "+b.path("env")+"; exec "+bin+" serve", "sh")
	require.Equal(t, b.url, p.Base)
	turn := b.mail.next(t, "you@house.example", 1) // after the test mail
	to := turn.Header.Get("Reply-To")
	require.Regexp(t, `<?games\+.+@house\.example`, to)
	require.NoError(t, b.mail.comes([]byte("From: you@house.example\r\nTo: "+to+"\r\nSubject: Re: x\r\nDate: "+
		time.Now().Format(time.RFC1123Z)+"\r\nMessage-ID: <a@house.example>\r\n\r\na\r\n")))
	b.mail.next(t, "you@house.example", 2) // nothing proves whose the answer is, so it asks
	require.Contains(t, p.Log.String(), "outcome=")
	p.Stop()

	// Setup once more starts the house itself.
	p = posthorntest.Start(t, "/bin/sh", b.url[7:], "-c", "exec "+bin+" setup --env "+b.path("env"), "sh")
	require.Equal(t, b.url, p.Base)
	require.Contains(t, p.Get("/"), "Posthorn")
	p.Stop()
}

// typist sits at a terminal at which setup runs.
type typist struct {
	t    *testing.T
	said posthorntest.Tail
	keys io.Writer
	seen int
}

// atTerminal runs commands of a shell at a terminal, and returns what waits for their end.
func atTerminal(t *testing.T, commands string) (y *typist, ended func() string) {
	t.Helper()
	programtest.Need(t, "script")
	y = &typist{t: t}
	cmd := exec.CommandContext(t.Context(), "script", "-qfc", commands, "/dev/null")
	cmd.Stdout, cmd.Stderr = &y.said, &y.said
	keys, err := cmd.StdinPipe()
	require.NoError(t, err)
	y.keys = keys
	require.NoError(t, cmd.Start())
	return y, func() string {
		require.NoError(t, cmd.Wait(), "%s", &y.said)
		return y.said.String()[y.seen:]
	}
}

// asked waits until a question is asked that says something, and answers it.
func (y *typist) asked(says, answer string) {
	y.t.Helper()
	require.Eventually(y.t, func() bool {
		news := y.said.String()[y.seen:]
		return strings.Contains(news, says) && strings.HasSuffix(news, "> ")
	}, posthorntest.Patient, time.Millisecond, "%q is not asked: %s", says, &y.said)
	y.seen = len(y.said.String())
	_, err := io.WriteString(y.keys, answer)
	require.NoError(y.t, err)
}

// At a terminal each question is asked until its answer will do, and a password is not shown.
func TestSetupIsAskedAtATerminal(t *testing.T) {
	b, bin := newBeginner(t), posthorntest.Binary(t)
	y, ended := atTerminal(t, bin+" setup --no-start --env "+b.path("env"))
	l := b.types()
	y.asked("1/6", "ftp://games.example.org\r")
	y.asked("write it as https://games.example.org", l[0]+"\r")
	y.asked("2/6", "/dev/null\r")
	y.asked("cannot be used as a folder", l[1]+"\r")
	y.asked("3/6", "\r")
	y.asked("", l[2]+"\r")
	y.asked("server for sending", l[3]+"\r")
	y.asked("The user to sign in as", "\r")
	y.asked("Its password", "wröng\r")
	y.asked("does not take this user and password", "\r")
	y.asked("Its password", l[5]+"\r")
	y.asked("The server lets us in.", "none\r")
	y.asked("5/6", l[7]+"\r")
	y.asked("6/6", l[8]+"\r")
	require.Contains(t, ended(), "Written: "+b.path("env"))
	require.NotContains(t, y.said.String(), "wörd")
	require.NotContains(t, y.said.String(), "wröng")
	require.Equal(t, "invited", b.sourced()["OPENING"])
}

// Ctrl-C while a password is typed leaves nothing behind, and a terminal that shows what is typed.
func TestSetupInterruptedAtItsPassword(t *testing.T) {
	b, bin := newBeginner(t), posthorntest.Binary(t)
	before := b.tree()
	y, ended := atTerminal(t, "trap : INT; "+bin+" setup --env "+b.path("env")+"; echo status $?; stty -a")
	for n, l := range b.types()[:5] {
		y.asked([]string{"1/6", "2/6", "3/6", "for sending", "sign in as"}[n], l+"\r")
	}
	y.asked("Its password", "\x03")
	left := ended()
	require.Contains(t, left, "status 130")
	require.Regexp(t, ` echo `, left)
	require.Equal(t, before, b.tree())
}
