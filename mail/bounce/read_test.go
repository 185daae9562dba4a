package bounce_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/mail"
	"posthorn/mail/bounce"
)

func TestWhatComesBackIsRead(t *testing.T) {
	for _, c := range []struct {
		file, sender string
		kind         mail.ReturnKind
		status, why  string
	}{
		{"postfix", "", mail.ReturnHard, "5.1.1", "User unknown"},
		{"global", "", mail.ReturnSoft, "5.2.2", "Mailbox full"},
		{"expired", "", mail.ReturnSoft, "4.4.1", "timed out"},
		{"policy", "", mail.ReturnPolicy, "5.7.26", "unauthenticated"},
		{"delayed", "", "", "", ""},
		{"relayed", "", "", "", ""},
		{"qmail", "", mail.ReturnHard, "5.1.1", "no mailbox"},
		{"qmail", "MAILER-DAEMON@old.example.net", mail.ReturnHard, "5.1.1", "no mailbox"},
		{"exim", "", mail.ReturnHard, "5.0.0", "no such user"},
		{"wordless", "", mail.ReturnSoft, "", ""},
		{"vacation", "", "", "", ""},
		{"vacation", "ana@example.net", "", "", ""},
		{"person", "ana@example.net", "", "", ""},
		{"complaint", "abuse@isp.example.net", mail.ReturnComplaint, "", "abuse"},
		{"notspam", "abuse@isp.example.net", "", "", ""},
		{"broken", "", "", "", ""},
	} {
		raw, err := os.ReadFile(filepath.Join("testdata", c.file+".eml"))
		require.NoError(t, err)
		for _, ends := range []string{"\n", "\r\n"} {
			text := strings.ReplaceAll(strings.ReplaceAll(string(raw), "\r\n", "\n"), "\n", ends)
			got := bounce.Read(c.sender, []byte(text))
			require.Equal(t, c.kind, got.Kind, "%s from %q", c.file, c.sender)
			require.Equal(t, c.status, got.Status, c.file)
			require.Contains(t, got.Why, c.why, c.file)
		}
	}
}

func TestAMailBombIsReadInPart(t *testing.T) {
	for name, bomb := range map[string]string{
		"parts": "Content-Type: multipart/report; report-type=delivery-status; boundary=x\r\n\r\n" +
			strings.Repeat("--x\r\n\r\n\r\n", 50000),
		"depth":  strings.Repeat("Content-Type: multipart/report; boundary=x\r\n\r\n--x\r\n", 5000),
		"header": strings.Repeat("X: y\r\n", 100000) + "\r\n",
		"block": "Content-Type: multipart/report; boundary=x\r\n\r\n--x\r\nContent-Type: " +
			"message/delivery-status\r\n\r\n" + strings.Repeat("A: b\r\n\r\n", 100000),
		"text": "Subject: Undelivered\r\n\r\n" + strings.Repeat("5.1", 1<<20),
	} {
		require.Contains(t, []mail.ReturnKind{"", mail.ReturnSoft}, bounce.Read("", []byte(bomb)).Kind, name)
	}
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.eml")
	require.NoError(f, err)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add("", raw)
	}
	f.Fuzz(func(t *testing.T, sender string, raw []byte) {
		r := bounce.Read(sender, raw)
		require.Contains(t, []mail.ReturnKind{"", mail.ReturnHard, mail.ReturnSoft, mail.ReturnPolicy,
			mail.ReturnComplaint}, r.Kind)
	})
}

func BenchmarkRead(b *testing.B) {
	raw, err := os.ReadFile("testdata/postfix.eml")
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		bounce.Read("", raw)
	}
}
