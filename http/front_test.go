package http_test

import (
	"compress/gzip"
	"io"
	nethttp "net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/http"
)

// listed opens a table that strangers can find, and starts it.
func (h *house) listed(game string, players ...*browser) string {
	h.t.Helper()
	return h.tableWith(game, url.Values{"pace": {"weekly"}, "listed": {"1"}}, players...)
}

func TestTheFrontPageShowsPicturesOfTheGamesAndABoard(t *testing.T) {
	h := open(t)
	ana, bo, stranger := h.signedIn("Ana"), h.signedIn("Bo"), h.browser()
	private := h.table("carcassonne", ana, bo)
	front := stranger.get("/")
	for _, rb := range games[:3] {
		require.Contains(t, front.body, `src="/games/`+rb.Name()+`/picture.svg"`)
	}
	require.NotContains(t, front.body, private, "a table is found by its link alone")
	require.NotContains(t, stranger.get("/lobby").body, private)

	table := h.listed("carcassonne", ana, bo)
	require.Contains(t, stranger.get("/").body, `href="/t/`+table+`"`)
	require.Contains(t, stranger.get("/lobby").body, `href="/t/`+table+`"`)
	board := regexp.MustCompile(`src="(/t/` + table + `/picture.svg\?v=1)"`).FindStringSubmatch(stranger.get("/").body)
	require.NotNil(t, board)
	require.Equal(t, 200, stranger.get(board[1]).status)
	require.Equal(t, 200, stranger.get("/t/"+table).status, "and without an account")
}

func TestASmallPictureIsMadeOnceAndNotSentAgain(t *testing.T) {
	h := open(t)
	ana, bo, stranger := h.signedIn("Ana"), h.signedIn("Bo"), h.browser()
	table := h.table("catan", ana, bo)
	for _, path := range []string{"/t/" + table + "/picture.svg", "/games/catan/picture.svg",
		"/games/tiny/picture.svg"} {
		plain := stranger.do("GET", path, nil, func(r *nethttp.Request) { r.Header.Set("Accept-Encoding", "identity") })
		require.Equal(t, 200, plain.status)
		require.True(t, strings.HasPrefix(plain.body, "<svg"), path)
		require.Equal(t, "image/svg+xml", plain.header.Get("Content-Type"))
		zipped := stranger.do("GET", path, nil, func(r *nethttp.Request) { r.Header.Set("Accept-Encoding", "gzip") })
		z, err := gzip.NewReader(strings.NewReader(zipped.body))
		require.NoError(t, err)
		text, err := io.ReadAll(z)
		require.NoError(t, err)
		require.Equal(t, plain.body, string(text))
		again := ana.do("GET", path, nil, func(r *nethttp.Request) {
			r.Header.Set("If-None-Match", plain.header.Get("ETag"))
			r.Header.Set("Accept-Encoding", "identity")
		})
		require.Equal(t, 304, again.status)
		require.Empty(t, again.body)
		require.Contains(t, stranger.get(path+"?v=2").header.Get("Cache-Control"), "max-age=604800")
	}
	before := ana.get("/t/" + table + "/picture.svg")
	require.Equal(t, before.body, stranger.get("/t/"+table+"/picture.svg").body,
		"it is the same for everybody: no hand is on it")
	gathers := strings.TrimPrefix(h.opens("catan", url.Values{"pace": {"weekly"}}, ana, bo).path, "/t/")
	require.Equal(t, ana.get("/games/catan/picture.svg").body, ana.get("/t/"+gathers+"/picture.svg").body,
		"before the first move there is only a sample to show")
	study := h.study(h.table("tiny", ana, bo), ana)
	require.Equal(t, 404, stranger.get("/t/"+study+"/picture.svg").status)
	require.Equal(t, 404, stranger.get("/games/chess/picture.svg").status)
}

