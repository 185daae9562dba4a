package http_test

import (
	"context"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
	"posthorn/events/desk"
	"posthorn/events/pass"
	"posthorn/http"
	"posthorn/http/door"
)

// mailStates reports how mails are doing, as a test sets it.
type mailStates struct {
	invitation door.MailState
	lost       map[domain.PersonID]string
	queue      door.Queue
	reached    []domain.PersonID
	latest     bool // every link is of the latest letter
	out        bool // every letter has gone out
}

func (f *mailStates) Invitation(context.Context, events.Name, domain.PersonID) (door.MailState, bool, error) {
	return f.invitation, f.invitation.State != "", nil
}

func (f *mailStates) Unreachable(_ context.Context, of ...domain.PersonID) (map[domain.PersonID]string, error) {
	if len(of) == 0 {
		return f.lost, nil
	}
	out := map[domain.PersonID]string{}
	for _, id := range of {
		if why, ok := f.lost[id]; ok {
			out[id] = why
		}
	}
	return out, nil
}

func (f *mailStates) Letters(_ context.Context, _ domain.PersonID, each func(door.LetterMade)) error {
	each(door.LetterMade{Kind: "turn", State: "sent"})
	return nil
}

func (f *mailStates) Latest(context.Context, desk.Ask) (bool, error) { return f.latest, nil }

func (f *mailStates) GoneOut(context.Context, desk.Ask) (bool, error) { return f.out, nil }

func (f *mailStates) Queue(context.Context) (door.Queue, error) { return f.queue, nil }

func withMailStates(t *testing.T, change ...func(*http.Config)) (*house, *mailStates) {
	t.Helper()
	f := &mailStates{lost: map[domain.PersonID]string{}}
	return open(t, append(change, func(c *http.Config) {
		c.Mails = f
		c.Reached = func(_ context.Context, id domain.PersonID, address string) error {
			require.Contains(t, address, "@")
			f.reached = append(f.reached, id)
			return nil
		}
	})...), f
}

func TestOnlyTheOpenerSeesHowAnInvitationFares(t *testing.T) {
	h, f := withMailStates(t)
	ana, bo, cid := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Cid")
	at := h.opens("tiny", url.Values{"pace": {"weekly"}}, ana, bo).path
	for state, says := range map[string]string{"sent": "was emailed to bo@example.org",
		"waiting": "bo@example.org waits", "refused": "refused the invitation to bo@example.org: 550 no",
		"returned": "bo@example.org came back: 550 no", "withheld": "No invitation was emailed to bo@example.org"} {
		f.invitation = door.MailState{State: state, Why: "550 no"}
		require.Contains(t, ana.get(at).body, says)
		for _, other := range []*browser{bo, cid, h.browser()} {
			body := other.get(at).body
			require.NotContains(t, body, "bo@example.org")
			require.NotContains(t, body, "550 no")
		}
	}
	f.lost[bo.id] = "550 no"
	require.Contains(t, ana.get(at).body, "mails come back")
	require.NotContains(t, h.browser().get(at).body, "mails come back")
}

func TestABranchTellsNobodysAddress(t *testing.T) {
	h, f := withMailStates(t)
	f.invitation = door.MailState{State: "sent"}
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	first := h.table("tiny", bo, ana)
	name, err := events.ParseName(first)
	require.NoError(t, err)
	look, err := h.desk.Look(t.Context(), name)
	require.NoError(t, err)
	ans, err := h.desk.Open(t.Context(), events.Actor{Person: ana.id, Door: domain.DoorPage}, events.NewCommandID(),
		desk.NewTable{Rulebook: "tiny", Pace: "weekly",
			Branch: &domain.Branch{Table: first, Line: look.LineName.String(), Version: 1, Kind: "game"},
			Places: []domain.TablePlace{{Kind: domain.SeatPlayer, Invited: []domain.PersonID{bo.id}},
				{Kind: domain.SeatPlayer, Invited: []domain.PersonID{ana.id}}}})
	require.NoError(t, err)
	body := ana.get("/t/" + ans.Table.String()).body
	require.Contains(t, body, "was emailed to Bo")
	require.NotContains(t, body, "bo@example.org")
}

