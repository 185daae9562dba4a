package http_test

import (
	"context"
	nethttp "net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/events/pass"
	"posthorn/events/programtest"
)

// turns says which of two players of tiny rolls in the first round, and which does not.
func turns(t *testing.T, h *house, table string, ana, bo *browser) (roller, other *browser) {
	t.Helper()
	if h.look(table).Table.Places[first(t, h, table)].Holds(bo.id) {
		return bo, ana
	}
	return ana, bo
}

// press plays a move through the link of a turn mail, in a browser.
func (h *house) press(in, whose *browser, table, step string) page {
	h.t.Helper()
	link := "/p/" + h.play(whose, table)
	p := in.get(link + "?c=" + step)
	require.Equal(h.t, 200, p.status)
	return in.send(link+"/move", p.form(link+"/move"))
}

func TestWhoeverPlaysByALinkStaysWhoTheyAre(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	home := "/t/" + table
	roller, other := turns(t, h, table, ana, bo)
	require.NoError(t, h.people.SetLanguage(context.Background(), roller.id, "pl"))

	// given a press by phone, without a session
	phone := h.browser()
	p := h.press(phone, roller, table, "keep")
	require.Equal(t, home, p.path, "then the address holds no capability")
	require.Equal(t, "moved", p.query.Get("done"))
	// then every page of the table is theirs, in their language, while the other is awaited
	for _, path := range []string{home, home + "/audit", home + "/tree"} {
		p = phone.get(path)
		require.Equal(t, 200, p.status, path)
		require.Contains(t, p.body, `<html lang="pl">`, path)
		require.Contains(t, p.body, roller.name, path)
	}
	p = phone.get(home)
	require.Contains(t, p.body, roller.name+" ma kartę", "their hand")
	require.Contains(t, p.body, home+"/say", "they talk")

	// and when their turn comes again, its letter lends the seat anew
	h.press(h.browser(), other, table, "keep")
	p = phone.get(home + "?c=roll")
	require.NotContains(t, p.body, home+"/move")
	require.NotContains(t, p.body, roller.name+" ma kartę")
	before := h.version(table)
	p = h.press(phone, roller, table, "roll")
	require.Equal(t, "moved", p.query.Get("done"))
	require.Equal(t, before+1, h.version(table))
	require.Contains(t, phone.get(home).body, roller.name+" ma kartę")
}

func TestALinkThatIsOverLeadsItsPersonOn(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	roller, other := turns(t, h, table, ana, bo)
	link := "/p/" + h.play(roller, table)
	phone := h.browser()
	h.press(phone, roller, table, "keep")
	h.press(h.browser(), other, table, "keep")

	p := roller.get(link)
	require.Equal(t, 200, p.status)
	require.Equal(t, "/t/"+table, p.path)
	require.Contains(t, p.body, "This turn has been played")
	require.Contains(t, p.body, "?c=roll", "what is asked of them now")
	require.NotContains(t, p.body, "/fresh")
	p = phone.get(link)
	require.Equal(t, 410, p.status)
	require.Contains(t, p.body, `action="/t/`+table+`/sign-in"`, "what was lent is over, and they can sign in")

	stranger := h.browser()
	p = stranger.get(link)
	require.Equal(t, 410, p.status)
	require.NotContains(t, p.body, "?c=roll")
	require.NotContains(t, p.body, "holds card 1")
	// and a stranger can have a fresh link mailed: to its person, never to themselves
	p = stranger.send(link+"/fresh", p.form(link+"/fresh"))
	require.Equal(t, "mailed", p.query.Get("done"))
	require.Equal(t, []string{"link " + string(roller.id) + " " + table}, h.post.told)
}

// A study is hidden from whoever has no seat there: the page that says so offers its person a link to sign in, too.
func TestASeatLentInAStudyLeadsToASignInOnceOver(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	study := h.study(h.table("tiny", ana, bo), ana)
	phone := h.browser()
	require.Equal(t, "moved", h.press(phone, ana, study, "keep").query.Get("done"))
	desk, later := h.browser(), "/p/"+h.fresh(ana, study)
	desk.send(later+"/sit", desk.get(later).form(later+"/sit"))

	p := phone.get("/t/" + study)
	require.Equal(t, 401, p.status)
	require.NotContains(t, p.body, "Nothing is here")
	signIn := "/t/" + study + "/sign-in"
	p = phone.send(signIn, p.form(signIn))
	require.Equal(t, 200, p.status, p.body)
	require.Equal(t, "mailed", p.query.Get("done"))
	require.Equal(t, "/", p.path)
	require.Equal(t, 404, h.browser().send(signIn, url.Values{}).status, "a stranger is told nothing of it")
}

