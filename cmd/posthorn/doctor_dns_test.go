package main

import (
	"context"
	"fmt"
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

// zone is what DNS has.
type zone struct{ txt, mx, host, addr map[string]string }

var errNone = &net.DNSError{Err: "no such host", IsNotFound: true}

func found(in map[string]string, name string) ([]string, error) {
	if one, ok := in[name]; ok {
		return []string{one}, nil
	}
	return nil, errNone
}

func (z zone) LookupTXT(_ context.Context, name string) ([]string, error) { return found(z.txt, name) }
func (z zone) LookupHost(_ context.Context, name string) ([]string, error) {
	return found(z.host, name)
}
func (z zone) LookupAddr(_ context.Context, addr string) ([]string, error) {
	return found(z.addr, addr)
}

func (z zone) LookupMX(_ context.Context, name string) ([]*net.MX, error) {
	one, err := found(z.mx, name)
	if err != nil {
		return nil, err
	}
	return []*net.MX{{Host: one[0]}}, nil
}

// inDNS returns what the doctor finds in DNS for a sender.
func inDNS(t *testing.T, from, server string, dkim bool, z zone) string {
	t.Helper()
	c := doctorCmd{}
	c.Data, c.From, c.SMTP, c.DKIM, c.PublicURL = t.TempDir(), from, server, dkim, "https://games.example.org"
	all, err := c.dnsBy(t.Context(), z)
	require.NoError(t, err)
	text := ""
	for _, f := range all {
		text += fmt.Sprintf("%s %s\n", f.how, f.text)
	}
	return text
}

// At somebody else's domain nothing can be put into DNS, so the doctor advises nothing there.
func TestTheDoctorAdvisesNobodyElsesDNS(t *testing.T) {
	for _, from := range []string{"ana@gmail.com", "ana@Hotmail.com", "ana@wp.pl", "ana@yahoo.com.br",
		"ana@proton.me"} {
		got := inDNS(t, from, "smtps://smtp.example.net:465", true, zone{})
		require.Contains(t, got, "who signs its mails: there is nothing to put into DNS", from)
		require.NotContains(t, got, "IN TXT", from)
		require.Contains(t, got, "give --no-dkim")
		require.NotContains(t, inDNS(t, from, "smtps://smtp.example.net:465", false, zone{}), "note")
	}
	got := inDNS(t, "games@example.org", "smtps://smtp.gmail.com:465", true,
		zone{mx: map[string]string{"example.org": "aspmx.l.google.com."}})
	require.Contains(t, got, `example.org. IN TXT "v=spf1 include:_spf.google.com -all"`,
		"the domain is the host's, whoever sends for it")
	require.Contains(t, got, "ok mails to example.org go to aspmx.l.google.com")
	require.NotContains(t, got, "PTR", "that is up to the provider")
}

// Where the mail server is the host's own, its address must lead back to a name.
func TestTheDoctorLooksWhereMailsGoAndComeFrom(t *testing.T) {
	z := zone{host: map[string]string{"games.example.org": "198.51.100.7"}}
	got := inDNS(t, "games@example.org", "smtp://127.0.0.1:25", false, z)
	require.Contains(t, got, "note DNS names no server that takes the mails to example.org (MX)")
	require.Contains(t, got, "note the address 198.51.100.7 of this machine leads to no name (PTR)")
	z.addr = map[string]string{"198.51.100.7": "mx.example.org."}
	z.mx = map[string]string{"example.org": "mx.example.org."}
	got = inDNS(t, "games@example.org", "smtp://127.0.0.1:25", false, z)
	require.Contains(t, got, "ok mails to example.org go to mx.example.org")
	require.Contains(t, got, "ok the address 198.51.100.7 leads to mx.example.org")
}
