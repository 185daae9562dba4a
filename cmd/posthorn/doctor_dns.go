package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"

	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/setup"
	"posthorn/mail/sign"
)

// names looks names and addresses up in DNS (*net.Resolver).
type names interface {
	setup.MXResolver
	LookupTXT(ctx context.Context, name string) ([]string, error)
	LookupHost(ctx context.Context, name string) ([]string, error)
	LookupAddr(ctx context.Context, address string) ([]string, error)
}

// providers are the domains of more providers' own addresses than setup knows how to reach.
var providers = strings.Fields(`yahoo.* ymail.com rocketmail.com aol.* proton.me protonmail.* pm.me tuta.* tutanota.*
	zoho.* zohomail.* hey.com mail.com mail.ru yandex.* ya.ru t-online.de freenet.de uol.com.br bol.com.br terra.com.br
	ig.com.br globo.com sapo.pt wp.pl o2.pl onet.* op.pl interia.* gazeta.pl tlen.pl free.fr orange.fr laposte.net
	wanadoo.fr sfr.fr libero.it virgilio.it seznam.cz qq.com 163.com naver.com comcast.net att.net verizon.net
	btinternet.com bigpond.com`)

// providerOf returns whose a domain is that belongs to a provider, and not to this host; "" for any other.
func providerOf(ctx context.Context, dns names, domain string) string {
	if p, own := setup.ProviderOf(ctx, dns, "x@"+domain); !own {
		return p.Name
	}
	if slices.ContainsFunc(providers, func(pattern string) bool {
		ok, err := path.Match(pattern, strings.ToLower(domain))
		return ok && err == nil
	}) {
		return "a mail provider"
	}
	return ""
}

// dns compares the DNS of the sender's domain with what it should be.
func (c *doctorCmd) dns(ctx context.Context) ([]finding, error) {
	return c.dnsBy(ctx, net.DefaultResolver)
}

func (c *doctorCmd) dnsBy(ctx context.Context, dns names) ([]finding, error) {
	if c.SMTP == "" {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, httpWait)
	defer cancel()
	domain := house.HelloOf(c.From)
	if whose := providerOf(ctx, dns, domain); whose != "" {
		// its records are nobody's to advise on
		out := []finding{{well, fmt.Sprintf("%s belongs to %s, who signs its mails: there is nothing to put into DNS",
			domain, whose)}}
		if c.DKIM {
			out = append(out, finding{worth, "this house signs its mails as well, with a key that nobody finds at " +
				domain + ": give --no-dkim"})
		}
		return out, nil
	}
	var records []sign.Record
	if c.DKIM {
		signer, err := c.signer()
		if err != nil {
			return nil, err
		}
		if records, err = signer.Records(); err != nil {
			return nil, err
		}
	}
	out := dnsFindings(ctx, dns.LookupTXT, domain, records)
	if p, _ := setup.ProviderOf(ctx, dns, c.From); p.SPF != "" {
		for i := range out {
			out[i].text = strings.ReplaceAll(out[i].text, "YOUR-PROVIDER", p.SPF)
		}
	}
	return slices.Concat(out, c.mailServers(ctx, dns), c.reverse(ctx, dns)), nil
}

// mailServers says where mails to the addresses of this house go.
func (c *doctorCmd) mailServers(ctx context.Context, dns names) []finding {
	domain := house.HelloOf(cmp.Or(c.ReplyTo, c.From))
	if providerOf(ctx, dns, domain) != "" {
		return nil
	}
	servers, err := dns.LookupMX(ctx, domain)
	switch {
	case err != nil && !notFound(err):
		return []finding{{worth, fmt.Sprintf("which server takes the mails to %s could not be looked up (%v)", domain,
			err)}}
	case len(servers) == 0:
		return []finding{{worth, fmt.Sprintf("DNS names no server that takes the mails to %s (MX): answers, and what "+
			"comes back, are lost unless the name itself leads to a mail server", domain)}}
	}
	var all []string
	for _, s := range servers {
		all = append(all, strings.TrimSuffix(s.Host, "."))
	}
	return []finding{{well, fmt.Sprintf("mails to %s go to %s", domain, strings.Join(all, ", "))}}
}

// reverse says whether the addresses of this machine lead back to a name (PTR), if its own mail server sends: many
// others refuse mails from an address that does not. Where a provider sends, that is up to the provider.
func (c *doctorCmd) reverse(ctx context.Context, dns names) (out []finding) {
	server, err := url.Parse(c.SMTP)
	page, failed := url.Parse(c.PublicURL)
	if err != nil || failed != nil || page.Hostname() == "" || !house.Loopback(server.Hostname()) {
		return nil
	}
	addresses, err := dns.LookupHost(ctx, page.Hostname())
	if err != nil {
		return nil // the look at the pages says so
	}
	for _, a := range addresses {
		if ip, err := netip.ParseAddr(a); err != nil || ip.IsLoopback() || ip.IsPrivate() {
			continue
		}
		back, err := dns.LookupAddr(ctx, a)
		if err != nil || len(back) == 0 {
			out = append(out, finding{worth, fmt.Sprintf("the address %s of this machine leads to no name (PTR): many "+
				"servers refuse its mails; whoever gave you the address can set one", a)})
			continue
		}
		out = append(out, finding{well, fmt.Sprintf("the address %s leads to %s", a, strings.TrimSuffix(back[0], "."))})
	}
	return out
}

// dnsFindings lists the records that a domain has, and gives those it lacks as text to paste.
func dnsFindings(ctx context.Context, lookup func(context.Context, string) ([]string, error), domain string,
	keys []sign.Record) (out []finding) {
	wanted := append(keys,
		sign.Record{Name: domain, Text: "v=spf1 include:YOUR-PROVIDER -all"},
		sign.Record{Name: "_dmarc." + domain, Text: "v=DMARC1; p=quarantine; rua=mailto:YOU@" + domain})
	bare := func(text string) string { return strings.Join(strings.Fields(text), "") }
	for i, w := range wanted {
		texts, err := lookup(ctx, w.Name)
		kind, _, _ := strings.Cut(w.Text, " ")
		kind = strings.TrimSuffix(kind, ";")
		have := ""
		for _, t := range texts {
			if strings.HasPrefix(t, kind) || i < len(keys) {
				have = t
			}
		}
		paste := fmt.Sprintf("\n%s. IN TXT %s", w.Name, inQuotes(w.Text))
		switch {
		case have == "" && err != nil && !notFound(err):
			out = append(out, finding{worth,
				fmt.Sprintf("%s could not be looked up (%v); it should be%s", w.Name, err, paste)})
		case have == "":
			out = append(out, finding{worth, fmt.Sprintf("DNS has no %s at %s; put there%s", kind, w.Name, paste)})
		case i < len(keys) && bare(have) != bare(w.Text):
			out = append(out, finding{wrong,
				fmt.Sprintf("DNS has another key at %s than this house signs with: mails look forged. Put there%s",
					w.Name, paste)})
		default:
			out = append(out, finding{well, fmt.Sprintf("DNS has %s at %s", kind, w.Name)})
		}
	}
	return out
}

// notFound reports whether a record does not exist, as opposed to no answer.
func notFound(err error) bool {
	var dns *net.DNSError
	return errors.As(err, &dns) && dns.IsNotFound
}

// inQuotes formats a text for a zone file: in quoted strings of at most 255 characters.
func inQuotes(text string) string {
	var parts []string
	for part := range slices.Chunk([]byte(text), 255) {
		parts = append(parts, `"`+string(part)+`"`)
	}
	return strings.Join(parts, " ")
}
