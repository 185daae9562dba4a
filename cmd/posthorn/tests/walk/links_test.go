package walk

import (
	"fmt"
	"net/http"
	netmail "net/mail"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/mail"
)

// two are Ana, who is signed in at her desk, and Bo, who has never signed in and has only his mails, at one table.
type two struct {
	*walk
	ana, bo *person
	home    string
	path    string // what was sent last to make a move, and where
	form    url.Values
	answers int
}

// plays has Ana and Bo begin a game of their own in a living house.
func plays(t *testing.T, game string, then func(*testing.T, *two)) {
	t.Helper()
	playsWith(t, game, nil, then)
}

// playsWith is plays with more chosen on the page of a new game.
func playsWith(t *testing.T, game string, more map[string]string, then func(*testing.T, *two)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		cryptotest.SetGlobalRandom(t, 7)
		w := begin(t, 7, lives(t, t.TempDir()))
		g := &two{walk: w, ana: w.folk[0], bo: w.folk[1]}
		g.bo.lang = "en"
		form := g.ana.desk.opens("/new/"+game).offer(t, "POST", "/new/"+game).values()
		for k, v := range map[string]string{"seat.0": "me", "seat.1": "friend", "address.1": g.bo.address,
			"lang.1": "en", "name": "Ana", "pace": "weekly"} {
			form.Set(k, v)
		}
		for k, v := range more {
			form.Set(k, v)
		}
		p := g.ana.desk.follows("POST", "/new/"+game, form)
		g.home, _, _ = strings.Cut(p.path, "?")
		g.sits(g.ana.desk, p, "Ana")
		g.sits(g.ana.phone, g.bo.desk.opens(g.link(g.bo, mail.KindInvitation)), "Bo")
		w.house.settles(time.Minute)
		then(t, g)
		require.Empty(t, w.report())
	})
}

// sits takes the seat that a page offers.
func (g *two) sits(b *browser, at *page, name string) {
	o := at.offer(g.t, "POST", "/join")
	form := o.values()
	form.Set("chance", "dice of "+name+", quite at random")
	form.Set("name", name)
	require.Less(g.t, b.follows("POST", o.path, form).status, 400)
}

// offer returns the first offer of a page whose address ends in some way.
func (p *page) offer(t *testing.T, method, end string) offer {
	t.Helper()
	o, ok := p.offered(method, end)
	require.True(t, ok, "no %s …%s on %s: %s", method, end, p.path, p.text)
	return o
}

func (p *page) offered(method, end string) (offer, bool) {
	i := slices.IndexFunc(p.offers, func(o offer) bool {
		path, _, _ := strings.Cut(o.path, "?")
		return o.method == method && strings.HasSuffix(path, end)
	})
	if i < 0 {
		return offer{}, false
	}
	return p.offers[i], true
}

// newest returns somebody's newest letter of some kinds.
func (g *two) newest(who *person, kinds ...mail.Kind) *letter {
	g.t.Helper()
	g.house.settles(2 * time.Minute)
	for _, l := range slices.Backward(g.house.box(who.address)) {
		if slices.Contains(kinds, l.row.Kind) {
			return l
		}
	}
	require.Fail(g.t, "no such letter", "%s, %v", who, kinds)
	return nil
}

// link returns the first link of somebody's newest letter of some kinds.
func (g *two) link(who *person, kinds ...mail.Kind) string {
	return linksOf(g.newest(who, kinds...))[0]
}

// table returns the link in a letter's foot that is called the table's page.
func (g *two) table(l *letter) string {
	_, after, ok := strings.Cut(l.Text, "The table's page:")
	require.True(g.t, ok, l.Text)
	return strings.TrimPrefix(strings.Fields(after)[0], base)
}

// moves makes the first move that a page and what it leads to offer; false if it offers none.
func (g *two) moves(b *browser, path string) bool {
	for p, hops := b.opens(path), 0; hops < 60; hops++ {
		list := playing(p)
		if len(list) == 0 {
			return false
		}
		o := pick(g.walk, list)
		if i := slices.IndexFunc(list, func(o offer) bool { return o.method == "POST" }); i >= 0 {
			o = list[i]
		}
		if o.method == "POST" {
			before := g.end()
			g.path, g.form = o.path, o.values()
			b.follows("POST", g.path, g.form)
			g.house.settles(time.Second)
			return g.end() > before
		}
		p = b.opens(o.path)
	}
	return false
}

func (g *two) waits(p *person) bool {
	who, err := g.house.People.ByAddress(g.house.ctx, people.Address(p.address))
	require.NoError(g.t, err)
	table, err := events.ParseName(strings.TrimPrefix(g.home, "/t/"))
	require.NoError(g.t, err)
	look, err := g.house.Desk.Look(g.house.ctx, table)
	require.NoError(g.t, err)
	return slices.ContainsFunc(look.Asks(), func(a desk.Ask) bool {
		return a.Kind == desk.AskTurn && a.Person == who.ID
	})
}