func TestATableIsOpenedForThreeFriendsOnOneScreen(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	page := ana.get("/new/catan")
	require.Equal(t, 1, strings.Count(page.body, "<form method=\"post\" action=\"/new/"), "one form, to be sent once")
	form := page.form("/new/catan")
	for k, v := range map[string]string{"pace": "weekly", "timeout": "remind", "seat.0": "me", "seat.1": "friend",
		"seat.2": "friend", "seat.3": "friend",
		"address.1": "Bo Święty <bo@example.org>", "address.2": "cyryl@example.org",
		"address.3": `"Dora" <dora@example.org>`, "lang": "pl"} {
		form.Set(k, v)
	}
	opened := ana.send("/new/catan", form)
	require.Equal(t, 200, opened.status, opened.body)
	require.Contains(t, opened.body, "Bo Święty")
	places := h.look(opened.path[3:]).Table.Places
	require.Len(t, places, 4)
	for i, address := range []string{"bo@example.org", "cyryl@example.org", "dora@example.org"} {
		require.Len(t, places[i+1].Invited, 1)
		who, err := h.people.Person(t.Context(), places[i+1].Invited[0])
		require.NoError(t, err)
		require.Equal(t, address, string(who.Address))
		require.Equal(t, "pl", who.Language)
	}
}

func TestASeatWithoutAnAddressIsLeftOutIfNotNeeded(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	send := func(addresses ...string) page {
		form := ana.get("/new/catan").form("/new/catan")
		form.Set("pace", "weekly")
		form.Set("seat.0", "me")
		for i, a := range addresses {
			n := string(rune('1' + i))
			form.Set("seat."+n, "friend")
			form.Set("address."+n, a)
		}
		return ana.send("/new/catan", form)
	}
	opened := send("", "bo@example.org", "")
	require.Equal(t, 422, opened.status, "the second seat must be somebody's")
	require.Contains(t, opened.body, `value="bo@example.org"`, "and nothing is lost that was typed")
	opened = send("bo@example.org", "", "")
	require.Equal(t, 200, opened.status)
	require.Len(t, h.look(opened.path[3:]).Table.Places, 2)
}

func TestOnlyOptionsThatChangeSomethingAreInSight(t *testing.T) {
	h := open(t)
	page := h.signedIn("Ana").get("/new/carcassonne").body
	at := func(mark string) int {
		i := strings.Index(page, mark)
		require.GreaterOrEqual(t, i, 0, mark)
		return i
	}
	printed := at("<details")
	require.Less(t, at(`name="option.river"`), printed, "what game it is stands in sight")
	for _, key := range []string{"farmers", "two-tile-city", "river-turns", "solo", "colours"} {
		i := at(`name="option.` + key + `"`)
		if key != "river-turns" {
			require.Greater(t, i, printed, "%s: rules are as printed unless somebody opens them", key)
		}
	}
	under := at(`class="under"`)
	require.Less(t, under, at(`name="option.river-turns"`), "it counts with the river alone, and stands under it")
}

func TestFourPressesWithoutAScriptLeadToAFirstMove(t *testing.T) {
	for game, seats := range map[string]int{"carcassonne": 2, "catan": 3, "rivals": 2} {
		t.Run(game, func(t *testing.T) {
			h := open(t)
			eva, presses := h.browser(), 0
			press := func(path string, form url.Values) page {
				presses++
				return eva.send(path, form)
			}
			require.Contains(t, eva.get("/").body, `value="`+game+`"`)
			require.Equal(t, "/sign-in/sent",
				press("/sign-in", url.Values{"address": {"eva@example.org"}, "game": {game}}).path)
			require.Len(t, h.post.sent, 1)
			require.Equal(t, game, h.post.last(t).game, "the mail says what it is about")
			eva = h.browser() // a mail may be read elsewhere
			link := "/sign-in/" + h.post.last(t).token + "?game=" + game
			presses++
			require.Contains(t, eva.get(link).body, "<form method=\"post\"")
			p := press(link, url.Values{"name": {"Eva"}})
			require.True(t, strings.HasPrefix(p.path, "/t/"), p.path)
			look := h.look(p.path[3:])
			require.Equal(t, domain.TableOpen, look.Table.Status, "its luck is committed to before she brings hers")
			require.Len(t, look.Table.Places, seats)
			for _, other := range look.Table.Places[1:] {
				require.Equal(t, "steady", other.StandIn)
			}
			join := p.form(p.path + "/join")
			join.Set("chance", someChance)
			join.Set("seat", "0")
			p = press(p.path+"/join", join)
			require.Equal(t, 200, p.status)
			require.Contains(t, p.body, `class="game`, "the board is there at once")
			require.LessOrEqual(t, presses, 4)
			require.Len(t, h.post.sent, 1)
			for h.standInFirst(p.path[3:]) {
				p = eva.get(p.path)
			}
			require.Contains(t, p.body, `id="turn"`)
			require.Contains(t, p.body, "Your turn")
		})
	}
}

