package http_test

import (
	"context"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/pass"
	"posthorn/http"
	"posthorn/http/door"
)

// study branches a study for a browser's person from the last move of a table.
func (h *house) study(of string, b *browser) string {
	h.t.Helper()
	ctx, look, who := context.Background(), h.look(of), events.Actor{Person: b.id, Door: "page"}
	me := domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{b.id}}
	ans, err := h.desk.Open(ctx, who, events.NewCommandID(),
		desk.NewTable{Rulebook: look.Table.Rulebook, Pace: "weekly", Places: []domain.TablePlace{me, me},
			Branch: &domain.Branch{Table: of, Line: look.LineName.String(), Version: look.LineHead.Version,
				Kind: "study"}})
	require.NoError(h.t, err)
	for seat := range domain.Seat(2) {
		_, err := h.desk.Do(ctx, who, ans.Table, events.NewCommandID(),
			desk.Join{Seat: seat, Chance: []byte(someChance)})
		require.NoError(h.t, err)
	}
	h.settle(ans.Table.String())
	return ans.Table.String()
}

// The link to share is offered where it leads others somewhere.
func TestOnlyALinkThatOthersMayOpenIsOffered(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	look := h.look(h.table("tiny", ana, bo))
	me := domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{ana.id}}
	for kind, other := range map[string]domain.TablePlace{"for anybody": {Kind: domain.SeatOpen}, "for its maker": me} {
		ans, err := h.desk.Open(context.Background(), events.Actor{Person: ana.id, Door: domain.DoorPage},
			events.NewCommandID(),
			desk.NewTable{Rulebook: look.Table.Rulebook, Pace: "weekly", Places: []domain.TablePlace{me, other},
				Branch: &domain.Branch{Table: look.Name.String(), Line: look.LineName.String(),
					Version: look.LineHead.Version, Kind: "study"}})
		require.NoError(t, err)
		path := "/t/" + ans.Table.String()
		seen := bo.get(path).status == 200
		require.Equal(t, kind == "for anybody", seen, kind)
		require.Equal(t, seen, strings.Contains(ana.get(path).body, "Link to share"), kind)
	}
}

// breaksOff ends a table with its people's consent.
func (h *house) breaksOff(table string) {
	h.t.Helper()
	for i, id := range h.look(table).Table.People() {
		var answer desk.Command = desk.ProposeEnd{}
		if i > 0 {
			answer = desk.Agree{Since: h.look(table).Table.Proposal.Since}
		}
		_, err := h.desk.Do(context.Background(), events.Actor{Person: id, Door: domain.DoorPage}, h.look(table).Name,
			events.NewCommandID(), answer)
		require.NoError(h.t, err)
	}
	h.settle(table)
	require.Equal(h.t, domain.TableEnded, h.look(table).Table.Status)
}

// absent checks that a table looks to a browser, at every address that names it, as if it did not exist.
func (b *browser) absent(table string) {
	b.t.Helper()
	nowhere := events.NewName().String()
	seen := 0
	for _, route := range b.server.Echo().Routes() {
		if !strings.Contains(route.Path, ":table") || route.Method == "HEAD" {
			continue
		}
		ask := func(table, line string) page {
			path := fill(route.Path, map[string]string{":table": table, ":line": line, ":version": "2"})
			if route.Method == "POST" && !strings.HasPrefix(path, "/api/") {
				return b.send(path, url.Values{"id": {strings.Repeat("7", 32)}, "line": {line}, "version": {"2"},
					"kind": {"study"}})
			}
			return b.do(route.Method, path+"?line="+line+"&version=2", nil)
		}
		line := b.look(table).LineName.String()
		got, want := ask(table, line), ask(nowhere, line)
		require.Equal(b.t, want.status, got.status, "%s %s", route.Method, route.Path)
		require.GreaterOrEqual(b.t, got.status, 400, "%s %s", route.Method, route.Path)
		require.Equal(b.t, strings.ReplaceAll(want.body, nowhere, table), got.body, "%s %s", route.Method, route.Path)
		seen++
	}
	require.Greater(b.t, seen, 40)
}