// writes has Bo answer a letter from an address with the move that it gives as an example.
func (g *two) writes(from string, l *letter) {
	g.t.Helper()
	move := regexp.MustCompile(`(?m)^ - (\S.*) – plays that move`).FindStringSubmatch(l.Text)
	require.NotEmpty(g.t, move, l.Text)
	g.replies(from, l, move[1])
}

// replies has Bo answer a letter from an address.
func (g *two) replies(from string, l *letter, text string) {
	g.t.Helper()
	to, err := netmail.ParseAddress(l.Header.Get("Reply-To"))
	require.NoError(g.t, err)
	g.answers++
	id := fmt.Sprintf("%d@example.org", g.answers)
	raw := "From: Bo <" + from + ">\r\nTo: " + to.Address + "\r\nDate: " + time.Now().Format(time.RFC1123Z) +
		"\r\nMessage-ID: <" + id + ">\r\nIn-Reply-To: " +
		l.Header.Get("Message-Id") + "\r\nSubject: Re: " + l.Subject +
		"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" + text + "\r\n"
	require.NoError(g.t, g.house.deliver(from, to.Address, []byte(raw)))
	g.house.settles(10 * time.Second)
}

// until has Ana move at her desk until it is somebody's turn.
func (g *two) until(who *person) {
	for range 20 {
		if g.waits(who) {
			return
		}
		require.True(g.t, g.moves(g.ana.desk, g.home))
	}
	require.Fail(g.t, "it is never their turn")
}

func TestTheTablesPageOfAMailShowsNoHand(t *testing.T) {
	plays(t, "rivals", func(t *testing.T, g *two) {
		g.until(g.bo)
		l := g.newest(g.bo, mail.KindTurn)
		require.Contains(t, g.browser(g.ana, "a stranger").opens(linksOf(l)[0]).text, "You play as Bo")
		stranger := g.browser(g.ana, "a stranger")
		public := stranger.opens(g.home)
		shown := stranger.opens(g.table(l))
		require.Equal(t, public.text, shown.text, "the table's page of a letter shows what everybody may see")
		require.Equal(t, http.StatusOK, shown.status)
	})
}

// A mail passed on lends its turn: whoever presses its link plays that turn and no other, although nobody else pressed
// anything, and does nothing besides. The owner's next letter says how that turn was played.
func TestAForwardedMailLendsItsTurnAlone(t *testing.T) {
	plays(t, "carcassonne", func(t *testing.T, g *two) {
		g.signsIn(g.bo)
		g.until(g.bo)
		forwarded := g.link(g.bo, mail.KindTurn)
		thief := g.browser(g.ana, "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0")
		require.True(t, g.moves(thief, forwarded), "whoever has the mail within its turn plays it")
		seat := thief.opens(g.home)
		require.Contains(t, seat.text, "You play as Bo")
		for _, o := range seat.offers { // and is lent the seat, for what a turn needs
			if route := g.route(o.method, o.path); o.method == "POST" {
				require.Contains(t, []string{"/t/:table/say", "/t/:table/leave", "/t/:table/sign-in", "/language",
					"/t/:table/move", "/t/:table/undo"}, route)
			}
		}
		g.speaksPolish(thief, seat)
		refused := g.forms(g.bo.desk, g.home, "/end", "/rewind", "/orders", "/resign")
		g.until(g.bo)
		refused = append(refused, g.forms(g.bo.desk, g.home)...)
		proposal := g.ana.desk.opens(g.home+"/end").offer(t, "POST", "/end")
		g.ana.desk.follows("POST", proposal.path, proposal.values())
		refused = append(refused, g.forms(g.bo.desk, g.home)...) // the answer to that, among others
		require.True(t, slices.ContainsFunc(refused, func(o offer) bool { return strings.HasSuffix(o.path, "/agree") }))

		// the owner has been asked again, and has not read it yet
		require.NotContains(t, thief.opens(g.home).text, "Grasz jako Bo")
		require.Empty(t, playing(thief.opens(g.home)))
		say := seat.offer(t, "POST", "/say").values()
		say.Set("text", "It is me, Bo")
		require.Equal(t, http.StatusUnauthorized, thief.ask("POST", g.home+"/say", say).Code)
		before := g.end()
		for _, o := range refused {
			require.Equal(t, http.StatusUnauthorized, thief.ask("POST", o.path, o.values()).Code, o.path)
		}
		require.Equal(t, before, g.end())
		l := g.newest(g.bo, mail.KindTurn)
		said := strings.Join(strings.Fields(l.Text), " ")
		require.Contains(t, said, "Your last move was made by a link in an email: ",
			"the owner is told how the last turn was played")
		require.Contains(t, said, "Firefox, Linux.")

		// the mail shows nobody anything any more, and pressing it again lends nothing
		p := thief.opens(forwarded)
		require.Equal(t, http.StatusGone, p.status)
		require.NotContains(t, p.text, "Grasz jako Bo")
		require.GreaterOrEqual(t, thief.ask("POST", g.path, g.form).Code, 400)
		fresh := p.offer(t, "POST", "/fresh")
		require.Less(t, thief.follows("POST", fresh.path, fresh.values()).status, 400, "a new link goes to its owner")
		require.NotContains(t, thief.opens(g.home).text, "Grasz jako Bo")
		require.True(t, g.moves(g.browser(g.bo, "the phone of Bo"), linksOf(l)[0]))
	})
}

