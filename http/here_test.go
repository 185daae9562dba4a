package http_test

import (
	"context"
	nethttp "net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/http"
)

// asking opens a house whose pages are asked whether somebody looks at them.
func asking(t *testing.T, patience time.Duration, change ...func(*http.Config)) (*house, func()) {
	t.Helper()
	h, _, stop := lively(t, append(change, func(cfg *http.Config) { cfg.Patience = patience })...)
	return h, stop
}

var ofReader = regexp.MustCompile(` data-live="([^"]*)"(?: data-here="([^"]*)")?`)

// answers answers what a page's stream asks, as the page that this browser shows does.
func (b *browser) answers(at string) page {
	b.t.Helper()
	found := ofReader.FindStringSubmatch(b.get(at).body)
	require.NotEmpty(b.t, found)
	return b.do("POST", strings.TrimSuffix(found[1], "live")+"here", url.Values{"who": {found[2]}})
}

// at reports whether somebody is taken to be at a table's page.
func (h *house) at(b *browser, table string) bool {
	h.t.Helper()
	name, err := events.ParseName(table)
	require.NoError(h.t, err)
	until, err := h.server.Here(context.Background(), b.id, name)
	require.NoError(h.t, err)
	return !until.IsZero()
}

// asked reports whether a stream asks its page whether somebody looks at it, as soon as it begins.
func (h *house) asked(b *browser, table string) bool {
	h.t.Helper()
	l := h.listen(b, table)
	require.Equal(h.t, 200, l.status)
	defer l.close()
	for l.lines.Scan() && !strings.HasPrefix(l.lines.Text(), "data: {") {
		if l.lines.Text() == "event: here" {
			return true
		}
	}
	return false
}

// Only a person's own page says that they are at a table: signed in, or with the seat that they were lent.
func TestWhoAnswersForAPageIsAtTheTable(t *testing.T) {
	h, _ := asking(t, time.Minute)
	ana, bo, eve := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Eve")
	table := h.table("tiny", ana, bo)
	home := "/t/" + table
	require.True(t, h.asked(ana, table))
	require.False(t, h.asked(h.browser(), table), "nobody is asked who they are")
	require.False(t, h.asked(eve, table), "nor who has no seat")
	require.False(t, h.at(ana, table), "to listen is not enough")
	require.Equal(t, 204, ana.answers(home).status)
	require.True(t, h.at(ana, table))
	require.False(t, h.at(bo, table))

	require.Equal(t, 204, eve.answers(home).status)
	require.False(t, h.at(eve, table))
	anas := url.Values{"who": {ofReader.FindStringSubmatch(ana.get(home).body)[2]}}
	require.Equal(t, 204, bo.do("POST", home+"/here", anas).status)
	require.False(t, h.at(bo, table), "that is the page of somebody else")
	require.Equal(t, 403, bo.do("POST", home+"/here", url.Values{}, func(r *nethttp.Request) {
		r.Header.Set("Sec-Fetch-Site", "cross-site")
	}).status)
}

// A mail scanner opens links and runs their scripts. That silences no mail: only a press lends the seat.
func TestALinkThatIsOpenedPutsNobodyAtTheTable(t *testing.T) {
	h, _ := asking(t, time.Minute)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	roller, other := turns(t, h, table, ana, bo)
	link := "/p/" + h.play(roller, table)
	phone := h.browser()
	require.Equal(t, 204, phone.answers(link).status)
	require.False(t, h.at(roller, table))
	other.answers(link)
	require.False(t, h.at(other, table), "it does not show what they would see")
	require.False(t, h.at(roller, table))

	require.Equal(t, "moved", h.press(phone, roller, table, "keep").query.Get("done"))
	require.Equal(t, 204, phone.answers("/t/"+table).status)
	require.True(t, h.at(roller, table))
	// What others ask of them now takes the new letter, to which the seat is lent anew.
	h.press(h.browser(), other, table, "keep")
	require.False(t, h.at(roller, table))
	phone.answers("/t/" + table)
	require.False(t, h.at(roller, table))
}

// Who stays away is gone after a minute.
func TestWhoIsHeardNoMoreHasLeftTheTable(t *testing.T) {
	now := time.Now()
	h, _ := asking(t, time.Minute, func(cfg *http.Config) { cfg.Now = func() time.Time { return now } })
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	ana.answers("/t/" + table)
	now = now.Add(time.Minute - time.Millisecond)
	require.True(t, h.at(ana, table))
	now = now.Add(time.Millisecond)
	require.False(t, h.at(ana, table))
}

// Where nobody is to be waited for, pages are not asked.
func TestAHouseWithoutPatienceAsksNoPage(t *testing.T) {
	h, _ := asking(t, time.Millisecond)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	require.False(t, h.asked(ana, table))
	ana.answers("/t/" + table)
	require.False(t, h.at(ana, table))
}

