package http_test

import (
	"context"
	"html"
	"image/gif"
	nethttp "net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/standin"
	"posthorn/events"
	"posthorn/events/desk"
)

// playedOut plays a table to its end, each seat as itself.
func (h *house) playedOut(table string) {
	h.t.Helper()
	for h.look(table).Table.Status != domain.TableEnded {
		look := h.look(table)
		o := look.Line.Awaited()[0]
		m, ok := standin.Random{}.Choose(standin.Look(look.Rulebook, look.Line.State, o.Seat, look.Line.Version))
		require.True(h.t, ok)
		_, err := h.desk.Play(h.t.Context(),
			events.Actor{Person: look.Table.Places[o.Seat].Holders[0], Door: domain.DoorPage},
			desk.Move{ID: events.NewCommandID(), Table: look.Name, Line: look.LineName, Seat: o.Seat, Decision: o,
				Move: m})
		require.NoError(h.t, err)
		h.settle(table)
	}
}

func TestTheStoryOfAGameIsAPageForWhoeverHasItsAddress(t *testing.T) {
	h := open(t)
	ana, bo, eva, stranger := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Eva"), h.browser()
	table := h.table("carcassonne", ana, bo)
	h.playedOut(table)
	require.Contains(t, ana.get("/t/"+table).body, `href="/t/`+table+`/story"`)

	p := stranger.get("/t/" + table + "/story")
	require.Equal(t, 200, p.status)
	look := h.look(table)
	standing := look.Rulebook.Standing(look.Line.State, domain.Referee)
	first := strings.Index(p.body, `class="place-no">1.`)
	require.Positive(t, first)
	if standing.Ranks[0] != standing.Ranks[1] {
		winner := []string{"Ana", "Bo"}[1-standing.Ranks[0]%2]
		require.Regexp(t, `^[^\n]*<b>`+winner+`</b>`, p.body[first:], "the best stands first")
	}
	require.Contains(t, p.body, `<svg class="plot"`)
	require.Contains(t, p.body, `property="og:title"`)
	require.NotContains(t, p.body, "/rematch", "strangers ask nobody to play again")
	require.NotContains(t, eva.get("/t/"+table+"/story").body, "/rematch")
	require.Equal(t, 401, eva.send("/t/"+table+"/rematch", url.Values{"id": {events.NewCommandID().String()}}).status)

	study := h.study(table, ana)
	require.Equal(t, 404, stranger.get("/t/"+study+"/story").status, "a study is for its people alone")
}

// A story is sent around: a browser that the house does not know may keep it, and is told whether it is still current.
func TestScoresBelowZeroAreOrdinary(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.given("tiny", `{"roller":"A","round":3,"scores":[-26,-39],"peeked":[true,true],"hands":[3,9]}`, ana, bo)
	require.Regexp(t, `class="num">−26<[^$]*class="num">−39<`, ana.get("/t/"+table).body)
	h.playedOut(table)
	for _, page := range []string{"", "/story", "/print"} {
		p := h.browser().get("/t/" + table + page)
		require.Contains(t, p.body, ">−26<", page)
		require.NotContains(t, p.body, ">-", page)
	}
}

func TestAStoryIsSentOnceToABrowserThatKeepsIt(t *testing.T) {
	h := open(t)
	ana, bo, stranger := h.signedIn("Ana"), h.signedIn("Bo"), h.browser()
	table := h.table("carcassonne", ana, bo)
	h.playedOut(table)
	path := "/t/" + table + "/story"
	res, sent, text := stranger.wire(path)
	require.Equal(t, 200, res.StatusCode)
	require.LessOrEqual(t, sent, mostWire)
	tag := res.Header.Get("ETag")
	require.NotEmpty(t, tag)
	require.Equal(t, "private, no-cache", res.Header.Get("Cache-Control"))
	has := func(r *nethttp.Request) { r.Header.Set("If-None-Match", tag) }
	res, sent, _ = stranger.wire(path, has)
	require.Equal(t, 304, res.StatusCode)
	require.Zero(t, sent)
	require.Equal(t, tag, res.Header.Get("ETag"))
	// another language, another name, and a reader who may invite to another game get other pages
	res, _, _ = stranger.wire(path, has, func(r *nethttp.Request) { r.Header.Set("Accept-Language", "pl") })
	require.Equal(t, 200, res.StatusCode)
	res, _, whole := ana.wire(path, has)
	require.Equal(t, 200, res.StatusCode)
	require.Equal(t, "no-store", res.Header.Get("Cache-Control"))
	require.Empty(t, res.Header.Get("ETag"))
	require.Contains(t, whole, "/rematch")
	require.NoError(t, h.people.SetName(t.Context(), ana.id, "Anastasia"))
	res, _, renamed := stranger.wire(path, has)
	require.Equal(t, 200, res.StatusCode)
	require.NotContains(t, text, "Anastasia")
	require.Contains(t, renamed, "Anastasia")
}

