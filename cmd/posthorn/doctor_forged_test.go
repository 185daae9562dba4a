package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"testing"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/house"
	"posthorn/mail/authentic/providertest"
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
