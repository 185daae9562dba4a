package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/mail"
	"posthorn/mail/authentic/providertest"
	"posthorn/mail/inbound"
	"posthorn/mail/sign"
)

func TestTheDoctorSaysTheQueueWaitsAndNamesTheTables(t *testing.T) {
	data := oneInvitation(t)
	table := posting(t, data, &hands{
		says: errors.New("sign in at the mail server: 535 wrong password for bo@example.org")})
	out, status := tells("doctor", "--data", data)
	require.Equal(t, 1, status, out)
	require.Contains(t, out, "WRONG")
	require.Contains(t, out, "535 wrong password")
	require.NotContains(t, out, "bo@")
	require.Contains(t, out, "letters: 1, due: 1, about 1 tables: ")
	require.Contains(t, out, table.String())
}

func TestTheDoctorSaysWhatBecomesOfOlderGames(t *testing.T) {
	cfg, table := inhabited(t)
	closed(t, cfg.Data)
	out, _ := tells("doctor", "--data", cfg.Data)
	require.NotContains(t, out, "earlier edition")
	db, err := sql.Open("sqlite", filepath.Join(cfg.Data, "events.db"))
	require.NoError(t, err)
	for _, text := range []string{`DROP TRIGGER events_stay`,
		`UPDATE events SET data = CAST(replace(CAST(data AS TEXT), '"edition":"', '"edition":"0') AS BLOB) WHERE version = 1`} {
		_, err := db.Exec(text)
		require.NoError(t, err)
	}
	require.NoError(t, db.Close())
	out, status := tells("doctor", "--data", cfg.Data)
	require.Zero(t, status, out)
	require.Regexp(t, `note +games in play that began under an earlier edition of their rules: 1`, out)
	require.Contains(t, out, "luck and legality")
	require.Contains(t, out, table.String())
}

func TestTheDoctorTriesTheMailServerAndThePages(t *testing.T) {
	box, err := mail.OpenMailbox(t.TempDir())
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- box.Run(ctx) }()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, "<title>Posthorn</title>")
	}))
	defer site.Close()
	out, status := tells("doctor", "--data", t.TempDir(), "--smtp", box.Address(), "--public-url", site.URL, "--to",
		"you@example.org")
	require.Zero(t, status, out)
	require.Contains(t, out, "the mail server greets")
	require.Contains(t, out, "the public address leads to the pages")
	require.Len(t, box.Messages(), 1)
	require.Equal(t, "you@example.org", box.Messages()[0].To)
	require.Contains(t, string(box.Messages()[0].Raw), "test mail")
	require.Contains(t, string(box.Messages()[0].Raw), "DKIM-Signature")
	stop()
	require.ErrorIs(t, <-ended, context.Canceled)
}

// The doctor is run outside the service, by the file of settings that it is given.
func TestTheDoctorReadsTheSettingsOfTheService(t *testing.T) {
	ours := append(os.Environ(), "POSTHORN_DATA=", "POSTHORN_SMTP=", "POSTHORN_PUBLIC_URL=")
	for _, v := range ours {
		if name, value, _ := strings.Cut(v, "="); strings.HasPrefix(name, "POSTHORN_") {
			t.Setenv(name, value) // as it was, once this is over
		}
	}
	t.Setenv("POSTHORN_PUBLIC_URL", "http://127.0.0.1:1")
	data, file := t.TempDir(), filepath.Join(t.TempDir(), "posthorn.env")
	text := "# ours\nPOSTHORN_DATA=\"" + data + "\"\nPOSTHORN_SMTP='smtp://127.0.0.1:1'\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	out, status := tells("doctor", "--settings", file)
	require.Equal(t, 1, status)
	require.Contains(t, out, "there is no mail queue in "+data)
	require.Contains(t, out, "WRONG  the mail server: ")
	require.Contains(t, out, "no --public-url", "nothing else counts")
	other := t.TempDir()
	out, _ = tells("doctor", "--data", other, "--settings="+file)
	require.Contains(t, out, "there is no mail queue in "+other, "but flags do")
	out, status = tells("doctor", "--settings", file+".bak")
	require.NotZero(t, status)
	require.Contains(t, out, "--settings: ")
	require.NoError(t, os.WriteFile(file, []byte("POSTHORN_SMTP 1\n"), 0o600))
	out, status = tells("doctor", "--settings", file)
	require.NotZero(t, status)
	require.Contains(t, out, "line 1: write it as NAME=")
}