func TestEveryPointOfAStoryIsThatOfAMove(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	for _, game := range []string{"carcassonne", "tiny"} {
		table := h.table(game, ana, bo)
		h.playedOut(table)
		p := h.browser().get("/t/" + table + "/story")
		require.Equal(t, 200, p.status)
		for _, entry := range strings.Split(p.body, `class="rank-line"`)[1:] {
			entry, _, _ = strings.Cut(entry, "</ol></section>")
			sum, total := 0, number(t, regexp.MustCompile(`class="sum">(-?\d+)`).FindStringSubmatch(entry)[1])
			for _, m := range regexp.MustCompile(`class="plus">([+-]\d+|&#43;\d+)`).FindAllStringSubmatch(entry, -1) {
				sum += number(t, unescape(m[1]))
			}
			require.Equal(t, total, sum, "%s: every point has its move", game)
		}
	}
}

func TestPlayingAgainAsksEverybodyToTheSameGame(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	require.NotContains(t, ana.get("/t/"+table).body, "/rematch", "a game that is played is not begun again")
	h.playedOut(table)
	over := bo.get("/t/" + table)
	require.Regexp(t, `<h1 class="status">[^<]*: the most points, \d+\.</h1>`, over.body, "it begins with who won")
	require.NotContains(t, over.body, `class="news"`)
	form := over.form("/t/" + table + "/rematch")
	p := bo.send("/t/"+table+"/rematch", form)
	require.Equal(t, 200, p.status)
	again := h.look(p.path[3:]).Table
	old := h.look(table).Table
	require.Equal(t, bo.id, again.Opener)
	require.Equal(t, old.Choices, again.Choices)
	require.Equal(t, old.Pace, again.Pace)
	require.Equal(t, []domain.PersonID{ana.id}, again.Places[0].Invited)
	require.Equal(t, []domain.PersonID{bo.id}, again.Places[1].Invited)
	require.Equal(t, p.path, bo.send("/t/"+table+"/rematch", form).path, "pressed twice it is one table")
	form = ana.get("/t/" + table).form("/t/" + table + "/rematch")
	there := ana.send("/t/"+table+"/rematch", form)
	require.Equal(t, p.path, there.path, "pressed by two it is one table")

	_, err := h.desk.Do(context.Background(), events.Actor{Person: ana.id, Door: domain.DoorPage},
		events.Name(h.look(p.path[3:]).Name), events.NewCommandID(), desk.Decline{Seat: 0, Person: ana.id})
	require.NoError(t, err)
	mine := ana.send("/t/"+table+"/rematch", form)
	require.Equal(t, 200, mine.status, mine.body)
	require.NotEqual(t, p.path, mine.path, "whoever declined opens another one")
}

