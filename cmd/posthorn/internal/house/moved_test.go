package house_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/events/people"
	"posthorn/mail"
	"posthorn/projections/words"
)

// What became of an address is told to the others in their person's language, with what takes it back where there is
// anything; neither signs anybody in, and no address is shown whole.
func TestAnAddressIsToldOfAnotherInEachLanguage(t *testing.T) {
	l := posthorntest.Lives(t, posthorntest.Settings(t.TempDir()))
	post, n := mail.Post{Outbox: l.Outbox}, 0
	read := func(to string) mail.Parts {
		n++
		require.Eventually(t, func() bool { return len(l.Mailbox.Messages()) == n }, posthorntest.Patient,
			5*time.Millisecond)
		for _, m := range l.Mailbox.Messages() {
			if m.To == to {
				parts, err := m.Read()
				require.NoError(t, err)
				return parts
			}
		}
		t.Fatal("no mail to " + to)
		return mail.Parts{}
	}
	for _, lang := range words.Languages {
		for _, back := range []string{"", "the-token"} {
			for _, what := range []string{people.AddressAdded, people.AddressMain, people.AddressRemoved,
				people.AddressFailed} {
				to := people.Address(strings.ToLower("a." + lang + what + back + "@example.org"))
				require.NoError(t, post.Changed(l.Ctx, people.Told{Address: to, Back: back},
					people.Change{Address: "newer@example.net", What: what, Language: lang}))
				parts := read(string(to))
				for _, body := range []string{parts.Text, parts.HTML} {
					require.Contains(t, body, "ne…@example.net")
					require.Equal(t, back != "", strings.Contains(body, "/b/the-token"), body)
					require.NotContains(t, body, "/sign-in/", "it signs nobody in")
					require.NotContains(t, body, "newer@")
					require.NotRegexp(t, `\bmail\.[a-z]|\{`, parts.Text)
				}
			}
		}
		to := strings.ToLower("taken." + lang + "@example.org")
		require.NoError(t, post.Taken(l.Ctx, to, lang))
		parts := read(to)
		require.NotContains(t, parts.Text, "/sign-in/")
		require.NotRegexp(t, `\bmail\.[a-z]|\{`, parts.Text)
		for _, what := range []people.LostWhat{people.LostAsk, people.LostHere, people.LostVouch, people.LostSure,
			people.LostWait} {
			m := people.LostMail{What: what, To: people.Address(strings.ToLower(string(what) + lang + "@example.org")),
				Language: lang, Who: "Ana", Address: "newer@example.net", When: time.Now().Add(people.LostWaits)}
			if what != people.LostSure && what != people.LostWait {
				m.Token = "the-token"
			}
			require.NoError(t, post.Lost(l.Ctx, m))
			parts := read(string(m.To))
			require.Equal(t, m.Token != "", strings.Contains(parts.Text, "/lost/the-token"), parts.Text)
			require.NotContains(t, parts.Text, "newer@")
			require.NotRegexp(t, `\bmail\.[a-z]|\{`, parts.Text+parts.Header.Get("Subject"))
		}
	}
}