func TestAStudyIsToOthersAsIfItWereNotThere(t *testing.T) {
	var lists door.Views
	h, _, _ := lively(t, withExport, func(cfg *http.Config) { lists = cfg.Views })
	s := h.spec()
	ana, bo, eve := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Eve")
	table := h.table("tiny", ana, bo)
	ana.move(table, "keep")
	first := h.study(table, ana)
	second := h.study(first, ana)
	bobs := bo.bot(s, "play", "")

	check := func(addresses func(*browser, string)) {
		t.Helper()
		for _, study := range []string{first, second} {
			for _, b := range []*browser{bo, eve, h.browser()} {
				addresses(b, study)
				require.Equal(t, 404, h.listen(b, study).status, "the live stream")
			}
			require.Equal(t, 404, bobs.call("GET", "/tables/"+study, nil).status)
			for _, path := range []string{"", "/audit", "/record", "/line/" + h.look(study).LineName.String() + "/2"} {
				require.Equal(t, 200, ana.get("/t/"+study+path).status, path)
			}
		}
		moment := "/t/" + table + "/line/" + h.look(table).LineName.String() + "/1"
		require.Contains(t, ana.get(moment).body, first, "whose it is finds it under the game")
		for _, b := range []*browser{bo, eve, h.browser()} {
			require.NotContains(t, b.get(moment).body, first)
		}
		require.NotContains(t, bobs.call("GET", "/tables/"+table+"/lines", nil).body, first)
	}
	few := func(b *browser, study string) { // the API limits how many questions it answers a minute
		for _, path := range []string{"", "/audit", "/record", "/live", "/branch?version=2&line=" + h.look(study).
			LineName.String()} {
			require.Equal(t, 404, b.get("/t/"+study+path).status, path)
		}
	}
	last, err := h.desk.Log().Last(context.Background())
	require.NoError(t, err)
	require.NoError(t, lists.Await(context.Background(), last))
	check((*browser).absent)
	for _, path := range []string{"", "/timeline", "/lines", "/audit", "/record", "/picture.svg", "/picture.png"} {
		require.Equal(t, 404, bobs.call("GET", "/tables/"+first+path, nil).status, path)
	}
	h.breaksOff(second)
	h.breaksOff(first)
	require.Contains(t, ana.get("/t/"+first).body,
		"What was hidden in it opens when the game it was branched from has ended.")
	seed, _ := h.look(first).Table.Seed.MarshalText()
	for _, path := range []string{"/t/" + first + "/audit", "/t/" + first + "/record",
		"/api/v1/tables/" + first + "/audit"} {
		require.NotContains(t, ana.get(path).body, string(seed), "to its maker it is sealed, too")
	}
	require.Contains(t, ana.get("/t/"+first+"/record").body, `"viewer":0`)
	check(few)
	h.breaksOff(table)
	h.settle(first)
	h.settle(second)
	require.Contains(t, ana.get("/t/"+first+"/audit").body, string(seed), "now the game is over")
	require.Contains(t, ana.get("/t/"+first+"/record").body, `"viewer":-2`, "and the record is whole")
	check(few)
}

func TestALinkToAStudyIsForItsPerson(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	study := h.study(h.table("tiny", ana, bo), ana)
	link := h.play(ana, study)
	require.Equal(t, 200, h.browser().get("/p/"+link).status, "whoever has her mail plays for her")
	look := h.look(study)
	made := func(person domain.PersonID, expires time.Time) string {
		f := pass.Facts{Purpose: pass.View, Stream: look.LineName, Person: person, Seat: 0, Expires: expires}
		p, err := h.passes.Make(f)
		require.NoError(t, err)
		return p.Text()
	}
	require.Equal(t, 410, h.browser().get("/p/"+made(bo.id, time.Time{})).status,
		"a link of somebody who may not see it")
	expired := made(ana.id, time.Now().Add(-time.Hour))
	require.Equal(t, 410, bo.get("/p/"+expired).status)
	require.Equal(t, 410, h.browser().get("/p/"+expired).status)
	require.NotContains(t, h.browser().get("/p/"+expired).body, "Ana")
}