// A server that only reads tells the one that writes.
func TestAReaderTellsWhoIsAtATable(t *testing.T) {
	now := time.Now()
	h, _ := asking(t, time.Minute, func(cfg *http.Config) { cfg.Now = func() time.Time { return now } })
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	reader := h.readOf(&forwarder{ready: true})
	writer := h.server
	reader.Forward = writing{writer}
	h.server = reader
	now = now.Add(30 * time.Second) // by then a server that started knows who came back
	ana.answers("/t/" + table)
	require.False(t, h.at(ana, table))
	h.server = writer
	require.True(t, h.at(ana, table))
}

// writing passes on what a server that reads gets to one that writes.
type writing struct{ *http.Server }

func (w writing) Pass(to nethttp.ResponseWriter, r *nethttp.Request, _ string) error {
	w.ServeHTTP(to, r)
	return nil
}

func (writing) Ready(context.Context, uint64) bool { return true }

// The page says that nothing was mailed because its reader is there, and no more once a mail has gone out.
func TestThePageSaysThatNoMailWent(t *testing.T) {
	h, f := withMailStates(t, func(cfg *http.Config) {
		cfg.Follower, cfg.Patience = events.FollowLog(cfg.Desk.Log()), time.Minute
	})
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	home := "/t/" + table
	const says = "This was not emailed, because you are here."
	require.NotContains(t, ana.get(home).body, says)
	ana.answers(home)
	require.Contains(t, ana.get(home).body, says)
	require.NotContains(t, bo.get(home).body, says, "he has not been heard")
	f.out = true
	require.NotContains(t, ana.get(home).body, says)
	f.out = false
	require.NoError(t, h.people.SetMails(context.Background(), ana.id, "turn", false))
	require.NotContains(t, ana.get(home).body, says, "nothing would be mailed anyway")
}

// The page that somebody looks at keeps them at the table, and says when it is their turn to whoever sees it and to
// whoever hears it. One that is hidden or left does not.
func TestInABrowserTheOpenPageSaysWhoIsThere(t *testing.T) {
	ctx := chromium(t)
	h, stop := asking(t, 2*time.Second)
	do := func(script string) {
		t.Helper()
		_, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](script+"; null"))
		require.NoError(t, err)
	}
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	roller, other := turns(t, h, table, ana, bo)
	roller.bot(h.spec(), "play", "").play(table, "keep")
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(h.web.URL+"/robots.txt")))
	do(`document.cookie = "posthorn=` + cookieOf(t, roller) + `; path=/"`)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(h.web.URL+"/t/"+table), chromedp.WaitReady("body")))
	require.Eventually(t, func() bool { return h.at(roller, table) }, 30*time.Second, time.Millisecond)
	until(t, ctx, `!document.title.startsWith("●") && document.getElementById("spoken").textContent === ""`)
	other.bot(h.spec(), "play", "").play(table, "keep")
	until(t, ctx, `document.title.startsWith("●") && document.getElementById("spoken").textContent === document.querySelector("#now h1.mine").textContent`)
	until(t, ctx, `document.getElementById("spoken").getAttribute("role") === "status"`)

	do(`{
		const real = fetch;
		window.answers = 0;
		window.fetch = (to, how) => { if (String(to).endsWith("/here")) answers++; return real(to, how); };
	}`)
	until(t, ctx, `answers > 2`) // it is asked again and again
	require.Eventually(t, func() bool { return h.at(roller, table) }, 30*time.Second, time.Millisecond)
	do(`Object.defineProperty(document, "hidden", {value: true, configurable: true});
		document.dispatchEvent(new Event("visibilitychange"))`)
	require.Eventually(t, func() bool { return !h.at(roller, table) }, 30*time.Second, time.Millisecond)
	do(`Object.defineProperty(document, "hidden", {value: false, configurable: true});
		document.dispatchEvent(new Event("visibilitychange"))`)
	require.Eventually(t, func() bool { return h.at(roller, table) }, 30*time.Second, time.Millisecond)
	// A page that nobody touches for half an hour may have been left open.
	do(`{ const now = Date.now() + 31 * 60000; Date.now = () => now; }`)
	require.Eventually(t, func() bool { return !h.at(roller, table) }, 30*time.Second, time.Millisecond)
	do(`dispatchEvent(new Event("pointermove"))`)
	require.Eventually(t, func() bool { return h.at(roller, table) }, 30*time.Second, time.Millisecond)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate("about:blank")))
	require.Eventually(t, func() bool { return !h.at(roller, table) }, 30*time.Second, time.Millisecond)
	stop()
}
