package authentic

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net"
	netmail "net/mail"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-message"
	"github.com/emersion/go-msgauth/authres"
	"github.com/emersion/go-msgauth/dkim"

	"posthorn/mail/reply"
)

// Resolver looks up the TXT records of a name in DNS (*net.Resolver).
type Resolver interface {
	LookupTXT(ctx context.Context, name string) ([]string, error)
}

// Checker reads what mails show of their writers.
type Checker struct {
	DNS Resolver // net.DefaultResolver if nil
	// Server is the name by which the host's own mail server signs what it found (authserv-id); "" if it says nothing.
	Server string
	// Delivered says that the mail server has put the mail into a mailbox, for which it may have written another
	// Received on top, of its delivery (LMTP).
	Delivered bool
}

// Bounds on what a mail may cost.
const (
	mostSignatures = 5
	lookupTime     = 10 * time.Second // for all of a mail's
)

// once are the headers that a mail has once at most: a second one could be shown to its reader, and the first signed.
var once = []string{"To", "Cc", "Message-Id", "Content-Type"}

// Read reads a mail, whose header is already read. It asks DNS.
func (c Checker) Read(ctx context.Context, head reply.Head, raw []byte) Mail {
	h := head.Fields()
	m := Mail{Single: len(h.Values("From")) == 1 && len(h.Values("Date")) == 1}
	for _, name := range once {
		m.Single = m.Single && len(h.Values(name)) <= 1
	}
	if from := head.From(); len(from) == 1 {
		m.From = from[0]
	}
	m.Date, _ = netmail.ParseDate(h.Get("Date"))
	m.To, m.Cc = head.Addresses("To"), head.Addresses("Cc")
	m.Answers = strings.Trim(strings.TrimSpace(h.Get("In-Reply-To")), "<>")
	if m.Signatures = signatures(h.Values("Dkim-Signature")); len(m.Signatures) > 0 {
		c.verify(ctx, raw, m.Signatures)
		c.believe(h, m.Signatures)
	}
	return m
}

// signatures reads the signatures of a mail, in their order.
func signatures(fields []string) (out []Signature) {
	for _, field := range fields[:min(len(fields), mostSignatures)] {
		tags := map[string]string{}
		for tag := range strings.SplitSeq(field, ";") {
			name, value, _ := strings.Cut(tag, "=")
			tags[strings.TrimSpace(name)] = strings.Join(strings.Fields(value), "")
		}
		s := Signature{Domain: strings.ToLower(tags["d"])}
		if _, partial := tags["l"]; !partial { // whatever follows is nobody's
			s.Covers = strings.Split(strings.ToLower(tags["h"]), ":")
		}
		sum := sha256.Sum256([]byte(tags["b"] + " " + tags["bh"]))
		s.ID = hex.EncodeToString(sum[:])
		out = append(out, s)
	}
	return out
}

// verify checks signatures with the keys that DNS has.
func (c Checker) verify(ctx context.Context, raw []byte, all []Signature) {
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	dns := cmp.Or[Resolver](c.DNS, net.DefaultResolver)
	found, err := dkim.VerifyWithOptions(bytes.NewReader(raw), &dkim.VerifyOptions{MaxVerifications: mostSignatures,
		LookupTXT: func(name string) ([]string, error) { return dns.LookupTXT(ctx, name) }})
	if err != nil && len(found) != len(all) { // such a mail's header is read in two ways
		return
	}
	for i, v := range found {
		if !strings.EqualFold(v.Domain, all[i].Domain) {
			continue
		}
		all[i].Verified = v.Err == nil
		if dkim.IsTempFail(v.Err) {
			all[i].Fault = v.Err
		}
	}
}

// believe takes over what the host's own mail server found, which saw the mail as it came: for a domain that signed
// once.
func (c Checker) believe(h message.Header, all []Signature) {
	if c.Server == "" {
		return
	}
	passed, failed := c.results(h)
	for i, s := range all {
		one := !slices.ContainsFunc(all[i+1:], func(o Signature) bool { return o.Domain == s.Domain }) &&
			!slices.ContainsFunc(all[:i], func(o Signature) bool { return o.Domain == s.Domain })
		if one && slices.Contains(passed, s.Domain) && !slices.Contains(failed, s.Domain) {
			all[i].Verified, all[i].Fault = true, nil
		}
	}
}

// results returns for which domains the host's own mail server found a signature good, and bad. It writes that above
// the line in which it says that it received the mail (Received): whatever stands below came with the mail.
func (c Checker) results(h message.Header) (passed, failed []string) {
	above, ok := c.above(h)
	if !ok {
		return nil, nil
	}
	for _, field := range above {
		bare, ok := uncommented(field)
		if !ok {
			continue
		}
		server, found, err := authres.Parse(bare)
		if err != nil || !strings.EqualFold(server, c.Server) {
			continue
		}
		for _, r := range found {
			d, ok := r.(*authres.DKIMResult)
			switch {
			case !ok || d.Domain == "":
			case d.Value == authres.ResultPass:
				passed = append(passed, strings.ToLower(d.Domain))
			default:
				failed = append(failed, strings.ToLower(d.Domain))
			}
		}
	}
	return passed, failed
}

// above returns the fields with results that stand above the first Received; ok is false if that is not the host's own
// mail server's: then anybody may have written what follows, with lines in its name.
func (c Checker) above(h message.Header) (results []string, ok bool) {
	delivered := false
	for f := h.Fields(); f.Next(); {
		switch {
		case strings.EqualFold(f.Key(), "Authentication-Results"):
			results = append(results, f.Value())
		case strings.EqualFold(f.Key(), "Received"):
			by := after(f.Value(), "by")
			if c.Delivered && len(results) == 0 && !delivered && strings.EqualFold(by, c.Server) &&
				strings.EqualFold(after(f.Value(), "with"), "LMTP") {
				delivered = true
				continue
			}
			return results, strings.EqualFold(by, c.Server)
		}
	}
	return nil, false
}

// after returns the word that follows another in a field; "" for none.
func after(field, word string) string {
	words := strings.Fields(field)
	i := slices.IndexFunc(words, func(w string) bool { return strings.EqualFold(w, word) })
	if i < 0 || i+1 >= len(words) {
		return ""
	}
	return strings.TrimSuffix(words[i+1], ";")
}

// uncommented returns a field without its comments in parentheses and without what it quotes, which may be the sender's
// words; ok is false if one has no end.
func uncommented(field string) (bare string, ok bool) {
	var b strings.Builder
	depth, quoted := 0, false
	for i := 0; i < len(field); i++ {
		switch c := field[i]; {
		case c == '\\':
			i++
		case c == '"' && depth == 0:
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0:
			b.WriteByte(c)
		}
		if depth < 0 {
			return "", false
		}
	}
	return b.String(), depth == 0 && !quoted
}
