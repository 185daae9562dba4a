package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"os"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/mail/authentic/providertest"
	"posthorn/mail/sign"
)

// ownServer is the host's own mail server: it writes that it received a mail, under a name, and hands it to the house.
type ownServer struct {
	t       *testing.T
	name    string // "" writes nothing
	refuses bool
	house   string
	mail    struct{ from, to string }
}

func (s *ownServer) Reset()        {}
func (s *ownServer) Logout() error { return nil }

func (s *ownServer) Mail(from string, _ *smtp.MailOptions) error {
	s.mail.from = from
	return nil
}

func (s *ownServer) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.mail.to = to
	return nil
}

func (s *ownServer) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	require.NoError(s.t, err)
	if s.refuses {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 7, 1}, Message: "forged"}
	}
	if s.name != "" {
		came := "Received: from doctor by " + s.name + " with ESMTP; Sat, 21 Nov 2026 12:00:01 +0000\r\n"
		raw = append([]byte(came), raw...)
	}
	wire, err := net.Dial("tcp", s.house)
	require.NoError(s.t, err)
	client := smtp.NewClientLMTP(wire)
	require.NoError(s.t, client.Hello("mx.example.org"))
	require.NoError(s.t, client.SendMail(s.mail.from, []string{s.mail.to}, bytes.NewReader(raw)))
	return client.Close()
}

// Given a mail server in front whose word is taken, then the doctor sends a forged mail through it and says whether the
// house would believe it.
func TestTheDoctorForgesAMail(t *testing.T) {
	c := &doctorCmd{Settings: house.Settings{Listen: "127.0.0.1:0", From: "posthorn@example.org",
		ReplyTo: "games@example.org",
		Inbound: "lmtp://127.0.0.1:0", AuthServ: "mx.example.org", Opening: "anyone", DNS: &providertest.DNS{}}}
	c.Data = t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	h, err := house.Open(ctx, c.Settings, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(ctx) }()
	for name, tries := range map[string]struct {
		ownServer
		how  health
		says string
	}{
		"it says that it received it":           {ownServer{name: "mx.example.org"}, well, "is not believed"},
		"it calls itself by another name":       {ownServer{name: "other.example.org"}, well, "is not believed"},
		"it hands mails on as they came":        {ownServer{}, wrong, "a forged mail was believed"},
		"it refuses what comes in with results": {ownServer{refuses: true}, well, "refuses a mail that forges"},
	} {
		t.Run(name, func(t *testing.T) {
			own := tries.ownServer
			own.t, own.house = t, h.Inbound.Addr().String()
			server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &own, nil }))
			l, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			served := make(chan error, 1)
			go func() { served <- server.Serve(l) }()
			f, err := c.forges(t.Context(), l.Addr().String())
			require.NoError(t, err)
			require.Equal(t, tries.how, f.how, f.text)
			require.Contains(t, f.text, tries.says)
			require.NoError(t, server.Close())
			<-served
		})
	}
	stop()
	require.NoError(t, <-ended)
	require.NoError(t, h.Close())
	f, err := c.forges(t.Context(), "127.0.0.1:1")
	require.NoError(t, err)
	require.Equal(t, worth, f.how, f.text)
}

// published is a DNS that has the keys of a house.
type published []sign.Record

func (k published) LookupTXT(_ context.Context, name string) ([]string, error) {
	for _, r := range k {
		if r.Name == name {
			return []string{r.Text}, nil
		}
	}
	return nil, errNone
}

// The doctor sends a mail out as letters go, to where answers go, and says whether it comes in and proves whose it is.
func TestTheDoctorSendsItselfAMail(t *testing.T) {
	c := &doctorCmd{Settings: house.Settings{Listen: "127.0.0.1:0", From: "posthorn@example.org", DKIM: true,
		ReplyTo: "games@example.org", Inbound: "lmtp://127.0.0.1:0", Opening: "anyone"}}
	c.Data = t.TempDir()
	signer, err := c.signer()
	require.NoError(t, err)
	records, err := signer.Records()
	require.NoError(t, err)
	known := published(records)
	c.DNS = known
	own := &ownServer{t: t, name: "mx.example.org"}
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return own, nil }))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	t.Cleanup(func() {
		require.NoError(t, server.Close())
		<-served
	})
	tries := *c
	tries.SMTP = "smtp://" + l.Addr().String()
	all, err := tries.roundTrip(t.Context())
	require.NoError(t, err)
	require.Contains(t, all[0].text, "the house is not running")

	ctx, stop := context.WithCancel(t.Context())
	h, err := house.Open(ctx, c.Settings, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	own.house = h.Inbound.Addr().String()
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-ended)
		require.NoError(t, h.Close())
	})
	require.Eventually(t, func() bool {
		_, err := os.Stat(h.Path("alive"))
		return err == nil
	}, posthorntest.Patient, 5*time.Millisecond)
	for dkim, says := range map[bool]string{true: "signed, and its move was played",
		false: "its move was played at a table in memory; no signature proves whose it is"} {
		tries.DKIM = dkim
		all, err := tries.roundTrip(t.Context())
		require.NoError(t, err)
		require.Len(t, all, 1)
		require.Contains(t, all[0].text, says)
	}
	own.refuses = true
	_, err = tries.roundTrip(t.Context())
	require.ErrorContains(t, err, "could not be sent")
}