// Whoever may no longer look at a study is told what was done on a page that they may see.
func TestOutOfAStudyOneIsStillTold(t *testing.T) {
	h := open(t)
	ana, bo, carl := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Carl")
	look := h.look(h.table("carcassonne", ana, bo))
	one := domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{ana.id}}
	team := domain.TablePlace{Kind: domain.SeatTeam, Invited: []domain.PersonID{bo.id, carl.id}}
	ans, err := h.desk.Open(context.Background(), events.Actor{Person: ana.id, Door: domain.DoorPage},
		events.NewCommandID(),
		desk.NewTable{Rulebook: look.Table.Rulebook, Pace: "weekly", Places: []domain.TablePlace{one, team},
			Branch: &domain.Branch{Table: look.Name.String(), Line: look.LineName.String(),
				Version: look.LineHead.Version, Kind: "study"}})
	require.NoError(t, err)
	home := "/t/" + ans.Table.String()
	link := "/p/" + h.make(pass.Facts{Purpose: pass.Join, Person: carl.id, Stream: ans.Table, Seat: 1, Since: 1})
	require.NotContains(t, h.browser().get(link).body, home+"/audit", "a link to a seat leads nowhere but there")
	join := bo.get(home).form(home + "/join")
	join.Set("chance", someChance)
	join.Set("seat", "1") // its button's
	p := bo.send(home+"/join", join)
	require.Equal(t, "joined", p.query.Get("done"))

	p = bo.send(home+"/decline", p.form(home+"/decline"))
	require.Equal(t, 200, p.status, p.body)
	require.Equal(t, "declined", p.query.Get("done"))
	require.Contains(t, p.body, "The seat is free again")
	former := pass.Facts{Purpose: pass.View, Person: bo.id, Stream: ans.Table, Expires: time.Now().Add(-time.Hour)}
	require.Equal(t, 410, h.browser().get("/p/"+h.make(former)).status, "and an old link tells nothing of it")
}

func TestALinkToAStudyIsMailedToItsPersonAlone(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	study := h.study(h.table("tiny", ana, bo), ana)
	link := "/p/" + h.make(pass.Facts{Purpose: pass.View, Person: ana.id, Stream: h.look(study).Name})
	stranger := h.browser()
	p := stranger.send(link+"/fresh", stranger.get(link).form(link+"/fresh"))
	require.Equal(t, 200, p.status, p.body)
	require.Equal(t, "mailed", p.query.Get("done"))
	require.Contains(t, p.body, "A fresh link is on its way")
}

// A link shows its person's seat in a study to whoever opens it, and leads nowhere that they may not look.
func TestALinkIntoAStudyOffersWhatItOpens(t *testing.T) {
	h, f := withMailStates(t)
	f.latest = true
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	for _, game := range []string{"tiny", "carcassonne", "catan", "rivals"} {
		of := h.table(game, ana, bo)
		for range 6 {
			b, move := h.firstMove(of, ana, bo)
			b.move(of, move)
			h.settle(of)
		}
		study := h.study(of, ana)
		_, move := h.firstMove(study, ana)
		ana.move(study, move)
		h.settle(study)
		for _, purpose := range []pass.Purpose{pass.View, pass.Play} {
			look := h.look(study)
			o := look.Line.Awaited()[0]
			if purpose == pass.View { // a letter from before what she did signed in shows nothing
				o.Since = look.LineHead.Version
			}
			link := "/p/" + h.make(pass.Facts{Purpose: purpose, Person: ana.id, Stream: look.LineName, Seat: o.Seat,
				Kind: o.Kind, Serial: o.Serial, Since: o.Since})
			p := h.browser().get(link)
			require.Equal(t, 200, p.status, p.body)
			for _, to := range regexp.MustCompile(`(?:href|src|action)="(/t/[^"]*)"`).
				FindAllStringSubmatch(p.body, -1) {
				require.Equal(t, 200, h.browser().get(unescape(to[1])).status, "%s of %s", to[1], game)
			}
		}
	}
}

