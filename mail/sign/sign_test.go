package sign_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/emersion/go-msgauth/dkim"
	"github.com/stretchr/testify/require"

	"posthorn/events/programtest"
	"posthorn/mail/sign"
)

const message = "From: \"Posthorn\" <games@example.org>\r\nTo: <ana@example.net>\r\nSubject: " +
	"Tiny: Ana, Bo #1aed6d\r\n" +
	"Date: Sat, 21 Nov 2026 12:00:00 +0000\r\nMessage-Id: <t.1@example.org>\r\nIn-Reply-To: " +
	"<g.1@example.org>\r\nReferences: <g.1@example.org>\r\n" +
	"Mime-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nAuto-Submitted: auto-generated\r\nList-Id: " +
	"<1.games.example.org>\r\n" +
	"List-Unsubscribe: <https://games.example.org/u/abc>\r\nList-Unsubscribe-Post: " +
	"List-Unsubscribe=One-Click\r\n\r\nYour turn.  \r\n\r\n\r\n"

// signed returns a message with its signatures, and what DNS holds.
func signed(t *testing.T) (text []byte, dns map[string]string) {
	t.Helper()
	s, err := sign.Open(t.TempDir(), "example.org")
	require.NoError(t, err)
	text, err = s.Sign([]byte(message))
	require.NoError(t, err)
	records, err := s.Records()
	require.NoError(t, err)
	dns = map[string]string{}
	for _, r := range records {
		dns[r.Name] = r.Text
	}
	require.Len(t, dns, 2)
	return text, dns
}

func lookup(dns map[string]string) *dkim.VerifyOptions {
	return &dkim.VerifyOptions{LookupTXT: func(name string) ([]string, error) {
		if text, ok := dns[name]; ok {
			return []string{text}, nil
		}
		return nil, fmt.Errorf("no record %s", name)
	}}
}

func TestBothSignaturesCoverWhatMailProgramsActOn(t *testing.T) {
	text, dns := signed(t)
	require.True(t, bytes.HasSuffix(text, []byte(message)), "the message stays as it is")
	all, err := dkim.VerifyWithOptions(bytes.NewReader(text), lookup(dns))
	require.NoError(t, err)
	require.Len(t, all, 2)
	for _, v := range all {
		require.NoError(t, v.Err)
		require.Equal(t, "example.org", v.Domain)
		for _, h := range []string{"From", "Subject", "List-Unsubscribe", "List-Unsubscribe-Post", "Message-ID"} {
			require.Contains(t, v.HeaderKeys, h)
		}
	}
}

func TestAMailThatWasChangedDoesNotHold(t *testing.T) {
	text, dns := signed(t)
	for name, changed := range map[string]string{
		"the text":              strings.Replace(string(text), "Your turn", "Her turn", 1),
		"the address to leave":  strings.Replace(string(text), "/u/abc", "/u/abd", 1),
		"how to leave":          strings.Replace(string(text), "=One-Click", "=Two-Click", 1),
		"a sender that was add": strings.Replace(string(text), "To: <ana", "From: <x@example.com>\r\nTo: <ana", 1),
		"an answer's address":   strings.Replace(string(text), "To: <ana", "Reply-To: <x@example.com>\r\nTo: <ana", 1),
	} {
		require.NotEqual(t, string(text), changed)
		all, err := dkim.VerifyWithOptions(strings.NewReader(changed), lookup(dns))
		require.NoError(t, err)
		for _, v := range all {
			require.Error(t, v.Err, name)
		}
	}
}

func TestKeysAreMadeOnceAndKept(t *testing.T) {
	dir := t.TempDir()
	first, err := sign.Open(dir, "example.org")
	require.NoError(t, err)
	again, err := sign.Open(dir, "example.org")
	require.NoError(t, err)
	was, err := first.Records()
	require.NoError(t, err)
	is, err := again.Records()
	require.NoError(t, err)
	require.Equal(t, was, is)
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Len(t, files, 2)
	for _, f := range files {
		st, err := os.Stat(f)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), st.Mode())
		require.NoError(t, os.WriteFile(f, []byte("x"), 0o600))
		_, err = sign.Open(dir, "example.org")
		require.ErrorContains(t, err, filepath.Base(f), "a damaged key is not replaced in silence")
		require.NoError(t, os.Remove(f))
	}
}

// A second opinion: dkimpy, Debian's python3-dkim.
func TestDkimpyFindsTheSignaturesGood(t *testing.T) {
	if out, err := exec.Command(python(), "-c", "import dkim, nacl").CombinedOutput(); err != nil {
		programtest.Missing(t, "python3-dkim with python3-nacl is not here: "+string(out))
	}
	text, dns := signed(t)
	dir := t.TempDir()
	held, err := json.Marshal(dns)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "dns"), held, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mail"), text, 0o600))
	const judge = `
import dkim, json, sys
dns = json.load(open(sys.argv[1] + "/dns"))
d = dkim.DKIM(open(sys.argv[1] + "/mail", "rb").read())
for i in (0, 1):
    print(d.verify(idx=i, dnsfunc=lambda name, timeout=5: dns[name.decode().rstrip(".")].encode()))
`
	out, err := exec.Command(python(), "-c", judge, dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "True\nTrue\n", string(out))
}

// python returns an interpreter that has dkimpy: the one on the path, or the system's own, where package managers
// install it.
func python() string {
	for _, p := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(p, "-c", "import dkim, nacl").Run() == nil {
			return p
		}
	}
	return "python3"
}
