package setup

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/emersion/go-smtp"
)

// Plain says in plain words why a mail server at an address cannot be used, and what to do. ports says which are usual.
// What it does not know, it returns as it is.
func Plain(err error, at, ports string) error {
	host, port, _ := net.SplitHostPort(at)
	var dns *net.DNSError
	var answer *smtp.SMTPError
	say := func(format string, args ...any) error {
		return &plain{fmt.Sprintf(format, args...), err}
	}
	switch {
	case err == nil:
		return nil
	case errors.As(err, &dns) && dns.IsNotFound:
		return say("there is no server named %s. Is there a typing mistake?", host)
	case errors.As(err, &dns):
		return say("the name %s cannot be looked up just now: is this machine connected? (%v)", host, dns)
	case certificateFault(err) != "":
		return say("the certificate of %s is not to be trusted: %s. Write the server's name as its provider does; if "+
			"the server is yours, give it a certificate for this name", host, certificateFault(err))
	case strings.Contains(err.Error(), "doesn't support STARTTLS"):
		return say("the server offers no encryption at %s, and a password is not sent in the open. %s", at, ports)
	case errors.As(err, new(tls.RecordHeaderError)):
		return say("at %s no server speaks TLS from the start. %s", at, ports)
	case errors.Is(err, syscall.ECONNREFUSED):
		return say("nobody listens at %s. Is the port right? %s", at, ports)
	case errors.As(err, &answer) && answer.Code == 530 && strings.Contains(answer.Message, "STARTTLS"):
		return say("the server wants encryption: write it as smtp://%s?tls=on", at)
	case RefusedPassword(err):
		_ = errors.As(err, &answer)
		return say("the server does not take this user and password. It says: %s", answer.Message)
	case errors.As(err, &answer) && answer.Temporary():
		return say("the server cannot do it just now, try again: %d %s", answer.Code, answer.Message)
	case errors.As(err, &answer):
		return say("the server refuses: %d %s", answer.Code, answer.Message)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), timeout(err):
		return say("%s does not answer. Where machines are rented, port %s is often blocked: ask whoever runs the "+
			"network, or try another. %s", at, port, ports)
	case errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET):
		return say("%s hangs up. Is the port right? %s", at, ports)
	}
	return err
}

// plain is a sentence for the host, about an error.
type plain struct {
	text string
	err  error
}

func (p *plain) Error() string { return p.text }

// Unwrap returns what the sentence is about.
func (p *plain) Unwrap() error { return p.err }

// RefusedPassword reports whether a server answered that it does not take a user or password.
func RefusedPassword(err error) bool {
	var answer *smtp.SMTPError
	return errors.As(err, &answer) && (answer.Code >= 530 && answer.Code <= 538 || !answer.Temporary() &&
		answer.EnhancedCode[1] == 7 && strings.Contains(err.Error(), "sign in"))
}

func certificateFault(err error) string {
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &name):
		return "it is for other names"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "it has expired, or this machine's clock is wrong"
	case errors.As(err, new(x509.UnknownAuthorityError)):
		return "nobody whom this machine trusts has signed it"
	case errors.As(err, new(*tls.CertificateVerificationError)):
		return err.Error()
	}
	return ""
}

func timeout(err error) bool {
	var t net.Error
	return errors.As(err, &t) && t.Timeout()
}
