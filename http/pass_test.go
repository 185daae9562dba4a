package http_test

import (
	"context"
	nethttp "net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/http/pagetest"
)

// play makes the pass of a turn mail, for what is awaited of a person now.
func (h *house) play(b *browser, table string) string {
	h.t.Helper()
	look := h.look(table)
	for _, o := range look.Line.Awaited() {
		if !look.Table.Places[o.Seat].Holds(b.id) {
			continue
		}
		recs, err := h.desk.Log().Load(context.Background(), look.LineName, o.Since-1, o.Since)
		require.NoError(h.t, err)
		return h.make(pass.Facts{Purpose: pass.Play, Person: b.id, Stream: look.LineName, Seat: o.Seat, Kind: o.Kind,
			Serial: o.Serial, Since: o.Since, At: pass.MarkOf(recs[0].Hash)})
	}
	h.t.Fatal("nothing is awaited of them")
	return ""
}

func (h *house) make(f pass.Facts) string {
	h.t.Helper()
	epoch, err := h.people.PassEpoch(context.Background(), f.Person)
	require.NoError(h.t, err)
	f.Epoch = epoch
	token, err := h.passes.Make(f)
	require.NoError(h.t, err)
	return token.Text()
}

func TestALinkInAMailPlaysOneTurnForItsPerson(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	link := "/p/" + h.play(ana, table)
	before := h.version(table)

	somebody := h.browser() // anybody who has the mail
	p := somebody.get(link + "?c=keep")
	require.Equal(t, 200, p.status)
	require.Contains(t, p.body, "You play as Ana")
	require.Contains(t, p.body, "Ana holds card", "it shows what Ana may see")
	form := p.form(link + "/move")
	p = somebody.send(link+"/move", form)
	require.Equal(t, "/t/"+table, p.path, "then the address holds no capability")
	require.Equal(t, before+1, h.version(table))
	require.Contains(t, p.body, "Ana holds card", "whoever plays by a link stays who they are")

	p = h.browser().get(link)
	require.Equal(t, 410, p.status)
	require.Contains(t, p.body, "This turn has been played")
	require.NotContains(t, p.body, "Ana holds card", "a used link shows others what everybody may see")
	require.Equal(t, 200, somebody.send(link+"/move", form).status, "the same press is answered again")
	require.Equal(t, before+1, h.version(table))
	form.Set("id", "000102030405060708090a0b0c0d0e0f")
	require.Equal(t, 409, somebody.send(link+"/move", form).status)
}

// first returns the seat that rolls in the first round of a game of tiny.
func first(t *testing.T, h *house, table string) domain.Seat {
	t.Helper()
	l := h.look(table).Line.Clone()
	for _, o := range l.Awaited() {
		m, err := l.Parse("keep", nil)
		require.NoError(t, err)
		e, _, err := l.Decide(o.Seat, m)
		require.NoError(t, err)
		l.Apply(&e)
	}
	require.Len(t, l.Awaited(), 1)
	return l.Awaited()[0].Seat
}

func TestALinkDoesNothingElse(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	link := "/p/" + h.play(ana, table)
	before := h.version(table)
	form := ana.get(link + "?c=keep").form(link + "/move")

	for field, value := range map[string]string{"seat": "1", "serial": "99", "since": "7", "kind": "roll",
		"line": "00000000000000000000000000000000"} {
		other := url.Values{}
		for k, v := range form {
			other[k] = v
		}
		other.Set(field, value)
		require.Equal(t, 400, h.browser().send(link+"/move", other).status, field)
	}
	for _, path := range []string{"/join", "/decline", "/agree", "/refuse"} {
		require.Equal(t, 410, h.browser().send(link+path, form).status, path)
	}
	require.Equal(t, before, h.version(table))
	require.Equal(t, 410, h.browser().get(link+"x").status)
	require.Equal(t, 410, h.browser().get("/u/"+link[3:]).status, "it does not stop mails, either")
	require.Equal(t, 401, h.browser().get("/settings").status)
}

