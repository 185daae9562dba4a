package people_test

import (
	"net/mail"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"posthorn/domain"
	"posthorn/events/people"
)

func TestNames(t *testing.T) {
	for text, want := range map[string]string{
		"Ana":                     "Ana",
		"  João \u00a0 da  Silva": "João da Silva",
		"Joa\u0303o":              "João",
		"J.R.R. Tolkien":          "J.R.R. Tolkien",
		"Dr. Ana":                 "Dr. Ana",
		"O'Neill-Łoś":             "O'Neill-Łoś",
		"陳大文":                     "陳大文",
		"שרה":                     "שרה",
		"山田 Tarō":                 "山田 Tarō",
		"Яна":                     "Яна",
		"Nguyễn Ế":                "Nguyễn Ế",
		"Ana 1️⃣":                 "Ana 1️⃣",
		"Hosta":                   "Hosta",
		"The Ghost":               "The Ghost",
		"Pan":                     "Pan",
		"A":                       "A",
		"My":                      "My",
		"O Joaquim":               "O Joaquim",
		"👩‍👩‍👧 Kowalscy":          "👩‍👩‍👧 Kowalscy",
		strings.Repeat("é", 40):   strings.Repeat("é", 40),
	} {
		got, err := people.ParseName(text)
		require.NoError(t, err, "%q", text)
		require.Equal(t, want, got)
	}
	for code, texts := range map[string][]string{
		"name-empty": {"", "   ", "\u00a0", "\u200d", "\u3000", "\u2000"},
		"name-long": {strings.Repeat("a", 41), "a" + strings.Repeat("\u0301", 1000), strings.Repeat("👩‍👩‍👧", 41),
			strings.Repeat("\u0301", 1<<20)},
		"name-characters": {"Zalgo\u0335\u0336\u0337", "e\u0301\u0302\u0303\u0304", "a\nb", "a\r\nBcc: x", "a\x00",
			"a\tb", "\u202egnp.exe", "a\u2066b", "a\u200fb", "a\u00adb", "\ufeffa", "a\u2028b", "\ue000", "\xff",
			"a\U000e0041", "\u3164", "a\u2800"},
		"name-brackets": {"Ana (host)", "Ana [host]", "Ana ❨host❩", "Ana （host）", "Ana (B)", "Ana{}", "Ana 【host】"},
		"name-script":   {"Аna", "Anа", "Bо Silva", "Ana Ѕilva", "Αna", "Ana Яна", "Anа 陳"},
		"name-reserved": {"Posthorn", "POSTHORN", "P0sthorn", "Post horn", "The Posthorn team", "Post-Horn 2", "Host",
			"H0st", "HOST!", "Admin", "admın", "Guest 1A2B", "Gość 1A2B", "Convidado 1A2B", "Gospodarz", "Anfitrião",
			"stand-in", "Wolne miejsce",
			"The host", "the Host", "THE H0ST", "Thehost", "The hosts", "Our host", "Your host", "My host", "Mr. Host",
			"The admin", "The server", "The stand-in", "O anfitrião", "a anfitriã", "Os anfitriões", "O seu anfitrião",
			"Nosso anfitrião", "O administrador", "Um lugar aberto", "Um lugar livre", "Um lugar vago",
			"Nasz gospodarz", "Pan gospodarz", "Twoja gospodyni", "Ten serwer", "Gospodarze", "ТНЕ НОЅТ",
			"Ｐｏｓｔｈｏｒｎ", "Ⓟosthorn", "🄿osthorn", "ᴘᴏsᴛʜᴏʀɴ", "Poſthorn", "НОЅТ", "ʜᴏsᴛ", "🅗🅞🅢🅣", "🇭🇴🇸🇹", "Ho\ufe0fst",
			"Adm1n", "Admin 1", "5upport", "Suppor7", "ɡuest 12ab", "Guest l2ab", "Ｇuest 12ab",
			"Computer B", "computer", "The Computer", "Komputer C", "Computador A", "C0mputer B", "The computer B"},
		"name-link": {"http://x", "https://example.org", "www.win", "evil.com", "see evil。com", "ｅｖｉｌ．ｃｏｍ",
			"ana@example", "mailto:x", "<b>", "play at 10.0.0.12"},
	} {
		for _, text := range texts {
			_, err := people.ParseName(text)
			require.Error(t, err, "%q", text)
			refused(t, err, code)
		}
	}
}

