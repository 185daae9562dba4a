package browser

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	nethttp "net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/mail"
	"posthorn/projections/turn"
)

// study makes a study of a finished game for Ana. Anybody who has its address may see it, and she shows it to Bo.
func (s *stage) study(of string) events.Name {
	s.t.Helper()
	ctx := context.Background()
	look, err := s.Desk.Look(ctx, s.tables[of])
	require.NoError(s.t, err)
	wish := desk.NewTable{Rulebook: look.Table.Rulebook, Choices: look.Table.Choices, Pace: "weekly",
		Branch: &domain.Branch{Table: s.tables[of].String(), Line: look.LineName.String(),
			Version: look.LineHead.Version / 2, Kind: "study"}}
	for range look.Table.Places {
		wish.Places = append(wish.Places,
			domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{s.who[0]}})
	}
	ans, err := s.Desk.Open(ctx, events.Actor{Person: s.who[0], Door: "page"}, events.NewCommandID(), wish)
	require.NoError(s.t, err)
	for seat := range wish.Places {
		s.do(s.who[0], ans.Table, desk.Join{Seat: domain.Seat(seat),
			Chance: []byte("three dice: 4 1 6, and a rainy day")})
	}
	_, err = s.Desk.Advance(ctx, ans.Table)
	require.NoError(s.t, err)
	require.NoError(s.t, s.People.SetShared(ctx, s.who[0], ans.Table, true))
	require.NoError(s.t, s.People.ShareWith(ctx, s.who[0], ans.Table, s.who[1]))
	return ans.Table
}

// doors returns the pages behind sign-in links, a good and a bad one, those of webhooks, and those by which somebody
// deletes their account, takes a change of their addresses back, or says that they lost theirs.
func (s *stage) doors(lang string) []shotOf {
	s.t.Helper()
	ctx := context.Background()
	a, err := people.ParseAddress("fern@example.org")
	require.NoError(s.t, err)
	link, _, err := s.People.AskSignIn(ctx, a, "192.0.2.1", lang)
	require.NoError(s.t, err)
	// nothing is posted: she is never asked
	_, err = s.People.MakeHook(ctx, s.who[3], "https://hooks.example.org/posthorn", []string{"consent"})
	require.NoError(s.t, err)
	forget, _, _, err := s.People.AskForget(ctx, s.who[2])
	require.NoError(s.t, err)
	moved, err := s.People.Readdress(ctx, s.who[3], "moved@example.org")
	require.NoError(s.t, err)
	require.NotEmpty(s.t, moved.Tell)
	bo, err := s.People.Person(ctx, s.who[1])
	require.NoError(s.t, err)
	last, err := s.Log.Last(ctx)
	require.NoError(s.t, err)
	require.NoError(s.t, s.Views.Await(ctx, last)) // they say that Bo holds a seat
	lost, send, err := s.People.AskLost(ctx, bo.Address, "bo@new.example", "192.0.2.2", lang)
	require.NoError(s.t, err)
	require.True(s.t, send)
	return []shotOf{{"forget", "/f/" + forget.Text(), 2}, {"address-back", "/b/" + moved.Tell[0].Back, -1},
		{"address-lost", "/lost", -1}, {"address-lost-link", "/lost/" + lost.Token, -1},
		{"sign-in-link", "/sign-in/" + link.Text(), -1},
		{"sign-in-link-game", "/sign-in/" + link.Text() + "?game=carcassonne", -1},
		{"sign-in-link-spent", "/sign-in/a-link-that-is-not-good", -1}, {"hooks", "/settings/hooks", 3}}
}

// answers makes the house answer a mail of Ana's in which it found no move.
func (s *stage) answers(table, lang string) {
	s.t.Helper()
	ctx := context.Background()
	look, err := s.Desk.Look(ctx, s.tables[table])
	require.NoError(s.t, err)
	m, err := s.Sender.Composer.Maker.Turn(ctx, look.Name, turn.Asker{Person: s.who[0], Seat: 0, Lang: lang})
	require.NoError(s.t, err)
	key := sha256.Sum256([]byte("an answer"))
	_, err = s.Outbox.Answer(ctx, mail.Answer{Key: hex.EncodeToString(key[:]), Person: s.who[0], Table: look.Name,
		Stream: look.LineName, Open: look.Line.Awaited()[0],
		Fruitless: true, Headline: m.Text("mail.answer.nothing"), Lines: []string{m.Text("mail.answer.unread")}}, nil)
	require.NoError(s.t, err)
}

// unpictured matches addresses that are not pages: pictures, files, streams, feeds, and redirects.
var unpictured = regexp.MustCompile(
	`^/(api|assets)/|\.(svg|png|gif|ico|txt|json)$|^/rules/:game/:picture$|/(live|record|jump|data)$|/claim/:claim$|^/calendar/|^/mailbox/.+/|^/\.well-known/|^/(metrics|healthz|readyz|health|ready|checkpoint|log)\b|\*`)

// unposted are kinds of mails without a picture, since they only go out at a certain time (part of a deadline, the hour
// of a digest) or after a mail that nobody sends here: a complaint, one to the house's own address.
var unposted = []mail.Kind{mail.KindDigest, mail.KindReminder, mail.KindStopped, mail.KindHouse}

// everythingHasAPicture checks that every page's address and every kind of mail has a picture that shows what its name
// says.
func (s *stage) everythingHasAPicture(t *testing.T, pages []shotOf, sessions []string) {
	t.Helper()
	for _, route := range s.Server.Echo().Routes() {
		if route.Method != nethttp.MethodGet || unpictured.MatchString(route.Path) {
			continue
		}
		is := regexp.MustCompile(`^` + regexp.MustCompile(`:[a-z]+`).
			ReplaceAllString(regexp.QuoteMeta(route.Path), `[^/?]+`) + `(\?|$)`)
		assert.True(t, slices.ContainsFunc(pages, func(p shotOf) bool { return is.MatchString(p.path) }),
			"no picture of %s: add one to the stage's pages", route.Path)
	}
	for _, kind := range mail.Kinds() {
		assert.True(t, slices.Contains(unposted, kind) ||
			slices.ContainsFunc(pages, func(p shotOf) bool { return strings.HasPrefix(p.name, "mail-"+string(kind)) }),
			"no picture of a mail %q", kind)
	}
	for name, has := range map[string]string{"table-carcassonne-alone-hint": `class="turn confirm"`,
		"share": `id="share"`, "games-shown": `id="shared"`,
		"sign-in-link": `class="go"`, "hooks": "hooks.example.org",
		"settings-saved": `class="notice"`, "mailbox-letter": "/answer", "mailbox-answer": `<textarea id="text"`,
		"mailbox-answered": `class="told"`, "table-stopped": "/story"} {
		at := slices.IndexFunc(pages, func(p shotOf) bool { return p.name == name })
		require.GreaterOrEqual(t, at, 0, name)
		assert.Contains(t, s.reads(pages[at], sessions), has, name)
	}
}

// reads returns a page as the person in its picture gets it.
func (s *stage) reads(p shotOf, sessions []string) string {
	s.t.Helper()
	req, err := nethttp.NewRequest("GET", s.Config.PublicURL+p.path, nil)
	require.NoError(s.t, err)
	if p.who >= 0 {
		req.AddCookie(&nethttp.Cookie{Name: "posthorn", Value: sessions[p.who]})
	}
	res, err := nethttp.DefaultClient.Do(req)
	require.NoError(s.t, err)
	defer func() { _ = res.Body.Close() }() // it was read and is no longer needed
	body, err := io.ReadAll(res.Body)
	require.NoError(s.t, err)
	return string(body)
}