func TestWithdrawnLinksAreNoLongerGood(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	link := "/p/" + h.play(ana, table)
	form := ana.get(link + "?c=keep").form(link + "/move")
	before := h.version(table)
	require.Equal(t, "withdrawn", ana.send("/settings/links", nil).query.Get("done"))
	p := h.browser().get(link)
	require.Equal(t, 410, p.status)
	require.Contains(t, p.body, "withdrawn")
	require.NotContains(t, p.body, "Ana holds card")
	require.Equal(t, 410, h.browser().send(link+"/move", form).status)
	require.Equal(t, before, h.version(table))
	require.Equal(t, 200, h.browser().get("/p/"+h.play(ana, table)).status, "the next mail's is good")
}

func TestALinkFromAnotherPastShowsThePresent(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	look := h.look(table)
	o := look.Line.Awaited()[0]
	token := h.make(pass.Facts{Purpose: pass.Play, Person: ana.id, Stream: look.LineName, Seat: o.Seat, Kind: o.Kind,
		Serial: o.Serial, Since: o.Since, At: pass.Mark{1}})
	p := h.browser().get("/p/" + token)
	require.Equal(t, 410, p.status)
	require.Contains(t, p.body, "belongs to a past")
}

func TestAnInvitationIsAnsweredFromItsMail(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	form := ana.get("/new/tiny").form("/new/tiny")
	for k, v := range map[string]string{"seat.0": "me", "seat.1": "friend", "address.1": "bo@example.org",
		"called.1": "Bo", "lang.1": "pl", "pace": "daily", "option.rounds": "1"} {
		form.Set(k, v)
	}
	p := ana.send("/new/tiny", form)
	require.Equal(t, 200, p.status, p.body)
	table := p.path[3:]
	look := h.look(table)
	require.Equal(t, "1", look.Table.Choices["rounds"])
	bo := look.Table.Places[1].Invited[0]
	commitment, err := h.desk.Log().Load(context.Background(), look.Name, 0, 1)
	require.NoError(t, err)
	require.Contains(t, p.body, commitment[0].Parts[0].Digest.String(),
		"the opener sees the commitment before contributing")

	link := "/p/" + h.make(pass.Facts{Purpose: pass.Join, Person: bo, Stream: look.Name, Seat: 1, Since: 1})
	p = h.browser().get(link)
	require.Contains(t, p.body, `<html lang="pl">`, "in the language the friend was invited in")
	require.Contains(t, p.body, `autocomplete="nickname" value="Bo"`, "by the name they were invited by")
	require.Contains(t, p.body, commitment[0].Parts[0].Digest.String())
	join := p.form(link + "/join")
	join.Set("seat", "1")
	join.Set("name", "https://evil.example")
	join.Set("chance", someChance)
	p = h.browser().send(link+"/join", join)
	require.Equal(t, 409, p.status)
	require.Contains(t, p.body, someChance, "what was typed is kept")
	join.Set("name", "Bo")
	join.Set("chance", "too short")
	require.Equal(t, 409, h.browser().send(link+"/join", join).status)
	join.Set("chance", someChance)
	p = h.browser().send(link+"/join", join)
	require.Equal(t, "joined", p.query.Get("done"), p.body)
	require.Contains(t, p.body, someChance, "the contribution is repeated back")
	require.Equal(t, []domain.PersonID{bo}, h.look(table).Table.Places[1].Holders)
}