// The browser sits down to a first game automatically, once, and only after a press. It waits for players who want to
// add something of their own to the luck, and for a name.
func TestAFirstGameGoesOnByItselfOnceAfterAPressOnly(t *testing.T) {
	h := open(t)
	asks := func() (*browser, string) {
		eva := h.browser()
		eva.send("/sign-in", url.Values{"address": {"eva@example.org"}, "game": {"carcassonne"}})
		return eva, "/sign-in/" + h.post.last(t).token + "?game=carcassonne"
	}
	eva, link := asks()
	require.Contains(t, eva.get(link).body, `name="name"`)
	require.Equal(t, link, eva.get(link).formAfter(`action="/language"`).Get("back"),
		"and it is for this game in every language")
	p := eva.send(link, url.Values{"name": {"https://example.org"}})
	require.Equal(t, 422, p.status)
	require.Contains(t, p.body, `value="https://example.org"`, "and the link is not used up")
	p = eva.send(link, url.Values{"name": {"Eva"}})
	require.Equal(t, 200, p.status)
	require.Contains(t, p.body, "data-sits")
	require.Contains(t, p.body, "class=\"seed\"", "the commitment comes first")
	require.NotContains(t, eva.get(p.path).body, "data-sits", "once")
	bo := h.signedIn("Bo")
	require.NotContains(t, bo.get(p.path).body, "data-sits")

	eva, link = asks()
	require.NotContains(t, eva.get(link).body, `name="name"`, "she has one")
	p = eva.send(link, url.Values{"luck": {"own"}})
	require.NotContains(t, p.body, "data-sits")
	require.Contains(t, p.body, "data-own")

	eva = h.browser()
	eva.send("/sign-in", url.Values{"address": {"zoe@example.org"}, "game": {"carcassonne"}})
	p = eva.send("/sign-in/"+h.post.last(t).token+"?game=carcassonne", nil)
	require.NotContains(t, p.body, "data-sits", "without a name nobody sits down")
	require.Contains(t, p.body, `name="name"`)
}

// A table that waits for nobody else says only what is needed to begin; the rest is folded away.
func TestATableWaitingForItsOpenerAsksOnlyToBegin(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	page := func(second string) string {
		form := ana.get("/new/tiny").form("/new/tiny")
		for k, v := range map[string]string{"seat.0": "me", "seat.1": second, "pace": "daily"} {
			form.Set(k, v)
		}
		p := ana.send("/new/tiny", form)
		require.Equal(t, 200, p.status)
		return p.body
	}
	alone := page("steady")
	require.Contains(t, alone, "You play against the computer")
	for _, more := range []string{"Link to share", "No, thanks", "Close this table"} {
		require.Greater(t, strings.Index(alone, more), strings.Index(alone, "More about this table"), more)
	}
	require.NotContains(t, page("open"), "More about this table")
}

// The page says that a game can be played alone where its seats are chosen, and doing what it says works.
func TestWhoeverLooksForAGameAloneIsToldHow(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	require.NotContains(t, ana.get("/new/catan").body, "Play alone")
	link := regexp.MustCompile(`href="([^"]+)">Play alone<`).FindStringSubmatch(ana.get("/new/carcassonne").body)
	require.NotNil(t, link)
	page := ana.get(unescape(link[1]))
	require.NotContains(t, page.body, "Play alone")
	require.Equal(t, 4, strings.Count(page.body, `value="none" selected`), "the others are left out")
	require.Contains(t, page.body, `value="relaxed" checked`, "nobody waits")
	form := page.form("/new/carcassonne")
	form.Set("pace", "relaxed")
	form.Set("seat.0", "me")
	for _, n := range []string{"1", "2", "3", "4"} {
		form.Set("seat."+n, "none")
	}
	page = ana.send("/new/carcassonne", form)
	require.Equal(t, 200, page.status)
	require.Contains(t, page.body, "You play alone.")
}

// Only options that have an effect are listed.
func TestAWaitingTableListsTheOptionsThatApply(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	facts := func(options url.Values) string {
		form := ana.get("/new/carcassonne").form("/new/carcassonne")
		for k, v := range map[string]string{"seat.0": "me", "seat.1": "open", "pace": "daily"} {
			form.Set(k, v)
		}
		for k, v := range options {
			form[k] = v
		}
		p := ana.send("/new/carcassonne", form)
		require.Equal(t, 200, p.status)
		_, list, _ := strings.Cut(p.body, `<dl class="facts">`)
		list, _, _ = strings.Cut(list, "</dl>")
		return list
	}
	plain := facts(nil)
	require.Contains(t, plain, "The river")
	for _, idle := range []string{"River bends", "Start tile with the river", "Colours", "Followers of each colour",
		"Alone or as a team"} {
		require.NotContains(t, plain, idle)
	}
	require.Contains(t, facts(url.Values{"option.river": {"on"}}), "River bends")
}