// An older letter still plays its turn after a later one was pressed elsewhere, and lends nothing: in a study, which is
// hidden from strangers, the front page says that the move was played.
func TestAnOlderLettersMoveInAStudyIsConfirmed(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	study := h.study(h.table("tiny", ana, bo), ana)
	desk, later := h.browser(), "/p/"+h.fresh(ana, study)
	desk.send(later+"/sit", desk.get(later).form(later+"/sit"))
	before := h.version(study)
	p := h.press(h.browser(), ana, study, "keep")
	require.Equal(t, before+1, h.version(study))
	require.Equal(t, 200, p.status)
	require.Equal(t, "moved", p.query.Get("done"))
}

// "The table's page" in mails of earlier programs leads its person to their turn; others see what everybody may, and
// can have a link mailed to its person.
func TestAnOldLinkToLookByShowsNoHand(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	look := h.look(table)
	link := "/p/" + h.make(pass.Facts{Purpose: pass.View, Person: ana.id, Stream: look.Name})
	p := ana.get(link)
	require.Equal(t, "/t/"+table, p.path)
	require.Contains(t, p.body, "?c=keep", "what is asked of her")
	require.NotContains(t, p.body, "/fresh")
	for _, b := range []*browser{h.browser(), bo} {
		p = b.get(link)
		require.NotContains(t, p.body, "Ana holds card")
		require.Equal(t, b == bo, strings.Contains(p.body, "Bo holds card"), "who has a seat sees by that")
		require.NotContains(t, p.body, "You play as Ana")
		p = b.send(link+"/fresh", p.form(link+"/fresh"))
		require.Equal(t, "mailed", p.query.Get("done"))
		require.Equal(t, "link "+string(ana.id)+" "+table, h.post.told[len(h.post.told)-1])
	}
}

// fresh makes the pass of a fresh link.
func (h *house) fresh(b *browser, table string) string {
	return h.make(pass.Facts{Purpose: pass.Seat, Person: b.id, Stream: h.look(table).Name,
		Since: uint64(time.Now().UnixMilli()), Expires: time.Now().Add(time.Hour)})
}

func TestAFreshLinkTakesTheSeatUp(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	link := "/p/" + h.fresh(ana, table)
	phone := h.browser()
	p := phone.get(link)
	require.Contains(t, p.body, "Continue as Ana")
	require.NotContains(t, phone.get("/t/"+table).body, "?c=keep", "opening it takes no seat")
	p = phone.send(link+"/sit", p.form(link+"/sit"))
	require.Equal(t, "/t/"+table, p.path)
	require.Contains(t, p.body, "?c=keep")
	require.Equal(t, 410, phone.get(link+"x").status)
}

func TestALentSeatOpensNothingElse(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table, another := h.table("tiny", ana, bo), h.table("tiny", ana, bo)
	phone := h.browser()
	h.press(phone, ana, table, "keep")

	for _, path := range []string{"/settings", "/settings/tokens", "/new", "/t/" + table + "/resign",
		"/t/" + table + "/branch", "/t/" + table + "/end",
		"/t/" + table + "/rewind", "/t/" + table + "/orders"} {
		require.Equal(t, 401, phone.get(path).status, path)
	}
	id := url.Values{"id": {"000102030405060708090a0b0c0d0e0f"}, "seat": {"0"}, "address": {"x@example.org"},
		"standin": {"random"}}
	for _, action := range []string{"resign", "decline", "invite", "fill", "abandon", "branch", "join", "end", "rewind",
		"agree", "refuse", "away", "back", "need",
		"nudge", "pause", "lend", "return", "offer", "takeover", "withdraw", "orders", "sketch", "mails", "notes"} {
		require.Equal(t, 401, phone.send("/t/"+table+"/"+action, id).status, action)
	}
	require.Contains(t, phone.get("/").body, "/sign-in")
	require.NotContains(t, phone.get("/t/"+another).body, "holds card")
	// and the browser sends the cookie only to that table's pages, never to scripts or with other sites' forms
	at, err := url.Parse(h.web.URL + "/t/" + table)
	require.NoError(t, err)
	shown := func() (names []string) {
		for _, c := range phone.client.Jar.Cookies(at) {
			names = append(names, regexp.MustCompile(`-[0-9a-f]{8}$`).ReplaceAllString(c.Name, "-MARK"))
		}
		return names
	}
	// the cookie that tells browsers apart, and the one for where this one keeps seats
	everywhere := []string{"posthorn-browser", "posthorn-seats"}
	require.ElementsMatch(t, append([]string{"posthorn-seat-MARK"}, everywhere...), shown())
	at.Path = "/t/" + another
	require.ElementsMatch(t, everywhere, shown())
	other := h.browser()
	link := "/p/" + h.play(bo, table)
	form := other.get(link + "?c=keep").form(link + "/move")
	other.client.CheckRedirect = func(*nethttp.Request, []*nethttp.Request) error { return nethttp.ErrUseLastResponse }
	kept := 0
	for _, text := range other.send(link+"/move", form).header["Set-Cookie"] {
		c, err := nethttp.ParseSetCookie(text)
		require.NoError(t, err)
		if strings.HasPrefix(c.Name, "posthorn-seat-") {
			kept++
			require.Equal(t, "/t/"+table, c.Path)
			require.True(t, c.HttpOnly)
			require.Equal(t, nethttp.SameSiteLaxMode, c.SameSite)
		}
	}
	require.Equal(t, 1, kept)
}

