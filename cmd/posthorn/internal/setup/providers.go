package setup

import (
	"context"
	_ "embed"
	"encoding/json"
	"net"
	"path"
	"strings"
)

// Provider is a mail provider, as its help pages and Thunderbird's database of providers describe it. None of them
// could be tried by those who wrote this: setup tries each answer with the real server.
type Provider struct {
	Name    string
	Domains []string // patterns of the domains of its addresses
	MX      []string // patterns of the servers that take mail for customers' own domains
	SMTP    string   // as --smtp, without an account
	IMAP    string   // host:port, with TLS from the start
	Plus    string   // whether mails to user+anything@ reach user@: yes, no, or not known
	Local   bool     // the user is what stands before the @
	SPF     string   // what a customer's own domain includes in its SPF record
	// Password says which password programs need. Refuses says why none will do.
	Password, Refuses string
}

//go:embed providers.json
var providersFile []byte

// Providers returns the table of providers.
func Providers() (all []Provider, err error) {
	return all, json.Unmarshal(providersFile, &all)
}

// ProviderOf finds the provider of an address: by its domain or, for a domain of somebody's own, by the servers that
// take its mail. own says that the domain is not the provider's.
func ProviderOf(ctx context.Context, dns MXResolver, address string) (p Provider, own bool) {
	all, err := Providers()
	if err != nil {
		return p, true // a test reads the table
	}
	_, domain, _ := strings.Cut(strings.ToLower(address), "@")
	for _, p := range all {
		if fits(p.Domains, domain) {
			return p, false
		}
	}
	servers, err := dns.LookupMX(ctx, domain)
	if err != nil {
		return Provider{}, true // setup asks
	}
	for _, mx := range servers {
		for _, p := range all {
			if fits(p.MX, strings.TrimSuffix(strings.ToLower(mx.Host), ".")) {
				return p, true
			}
		}
	}
	return Provider{}, true
}

// MXResolver looks up which servers take a domain's mail.
type MXResolver interface {
	LookupMX(ctx context.Context, domain string) ([]*net.MX, error)
}

func fits(patterns []string, name string) bool {
	for _, p := range patterns {
		if ok, _ := path.Match(p, name); ok {
			return true
		}
	}
	return false
}

// User returns the name that an address's owner signs in with, as far as is known.
func (p Provider) User(address string) string {
	if local, _, ok := strings.Cut(address, "@"); ok && p.Local {
		return local
	}
	return address
}
