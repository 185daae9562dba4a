package setup_test

import (
	"context"
	"errors"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/setup"
	"posthorn/events/programtest"
	"posthorn/mail"
)

// nasty are values that a quoting can get wrong.
var nasty = []string{"a", "a b", `"`, `'`, `it's`, `\`, `\\n`, `$HOME`, "`date`", `a\$b"c'd` + "`", "#", " # x ",
	"zażółć", `!x`, `a=b;c&d|e`, `\"`, "*", "~"}

// What stands in the file is what a shell reads, and what was set.
func TestValuesAreQuotedForAShell(t *testing.T) {
	path := filepath.Join(t.TempDir(), "env")
	for _, value := range nasty {
		e, err := setup.ReadEnvironment(path)
		require.NoError(t, err)
		e.Set("POSTHORN_SMTP", value)
		require.NoError(t, setup.Write(path, e.Text(), 0o600))
		out, err := exec.Command("sh", "-c", `set -a; . "$0"; printenv POSTHORN_SMTP`, path).Output()
		require.NoError(t, err, value)
		require.Equal(t, value+"\n", string(out))
		again, err := setup.ReadEnvironment(path)
		require.NoError(t, err)
		require.Equal(t, value, again.Get("POSTHORN_SMTP"))
		require.Equal(t, e.Text(), again.Text())
	}
}

// systemd reads its EnvironmentFile with the code that reads os-release, of which its programs show a value.
func TestValuesAreQuotedForSystemd(t *testing.T) {
	program, err := exec.LookPath("systemd-tmpfiles")
	if err != nil {
		programtest.Missing(t, "systemd-tmpfiles is not here (.ci/run installs it)")
	}
	root := t.TempDir()
	for _, dir := range []string{"etc", "out", "usr/lib/tmpfiles.d"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	require.NoError(t, os.WriteFile(filepath.Join(root, "usr/lib/tmpfiles.d/x.conf"),
		[]byte("f+ /out/f - - - - [%B]\n"), 0o600))
	for _, value := range nasty {
		e := &setup.Environment{}
		e.Set("BUILD_ID", value)
		require.NoError(t, setup.Write(filepath.Join(root, "etc/os-release"), e.Text(), 0o600))
		out, err := exec.Command(program, "--root="+root, "--create", "x.conf").CombinedOutput()
		require.NoError(t, err, "%s: %s", value, out)
		read, err := os.ReadFile(filepath.Join(root, "out/f"))
		require.NoError(t, err)
		require.Equal(t, "["+value+"]", string(read))
	}
}

func TestAFileOfSettingsIsReadAsAShellReadsIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "env")
	const text = "# ours\n\nA=plain\nB='it is $x'\nC=\"a\\\"b\\$c\\d\"\nD=a\\ b # what it is\nA=later\nE=\n"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	e, err := setup.ReadEnvironment(path)
	require.NoError(t, err)
	require.Equal(t, text, e.Text())
	const show = `. "$0"; printf '%s\n' "A=$A" "B=$B" "C=$C" "D=$D" "E=$E"`
	out, err := exec.Command("env", "-i", "sh", "-c", show, path).Output()
	require.NoError(t, err)
	for l := range strings.Lines(string(out)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(l, "\n"), "=")
		require.Equal(t, value, e.Get(name), name)
	}
	e.Set("A", "new")
	e.Set("D", "")
	e.Set("F", "6")
	require.Equal(t, "# ours\n\nA=\"new\"\nB='it is $x'\nC=\"a\\\"b\\$c\\d\"\nE=\nF=\"6\"\n", e.Text())
	for _, bad := range []string{"A", "A=\"x", "A='x", "A=x\\", "A=x y", "export A=x"} {
		require.NoError(t, os.WriteFile(path, []byte("B=1\n"+bad+"\n"), 0o600))
		_, err := setup.ReadEnvironment(path)
		require.ErrorContains(t, err, `line 2: write it as NAME="value"`, bad)
	}
}

type mx map[string]string

func (m mx) LookupMX(_ context.Context, domain string) ([]*net.MX, error) {
	if host, ok := m[domain]; ok {
		return []*net.MX{{Host: host}}, nil
	}
	return nil, errors.New("no such host")
}

func TestProvidersAreKnownByTheirAddresses(t *testing.T) {
	all, err := setup.Providers()
	require.NoError(t, err)
	for _, p := range all {
		require.NotEmpty(t, p.Name)
		require.NotEmpty(t, p.Domains, p.Name)
		if p.Refuses != "" {
			require.Empty(t, p.SMTP+p.IMAP+p.Password, p.Name)
			continue
		}
		_, err := mail.NewSMTP(p.SMTP, "localhost", 1)
		require.NoError(t, err, p.Name)
		u, err := url.Parse(p.SMTP)
		require.NoError(t, err)
		require.Contains(t, map[string]string{"465": "smtps", "587": "smtp"}[u.Port()], u.Scheme, p.Name)
		require.Regexp(t, `^[a-z0-9.-]+:993$`, p.IMAP, p.Name)
		require.Contains(t, []string{"yes", "no", ""}, p.Plus, p.Name)
		require.NotEmpty(t, p.Password, p.Name)
	}
	dns := mx{"ana.example": "aspmx.l.google.com.", "bo.example": "mx.bo.example."}
	for address, want := range map[string]struct {
		name string
		own  bool
	}{
		"ana@GMAIL.com": {"Gmail", false}, "ana@hotmail.com.br": {"Outlook.com", false},
		"ana@posteo.pl":   {"Posteo", false},
		"ana@ana.example": {"Gmail", true}, "ana@bo.example": {"", true}, "ana@cid.example": {"", true},
		"ana@notgmail.com": {"", true},
	} {
		p, own := setup.ProviderOf(t.Context(), dns, address)
		require.Equal(t, want.name, p.Name, address)
		require.Equal(t, want.own, own, address)
	}
	p, _ := setup.ProviderOf(t.Context(), dns, "ana@web.de")
	require.Equal(t, "ana", p.User("ana@web.de"))
}
