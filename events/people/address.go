package people

import (
	"net/mail"
	"regexp"
	"strings"

	"golang.org/x/net/idna"

	"posthorn/domain"
)

// MaxAddress is the longest mail address, in octets.
const MaxAddress = 254

// Address is a mail address as mail is sent to it: as typed before the @, with the domain in lower-case ASCII.
type Address string

var (
	localPart  = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$")
	domainPart = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$`)
)

// ParseAddress reads a bare mail address. It refuses with address-long (argument n, the most octets) or
// address-invalid.
func ParseAddress(text string) (Address, error) {
	text = strings.Trim(text, " ")
	if len(text) > 2*MaxAddress {
		return "", domain.Refuse("address-long", "n", MaxAddress)
	}
	if strings.ContainsAny(text, "<>(),;:\" \t\r\n\x00") {
		return "", domain.Refuse("address-invalid")
	}
	a, err := mail.ParseAddress(text)
	if err != nil || a.Name != "" {
		return "", domain.Refuse("address-invalid")
	}
	at := strings.LastIndexByte(a.Address, '@')
	local := a.Address[:at]
	host, err := idna.Lookup.ToASCII(a.Address[at+1:])
	host = strings.ToLower(host)
	if err != nil || len(local) > 64 || !localPart.MatchString(local) || !domainPart.MatchString(host) {
		return "", domain.Refuse("address-invalid")
	}
	if len(local)+1+len(host) > MaxAddress {
		return "", domain.Refuse("address-long", "n", MaxAddress)
	}
	return Address(local + "@" + host), nil
}

// Short returns an address from which a person can be recognised, but which is of no other use.
func (a Address) Short() string {
	name, domain, _ := strings.Cut(string(a), "@")
	if r := []rune(name); len(r) > 2 {
		name = string(r[:2])
	}
	return name + "…@" + domain
}

// domain returns what follows the @.
func (a Address) domain() string { return string(a[strings.LastIndexByte(string(a), '@')+1:]) }

// mailbox returns the form in which an address is looked up: no server in use distinguishes case before the @, and
// one person must not become two.
func (a Address) mailbox() string { return strings.ToLower(string(a)) }
