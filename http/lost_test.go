package http_test

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/http"
)

// readdresses lets people be given another address, as a house does.
func readdresses(c *http.Config) {
	c.Readdress = func(ctx context.Context, person domain.PersonID, a people.Address) error {
		_, err := c.People.Readdress(ctx, person, a)
		return err
	}
}

// lost is a house in which others are asked about Ana's lost address, as whoever knows it asks for.
type lost struct {
	*house
	ana, bo, stranger *browser
	links             map[string]string // the pages that the mails to each address lead to
	tiny              string            // a table of hers
}

func lostAddress(t *testing.T) lost {
	h := open(t, readdresses)
	ana := h.signedIn("Ana")
	bo, cy, eve := h.signedIn("Bo"), h.signedIn("Cy"), h.signedIn("Eve")
	h.ahead = -people.LostPlayed - time.Hour
	h.table("carcassonne", ana, bo, cy, eve)
	h.ahead = 0
	tiny := h.table("tiny", ana, h.signedIn("Dee"))
	stranger := h.browser()
	require.Contains(t, stranger.get("/sign-in").body, `href="/lost"`)
	p := stranger.send("/lost", url.Values{"old": {"ana@example.org"}, "address": {"ana@new.example"}})
	require.Equal(t, "lost", p.query.Get("done"))
	ask := h.lostMail(0)
	require.Equal(t, people.LostMail{What: people.LostAsk, To: "ana@new.example", Token: ask.Token, Language: "en",
		Address: "ana@new.example"}, ask)
	h.offers(stranger, ask)
	require.Equal(t, 200, stranger.send("/lost/"+ask.Token, nil).status)
	links := map[string]string{}
	for _, m := range h.post.lost[1:] {
		links[string(m.To)] = "/lost/" + m.Token
	}
	require.Len(t, links, 4, "Dee has not played with her for long: %v", links)
	require.Equal(t, 410, stranger.get("/lost/"+ask.Token).status, "a link is used once")
	require.Contains(t, ana.get("/").body, "can no longer read your emails", "a browser that is signed in says so")
	return lost{h, ana, bo, stranger, links, tiny}
}

func (h *house) lostMail(n int) people.LostMail {
	h.t.Helper()
	require.Eventually(h.t, func() bool {
		h.post.mu.Lock()
		defer h.post.mu.Unlock()
		return len(h.post.lost) > n
	}, time.Minute, time.Millisecond)
	return h.post.lost[n]
}

// offers waits until the lists know with whom somebody has played, and the page offers to ask them.
func (h *house) offers(b *browser, ask people.LostMail) {
	h.t.Helper()
	require.Eventually(h.t, func() bool { return strings.Contains(b.get("/lost/"+ask.Token).body, "Ask them") },
		time.Minute, 10*time.Millisecond)
}

// signsIn asks for a sign-in mail to the new address, and reports whether it leads to Ana's account.
func (h *house) signsIn() bool {
	h.t.Helper()
	sent, lost := len(h.post.sent), len(h.post.lost)
	b := h.browser()
	b.send("/sign-in", url.Values{"address": {"ana@new.example"}})
	require.Eventually(h.t, func() bool {
		h.post.mu.Lock()
		defer h.post.mu.Unlock()
		return len(h.post.sent)+len(h.post.lost) > sent+lost
	}, time.Minute, time.Millisecond)
	return len(h.post.sent) > sent && strings.Contains(b.get("/sign-in/"+h.post.last(h.t).token).body, "as Ana")
}

func TestFriendsVouchForWhoeverLostTheirAddress(t *testing.T) {
	h := lostAddress(t)
	ana, stranger, links := h.ana, h.stranger, h.links
	require.Contains(t, stranger.get(links["bo@example.org"]).body, "never by an email")
	require.Equal(t, 200, stranger.send(links["bo@example.org"], url.Values{"vouch": {"yes"}}).status)
	h.later = people.LostWaits + time.Hour
	require.False(t, h.signsIn(), "one is not enough")
	require.Equal(t, people.LostWait, h.post.lost[len(h.post.lost)-1].What, "and that is said")
	n := len(h.post.lost)
	stranger.send(links["cy@example.org"], url.Values{"vouch": {"yes"}})
	sure := h.lostMail(n)
	require.Equal(t, people.LostSure, sure.What)
	require.EqualValues(t, "ana@new.example", sure.To)
	h.later = 0
	require.False(t, h.signsIn(), "her address had no time to say no")
	require.Equal(t, people.LostWait, h.post.lost[len(h.post.lost)-1].What)
	h.later = people.LostWaits + time.Hour
	require.True(t, h.signsIn())
	p, err := h.people.Person(context.Background(), ana.id)
	require.NoError(t, err)
	require.EqualValues(t, "ana@new.example", p.Address)
	require.True(t, h.signsIn(), "and again")
}