// Whoever fills the table is still there when it begins, and answers what it asks first without waiting for a mail.
func TestWhoSitsDownByALinkPlaysOn(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	form := ana.get("/new/tiny").form("/new/tiny")
	for k, v := range map[string]string{"seat.0": "me", "seat.1": "friend", "address.1": "bo@example.org",
		"called.1": "Bo", "pace": "daily"} {
		form.Set(k, v)
	}
	p := ana.send("/new/tiny", form)
	table := p.path[3:]
	join := p.form("/t/" + table + "/join")
	join.Set("seat", "0")
	join.Set("chance", someChance)
	require.Equal(t, "joined", ana.send("/t/"+table+"/join", join).query.Get("done"))
	look := h.look(table)
	link := "/p/" + h.make(pass.Facts{Purpose: pass.Join, Person: look.Table.Places[1].Invited[0], Stream: look.Name,
		Seat: 1, Since: 1})
	phone := h.browser()
	join = phone.get(link).form(link + "/join")
	join.Set("seat", "1")
	join.Set("name", "Bo")
	join.Set("chance", someChance)
	p = phone.send(link+"/join", join)
	require.Equal(t, "joined", p.query.Get("done"), p.body)
	require.Contains(t, p.body, "You play as Bo")
	require.Contains(t, p.body, "?c=keep")
}

func TestAnInvitationIsDeclinedFromItsMail(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	form := ana.get("/new/tiny").form("/new/tiny")
	for k, v := range map[string]string{"seat.0": "me", "seat.1": "friend", "address.1": "bo@example.org",
		"pace": "daily"} {
		form.Set(k, v)
	}
	table := ana.send("/new/tiny", form).path[3:]
	look := h.look(table)
	link := "/p/" + h.make(pass.Facts{Purpose: pass.Join, Person: look.Table.Places[1].Invited[0], Stream: look.Name,
		Seat: 1, Since: 1})
	p := h.browser().get(link)
	p = h.browser().send(link+"/decline", p.form(link+"/decline"))
	require.Equal(t, "declined", p.query.Get("done"))
	require.Equal(t, domain.SeatOpen, h.look(table).Table.Places[1].Kind)
}

func TestAnOpenSeatIsTakenByWhoeverHasTheLink(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	form := ana.get("/new/tiny").form("/new/tiny")
	for k, v := range map[string]string{"seat.0": "me", "seat.1": "open", "pace": "daily"} {
		form.Set(k, v)
	}
	table := ana.send("/new/tiny", form).path[3:]
	eve := h.browser()
	p := eve.get("/t/" + table)
	require.Contains(t, p.body, "There is a free seat")
	signIn := p.form("/sign-in")
	signIn.Set("address", "eve@example.org")
	eve.send("/sign-in", signIn)
	p = eve.send("/sign-in/"+h.post.last(t).token, nil)
	require.Equal(t, "/t/"+table, p.path, "signing in leads back to the table")
	join := p.form("/t/" + table + "/join")
	join.Set("seat", "1")
	join.Set("name", "Eve")
	join.Set("chance", someChance)
	require.Equal(t, "joined", eve.send("/t/"+table+"/join", join).query.Get("done"))

	join.Set("seat", "0")
	join.Set("id", "000102030405060708090a0b0c0d0e0f")
	require.Equal(t, 409, eve.send("/t/"+table+"/join", join).status, "a seat kept for another is not taken")
	for _, path := range []string{"/invite", "/fill", "/abandon"} {
		p := eve.send("/t/"+table+path,
			url.Values{"id": {"000102030405060708090a0b0c0d0e0f"}, "seat": {"1"}, "address": {"x@example.org"}})
		require.Equal(t, 409, p.status, path)
	}
}

func TestAProposalIsAnsweredFromItsMail(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	end := ana.get("/t/" + table + "/end").form("/t/" + table + "/end")
	require.Equal(t, "proposed", ana.send("/t/"+table+"/end", end).query.Get("done"))
	look := h.look(table)
	link := "/p/" + h.make(pass.Facts{Purpose: pass.Answer, Person: bo.id, Stream: look.Name, Seat: 1, Kind: "consent",
		Since: look.Table.Proposal.Since})
	p := h.browser().get(link)
	require.Contains(t, p.body, "Ana proposes to end the game here")
	require.NotContains(t, p.body, `?c=keep`, "this link does not play")
	p = h.browser().send(link+"/agree", p.formAfter(`<form method="post" class="consent"`))
	require.Equal(t, "agreed", p.query.Get("done"), p.body)
	h.settle(table)
	require.Equal(t, domain.TableEnded, h.look(table).Table.Status)
	require.Equal(t, 410, h.browser().get(link).status)
}