// Whoever reads a page about a moment in another language still reads about that moment.
func TestALanguageIsChosenWhereOneIs(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	ana.move(table, "keep")
	p := ana.get("/t/" + table + "/branch?line=" + h.look(table).LineName.String() + "&version=2")
	form := p.form("/language")
	form.Set("lang", "pl") // its button's
	p = ana.send("/language", form)
	require.Equal(t, 200, p.status, p.body)
	require.Equal(t, "2", p.query.Get("version"))
	require.Contains(t, p.body, `lang="pl"`)
}

// A branch with too few seats is refused, and the table that it would have come from stays what it is.
func TestABranchThatDoesNotFitChangesNothing(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("carcassonne", ana, bo)
	ana.get("/t/" + table)
	form := ana.get("/t/" + table + "/branch?line=" + h.look(table).LineName.String() + "&version=1").
		form("/t/" + table + "/branch")
	form.Set("kind", "game")
	form.Set("pace", "weekly")
	form.Set("seat.0", "me")
	form.Del("seat.1")
	require.Equal(t, 422, ana.send("/t/"+table+"/branch", form).status)
	require.Equal(t, "off", h.look(table).Table.Choices["solo"])
}

// A seat that was lost since it was offered is not offered any more.
func TestALostSeatIsNotOfferedOn(t *testing.T) {
	h := open(t)
	ana, bo, eve := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Eve")
	ctx := context.Background()
	one := func(b *browser) domain.TablePlace {
		return domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{b.id}}
	}
	ans, err := h.desk.Open(ctx, events.Actor{Person: ana.id, Door: domain.DoorPage}, events.NewCommandID(),
		desk.NewTable{Rulebook: "catan",
			Pace: "daily", Clock: &domain.Clock{Hours: 24, TimeOut: domain.TimeOutLost},
			Places: []domain.TablePlace{one(ana), one(bo), one(h.signedIn("Cid"))}})
	require.NoError(t, err)
	table := ans.Table.String()
	for i, p := range h.look(table).Table.Places {
		_, err := h.desk.Do(ctx, events.Actor{Person: p.Invited[0], Door: domain.DoorPage}, ans.Table,
			events.NewCommandID(), desk.Join{Seat: domain.Seat(i), Chance: []byte(someChance)})
		require.NoError(t, err)
	}
	h.settle(table)
	lost := h.look(table).Deadlines()[0]
	owner := h.look(table).Table.Places[lost.Seat].Holders[0]
	_, err = h.desk.Do(ctx, events.Actor{Person: owner, Door: domain.DoorPage}, ans.Table, events.NewCommandID(),
		desk.OfferSeat{Seat: lost.Seat, Person: eve.id})
	require.NoError(t, err)
	require.Contains(t, eve.get("/t/"+table).body, "/takeover")
	h.ahead = 48 * time.Hour
	_, err = h.desk.DoCaused(ctx, events.Clock, ans.Table, events.Because("clock", []byte(table)),
		desk.TimeOut{Due: lost})
	require.NoError(t, err)
	require.NotContains(t, eve.get("/t/"+table).body, "/takeover")
}