func TestANoOrASignOfLifeEndsIt(t *testing.T) {
	for name, ends := range map[string]func(t *testing.T, h lost){
		"a friend": func(t *testing.T, h lost) {
			p := h.stranger.send(h.links["eve@example.org"], url.Values{"vouch": {"no"}})
			require.Contains(t, p.body, "Nothing changes")
		},
		"her old address": func(t *testing.T, h lost) {
			require.Contains(t, h.stranger.get(h.links["ana@example.org"]).body, "did not ask for it")
			require.Equal(t, 200, h.stranger.send(h.links["ana@example.org"], nil).status)
		},
		"a browser of hers": func(t *testing.T, h lost) {
			require.Equal(t, "here", h.ana.send("/settings/here", nil).query.Get("done"))
		},
		"a sign-in": func(t *testing.T, h lost) {
			b := h.browser()
			b.send("/sign-in", url.Values{"address": {"ana@example.org"}})
			require.Equal(t, 200, b.send("/sign-in/"+h.post.last(t).token, nil).status)
		},
		"an answer of hers": func(t *testing.T, h lost) { // as the door for mails notes each
			require.NoError(t, h.people.Wrote(t.Context(), h.ana.id, time.Now().UTC()))
		},
		"a move of hers": func(t *testing.T, h lost) {
			require.Equal(t, "moved", h.ana.move(h.tiny, "keep").query.Get("done"))
		},
		"a program of hers": func(t *testing.T, h lost) {
			bot := h.ana.bot(h.spec(), "play", "")
			bot.play(h.tiny, "keep")
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := lostAddress(t)
			h.stranger.send(h.links["bo@example.org"], url.Values{"vouch": {"yes"}})
			require.Equal(t, 200, h.stranger.get(h.links["cy@example.org"]).status)
			ends(t, h)
			require.Equal(t, 410, h.stranger.get(h.links["cy@example.org"]).status, "nobody is asked any more")
			require.NotContains(t, h.ana.get("/").body, "can no longer read your emails")
			h.later = people.LostWaits + time.Hour
			require.False(t, h.signsIn())
		})
	}
}

// What nobody answered is over after two weeks, and can be asked again. An address that was taken from somebody says
// nothing for them.
func TestWhatIsAskedAboutALostAddressRunsOut(t *testing.T) {
	h := lostAddress(t)
	h.bo.adds("bo@new.example", true)
	require.Equal(t, 200, h.bo.atAddress("remove", "bo@example.org").status)
	require.Equal(t, 410, h.stranger.get(h.links["bo@example.org"]).status)
	h.stranger.send(h.links["bo@example.org"], url.Values{"vouch": {"yes"}})
	h.stranger.send(h.links["cy@example.org"], url.Values{"vouch": {"yes"}})
	h.later = people.LostWaits + time.Hour
	require.False(t, h.signsIn(), "only one has said yes")
	h.later = people.LostLasts + time.Hour
	require.Equal(t, 410, h.stranger.get(h.links["eve@example.org"]).status)
	n := len(h.post.lost)
	h.stranger.send("/lost", url.Values{"old": {"ana@example.org"}, "address": {"ana@new.example"}})
	require.Equal(t, people.LostAsk, h.lostMail(n).What)
	require.Equal(t, 200, h.stranger.send("/lost/"+h.lostMail(n).Token, nil).status)
}

// The answer tells nothing of an address, and a host's is given to nobody.
func TestALostAddressTellsNothing(t *testing.T) {
	h := open(t, readdresses)
	h.signedIn("Bo")
	_, err := h.people.MakeHost(context.Background(), "host@example.org")
	require.NoError(t, err)
	b := h.browser()
	for _, f := range []url.Values{
		{"old": {"nobody@example.org"}, "address": {"x@new.example"}},
		{"old": {"bo@example.org"}, "address": {"host@example.org"}},
		{"old": {"host@example.org"}, "address": {"x@new.example"}},
	} {
		require.Equal(t, "lost", b.send("/lost", f).query.Get("done"))
	}
	require.Equal(t, 422, b.send("/lost", url.Values{"old": {"bo@example.org"}, "address": {"no address"}}).status)
	b.send("/lost", url.Values{"old": {"bo@example.org"}, "address": {"bo@new.example"}})
	ask := h.lostMail(0)
	require.EqualValues(t, "bo@new.example", ask.To, "the others got none")
	page := b.get("/lost/" + ask.Token)
	require.Contains(t, page.body, "It takes two people")
	require.NotContains(t, page.body, "Ask them", "nothing is offered that is refused")
	p := b.send("/lost/"+ask.Token, nil)
	require.Equal(t, 422, p.status)
	require.Contains(t, p.body, "It takes two people")
}

// Whoever plays by the links of mails alone has signed in nowhere, and may lose their address all the same.
func TestWhoNeverSignedInComesBackToo(t *testing.T) {
	h := open(t, readdresses)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	eva, err := h.people.Ensure(context.Background(), "eva@example.org", "en")
	require.NoError(t, err)
	h.ahead = -people.LostPlayed - time.Hour
	wish := desk.NewTable{Rulebook: "carcassonne", Pace: "weekly"}
	ids := []domain.PersonID{ana.id, eva.ID, bo.id}
	for _, id := range ids {
		wish.Places = append(wish.Places, domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{id}})
	}
	as := func(id domain.PersonID) events.Actor { return events.Actor{Person: id, Door: domain.DoorPage} }
	ans, err := h.desk.Open(t.Context(), as(ana.id), events.NewCommandID(), wish)
	require.NoError(t, err)
	for seat, id := range ids {
		_, err := h.desk.Do(t.Context(), as(id), ans.Table, events.NewCommandID(),
			desk.Join{Seat: domain.Seat(seat), Chance: []byte(someChance)})
		require.NoError(t, err)
	}
	h.settle(ans.Table.String())
	h.ahead = 0
	require.Eventually(t, func() bool { // once the lists know that she holds a seat
		_, send, err := h.people.AskLost(t.Context(), "eva@example.org", "eva@new.example", "192.0.2.9", "en")
		return err == nil && send
	}, time.Minute, time.Millisecond)
	h.browser().send("/lost", url.Values{"old": {"ana@example.org"}, "address": {"ana@new.example"}})
	ask := h.lostMail(0)
	h.offers(h.browser(), ask)
	require.Equal(t, 200, h.browser().send("/lost/"+ask.Token, nil).status, "and she is asked about others")
}