// speaksPolish chooses a language in a browser that was lent Bo's seat; his mails stay in his.
func (g *two) speaksPolish(b *browser, at *page) {
	for _, o := range at.offers {
		if o.path == "/language" && o.sent.Get("lang") == "pl" {
			require.Contains(g.t, b.follows("POST", o.path, o.values()).text, "Grasz jako Bo")
		}
	}
	who, err := g.house.People.ByAddress(g.house.ctx, people.Address(g.bo.address))
	require.NoError(g.t, err)
	require.Equal(g.t, "en", who.Language)
}

// forms returns all that somebody may send from pages of the table, apart from what a lent seat may, too.
func (g *two) forms(b *browser, home string, more ...string) (list []offer) {
	for _, path := range append([]string{""}, more...) {
		for _, o := range b.opens(home + path).offers {
			route := g.route(o.method, o.path)
			if o.method == "POST" && strings.HasPrefix(route, "/t/:table/") &&
				!slices.Contains([]string{"/t/:table/say", "/t/:table/leave"}, route) {
				list = append(list, o)
			}
		}
	}
	require.NotEmpty(g.t, list)
	return list
}

// The latest letter goes on showing its seat's view after its turn, until its person is asked anew, also where that
// sends no mail, or acts elsewhere, and for a week at most.
func TestTheLatestLetterGoesOnShowingItsSeat(t *testing.T) {
	shows := func(g *two, letter string) bool {
		p := g.browser(g.bo, "another phone of Bo").opens(letter)
		seen := strings.Contains(p.text, "You see the table as Bo does.")
		if !seen {
			require.Equal(g.t, http.StatusGone, p.status)
			_, fresh := p.offered("POST", "/fresh")
			require.True(g.t, fresh, "it leads on")
		}
		require.Empty(g.t, playing(p), "it only shows")
		return seen
	}
	for name, ends := range map[string]func(g *two, l *letter){
		"the next is sent": func(g *two, _ *letter) {
			g.until(g.bo)
			g.newest(g.bo, mail.KindTurn)
		},
		"mails are off": func(g *two, l *letter) {
			off := strings.TrimPrefix(strings.Trim(l.Header.Get("List-Unsubscribe"), "<>"), base)
			g.browser(g.ana, "anybody").follows("POST", off, url.Values{"List-Unsubscribe": {"One-Click"}})
			g.until(g.bo)
			require.Equal(g.t, l.row.ID, g.newest(g.bo, mail.KindTurn).row.ID, "he gets none about it")
		},
		"one mail a day": func(g *two, l *letter) {
			o := g.bo.desk.opens("/settings").offer(g.t, "POST", "/settings")
			form := o.values()
			form.Set("name", "Bo")
			form.Set("rhythm", people.Rhythm{Daily: true, At: 20}.String())
			require.Less(g.t, g.bo.desk.follows("POST", o.path, form).status, 400)
			g.until(g.bo)
			require.Equal(g.t, l.row.ID, g.newest(g.bo, mail.KindTurn).row.ID, "it waits until the evening")
		},
		"he acts signed in": func(g *two, _ *letter) { g.proposes(g.bo.desk, "/end") },
		"a week is over":    func(g *two, _ *letter) { g.house.settles(7 * 24 * time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			plays(t, "carcassonne", func(t *testing.T, g *two) {
				g.signsIn(g.bo)
				g.until(g.bo)
				l := g.newest(g.bo, mail.KindTurn)
				require.True(t, g.moves(g.browser(g.bo, "a phone of Bo"), linksOf(l)[0]))
				require.True(t, shows(g, linksOf(l)[0]))
				ends(g, l)
				require.False(t, shows(g, linksOf(l)[0]))
			})
		})
	}
}

// What was lent is over after a week, and pressing the same letter again makes that no longer.
func TestWhatWasLentEndsAfterAWeek(t *testing.T) {
	plays(t, "carcassonne", func(t *testing.T, g *two) {
		g.until(g.bo)
		phone := g.browser(g.bo, "a phone of Bo")
		require.True(t, g.moves(phone, g.link(g.bo, mail.KindTurn)))
		path, form := g.path, g.form
		g.house.settles(6 * 24 * time.Hour)
		require.Contains(t, phone.opens(g.home).text, "You play as Bo")
		require.Less(t, phone.follows("POST", path, form).status, 400, "the same press is answered again")
		g.house.settles(25 * time.Hour)
		require.NotContains(t, phone.opens(g.home).text, "You play as Bo")
		phone.follows("POST", path, form)
		require.NotContains(t, phone.opens(g.home).text, "You play as Bo")
		p := phone.opens(g.link(g.bo, mail.KindTurn, mail.KindReminder))
		require.NotEmpty(t, p.offers, "the next letter leads on")
	})
}