func TestTheDoctorFindsWhatIsWrong(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat))
		_, _ = fmt.Fprint(w, "Posthorn")
	}))
	defer other.Close()
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"a mail server that is away":      {[]string{"--smtp", "smtp://127.0.0.1:1"}, "reach the mail server"},
		"an address that cannot be read":  {[]string{"--smtp", "mail.example.org"}, "write it as"},
		"a page that is not ours":         {[]string{"--public-url", other.URL + "/x\x7f"}, "--public-url"},
		"a clock that is off":             {[]string{"--public-url", other.URL}, "clock"},
		"a public address nobody answers": {[]string{"--public-url", "http://127.0.0.1:1"}, "the public address"},
	} {
		out, status := tells(append([]string{"doctor", "--data", t.TempDir()}, c.args...)...)
		require.Equal(t, 1, status, "%s: %s", name, out)
		require.Contains(t, out, c.says, name)
	}
}

func TestTheDoctorHasDNSRecordsToPaste(t *testing.T) {
	keys := []sign.Record{{Name: "k._domainkey.example.org", Text: "v=DKIM1; k=rsa; p=" + strings.Repeat("A", 300)}}
	var dns map[string][]string
	look := func(_ context.Context, name string) ([]string, error) {
		if texts, ok := dns[name]; ok {
			return texts, nil
		}
		return nil, &net.DNSError{IsNotFound: true}
	}
	all := func() (out []string) {
		for _, f := range dnsFindings(context.Background(), look, "example.org", keys) {
			out = append(out, string(f.how)+" "+f.text)
		}
		return out
	}
	// Given nothing.
	got := all()
	require.Len(t, got, 3)
	require.Contains(t, got[0], `k._domainkey.example.org. IN TXT "v=DKIM1; k=rsa; p=AAA`)
	require.Contains(t, got[0], `A" "A`, "no string is longer than 255 characters")
	require.Contains(t, got[1], `example.org. IN TXT "v=spf1 `)
	require.Contains(t, got[2], `_dmarc.example.org. IN TXT "v=DMARC1; `)
	// Another key, and everything else.
	dns = map[string][]string{keys[0].Name: {"v=DKIM1; k=rsa; p=BBB"},
		"example.org": {"something=else", "v=spf1 mx -all"}, "_dmarc.example.org": {"v=DMARC1; p=none"}}
	got = all()
	require.True(t, strings.HasPrefix(got[0], "WRONG"), got[0])
	require.True(t, strings.HasPrefix(got[1], "ok"), got[1])
	require.True(t, strings.HasPrefix(got[2], "ok"), got[2])
	// The key, split as DNS servers like to.
	dns[keys[0].Name] = []string{keys[0].Text[:100] + " " + keys[0].Text[100:]}
	require.True(t, strings.HasPrefix(all()[0], "ok"))
}

func TestTheDoctorSaysWhatProvesAnAnswer(t *testing.T) {
	c := doctorCmd{}
	c.From = "games@example.org"
	dns := &providertest.DNS{}
	dns.Down.Store(true)
	require.Contains(t, c.proofs(t.Context(), dns).text, "waits for up to an hour")
	dns.Down.Store(false)
	require.Equal(t, finding{well,
		"answers are proved by their signatures, which DNS has the keys for; about others their writers are asked"},
		c.proofs(t.Context(), dns))
	c.AuthServ = "mx.example.org"
	require.Contains(t, c.proofs(t.Context(), dns).text, "as DNS or mx.example.org finds them")
	c.AnySender = true
	require.Equal(t, worth, c.proofs(t.Context(), dns).how)
}

func TestTheDoctorKnocksWhereMailsComeIn(t *testing.T) {
	for _, address := range []string{"lmtp://127.0.0.1:0", "smtp://127.0.0.1:0",
		"lmtp://" + filepath.Join(t.TempDir(), "socket")} {
		s, err := inbound.Listen(t.Context(), address, "localhost", slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- s.Run(ctx) }()
		at := address
		if strings.HasSuffix(address, ":0") {
			at = strings.TrimSuffix(address, "127.0.0.1:0") + s.Addr().String()
		}
		out, status := tells("doctor", "--data", t.TempDir(), "--inbound", at)
		require.Zero(t, status, out)
		require.Contains(t, out, "mails can come in at "+at)
		stop()
		require.Error(t, <-ended)
		out, status = tells("doctor", "--data", t.TempDir(), "--inbound", at)
		require.Equal(t, 1, status, out)
		require.Contains(t, out, "nobody takes mails")
	}
	out, status := tells("doctor", "--data", t.TempDir(), "--inbound", "mail.example.org")
	require.Equal(t, 1, status, out)
	require.Contains(t, out, "write it as lmtp://")
}
