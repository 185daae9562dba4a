package http_test

import (
	"context"
	"net/url"
	"regexp"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"posthorn/events/calendar"
)

var zoneField = regexp.MustCompile(`<body data-zone="([^"]+)">`)

// presses sends a form of a page as a browser with the script does: with its time zone, if the page asks for that.
func (b *browser) presses(p page, action, zone string, more url.Values) page {
	b.t.Helper()
	mark := `action="` + action + `"`
	if p.path == action { // a form that goes to its own page names none
		mark = `<form method="post">`
	}
	form := p.formAfter(mark)
	for name, values := range more {
		form[name] = values
	}
	if m := zoneField.FindStringSubmatch(p.body); m != nil {
		form.Set(m[1], zone)
	}
	return b.send(action, form)
}

func (h *house) calendarOf(b *browser) calendar.Calendar {
	h.t.Helper()
	c, err := h.people.Calendar(context.Background(), b.id)
	require.NoError(h.t, err)
	return c
}

var nights = calendar.Night{From: 22, To: 8}

// Given people of whom nobody knows where they live, when they press something, whether signed in, by a link or by the
// seat that a link left, then their zone is known and their nights count; no deadline that stands moves.
func TestTheFirstPressTellsTheZoneOfItsPerson(t *testing.T) {
	h := open(t)
	h.keepsTime()
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.timed("daily", "seat", ana, bo)
	before := h.due(table, 0)
	require.Equal(t, calendar.Calendar{Zone: time.UTC}, h.calendarOf(ana), "given")

	p := ana.get("/t/" + table + "?m=keep")
	require.Regexp(t, zoneField, p.body)
	p = ana.presses(p, "/t/"+table+"/say", "America/Sao_Paulo", url.Values{"text": {"hello"}})
	require.Equal(t, 200, p.status, p.body)
	require.Equal(t, "America/Sao_Paulo", h.calendarOf(ana).Zone.String())
	require.Equal(t, nights, h.calendarOf(ana).Night)
	require.Equal(t, before, h.due(table, 0), "what was promised stays")
	require.NotRegexp(t, zoneField, ana.get("/t/"+table).body, "it is not asked again")

	link, phone := "/p/"+h.play(bo, table), h.browser()
	p = phone.presses(phone.get(link+"?c=keep"), link+"/move", "Europe/Warsaw", nil)
	require.Equal(t, 200, p.status, p.body)
	require.Equal(t, "Europe/Warsaw", h.calendarOf(bo).Zone.String(), "a link is pressed by its person")
	require.Equal(t, "America/Sao_Paulo", h.calendarOf(ana).Zone.String())
	phone.presses(phone.get("/t/"+table), "/t/"+table+"/say", "Asia/Tokyo", url.Values{"text": {"hello"}})
	require.Equal(t, "Europe/Warsaw", h.calendarOf(bo).Zone.String(), "the first press counts")

	require.Equal(t, 200, ana.move(table, "keep").status)
	for _, d := range h.look(table).Deadlines() {
		who := []*browser{ana, bo}[d.Seat]
		at := d.At.In(h.calendarOf(who).Zone).Hour()
		require.True(t, at >= 8 && at <= 22, "what is asked from now on is not due at night: %s", d.At)
	}
}

// Whoever presses the button of a sign-in link tells their zone with it, before their first table counts any time.
func TestSigningInTellsTheZone(t *testing.T) {
	h := open(t)
	b := h.browser()
	b.send("/sign-in", url.Values{"address": {"ana@example.org"}})
	link := "/sign-in/" + h.post.last(t).token
	p := b.presses(b.get(link), link, "America/Bahia", nil)
	require.Equal(t, 200, p.status, p.body)
	settings := b.get("/settings").body
	require.Contains(t, settings, `<option value="America/Bahia" selected>`)
	require.Contains(t, settings, `<option value="22" selected>`)
	require.NotContains(t, settings, "Your time zone is not known yet")
}

// Without the script nothing tells the zone: the settings say so, and begin with the nights that will count.
func TestWhoeverTellsNoZoneSetsItThemselves(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	p := ana.get("/settings")
	require.Contains(t, p.body, "Your time zone is not known yet")
	require.Contains(t, p.body, `<option value="22" selected>`)
	require.Equal(t, calendar.Calendar{Zone: time.UTC}, h.calendarOf(ana), "which do not count yet")
	require.NoError(t, h.people.Wrote(t.Context(), ana.id, time.Now().In(time.FixedZone("", 2*3600))))
	p = ana.get("/settings")
	require.Contains(t, p.body, "Your replies are dated UTC&#43;02:00")
	require.Contains(t, p.body, `<option value="UTC" selected>`)
	require.Contains(t, ana.get("/settings/data").body, `"answers_dated": "UTC+02:00"`)
	p = ana.presses(p, "/settings/calendar", "Asia/Tokyo",
		url.Values{"zone": {"UTC"}, "night_from": {"00"}, "night_to": {"00"}})
	require.Equal(t, "saved", p.query.Get("done"), p.body)
	require.Equal(t, calendar.Calendar{Zone: time.UTC}, h.calendarOf(ana), "what they set is what counts")
	require.NotContains(t, p.body, "Your time zone is not known yet")
	require.NotRegexp(t, zoneField, p.body)
}

func TestInABrowserTheFirstPressTellsItsZone(t *testing.T) {
	ctx := chromium(t)
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	recife := chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
		_, err := cdp.Call(ctx, to, emulation.SetTimezoneOverride,
			emulation.SetTimezoneOverrideParams{TimezoneID: "America/Recife"})
		return err
	})
	require.NoError(t, chromedp.Do(ctx, recife, chromedp.Navigate(h.web.URL+"/p/"+h.play(ana, table)+"?c=keep"),
		chromedp.WaitReady("body")))
	press(t, ctx, "form.confirm button.go")
	until(t, ctx, `location.pathname === "/t/`+table+`"`)
	require.Equal(t, "America/Recife", h.calendarOf(ana).Zone.String())
	require.Equal(t, nights, h.calendarOf(ana).Night)
}
