package house_test

import (
	nethttp "net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events/desktest"
	"posthorn/events/people"
)

var forgetLink = regexp.MustCompile(`/f/[A-Za-z0-9_-]+`)

// Given Ana in a running game, when she asks on the settings page, opens the link of the mail and presses its button,
// then she is forgotten, and her game goes on. Neither asking nor opening it deletes anything.
func TestSomebodyDeletesTheirAccount(t *testing.T) {
	l := posthorntest.Lives(t, posthorntest.Settings(t.TempDir()))
	ana, bob, eva := l.Guest("ana@example.org"), l.Guest("bob@example.org"), l.Guest("eva@example.org")
	table := l.Seated().Starts("carcassonne", nil, desktest.Player(ana.ID), desktest.Player(bob.ID),
		desktest.Player(eva.ID))
	ask := func(method, path string, g posthorntest.Guest) (int, string) {
		r := httptest.NewRequest(method, path, strings.NewReader(url.Values{}.Encode()))
		if method == nethttp.MethodPost {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			r.Header.Set("Sec-Fetch-Site", "same-origin")
		}
		return l.Ask(r, g, "en")
	}
	_, page := ask("GET", "/settings", ana)
	require.Contains(t, page, `<form method="post" action="/settings/delete">`)
	status, _ := ask("POST", "/settings/delete", ana)
	require.Equal(t, 303, status)
	link := ""
	require.Eventually(t, func() bool {
		for _, m := range l.Mailbox.Messages() {
			if parts, err := m.Read(); err == nil && m.To == "ana@example.org" {
				link = forgetLink.FindString(parts.Text)
			}
			if link != "" {
				return true
			}
		}
		return false
	}, posthorntest.Patient, 5*time.Millisecond)

	status, page = ask("GET", link, posthorntest.Guest{})
	require.Equal(t, 200, status)
	require.Contains(t, page, "“Ana”")
	require.Contains(t, page, `<form method="post"><button class="danger">`)
	_, err := l.People.Person(l.Ctx, ana.ID)
	require.NoError(t, err, "opening it deletes nothing")
	status, page = ask("POST", link, ana)
	require.Equal(t, 200, status)
	require.Contains(t, page, "The account is deleted.")
	_, err = l.People.Person(l.Ctx, ana.ID)
	require.ErrorIs(t, err, people.ErrNobody)
	gone, err := l.Desk.Forgotten(l.Ctx)
	require.NoError(t, err)
	require.Equal(t, []domain.PersonID{ana.ID}, gone, "an older people.db does not bring her back")
	look, err := l.Desk.Look(l.Ctx, table)
	require.NoError(t, err)
	require.Equal(t, domain.TableStarted, look.Table.Status)
	require.True(t, look.Table.Places[0].Resigned, "a stand-in plays on")
	status, _ = ask("GET", "/settings", ana)
	require.Equal(t, 401, status)
	status, _ = ask("POST", link, ana)
	require.Equal(t, 410, status)
}
