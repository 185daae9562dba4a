package http_test

import (
	"context"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/http"
	"posthorn/http/door"
)

// waiting is an answer by mail that waits.
type waiting struct {
	held      door.Held
	confirmed []bool // whether its person said that their provider signs nothing, each time
}

func (w *waiting) Held(_ context.Context, _ pass.Facts) (door.Held, bool, error) {
	return w.held, len(w.confirmed) == 0, nil
}

func (w *waiting) Confirm(_ context.Context, _ pass.Facts, unsigned bool) ([]string, bool, error) {
	w.confirmed = append(w.confirmed, unsigned)
	return []string{"Played: keep."}, true, nil
}

// The page of a held answer shows what it says to whoever has its link. Only a press carries it out, and only the link
// of such a letter leads there.
func TestAHeldAnswerIsShownAndCarriedOutByAPress(t *testing.T) {
	w := &waiting{}
	h := open(t, func(c *http.Config) { c.Answers = w })
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table, err := events.ParseName(h.table("tiny", ana, bo))
	require.NoError(t, err)
	w.held = door.Held{Table: table, From: "ana@example.org", At: time.Now(), Lines: []string{"keep", "<b>say hi</b>"},
		Unsigned: true}
	about := pass.Facts{Purpose: pass.Confirm, Person: ana.id, Stream: table, Since: 1, At: pass.Mark{7}}
	link := "/a/" + h.make(about)
	reader := h.browser()
	p := reader.get(link)
	require.Equal(t, 200, p.status)
	for _, says := range []string{"ana@example.org", "keep<br>", "&lt;b&gt;say hi", "name=\"unsigned\"",
		"If it was not you, close this page"} {
		require.Contains(t, p.body, says)
	}
	require.Empty(t, w.confirmed, "looking at it does nothing")
	p = reader.send(link, url.Values{"unsigned": {"on"}})
	require.Contains(t, p.body, "Played: keep.")
	require.Contains(t, p.body, `href="/t/`+table.String()+`"`)
	require.Contains(t, reader.send(link, nil).body, "no longer waits")
	require.Equal(t, []bool{true}, w.confirmed, "it is carried out once")

	other := about
	other.Purpose = pass.View
	require.Equal(t, 410, reader.get("/a/"+h.make(other)).status)
	require.Equal(t, 410, reader.get("/p/"+h.make(about)).status, "it is no link to the table")
}

// Who says in the settings that nobody signs their mails can take it back there, until their mails show that somebody
// does.
func TestTheSettingsAskWhetherAProviderSignsNothing(t *testing.T) {
	h := open(t, func(c *http.Config) { c.Answers = &waiting{} })
	ana := h.signedIn("Ana")
	p, err := h.people.Person(t.Context(), ana.id)
	require.NoError(t, err)
	by := func() []string {
		all, err := h.people.SignedBy(t.Context(), ana.id, p.Address)
		require.NoError(t, err)
		return all
	}
	saves := func(unsigned ...string) {
		require.Less(t, ana.send("/settings", url.Values{"name": {"Ana"}, "unsigned": unsigned}).status, 400)
	}
	require.Contains(t, ana.get("/settings").body, `name="unsigned"`)
	saves("on")
	require.Equal(t, []string{people.Unsigned}, by())
	require.Contains(t, ana.get("/settings").body, `name="unsigned" value="on" checked`)
	require.Contains(t, ana.get("/settings/data").body, `"nobody"`)
	saves()
	require.Empty(t, by())
	require.NoError(t, h.people.SetSignedBy(t.Context(), ana.id, p.Address, "example.org"))
	require.NotContains(t, ana.get("/settings").body, `name="unsigned"`)
	saves("on")
	require.Equal(t, []string{"example.org"}, by())
	require.Contains(t, ana.get("/settings/data").body, `"example.org"`)
}
