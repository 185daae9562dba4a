package browser

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"net"
	netmail "net/mail"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/http/door"
	"posthorn/mail"
)

// shotOf is a page that gets a picture.
type shotOf struct {
	name, path string
	who        int // of the stage's people; -1 for a stranger
}

// pages returns all pages of a house that people see, except those behind links in mails.
func (s *stage) pages() []shotOf {
	s.t.Helper()
	at := func(table string) string { return "/t/" + s.tables[table].String() }
	out := []shotOf{
		{"front", "/", -1}, {"sign-in", "/sign-in", -1}, {"sign-in-sent", "/sign-in/sent", -1},
		{"missing", "/nothing-here", -1}, {"sign-in-first", "/settings", -1},
		{"games", "/", 0}, {"games-none", "/", 4}, {"lobby", "/lobby", -1},
		{"story-carcassonne", at("carcassonne-over") + "/story", 0}, {"story-catan", at("catan-over") + "/story", -1},
		{"story-rivals", at("rivals-over") + "/story", 0}, {"print", at("rivals-over") + "/print", -1},
		{"new", "/new", 0},
		{"new-carcassonne", "/new/carcassonne", 0}, {"new-catan", "/new/catan", 0}, {"new-rivals", "/new/rivals", 0},
		{"rules", "/rules", -1}, {"rules-tables", "/rules/tables", 0}, {"rules-readings", "/rules/readings", -1},
		{"rules-carcassonne", "/rules/carcassonne", -1}, {"rules-catan", "/rules/catan", -1},
		{"rules-rivals", "/rules/rivals", -1},
		{"settings", "/settings", 0}, {"profile", "/profile", 0}, {"tokens", "/settings/tokens", 0},
		{"host", "/host", 0},
		{"table-gathering", at("gathering"), 0}, {"table-gathering-invited", at("gathering"), 1},
		{"table-gathering-stranger", at("gathering"), -1}, {"table-invited", at("invited"), 0},
		{"table-begins", at("alone"), 3},
		{"table-consent", at("consent"), 0},
		{"table-carcassonne-alone-hint", at("carcassonne-alone") + "?hint=1", 0}, {"share", at("study"), 0},
		{"games-shown", "/", 1}, {"table-nudged", at("carcassonne-waiting"), 1},
		{"table-catan-offered", at("catan-offer"), 1}, {"settings-saved", "/settings?done=saved", 0},
		{"settings-refused", "/settings", 0},
		{"tree", at("lines") + "/tree", 0}, {"compare", at("lines") + "/compare", 0},
	}
	for _, one := range sampleTables {
		if (one.until != nil || one.whole) && one.name != "consent" && one.name != "lines" {
			out = append(out, shotOf{"table-" + one.name, at(one.name), 0})
		}
	}
	for _, game := range []string{"carcassonne", "catan", "rivals"} {
		look, err := s.Desk.Look(context.Background(), s.tables[game])
		require.NoError(s.t, err)
		moment := fmt.Sprintf("line/%s/%d", look.LineName, look.Line.Version-1)
		out = append(out, shotOf{"table-" + game + "-stranger", at(game), -1},
			shotOf{"moment-" + game, at(game) + "/" + moment, 0})
		if look.Rulebook.Extras().Orders != nil {
			out = append(out, shotOf{"orders-" + game, at(game) + "/orders", 0})
		}
		if game == "carcassonne" {
			branch := fmt.Sprintf("/branch?line=%s&version=%d", look.LineName, look.Line.Version)
			out = append(out, shotOf{"audit", at(game) + "/audit", 0}, shotOf{"receipts", at(game) + "/receipts", 0},
				shotOf{"rewind", at(game) + "/rewind", 0}, shotOf{"end", at(game) + "/end", 0},
				shotOf{"resign", at(game) + "/resign?seat=0", 0}, shotOf{"branch", at(game) + branch, 0})
		}
	}
	return out
}

// shown serves the house until the test ends, and returns all its pages and mails, with the sessions of the people who
// may see them.
func (s *stage) shown(lang string) (all []shotOf, sessions []string) {
	s.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx) }()
	s.t.Cleanup(func() {
		stop()
		require.NoError(s.t, <-served)
		require.NoError(s.t, s.Close())
	})
	sessions = s.sessions(lang)
	entrances := s.doors(lang)
	s.asking(lang)
	s.unproved(s.letters())
	letters := s.letters()
	all = slices.Concat(s.pages(), entrances, s.sketches(), s.puzzles(), s.strange(), s.led(letters))
	for _, l := range letters {
		all = append(all, shotOf{l.name, "/mailbox/" + l.ID + "/html", -1},
			shotOf{l.name + "-text", "/mailbox/" + l.ID + "/text", -1})
	}
	return append(append(all, shotOf{"mailbox", "/mailbox", -1}), answering(letters)...), sessions
}

// asking makes the house write the mails that pages ask for.
func (s *stage) asking(lang string) {
	s.t.Helper()
	ctx := context.Background()
	post := mail.Post{Outbox: s.Outbox}
	require.NoError(s.t, post.SignIn(ctx, "new@example.org", "a-link-that-is-not-good", lang, ""))
	require.NoError(s.t, post.SignIn(ctx, "first@example.org", "a-first-link-that-is-not-good", lang, "carcassonne"))
	require.NoError(s.t, post.Address(ctx, "other@example.org", "another-link-that-is-not-good", lang))
	require.NoError(s.t, post.Changed(ctx, people.Told{Address: "old@example.org", Back: "a-link-that-is-not-good"},
		people.Change{Address: "new@example.org", What: people.AddressMain, Language: lang}))
	require.NoError(s.t, post.Link(ctx, s.who[0], s.tables["carcassonne"]))
	require.NoError(s.t, post.Used(ctx, s.who[0], s.tables["carcassonne"], "link", "Firefox, Android"))
	s.do(s.who[1], s.tables["gathering"], desk.Decline{Seat: 1, Person: s.who[1]})
	s.do(s.who[0], s.tables["carcassonne-waiting"], desk.Nudge{Seat: 1})
	s.answers("carcassonne", lang)
	s.do(s.who[1], s.tables["rivals"], desk.Say{Written: desk.Written{Text: s.sealed(1, "…")}})
	s.do(s.who[1], s.tables["carcassonne"], desk.Resign{Seat: 1})
}

