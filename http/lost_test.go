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

// lostAddress is Ana, who has played with friends for a while and lost her address, and what she asks.
func lostAddress(t *testing.T) (h *house, ana, stranger *browser, links map[string]string) {
	h = open(t, readdresses)
	ana = h.signedIn("Ana")
	bo, cy, eve := h.signedIn("Bo"), h.signedIn("Cy"), h.signedIn("Eve")
	h.ahead = -people.LostPlayed - time.Hour
	h.table("carcassonne", ana, bo, cy, eve)
	h.ahead = 0
	tiny := h.table("tiny", ana, h.signedIn("Dee"))
	stranger = h.browser()
	require.Contains(t, stranger.get("/sign-in").body, `href="/lost"`)
	p := stranger.send("/lost", url.Values{"old": {"ana@example.org"}, "address": {"ana@new.example"}})
	require.Equal(t, "lost", p.query.Get("done"))
	ask := h.lostMail(0)
	require.Equal(t, people.LostMail{What: people.LostAsk, To: "ana@new.example", Token: ask.Token, Language: "en",
		Address: "ana@new.example"}, ask)
	require.Contains(t, stranger.get("/lost/"+ask.Token).body, "has played")
	require.Equal(t, 200, stranger.send("/lost/"+ask.Token, nil).status)
	links = map[string]string{}
	for _, m := range h.post.lost[1:] {
		links[string(m.To)] = "/lost/" + m.Token
	}
	require.Len(t, links, 4, "Dee has not played with her for long: %v", links)
	links["tiny"] = tiny
	require.Equal(t, 410, stranger.get("/lost/"+ask.Token).status, "a link is used once")
	require.Contains(t, ana.get("/").body, "can no longer read your emails", "a browser that is signed in says so")
	return h, ana, stranger, links
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
	h, ana, stranger, links := lostAddress(t)
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
	for name, ends := range map[string]func(h *house, ana, stranger *browser, links map[string]string){
		"a friend": func(h *house, _, stranger *browser, links map[string]string) {
			p := stranger.send(links["eve@example.org"], url.Values{"vouch": {"no"}})
			require.Contains(t, p.body, "Nothing changes")
		},
		"her old address": func(_ *house, _, stranger *browser, links map[string]string) {
			require.Contains(t, stranger.get(links["ana@example.org"]).body, "did not ask for it")
			stranger.send(links["ana@example.org"], nil)
		},
		"a browser of hers": func(_ *house, ana, _ *browser, _ map[string]string) {
			require.Equal(t, "here", ana.send("/settings/here", nil).query.Get("done"))
		},
		"a sign-in": func(h *house, _, _ *browser, _ map[string]string) {
			b := h.browser()
			b.send("/sign-in", url.Values{"address": {"ana@example.org"}})
			require.Equal(t, 200, b.send("/sign-in/"+h.post.last(t).token, nil).status)
		},
		"an answer of hers": func(h *house, ana, _ *browser, _ map[string]string) {
			require.NoError(t, h.people.Wrote(context.Background(), ana.id, time.Now().UTC()))
		},
		"a move of hers": func(h *house, ana, _ *browser, links map[string]string) {
			require.Equal(t, "moved", ana.move(links["tiny"], "keep").query.Get("done"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, ana, stranger, links := lostAddress(t)
			stranger.send(links["bo@example.org"], url.Values{"vouch": {"yes"}})
			stranger.send(links["cy@example.org"], url.Values{"vouch": {"yes"}})
			ends(h, ana, stranger, links)
			h.later = people.LostWaits + time.Hour
			require.False(t, h.signsIn())
		})
	}
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
	require.Equal(t, 200, h.browser().send("/lost/"+ask.Token, nil).status, "and she is asked about others")
}