func TestNamesThatCanBeTakenForEachOtherAreAlike(t *testing.T) {
	for _, pair := range [][2]string{
		{"Ana", "Ana"}, {"Ana", "ANA"}, {"Ana", "Аnа"}, {"Boba", "Воbа"}, {"Iris", "lris"}, {"Iris", "iris"},
		{"Marn", "Mam"}, {"Bo", "B0"}, {"Ανα", "Ava"}, {"Ana", "An\u200da"}, {"Сора", "Copa"},
		{"Ana", "An\ufe0fa"}, {"Ana", "Ana\U000e0100"}, {"Ana", "An\u034fa"}, {"Bo", "ʙo"}, {"Ana", "ᴀna"},
		{"Ana", "Ⓐna"}, {"Ana", "🅐🅝🅐"}, {"Anna", "Ａｎｎａ"}, {"Filip", "ﬁlip"},
	} {
		require.True(t, people.Alike(pair[0], pair[1]), "%q and %q", pair[0], pair[1])
		require.True(t, people.Alike(pair[1], pair[0]))
	}
	for _, pair := range [][2]string{{"Ana", "Anna"}, {"Ana", "Bo"}, {"João", "Joao"}, {"Łoś", "Los"}, {"Яна", "Ana"},
		{"", "Ana"}} {
		require.False(t, people.Alike(pair[0], pair[1]), "%q and %q", pair[0], pair[1])
	}
}

func TestAddresses(t *testing.T) {
	long := strings.Repeat("a", 63)
	for text, want := range map[string]people.Address{
		" Ana@Example.ORG ":      "Ana@example.org",
		"a.b+c@localhost":        "a.b+c@localhost",
		"ana@łódź.example":       "ana@xn--d-uga0v4h.example",
		"o'neill@sub.example.pt": "o'neill@sub.example.pt",
		long + "@" + long + "." + long + "." +
			strings.Repeat("b", 62): people.Address(long + "@" + long + "." + long + "." + strings.Repeat("b", 62)),
	} {
		got, err := people.ParseAddress(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got)
	}
	for code, texts := range map[string][]string{
		"address-long": {strings.Repeat("a", 600), long + "@" + long + "." + long + "." + strings.Repeat("b", 63)},
		"address-invalid": {"", "ana", "@example.org", "ana@", "ana@@example.org", "Ana <ana@example.org>",
			"ana@example.org, bo@example.org",
			"ana@example.org\r\nBcc: x@example.org", "ana@exam\nple.org", `"a b"@example.org`, "ana@[127.0.0.1]",
			"a..b@example.org", ".a@example.org",
			"ana@-example.org", "ana@example..org", "ana@example.org.", "łukasz@example.org", "ana@exa_mple.org",
			strings.Repeat("a", 65) + "@example.org", "ana@example.org(x)"},
	} {
		for _, text := range texts {
			_, err := people.ParseAddress(text)
			require.Error(t, err, "%q", text)
			refused(t, err, code)
		}
	}
}

func FuzzParseName(f *testing.F) {
	f.Add("Ana")
	f.Add("e\u0301\u202e")
	f.Fuzz(func(t *testing.T, text string) {
		name, err := people.ParseName(text)
		if err != nil {
			_, ok := domain.AsRefusal(err)
			require.True(t, ok)
			return
		}
		require.True(t, utf8.ValidString(name) && norm.NFC.IsNormalString(name) && strings.TrimSpace(name) == name)
		require.LessOrEqual(t, uniseg.GraphemeClusterCount(name), people.MaxName)
		for _, r := range name {
			require.False(t, unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control), "%q", name)
		}
		again, err := people.ParseName(name)
		require.NoError(t, err)
		require.Equal(t, name, again)
	})
}

func FuzzParseAddress(f *testing.F) {
	f.Add("ana@example.org")
	f.Add("ana@łódź.example")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := people.ParseAddress(text)
		if err != nil {
			_, ok := domain.AsRefusal(err)
			require.True(t, ok)
			return
		}
		require.LessOrEqual(t, len(a), people.MaxAddress)
		require.NotContains(t, string(a), "\r")
		require.NotContains(t, string(a), "\n")
		parsed, err := mail.ParseAddress(string(a))
		require.NoError(t, err)
		require.Equal(t, string(a), parsed.Address)
		again, err := people.ParseAddress(string(a))
		require.NoError(t, err)
		require.Equal(t, a, again)
	})
}