func (s *stage) sealed(who int, text string) []byte {
	s.t.Helper()
	b, err := s.People.Encrypt(context.Background(), s.who[who], []byte(text))
	require.NoError(s.t, err)
	return b
}

// unproved has a mail come in as an answer to a turn's, from its person's address, which nothing proves to be theirs.
func (s *stage) unproved(letters []letterShot) {
	s.t.Helper()
	at := slices.IndexFunc(letters, func(l letterShot) bool { return strings.HasPrefix(l.name, "mail-turn-") })
	require.GreaterOrEqual(s.t, at, 0)
	turn := letters[at]
	to, err := netmail.ParseAddress(turn.Header.Get("Reply-To"))
	require.NoError(s.t, err)
	conn, err := net.Dial("tcp", s.Inbound.Addr().String())
	require.NoError(s.t, err)
	c := smtp.NewClientLMTP(conn)
	defer func() { _ = c.Close() }() // as the server's answers were read
	require.NoError(s.t, c.SendMail(turn.To, []string{to.Address}, strings.NewReader(fmt.Sprintf(
		"From: %s\r\nTo: %s\r\nSubject: Re: a turn\r\nDate: %s\r\nMessage-ID: "+
			"<unproved@example.org>\r\n\r\nsay What a game!\r\n",
		turn.To, to.Address, time.Now().Format(time.RFC1123Z)))))
}

// letterShot is a mail that gets a picture.
type letterShot struct {
	name string
	mail.Message
	mail.Parts
}

// letters waits until all mails are sent, and returns one of each kind for each reader at each table.
func (s *stage) letters() []letterShot {
	s.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(s.Config.Data, "mail.db")+
		"?mode=ro&_pragma=busy_timeout(10000)")
	require.NoError(s.t, err)
	defer func() { require.NoError(s.t, db.Close()) }()
	last, err := s.Log.Last(context.Background())
	require.NoError(s.t, err)
	posthorntest.Posted(s.t, s.Config.Data, last)
	kinds := map[string][2]string{}
	rows, err := db.Query(`SELECT message_id, kind, table_name FROM outbox WHERE state = 'sent'`)
	require.NoError(s.t, err)
	defer func() { require.NoError(s.t, rows.Close()) }()
	for rows.Next() {
		var id, kind, table string
		require.NoError(s.t, rows.Scan(&id, &kind, &table))
		kinds[strings.Trim(id, "<>")] = [2]string{kind, table}
	}
	require.NoError(s.t, rows.Err())
	names := map[string]string{}
	for name, table := range s.tables {
		names[table.String()] = "-" + name
	}
	out := map[string]letterShot{}
	for _, m := range s.Mailbox.Messages() {
		parts, err := m.Read()
		require.NoError(s.t, err)
		what := kinds[strings.Trim(parts.Header.Get("Message-Id"), "<>")]
		// sign-in mails with other texts
		of := map[string]string{"first@example.org": "-first", "other@example.org": "-address",
			"old@example.org": "-moved"}[m.To]
		if name := "mail-" + cmp.Or(what[0], "unknown") + of + names[what[1]]; m.To == friends[0].address ||
			names[what[1]] == "" || out[name].name == "" {
			out[name] = letterShot{name, m, parts}
		}
	}
	list := slices.Collect(maps.Values(out))
	slices.SortFunc(list, func(a, b letterShot) int { return cmp.Compare(a.name, b.name) })
	return list
}

var passLink = regexp.MustCompile(`/(p|u|w|a)/[A-Za-z0-9_-]+`)

// led returns the pages that the links of mails lead to.
func (s *stage) led(letters []letterShot) []shotOf {
	seen, out := map[string]bool{}, []shotOf{}
	for _, l := range letters {
		kind, _, _ := strings.Cut(strings.TrimPrefix(l.name, "mail-"), "-")
		for _, link := range passLink.FindAllString(l.HTML, -1) {
			if name := "link-" + link[1:2] + "-" + kind; !seen[name] &&
				!(link[1] == 'u' && len(seen) > 3 && seen["link-u-turn"]) {
				seen[name] = true
				out = append(out, shotOf{name, link, -1})
				if name == "link-p-turn" { // opened by somebody who is signed in as somebody else
					out = append(out, shotOf{name + "-other", link, 4})
				}
			}
		}
	}
	return out
}

// sessions signs everybody in, and one person without tables.
func (s *stage) sessions(lang string) []string {
	s.t.Helper()
	ctx := context.Background()
	a, err := people.ParseAddress("eva@example.org")
	require.NoError(s.t, err)
	link, _, err := s.People.AskSignIn(ctx, a, "192.0.2.1", lang)
	require.NoError(s.t, err)
	eva, err := s.People.UseLink(ctx, link.Text())
	require.NoError(s.t, err)
	require.NoError(s.t, s.People.SetName(ctx, eva.ID, "Eva"))
	var out []string
	for _, id := range append(slices.Clone(s.who), eva.ID) {
		token, err := s.People.OpenSession(ctx, id, "Firefox, Linux", door.SessionLasts)
		require.NoError(s.t, err)
		out = append(out, token.Text())
	}
	return out
}