// Who is asked to go on from somebody's study that they may not see is not told its address, on no page of the game or
// of theirs; whose study it is finds the way there.
func TestAStudyIsNotNamedByWhatGoesOnFromIt(t *testing.T) {
	h, _, _ := lively(t, withExport)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	game := h.table("tiny", ana, bo)
	ana.move(game, "keep")
	study := h.study(game, ana)
	look := h.look(study)
	one := func(b *browser) domain.TablePlace {
		return domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{b.id}}
	}
	ans, err := h.desk.Open(context.Background(), events.Actor{Person: ana.id, Door: domain.DoorPage},
		events.NewCommandID(),
		desk.NewTable{Rulebook: look.Table.Rulebook, Pace: "weekly", Places: []domain.TablePlace{one(ana), one(bo)},
			Branch: &domain.Branch{Table: study, Line: look.LineName.String(), Version: look.LineHead.Version,
				Kind: "game"}})
	require.NoError(t, err)
	table := ans.Table.String()
	named := func(b *browser) (at []string) {
		for _, of := range []string{table, game} {
			line := h.look(of).LineName.String()
			for _, route := range b.server.Echo().Routes() {
				if route.Method != "GET" || !strings.Contains(route.Path, ":table") ||
					strings.HasSuffix(route.Path, "/live") {
					continue
				}
				path := fill(route.Path, map[string]string{":table": of, ":line": line, ":version": "2"})
				if strings.Contains(b.get(path+"?line="+line+"&version=2").body, study) {
					at = append(at, route.Path)
				}
			}
		}
		return at
	}
	require.Equal(t, 404, bo.get("/t/"+study).status)
	require.Empty(t, named(bo), "while people gather")
	require.Contains(t, named(ana), "/t/:table")
	for i, b := range []*browser{ana, bo} {
		_, err := h.desk.Do(context.Background(), events.Actor{Person: b.id, Door: domain.DoorPage}, ans.Table,
			events.NewCommandID(), desk.Join{Seat: domain.Seat(i), Chance: []byte(someChance)})
		require.NoError(t, err)
	}
	h.settle(table)
	require.Empty(t, named(bo))
	require.Subset(t, named(ana), []string{"/t/:table", "/t/:table/tree", "/api/v1/tables/:table",
		"/api/v1/tables/:table/lines"})
	require.Contains(t, bo.get("/t/"+table).body, "from move")
}

// The address of a table in a mail leads its person on, who is not signed in there, and says to nobody whether there is
// such a table.
func TestTheAddressOfAHiddenTableLeadsToASignIn(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	study := h.study(h.table("tiny", ana, bo), ana)
	phone, nowhere := h.browser(), events.NewName().String()
	p := phone.get("/t/" + study)
	require.Equal(t, 404, p.status)
	require.Equal(t, p.body, strings.ReplaceAll(h.browser().get("/t/"+nowhere).body, nowhere, study))
	way := regexp.MustCompile(`href="(/sign-in\?next=[^"]*)"`).FindStringSubmatch(p.body)
	require.NotNil(t, way, p.body)
	p = phone.get(unescape(way[1]))
	form := p.form("/sign-in")
	form.Set("address", "ana@example.org")
	phone.send("/sign-in", form)
	p = phone.send("/sign-in/"+h.post.last(t).token, nil)
	require.Equal(t, 200, p.status)
	require.Equal(t, "/t/"+study, p.path)
	require.NotContains(t, bo.get("/t/"+study).body, "/sign-in?next=", "who is signed in has nothing more to show")
}

// The link of a study that is over says so, as in a game, and shows nothing of the study.
func TestALinkOfAStudySaysThatItIsOver(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	study := h.study(h.table("tiny", ana, bo), ana)
	link := "/p/" + h.play(ana, study)
	somebody := h.browser()
	somebody.send(link+"/move", somebody.get(link+"?c=keep").form(link+"/move"))
	p := h.browser().get(link)
	require.Equal(t, 410, p.status)
	require.Contains(t, p.body, "This turn has been played")
	require.NotContains(t, p.body, "cut off")
	require.NotContains(t, p.body, "Ana")
	require.NotContains(t, p.body, "tiny")
	require.Contains(t, p.body, link+"/fresh", "its person can have another")
	require.Contains(t, p.body, `href="/sign-in?next=`)
	require.Contains(t, h.browser().get("/p/nonsense").body, "cut off", "what is no link may have been cut off")
}
