package people

import (
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"

	"posthorn/domain"
)

// MaxName is the most characters (grapheme clusters) in a name.
const MaxName = 40

// maxNameOctets limits the size of those few characters.
const maxNameOctets = 400

// ParseName returns a display name as it is stored: NFC, single spaces. It refuses with name-empty; name-long
// (argument n, the most characters); name-characters, for control, bidirectional and other invisible characters and
// for marks stacked on a letter; name-link, for what a mail program might turn into a link; name-brackets, since text
// in brackets after a name comes from the house; name-script, for letters of several scripts in one name (see
// [oneScript]); name-reserved, for what looks like the house itself or those who run it.
func ParseName(text string) (string, error) {
	if len(text) > 4*maxNameOctets { // before anything costs time
		return "", domain.Refuse("name-long", "n", MaxName)
	}
	name := strings.Join(strings.FieldsFunc(norm.NFC.String(text), func(r rune) bool {
		return unicode.Is(unicode.Zs, r)
	}), " ")
	switch {
	case !visible(name):
		return "", domain.Refuse("name-characters")
	case strings.Trim(name, " \u200c\u200d") == "":
		return "", domain.Refuse("name-empty")
	case len(name) > maxNameOctets || uniseg.GraphemeClusterCount(name) > MaxName:
		return "", domain.Refuse("name-long", "n", MaxName)
	case stacked(name):
		return "", domain.Refuse("name-characters")
	case linkish(name):
		return "", domain.Refuse("name-link")
	case strings.ContainsFunc(name, func(r rune) bool { return unicode.In(r, unicode.Ps, unicode.Pe) }):
		return "", domain.Refuse("name-brackets")
	case !oneScript(name):
		return "", domain.Refuse("name-script")
	case reserved(name):
		return "", domain.Refuse("name-reserved")
	}
	return name, nil
}

// blanks are letters and symbols that show nothing.
const blanks = "\u115f\u1160\u2800\u3164\uffa0"

// visible refuses characters that do not show, or that change how the text around them shows.
func visible(name string) bool {
	for _, r := range name {
		switch {
		case r == unicode.ReplacementChar || strings.ContainsRune(blanks, r):
			return false
		case r == '\u200c' || r == '\u200d': // joiners: part of letters and of emoji
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp):
			return false
		case !unicode.IsGraphic(r):
			return false
		}
	}
	return true
}

// linkish reports whether a mail program or a page might make a link of the name: an address, or a dot between
// letters with at least two after it.
func linkish(name string) bool {
	plain := []rune(strings.ToLower(norm.NFKC.String(strings.NewReplacer("。", ".", "｡", ".").Replace(name))))
	text := string(plain)
	if strings.ContainsAny(text, "@<>") || strings.Contains(text, "://") || strings.Contains(text, "www.") ||
		strings.Contains(text, "mailto:") {
		return true
	}
	for i := 1; i+2 < len(plain); i++ {
		if plain[i] == '.' && wordy(plain[i-1]) && wordy(plain[i+1]) && wordy(plain[i+2]) {
			return true
		}
	}
	return false
}

func wordy(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
