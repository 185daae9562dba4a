package http_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var calendarAt = regexp.MustCompile(`value="[^"]*(/calendar/[^"]+)"`)

// calendarOf returns the address of somebody's calendar, from their settings.
func calendarOf(t *testing.T, b *browser) string {
	t.Helper()
	m := calendarAt.FindStringSubmatch(b.get("/settings").body)
	require.NotNil(t, m)
	return m[1]
}

func TestACalendarHasAnEntryForEachMoveThatIsAwaited(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	at := calendarOf(t, ana)
	anybody := h.browser() // a calendar program knows the address and nothing else
	entries := func() []string {
		p := anybody.get(at)
		require.Equal(t, 200, p.status)
		require.True(t, strings.HasPrefix(p.header.Get("Content-Type"), "text/calendar"))
		require.True(t, strings.HasPrefix(p.body, "BEGIN:VCALENDAR\r\n"))
		require.True(t, strings.HasSuffix(p.body, "END:VCALENDAR\r\n"))
		for line := range strings.SplitSeq(p.body, "\r\n") {
			require.LessOrEqual(t, len(line), 75)
		}
		whole := strings.ReplaceAll(p.body, "\r\n ", "")
		return strings.Split(whole, "BEGIN:VEVENT")[1:]
	}
	require.Empty(t, entries())
	first := h.table("tiny", ana, bo) // everybody chooses at once
	h.table("tiny", ana, bo)
	require.Eventually(t, func() bool { return len(entries()) == 2 }, 10*time.Second, 10*time.Millisecond)
	var mine string
	for _, e := range entries() {
		if strings.Contains(e, "/t/"+first) {
			mine = e
		}
	}
	require.Contains(t, mine, "SUMMARY:Tiny")
	require.Regexp(t, `UID:turn-`+first+`-0-`+string(ana.id)+`@`, mine)
	require.NotContains(t, mine, "bo@example.org")
	// when it is played, its entry disappears, and Bo's stays
	require.Equal(t, 200, ana.move(first, "keep").status)
	require.Eventually(t, func() bool { return len(entries()) == 1 }, 10*time.Second, 10*time.Millisecond)
	require.Equal(t, 2, strings.Count(h.browser().get(calendarOf(t, bo)).body, "BEGIN:VEVENT"))
}

func TestACalendarEndsWithItsPersonsLinks(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	at := calendarOf(t, ana)
	require.Equal(t, 200, h.browser().get(at).status)
	ana.send("/settings/links", url.Values{})
	require.Equal(t, 410, h.browser().get(at).status)
	require.Equal(t, 200, h.browser().get(calendarOf(t, ana)).status)
	for _, bad := range []string{"/calendar/x.ics", "/calendar/.ics", strings.Replace(at, ".ics", "A.ics", 1)} {
		require.Equal(t, 410, h.browser().get(bad).status, bad)
	}
}
