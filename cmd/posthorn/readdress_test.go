package main

import (
	"bytes"
	"context"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/people"
	"posthorn/http/pagetest"
)

// Given somebody who lost their address, when the host gives them another one, then they sign in with it, and the lost
// one is told with what takes it back. An address that has an account of its own is nobody else's.
func TestAHostGivesSomebodyAnotherAddress(t *testing.T) {
	data, ctx := t.TempDir(), context.Background()
	posthorntest.Seed(t, data, desk.NewTable{Rulebook: "carcassonne", Pace: "weekly",
		Places: []domain.TablePlace{{}, {Kind: domain.SeatStandIn, StandIn: "random"}}}, "you@example.org")
	gives := func(status int, from, to string) string {
		t.Helper()
		var out, errs bytes.Buffer
		got := run(ctx, []string{"people", "readdress", "--data", data, from, to},
			console.Console{Out: &out, Err: &errs})
		require.Equal(t, status, got, "%s%s", &out, &errs)
		return out.String() + errs.String()
	}
	h := posthorntest.Reopened(t, data)
	you, err := h.People.ByAddress(ctx, "you@example.org")
	require.NoError(t, err)
	_, err = h.People.Ensure(ctx, "other@example.org", "en")
	require.NoError(t, err)
	require.NoError(t, h.Close())

	require.Contains(t, gives(1, "nobody@example.org", "new@example.org"), "nobody here has the address")
	require.Contains(t, gives(1, "you@example.org", "other@example.org"), "it has an account of its own")
	require.Contains(t, gives(1, "you@example.org", "You@example.org"), "their mails go there already")
	require.Contains(t, gives(0, "you@example.org", "new@example.org"), "can take this back for a week")
	var listed bytes.Buffer
	require.Zero(t, run(ctx, []string{"people", "list", "--data", data}, console.Console{Out: &listed, Err: &listed}))
	require.Regexp(t, `(?m)^new@example.org .*, also you@example.org \(removed\)`, listed.String(), "with all addresses")

	l := posthorntest.Lives(t, posthorntest.Settings(data))
	p, err := l.People.ByAddress(ctx, "new@example.org")
	require.NoError(t, err)
	require.Equal(t, you.ID, p.ID)
	require.Equal(t, people.Address("new@example.org"), p.Address)
	require.Eventually(t, func() bool {
		for _, m := range l.Mailbox.Messages() {
			if parts, err := m.Read(); err == nil && m.To == "you@example.org" &&
				strings.Contains(parts.Text, "/b/") && strings.Contains(parts.Text, "ne…@example.org") {
				return true
			}
		}
		return false
	}, posthorntest.Patient, 5*time.Millisecond, "the lost address is told")
	have, err := l.People.Addresses(ctx, you.ID)
	require.NoError(t, err)
	require.Len(t, have, 2)
	require.False(t, have[1].Until.IsZero(), "and is theirs for a week only")
}

// Given a turn that was mailed to an address, when its person removes that, then its links play no longer, also from
// where they are answered, and the turn is mailed anew to the address that they have now.
func TestWhatARemovedAddressGotPlaysNoLonger(t *testing.T) {
	t.Parallel()
	l := posthorntest.Lives(t, posthorntest.Settings(t.TempDir()))
	ana := l.Guest("ana@example.org")
	turn := func(to string) (page, id string) {
		t.Helper()
		require.Eventually(t, func() bool {
			for _, m := range l.Mailbox.Messages() {
				p, err := m.Read()
				require.NoError(t, err)
				if at := regexp.MustCompile(`/p/[^\s">]+[?&]c=[^\s">]+`).FindString(html.UnescapeString(p.HTML)); m.To == to && at != "" {
					page, id = at, p.Header.Get("Message-Id")
				}
			}
			return page != ""
		}, posthorntest.Patient, 5*time.Millisecond)
		return page, id
	}
	table := l.Seated().Starts("carcassonne", nil, desktest.Player(ana.ID),
		domain.TablePlace{Kind: domain.SeatStandIn, StandIn: "random"})
	old, first := turn("ana@example.org")
	presses := func(at string) url.Values {
		t.Helper()
		_, body := l.Get(at, posthorntest.Guest{}, "en")
		for _, f := range pagetest.Forms(t, body) {
			if strings.HasSuffix(f.Action, "/move") && len(f.Buttons) > 0 {
				return f.Press(f.Buttons[0])
			}
		}
		require.Fail(t, "nothing to press", at+body)
		return nil
	}
	form := presses(old)
	acts := func(at string) string { at, _, _ = strings.Cut(at, "?"); return at + "/move" }

	l.Post("/settings/address", ana, url.Values{"address": {"ana@new.example"}})
	added := ""
	require.Eventually(t, func() bool {
		for _, m := range l.Mailbox.Messages() {
			p, err := m.Read()
			require.NoError(t, err)
			if m.To == "ana@new.example" {
				added = regexp.MustCompile(`/sign-in/\S+`).FindString(p.Text)
			}
		}
		return added != ""
	}, posthorntest.Patient, 5*time.Millisecond)
	l.Post(added, ana, url.Values{"main": {"on"}})
	status, body := l.Post("/settings/address/remove", ana, url.Values{"address": {"ana@example.org"}})
	require.Equal(t, 303, status, body)

	now, second := turn("ana@new.example")
	require.NotEqual(t, first, second, "mail programs show both")
	l.Post(acts(old), posthorntest.Guest{}, form)
	_, body = l.Get("/api/v1/tables/"+table.String(), ana, "en")
	require.Contains(t, body, `"version":1,`, "nothing was played")
	l.Post(acts(now), posthorntest.Guest{}, presses(now))
	_, body = l.Get("/api/v1/tables/"+table.String(), ana, "en")
	require.NotContains(t, body, `"version":1,`)
}