func TestTheSamePeopleAreAskedToAnotherGame(t *testing.T) {
	h := open(t)
	ana, bo, cyd, stranger := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Cyd"), h.browser()
	table := h.table("carcassonne", ana, bo, cyd)
	h.playedOut(table)
	for _, at := range []string{"", "/story"} {
		p := bo.get("/t/" + table + at)
		require.Contains(t, p.body, `<button name="game" value="catan">Catan</button>`, at)
		require.NotContains(t, p.body, `value="rivals"`, "the Rivals are for two")
		require.NotContains(t, p.body, `name="game" value="carcassonne"`)
		require.NotContains(t, stranger.get("/t/"+table+at).body, `name="game"`)
	}
	form := url.Values{"id": {events.NewCommandID().String()}, "game": {"catan"}}
	p := bo.send("/t/"+table+"/rematch", form)
	require.Equal(t, 200, p.status)
	again, old := h.look(p.path[3:]).Table, h.look(table).Table
	require.Equal(t, "catan", again.Rulebook)
	require.Equal(t, bo.id, again.Opener)
	require.Equal(t, old.Pace, again.Pace)
	for i, who := range []*browser{ana, bo, cyd} {
		require.Equal(t, []domain.PersonID{who.id}, again.Places[i].Invited)
	}
	require.Equal(t, p.path, bo.send("/t/"+table+"/rematch", form).path, "pressed twice it is one table")
	for _, wrong := range []string{"rivals", "chess"} {
		p := bo.send("/t/"+table+"/rematch", url.Values{"id": {events.NewCommandID().String()}, "game": {wrong}})
		require.Equal(t, 409, p.status, wrong)
	}
	require.Equal(t, 401, stranger.send("/t/"+table+"/rematch", form).status)
}

