package mail_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/languages"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/mail"
)

// source returns the text of the files that patterns name, without tests.
func source(t *testing.T, globs ...string) string {
	t.Helper()
	var out strings.Builder
	for _, g := range globs {
		files, err := filepath.Glob(g)
		require.NoError(t, err)
		require.NotEmpty(t, files, g)
		for _, f := range files {
			if !strings.HasSuffix(f, "_test.go") {
				b, err := os.ReadFile(f)
				require.NoError(t, err)
				out.Write(b)
			}
		}
	}
	return out.String()
}

// declared returns the string constants of a type in the files that a pattern names.
func declared(t *testing.T, glob, typ string) (out []string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`(?m)^\t\w+ +`+typ+` += "([a-z-]+)"`).
		FindAllStringSubmatch(source(t, glob), -1) {
		out = append(out, m[1])
	}
	require.NotEmpty(t, out, typ)
	return out
}

// Every text that mails say is in the catalogue, and the catalogue has no other. A key that is put together has all its
// ends listed here, those of a proposal, a reason or a kind of mail from where these are declared.
func TestMailsSayNoKeyThatHasNoText(t *testing.T) {
	var switched, here, ofKinds []string
	typed := []string{"move", "move.does", "say", "say.does", "away", "away.does", "here", "here.does",
		"back", "back.does", "yes", "no", "board", "board.does"}
	for _, kind := range mail.Kinds() {
		k := string(kind)
		if kind.Switch() != "" {
			switched = append(switched, k)
		}
		if kind.StopsHere() {
			here = append(here, k)
		}
		if kind.How() == mail.HowYesNo {
			typed, ofKinds = append(typed, "yes."+k, "no."+k), append(ofKinds, k+".button")
		}
		if kind.Told() {
			ofKinds = append(ofKinds, k+".headline", k+".intro", k+".button")
		}
	}
	mails := []string{".subject", ".headline", ".intro", ".button"}
	for _, end := range append(mails, ".preheader") {
		ofKinds = append(ofKinds, "address"+end, "taken"+end, "forget"+end)
	}
	stale := slices.DeleteFunc(declared(t, "../events/desk/ask.go", "Stale"), func(m string) bool {
		return m == string(desk.StalePlayed) || m == string(desk.StaleRewound) // only a decision of play is
	})
	var lost []string
	for _, what := range declared(t, "../events/people/lost.go", "LostWhat") {
		lost = append(lost, what+".subject", what+".intro", what+".button")
	}
	ends := map[string][]string{
		"mail.lost.":          lost,
		"mail.consent.intro.": declared(t, "../domain/table.go", "ProposalKind"),
		"mail.unsubscribe.":   switched,
		"mail.stopped.here.":  here,
		"mail.pace.":          domain.Paces,
		"mail.branch.":        {"game", "study", "puzzle"},
		"mail.branch.short.":  {"game", "study", "puzzle"},
		"mail.reminder.":      {"half", "tenth"},
		"mail.subject.":       append(declared(t, "../domain/table.go", "ProposalKind"), "hours", "days"),
		"mail.subject.for.":   {string(desk.AskTurn), string(desk.AskConsent)},
		"mail.box.":           {"long", "lost"},
		"mail.reply.":         append(typed, "yes.offer", "no.offer"),
		"mail.played.":        {"page", "link", "lent", "session", "reply", "api"},
		"mail.used.":          {"link", "network"},
		"mail.answer.late.":   stale,
		"mail.answer.want.":   {"help", "help.yes-no", "help.words", "stop", "resign"},
		"mail.":               ofKinds,
		"mail.signin":         append(mails, ".preheader", ".try.headline", ".try.intro", ".try.once", ".try.button"),
		"mail.moved.":         {people.AddressAdded, people.AddressMain, people.AddressRemoved, people.AddressFailed},
	}
	text, said := source(t, "*.go", "*/*.go"), map[string]bool{}
	add := func(begin, in, pattern string) {
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(in, -1) {
			ends[begin] = append(ends[begin], m[1])
		}
		require.NotEmpty(t, ends[begin], begin)
	}
	add("mail.box.", source(t, "templates/*.html"), `call \$?\.T "([a-z.]+)"`)
	add("mail.answer.", text, `(?:w\.text\(|question\{key: |w\.nothing = |w\.nothing, )"([a-z.]*[a-z])"`)
	for _, m := range regexp.MustCompile(`"(mail\.[a-z0-9.-]*)"`).FindAllStringSubmatch(text, -1) {
		said[m[1]] = true
	}
	for _, template := range []string{"mail.html", "mail.txt"} {
		delete(said, template)
	}
	english, _ := languages.Of("en")
	catalogue := english.Texts["mail"]
	has := func(key string) bool { _, ok := catalogue[key]; return ok }
	var missing, open []string
	for key := range said {
		switch {
		case len(ends[key]) > 0 || has(key):
		case strings.HasSuffix(key, "."):
			open = append(open, key)
		default:
			missing = append(missing, key)
		}
	}
	for begin, list := range ends {
		for _, end := range list {
			if said[begin+end] = true; !has(begin + end) {
				missing = append(missing, begin+end)
			}
		}
	}
	require.Empty(t, open, "how do these go on?")
	require.Empty(t, missing, "these have no text")
	for key := range catalogue {
		require.True(t, said[key] || !strings.HasPrefix(key, "mail."), "nothing says %s", key)
	}
}

// Settings, webhooks and the mail that says what was stopped call a kind by one name.
func TestEveryKindWithASwitchHasAName(t *testing.T) {
	b, err := theBook()
	require.NoError(t, err)
	for _, k := range mail.Switches() {
		require.True(t, b.Has("mails."+k), k)
	}
}