func TestMailsStopByAButtonAndByOneClick(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	link := "/u/" + h.make(pass.Facts{Purpose: pass.Unsubscribe, Person: ana.id, Kind: "turn"})
	wants := func() bool {
		p, err := h.people.Person(context.Background(), ana.id)
		require.NoError(t, err)
		return p.Wants("turn")
	}
	require.Equal(t, 200, h.browser().get(link).status)
	require.True(t, wants(), "opening the link stops nothing")

	// RFC 8058: no cookies, no origin, no fetch metadata
	b := h.browser()
	p := b.do("POST", link, url.Values{"List-Unsubscribe": {"One-Click"}}, bare)
	require.Equal(t, 200, p.status)
	require.False(t, wants())
	again := pagetest.Of(t, h.browser().get(link).body, "")
	require.False(t, wants(), "opening it again starts nothing either")
	require.Equal(t, 200, h.browser().send(link, again.Press(again.Buttons[0])).status)
	require.True(t, wants(), "what was stopped is offered again")
	require.Equal(t, 410, b.do("POST", link+"x", url.Values{}, bare).status, "another's token is nobody's")
}

// The link of a mail that bundles several stops them all, as it says, and only these: each would come alone otherwise.
func TestTheLinkOfABundleStopsWhatItBundles(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	link := "/u/" + h.make(pass.Facts{Purpose: pass.Unsubscribe, Person: ana.id, Kind: "digest"})
	require.NoError(t, h.people.SetMails(context.Background(), ana.id, "over", false))
	wants := func(kind string) bool {
		p, err := h.people.Person(context.Background(), ana.id)
		require.NoError(t, err)
		return p.Wants(kind)
	}
	p := h.browser().send(link, nil)
	require.Contains(t, p.body, "all emails")
	require.False(t, wants("turn"))
	require.Equal(t, []string{"stopped " + string(ana.id) + " *"}, h.post.told)
	h.browser().send(link, url.Values{"undo": {"1"}})
	require.True(t, wants("turn"))
	require.False(t, wants("over"), "as she set it")
}

// One click on a turn mail in a mail program: it comes from anywhere, with whatever the browser adds.
func TestOneClickStopsTheTurnMailsOfOneTableAndIsShown(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	name := h.look(table).Name
	link := "/u/" + h.make(pass.Facts{Purpose: pass.Unsubscribe, Person: ana.id, Kind: "turn", Stream: name})
	wants := func(table events.Name) bool {
		p, err := h.people.Person(context.Background(), ana.id)
		require.NoError(t, err)
		return p.Wants("turn") && p.Wants(people.AtTable("turn", table))
	}
	p := h.browser().do("POST", link, url.Values{"List-Unsubscribe": {"One-Click"}}, func(r *nethttp.Request) {
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		r.Header.Set("Origin", "https://mail.example.com")
	})
	require.Equal(t, 200, p.status)
	require.Empty(t, p.header["Set-Cookie"])
	require.False(t, wants(name))
	require.True(t, wants(events.NewName()), "of that table alone")
	// the seat shows it, to its person and to the others, and it can be undone there
	p = ana.get("/t/" + table)
	require.Contains(t, p.body, "You get no emails about your turns at this table.")
	require.Contains(t, bo.get("/t/"+table).body, "no turn emails")
	require.Equal(t, "saved", ana.send("/t/"+table+"/mails", url.Values{"on": {"1"}}).query.Get("done"))
	require.True(t, wants(name))
	// nothing else accepts forms from other sites
	p = ana.do("POST", "/t/"+table+"/mails", url.Values{}, func(r *nethttp.Request) {
		r.Header.Set("Sec-Fetch-Site", "cross-site")
	})
	require.Equal(t, 403, p.status)
}