// Whoever reads Polish is not told that the river is "on": a switch is worded as they would say it.
func TestASwitchOfAGameIsWordedForItsReader(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	form := ana.get("/new/carcassonne").form("/new/carcassonne")
	for k, v := range map[string]string{"seat.0": "me", "seat.1": "open", "pace": "daily", "option.river": "on"} {
		form.Set(k, v)
	}
	table := ana.send("/new/carcassonne", form)
	require.Equal(t, 200, table.status)
	for lang, word := range map[string][2]string{"en": {"on", "off"}, "pl": {"tak", "nie"}, "pt-BR": {"sim", "não"},
		"pt-PT": {"sim", "não"}} {
		ana.send("/language", url.Values{"lang": {lang}, "back": {"/settings"}})
		facts := regexp.MustCompile(`(?s)<dl class="facts">.*?</dl>`).FindString(ana.get(table.path).body)
		require.Contains(t, facts, "<dd>"+word[0]+"</dd>", "%s: the river", lang)
		require.Contains(t, facts, "<dd>"+word[1]+"</dd>", "%s: the abbot", lang)
		if lang != "en" {
			require.NotContains(t, facts, "<dd>on</dd>", lang)
			require.NotContains(t, facts, "<dd>off</dd>", lang)
		}
	}
}

// standInFirst makes the awaited move of a stand-in; it returns false if there is none.
func (h *house) standInFirst(table string) bool {
	h.t.Helper()
	if h.look(table).Table.Places[h.look(table).Line.Awaited()[0].Seat].Kind != domain.SeatStandIn {
		return false
	}
	h.standsIn(table)
	return true
}

func TestTheLobbyListsSeatsThatAreFree(t *testing.T) {
	h := open(t)
	ana, stranger := h.signedIn("Ana"), h.browser()
	open := func(listed string) string {
		form := ana.get("/new/tiny").form("/new/tiny")
		for k, v := range map[string]string{"seat.0": "me", "seat.1": "open", "pace": "daily", "listed": listed} {
			form.Set(k, v)
		}
		p := ana.send("/new/tiny", form)
		require.Equal(t, 200, p.status)
		return p.path
	}
	hidden, shown := open(""), open("1")
	lobby := stranger.get("/lobby")
	require.Contains(t, lobby.body, shown)
	require.Contains(t, lobby.body, "1 of 2 seats open")
	require.NotContains(t, lobby.body, hidden)
	require.Contains(t, stranger.get(shown).body, "This table is listed")
	require.NotContains(t, stranger.get(hidden).body, "This table is listed")
}

func TestAProfileShowsGamesAndSpareDaysToItsOwnerAlone(t *testing.T) {
	h := open(t)
	h.keepsTime()
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	require.Contains(t, ana.get("/profile").body, "No game has begun yet")
	h.playedOut(h.table("tiny", ana, bo))
	h.timed("weekly", "remind", ana, bo)
	h.tableWith("tiny", url.Values{"pace": {"relaxed"}}, ana, bo)
	p := ana.get("/profile")
	require.Regexp(t, `2 being played, 1 finished, [01] won`, strings.ReplaceAll(p.body, "\u00a0", " "))
	require.Contains(t, p.body, "0 of 5 spare days used")
	require.Equal(t, 401, h.browser().get("/profile").status)
}

func TestAHouseOpenByInvitationOffersNoFirstGame(t *testing.T) {
	h := open(t, func(c *http.Config) { c.Opening = "invited" })
	front := h.browser().get("/")
	require.Contains(t, front.body, "/games/catan/picture.svg")
	require.NotContains(t, front.body, `name="game"`)
	require.Contains(t, front.body, `action="/sign-in"`)
	eva := h.browser()
	eva.send("/sign-in", url.Values{"address": {"eva@example.org"}, "game": {"catan"}})
	require.Empty(t, h.post.last(t).game, "the mail promises none")
	require.Equal(t, "/settings", eva.send("/sign-in/"+h.post.last(t).token+"?game=catan", nil).path,
		"whoever asks for one all the same is let in, and opens nothing")
}