// A team that lost its seat to the clock plays again as a team, if one of it asks.
func TestATeamThatLostItsSeatPlaysAgain(t *testing.T) {
	h := open(t)
	ana, bo, carl := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Carl")
	ctx := context.Background()
	pair := func(one, other *browser) domain.TablePlace {
		return domain.TablePlace{Kind: domain.SeatTeam, Invited: []domain.PersonID{one.id, other.id}}
	}
	ans, err := h.desk.Open(ctx, events.Actor{Person: bo.id, Door: domain.DoorPage}, events.NewCommandID(),
		desk.NewTable{Rulebook: "carcassonne",
			Pace: "daily", Clock: &domain.Clock{Hours: 24, TimeOut: domain.TimeOutLost},
			Places: []domain.TablePlace{pair(bo, carl), pair(ana, bo)}})
	require.NoError(t, err)
	table := ans.Table.String()
	for _, j := range []struct {
		b    *browser
		seat domain.Seat
	}{{bo, 0}, {carl, 0}, {ana, 1}, {bo, 1}} {
		_, err := h.desk.Do(ctx, events.Actor{Person: j.b.id, Door: domain.DoorPage}, ans.Table, events.NewCommandID(),
			desk.Join{Seat: j.seat, Chance: []byte(someChance)})
		require.NoError(t, err)
	}
	h.settle(table)
	lost := h.look(table).Deadlines()[0]
	h.ahead = 48 * time.Hour
	_, err = h.desk.DoCaused(ctx, events.Clock, ans.Table, events.Because("clock", []byte(table)),
		desk.TimeOut{Due: lost})
	require.NoError(t, err)
	h.settle(table)
	require.True(t, h.look(table).Table.IsOver())
	was := h.look(table).Table.Places[lost.Seat].Holders
	p := bo.send("/t/"+table+"/rematch", bo.get("/t/"+table).form("/t/"+table+"/rematch"))
	require.Equal(t, 200, p.status, p.body)
	require.ElementsMatch(t, was, h.look(p.path[3:]).Table.Places[lost.Seat].Invited)
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

func TestAStoryTellsNothingHiddenWhileTheGameRuns(t *testing.T) {
	h := open(t)
	ana, bo, stranger := h.signedIn("Ana"), h.signedIn("Bo"), h.browser()
	table := h.table("catan", ana, bo)
	for range 8 {
		one, move := h.firstMove(table, ana, bo)
		one.move(table, move)
	}
	for _, b := range []*browser{ana, stranger} {
		p := b.get("/t/" + table + "/story")
		require.Equal(t, 200, p.status)
		require.Contains(t, p.body, `<th scope="col">cards</th>`, "how many cards everybody has is no secret")
		require.NotContains(t, p.body, `<th scope="col">wool</th>`, "not even one's own kinds: it is one page for all")
		require.Contains(t, p.body, `aria-label="Cards from the dice"`, "a plot has a table")
		require.Contains(t, p.body, `<h4>cards</h4><svg class="plot"`)
		require.NotContains(t, p.body, "Each kind separately")
	}
	h.breaksOff(table)
	p := stranger.get("/t/" + table + "/story")
	require.Contains(t, p.body, `<th scope="col">wool</th>`)
	require.Regexp(t, `<td><span class="gained">(\+|&#43;)[1-9]`, p.body)
	for _, kind := range []string{"All kinds together", "wool", "ore"} {
		require.Contains(t, p.body, `<h4>`+kind+`</h4><svg class="plot"`)
		require.Contains(t, p.body, `aria-label="`+kind+`"`, "a plot has a table")
	}
	for lang, text := range map[string]string{"pl": "Karty z rzutów", "pt-BR": "Cartas dos dados",
		"pt-PT": "Cartas dos dados"} {
		_, _, whole := stranger.wire("/t/"+table+"/story", func(r *nethttp.Request) {
			r.Header.Set("Accept-Language", lang)
		})
		require.Contains(t, whole, text)
		require.NotContains(t, whole, "page.story")
	}
}

func TestAGameThatIsOverIsAMovingPicture(t *testing.T) {
	h := open(t)
	ana, bo, stranger := h.signedIn("Ana"), h.signedIn("Bo"), h.browser()
	table := h.table("tiny", ana, bo)
	path := "/t/" + table + "/game.gif"
	require.Equal(t, 404, ana.get(path).status, "while it is played there is none, not for those who play either")
	require.NotContains(t, ana.get("/t/"+table+"/story").body, "game.gif")
	h.playedOut(table)
	require.Contains(t, stranger.get("/t/"+table+"/story").body, `href="`+path+`"`)
	res, _, whole := stranger.wire(path)
	require.Equal(t, 200, res.StatusCode)
	require.Equal(t, "image/gif", res.Header.Get("Content-Type"))
	moving, err := gif.DecodeAll(strings.NewReader(whole))
	require.NoError(t, err)
	require.Greater(t, len(moving.Image), 1)
	_, _, owns := ana.wire(path)
	require.Equal(t, whole, owns, "it is the same for everybody")
	tag := res.Header.Get("ETag")
	res, _, _ = stranger.wire(path, func(r *nethttp.Request) { r.Header.Set("If-None-Match", tag) })
	require.Equal(t, 304, res.StatusCode)
	study := h.study(table, ana)
	require.Equal(t, 404, stranger.get("/t/"+study+"/game.gif").status, "a study is for its people alone")
}

// At an earlier moment of a finished game, points are those of the time, and nobody has a rank yet.
func TestAMomentOfAFinishedGameHasThePointsOfThen(t *testing.T) {
	h := open(t)
	ana, bo, stranger := h.signedIn("Ana"), h.signedIn("Bo"), h.browser()
	table := h.table("carcassonne", ana, bo)
	h.playedOut(table)
	look := h.look(table)
	at := "/t/" + table + "/line/" + look.LineName.String() + "/"
	for _, b := range []*browser{ana, stranger} {
		then := b.get(at + "4")
		require.Equal(t, 200, then.status)
		require.NotContains(t, then.body, `>Place</th>`)
		rows := then.body[strings.Index(then.body, `<table class="standing">`):]
		require.Less(t, strings.Index(rows, "Ana"), strings.Index(rows, "Bo"), "as they sit, whoever won")
		require.Contains(t, b.get(at+strconv.FormatUint(look.LineHead.Version, 10)).body, `>Place</th>`)
	}
}

// If two people each have a board, the story shows both, not just the first.
func TestAStoryShowsTheBoardsOfBothWhoLieFaceToFace(t *testing.T) {
	h := open(t)
	ana, bo, stranger := h.signedIn("Ana"), h.signedIn("Bo"), h.browser()
	table := h.given("rivals", `{"phase":"act","turn":81,"since":41,"seats":[{"hand":["abbey"]},{"hand":["scout"]}]}`,
		ana, bo)
	h.playedOut(table)
	boards := regexp.MustCompile(`<img src="(/t/`+table+`/picture.svg[^"]*)"`).
		FindAllStringSubmatch(stranger.get("/t/"+table+"/story").body, -1)
	require.Len(t, boards, 2)
	drawn := map[string]bool{}
	for _, b := range boards {
		p := stranger.get(html.UnescapeString(b[1]))
		require.Equal(t, 200, p.status)
		drawn[p.body] = true
	}
	require.Len(t, drawn, 2)

	table = h.table("catan", ana, bo)
	require.Equal(t, 404, stranger.get("/t/"+table+"/picture.svg?board=2").status, "there is one island")
}