func TestAStrangerWhoWantsNoInvitationsGetsNoneAgain(t *testing.T) {
	h := open(t)
	a, err := people.ParseAddress("stranger@example.org")
	require.NoError(t, err)
	p, err := h.people.Ensure(context.Background(), a, "en")
	require.NoError(t, err)
	link := "/u/" + h.make(pass.Facts{Purpose: pass.Unsubscribe, Person: p.ID, Kind: "invitation"})
	require.Equal(t, 200, h.browser().do("POST", link, url.Values{"List-Unsubscribe": {"One-Click"}}, bare).status)
	quiet, err := h.people.Suppressed(context.Background(), a)
	require.NoError(t, err)
	require.True(t, quiet)
	// whoever pressed it, the address can sign in and be told that it is its turn
	sent := len(h.post.sent)
	h.browser().send("/sign-in", url.Values{"address": {"stranger@example.org"}})
	require.Len(t, h.post.sent, sent+1)
	p, err = h.people.Person(context.Background(), p.ID)
	require.NoError(t, err)
	require.True(t, p.Wants("turn") && p.Wants("consent") && p.Wants("over"))
}

func TestSettingsAreKeptAndSessionsRevoked(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	other := h.browser()
	other.send("/sign-in", url.Values{"address": {"ana@example.org"}})
	other.send("/sign-in/"+h.post.last(t).token, nil)

	p := ana.send("/settings", url.Values{"name": {"Ana Maria"}, "language": {"pl"}, "mail": {"turn", "over"}})
	require.Equal(t, "saved", p.query.Get("done"))
	who, err := h.people.Person(context.Background(), ana.id)
	require.NoError(t, err)
	require.Equal(t, "Ana Maria", who.Name)
	require.Equal(t, "pl", who.Language)
	require.True(t, who.Wants("turn") && who.Wants("over") && !who.Wants("invitation") && !who.Wants("consent"))
	p = ana.send("/settings", url.Values{"name": {"see www.example.org"}})
	require.Equal(t, 422, p.status)
	require.Contains(t, p.body, "see www.example.org", "what was typed is kept")

	require.Equal(t, 200, other.get("/settings").status)
	require.Equal(t, 200, ana.send("/settings/sessions", url.Values{"session": {"all"}}).status)
	require.Equal(t, 401, other.get("/settings").status)
	require.Equal(t, 401, ana.get("/settings").status)
}

func TestAPassOfSomebodyWhoLeftTheSeatDoesNothing(t *testing.T) {
	h := open(t)
	ana, bo, dee := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Dee")
	table := h.table("tiny", ana, bo)
	// given the link for Ana's turn, and Dee takes over her seat
	hers := "/p/" + h.play(ana, table)
	form := h.browser().get(hers + "?c=keep").form(hers + "/move")
	name, err := events.ParseName(table)
	require.NoError(t, err)
	seat := h.look(table).Table.SeatsOf(ana.id)[0]
	_, err = h.desk.Do(context.Background(), events.Actor{Person: dee.id, Door: "page"}, name, events.NewCommandID(),
		desk.Claim{Seat: seat, Was: ana.id})
	require.NoError(t, err)
	before := h.version(table)
	// then it shows what everybody may see, and plays nothing
	p := h.browser().get(hers)
	require.Equal(t, 410, p.status)
	require.NotContains(t, p.body, "You play as")
	require.NotContains(t, p.body, "holds card")
	require.NotEqual(t, 200, h.browser().send(hers+"/move", form).status)
	require.Equal(t, before, h.version(table))
	// and Dee's plays
	theirs := "/p/" + h.play(dee, table)
	p = h.browser().get(theirs + "?c=keep")
	require.Equal(t, 200, p.status)
	require.Equal(t, "moved", h.browser().send(theirs+"/move", p.form(theirs+"/move")).query.Get("done"))
	require.Equal(t, before+1, h.version(table))
}