func TestAnInvitationIsSentAgainByItsOpenerAlone(t *testing.T) {
	withheld := 0
	h, _ := withMailStates(t, func(c *http.Config) {
		c.Withhold = func(context.Context, domain.PersonID) error { withheld++; return nil }
	})
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	at := h.opens("tiny", url.Values{"pace": {"weekly"}}, ana, bo).path
	table, err := events.ParseName(strings.TrimPrefix(at, "/t/"))
	require.NoError(t, err)
	asked := func() uint64 {
		look, err := h.desk.Look(t.Context(), table)
		require.NoError(t, err)
		require.Equal(t, []domain.PersonID{bo.id}, look.Table.Places[1].Invited)
		return look.Table.AskedSince(1, bo.id)
	}
	first := asked()
	form := ana.get(at).form(at + "/again")
	require.Equal(t, string(bo.id), form.Get("person"))
	p := ana.send(at+"/again", form)
	require.Equal(t, 200, p.status, p.body)
	second := asked()
	require.Greater(t, second, first, "it is asked anew, so it is mailed anew")
	require.Equal(t, 200, ana.send(at+"/again", form).status)
	require.Equal(t, second, asked(), "the same form sends it once")
	require.Zero(t, withheld)
	require.NoError(t, h.people.Suppress(t.Context(), "bo@example.org"))
	require.Equal(t, 200, ana.send(at+"/again", ana.get(at).form(at+"/again")).status)
	require.Equal(t, 1, withheld, "never means never")
	// nobody else may, and nobody who was not invited can be asked again
	form.Set("id", events.NewCommandID().String())
	require.Equal(t, 409, bo.send(at+"/again", form).status)
	require.Equal(t, 401, h.browser().send(at+"/again", form).status)
	form.Set("person", string(h.signedIn("Cid").id))
	require.Equal(t, 409, ana.send(at+"/again", form).status)
}

func TestWhoDeclinesByTheirLinkIsNoLongerWaitedFor(t *testing.T) {
	h, _ := withMailStates(t)
	ana := h.signedIn("Ana")
	form := ana.get("/new/tiny").form("/new/tiny")
	for field, value := range map[string]string{"pace": "weekly", "seat.0": "me", "seat.1": "friend",
		"address.1": "stranger@example.org"} {
		form.Set(field, value)
	}
	table, err := events.ParseName(strings.TrimPrefix(ana.send("/new/tiny", form).path, "/t/"))
	require.NoError(t, err)
	db, err := database.Connect(filepath.Join(h.dir, "people.db"))
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	counted := func() (n int) {
		require.NoError(t, db.QueryRow(`SELECT count(*) FROM grants`).Scan(&n))
		return n
	}
	before := counted()
	who, err := h.people.ByAddress(t.Context(), "stranger@example.org")
	require.NoError(t, err)
	link := "/p/" + h.make(pass.Facts{Purpose: pass.Join, Person: who.ID, Stream: table, Seat: 1, Since: 1})
	b := h.browser()
	require.Equal(t, 200, b.send(link+"/decline", b.get(link).form(link+"/decline")).status)
	require.Equal(t, before-2, counted(), "their share, of this opener's and of all, is free again")
}

func TestASeatWhoseMailsComeBackTellsTheTable(t *testing.T) {
	h, f := withMailStates(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	at := "/t/" + h.table("tiny", ana, bo)
	require.NotContains(t, ana.get(at).body, "mails come back")
	f.lost[bo.id] = "550 no"
	require.Contains(t, ana.get(at).body, "mails come back")
	require.Contains(t, bo.get(at).body, "mails come back")
	require.NotContains(t, h.signedIn("Cid").get(at).body, "mails come back")
	require.NotContains(t, h.browser().get(at).body, "mails come back")
}

// numberedDay matches a day written for programs where people read it.
var numberedDay = regexp.MustCompile(`>[^<]*\d{4}-\d\d-\d\d`)

func TestTheHostSeesHowMailsFareAndNobodyElseDoes(t *testing.T) {
	h, f := withMailStates(t, func(c *http.Config) { c.Hosts = []domain.PersonID{} })
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	h.server.Hosts = append(h.server.Hosts, ana.id)
	require.Contains(t, ana.get("/host").body, "The mail server accepts mail.")
	require.Contains(t, ana.get("/").body, `href="/host"`)
	table := events.NewName()
	f.queue = door.Queue{Stopped: true, Since: time.Now().Add(-2 * time.Hour), Why: "535 <wrong> password",
		Next: time.Now(), Letters: 3, Tables: []events.Name{table},
		Failed: []door.FailedLetter{{ID: 17, Kind: "turn", Table: table, Made: time.Now(), Why: "550 unknown"}}}
	f.lost[bo.id] = "5.1.1 no mailbox"
	body := ana.get("/host").body
	for _, says := range []string{"does not accept mail", "2 hours ago", "535 &lt;wrong&gt; password",
		"3 emails are waiting", "/t/" + table.String(), "17", "550 unknown", "bo@example.org", "no mailbox"} {
		require.Contains(t, body, says)
	}
	next := f.queue.Next.UTC()
	require.Contains(t, body, `The next try is at <time datetime="`+next.Format(time.RFC3339)+`">`+
		next.Format("2 January 2006, 15:04 (UTC)")+`</time>.`)
	require.NotRegexp(t, numberedDay, body)
	require.Equal(t, 404, bo.get("/host").status)
	require.NotContains(t, bo.get("/").body, `href="/host"`)
	require.Equal(t, 401, h.browser().get("/host").status)
}

func TestSigningInByAMailShowsThatMailsArrive(t *testing.T) {
	h, f := withMailStates(t)
	ana := h.signedIn("Ana")
	require.Equal(t, []domain.PersonID{ana.id}, f.reached)
}