func TestASeatIsKeptUntilItIsLeftOrWithdrawn(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	home := "/t/" + table
	phone, tablet := h.browser(), h.browser()
	last, first := turns(t, h, table, ana, bo) // whose keeping brings up their own turn
	h.press(phone, first, table, "keep")
	require.Empty(t, h.post.told, "the first browser is no news")
	h.press(tablet, last, table, "keep")
	require.Contains(t, tablet.get(home).body, "You play as "+last.name)

	p := tablet.send(home+"/leave", tablet.get(home).form(home+"/leave"))
	require.Equal(t, "left", p.query.Get("done"))
	require.NotContains(t, p.body, "You play as "+last.name)

	require.Contains(t, phone.get(home).body, "You play as "+first.name)
	withdraw := "/w/" + h.make(pass.Facts{Purpose: pass.Withdraw, Person: first.id})
	p = h.browser().get(withdraw)
	require.Equal(t, 200, p.status)
	require.Contains(t, phone.get(home).body, "You play as "+first.name, "opening it withdraws nothing")
	require.Equal(t, 200, h.browser().send(withdraw, nil).status)
	require.NotContains(t, phone.get(home).body, "You play as "+first.name)
	require.Equal(t, 410, h.browser().get(withdraw).status)
}

// What was lent is over once its person answers elsewhere, in any way: who has their mail plays along no longer.
func TestALoanEndsWhenItsPersonPlaysElsewhere(t *testing.T) {
	for name, plays := range map[string]func(who *browser, table string){
		"signed in":    func(who *browser, table string) { who.move(table, "roll") },
		"by a program": func(who *browser, table string) { who.bot(who.spec(), "play", "").play(table, "roll") },
	} {
		t.Run(name, func(t *testing.T) {
			h := open(t)
			ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
			table := h.table("tiny", ana, bo)
			roller, other := turns(t, h, table, ana, bo)
			h.press(h.browser(), other, table, "keep")
			phone := h.browser()
			require.Contains(t, h.press(phone, roller, table, "keep").body, "?c=roll",
				"what they brought up themselves is of the same turn")
			plays(roller, table)
			p := phone.get("/t/" + table)
			require.NotContains(t, p.body, "You play as "+roller.name)
			require.Contains(t, p.body, "that is over")
		})
	}
}

// Every mail program has a browser of its own: that letters are pressed in several is no news, but that one letter is.
func TestALetterPressedInTwoBrowsersIsTold(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	roller, other := turns(t, h, table, ana, bo)
	h.press(h.browser(), roller, table, "keep")
	h.press(h.browser(), other, table, "keep")
	h.press(h.browser(), roller, table, "roll")
	require.Empty(t, h.post.told)
	link := "/p/" + h.fresh(roller, table)
	phone, tablet := h.browser(), h.browser()
	for _, b := range []*browser{phone, phone, tablet} {
		require.Empty(t, h.post.told)
		require.Contains(t, b.send(link+"/sit", b.get(link).form(link+"/sit")).body, "You play as "+roller.name)
	}
	require.Equal(t, []string{"used " + string(roller.id) + " " + table + " link Browser"}, h.post.told)
	require.NotContains(t, phone.get("/t/"+table).body, "You play as "+roller.name, "it lends the seat to the last one")
}

func TestALinkPlaysAtItsTableWhoeverIsSignedIn(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	home := "/t/" + table
	p := h.press(ana, bo, table, "keep")
	require.Contains(t, p.body, "You play as Bo")
	require.Contains(t, p.body, "continue as Ana")
	require.Equal(t, 200, ana.get("/settings").status, "elsewhere the session is hers")
	p = ana.send(home+"/leave", p.form(home+"/leave"))
	require.NotContains(t, p.body, "You play as Bo")
	require.Contains(t, p.body, "?c=keep", "and here again")
}

func TestAGuestChoosesALanguageForTheirBrowser(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	phone := h.browser()
	p := h.press(phone, ana, table, "keep")
	path := "/language"
	form := p.form(path)
	form.Set("lang", "pt-PT")
	p = phone.send(path, form)
	require.Contains(t, p.body, `<html lang="pt-PT">`)
	who, err := h.people.Person(context.Background(), ana.id)
	require.NoError(t, err)
	require.Equal(t, "en", who.Language, "who was lent a seat changes nothing of its person's")
	// and a sign-in mail is in the person's, whatever language the page was in
	sent := len(h.post.sent)
	h.browser().send("/sign-in", url.Values{"address": {"ana@example.org"}})
	h.server.Settle()
	require.Len(t, h.post.sent, sent+1)
	require.Equal(t, "en", h.post.last(t).lang)
}

// One press in a mail, on a phone without a session: until others have asked its player anew, which is mailed, every
// page of the table is their own, in their language, in every game.
func TestAWholeTurnIsPlayedByOnePressAndAPhone(t *testing.T) {
	programtest.Long(t)
	for _, rb := range rulebooks.All() {
		t.Run(rb.Name(), func(t *testing.T) {
			h := open(t)
			ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
			table := h.table(rb.Name(), ana, bo)
			home := "/t/" + table
			for _, b := range []*browser{ana, bo} {
				require.NoError(t, h.people.SetLanguage(context.Background(), b.id, "pl"))
			}
			phones, last := map[domain.PersonID]*browser{}, domain.PersonID("")
			for range 24 {
				look := h.look(table)
				if len(look.Line.Awaited()) == 0 {
					break // a short game
				}
				o := look.Line.Awaited()[0]
				whose := ana
				if look.Table.Places[o.Seat].Holds(bo.id) {
					whose = bo
				}
				var text string
				for m := range rb.Legal(look.Line.State, o.Seat) {
					text = rb.FormatMove(m, nil)
					break
				}
				phone, act := phones[whose.id], home
				if phone == nil {
					phone = h.browser()
					phones[whose.id] = phone
				}
				if last != whose.id { // a mail came: a press on its link
					act, last = "/p/"+h.play(whose, table), whose.id
				}
				p := phone.get(act + "?m=" + url.QueryEscape(text))
				require.Equal(t, 200, p.status, text)
				p = phone.send(act+"/move", p.form(act+"/move"))
				require.Equal(t, "moved", p.query.Get("done"), text)
				for _, path := range []string{home, home + "/audit", home + "/tree",
					home + "/line/" + look.LineName.String() + "/1"} {
					p = phone.get(path)
					require.Equal(t, 200, p.status, path)
					require.Contains(t, p.body, `<html lang="pl">`, path)
					require.Contains(t, p.body, "Grasz jako "+whose.name, path)
				}
			}
			require.Len(t, phones, 2)
		})
	}
}

func TestAFriendIsCalledAsTheOpenerDoesUntilTheySaySo(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	form := ana.get("/new/tiny").form("/new/tiny")
	for k, v := range map[string]string{"seat.0": "me", "seat.1": "friend", "address.1": "bolek@example.org",
		"called.1": "Uncle Bo", "pace": "daily"} {
		form.Set(k, v)
	}
	p := ana.send("/new/tiny", form)
	require.Equal(t, 200, p.status, p.body)
	require.Contains(t, p.body, "Uncle Bo")
	table := p.path[3:]
	bo := h.look(table).Table.Places[1].Invited[0]
	who, err := h.people.Person(context.Background(), bo)
	require.NoError(t, err)
	require.Empty(t, who.Name)
	require.NoError(t, h.people.Call(context.Background(), bo, "Somebody else"))
	require.Contains(t, ana.get("/t/"+table).body, "Uncle Bo", "whoever was first has named them")
	require.NoError(t, h.people.SetName(context.Background(), bo, "Bolek"))
	require.NotContains(t, ana.get("/t/"+table).body, "Uncle Bo")
	form.Set("called.1", "https://evil.example")
	form.Set("id", "000102030405060708090a0b0c0d0e0f")
	require.Equal(t, 422, ana.send("/new/tiny", form).status)
}
