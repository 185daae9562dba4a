package http_test

import (
	"bytes"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/record"
)

// handsOver takes a table to another server, whose address is known if it is given.
func (h *house) handsOver(table string, there *house, at string) {
	h.t.Helper()
	key, err := record.PublicKey(there.desk.Keys())
	require.NoError(h.t, err)
	if at != "" {
		key, err = record.KeyAt(key, at)
		require.NoError(h.t, err)
	}
	name, err := events.ParseName(table)
	require.NoError(h.t, err)
	var file bytes.Buffer
	require.NoError(h.t, record.Handover(h.t.Context(), h.desk, name, key, time.Now(), &file))
	f, err := record.Read(&file)
	require.NoError(h.t, err)
	_, err = record.Import(h.t.Context(), there.desk.Log(), there.desk.Keys(), f, named)
	require.NoError(h.t, err)
}

// Given a table that was handed over, then it is not over for anybody here: its page and the lists say where it goes
// on, the page leads there, and whoever held a seat takes it up there by a link of their own, under their name.
func TestATableHandedOverGoesOnThere(t *testing.T) {
	h, there := open(t), openWith(t, [32]byte{9})
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	ana.move(table, "keep")
	ready, link := bo.get("/t/"+table+"?m=keep").form("/t/"+table+"/move"), "/p/"+h.play(bo, table)
	h.handsOver(table, there, there.web.URL)
	late := bo.send("/t/"+table+"/move", ready)
	require.Equal(t, 409, late.status)
	require.Contains(t, late.body, "This game goes on at another server.")
	require.Contains(t, h.browser().get(link).body,
		"The game goes on at another server, so this link has nothing left to do.")
	host := strings.TrimPrefix(there.web.URL, "http://")

	p := ana.get("/t/" + table)
	require.Equal(t, 200, p.status)
	require.Contains(t, p.body, `<h1 class="status">The game goes on at `+host+".</h1>")
	for _, over := range []string{"The game is over", `class="result"`, "Final", "/rematch", "The game has ended"} {
		require.NotContains(t, p.body, over)
	}
	require.Contains(t, ana.get("/").body, "The game goes on at "+host)
	stranger := h.browser().get("/t/" + table)
	require.Contains(t, stranger.body, `href="`+there.web.URL+"/t/"+table+`"`, "whoever looks on is led there, too")
	require.NotContains(t, stranger.body, "/claim/", "but to nobody's seat")
	require.NotContains(t, ana.get("/t/"+table+"/story").body, `class="result"`)

	claim := regexp.MustCompile(`href="` + there.web.URL + `(/t/` + table + `/claim/[^"]+)"`)
	mine := claim.FindStringSubmatch(p.body)
	require.NotNil(t, mine, p.body)
	bos := claim.FindStringSubmatch(bo.get("/t/" + table).body)
	require.NotNil(t, bos)
	require.NotEqual(t, mine[1], bos[1], "each has their own")

	before := there.look(table).TableHead.Version
	phone := there.browser()
	p = phone.get(html.UnescapeString(mine[1]))
	require.Equal(t, 200, p.status, p.body)
	require.Contains(t, p.body, "seat A")
	require.Equal(t, before, there.look(table).TableHead.Version, "opening it does nothing")
	sign := p.form("/sign-in")
	sign.Set("address", "ana@example.com")
	phone.send("/sign-in", sign)
	p = phone.send("/sign-in/"+there.post.last(t).token, nil)
	require.True(t, strings.HasPrefix(p.path, "/p/"), "signing in leads back: %s", p.path)
	require.Contains(t, p.body, `name="name" required maxlength="40" autocomplete="nickname" value="Ana"`,
		"who they were")
	form := p.form(p.path + "/claim")
	form.Set("name", "Ana")
	p = phone.send(p.path+"/claim", form)
	require.Equal(t, "/t/"+table, p.path, p.body)
	require.Contains(t, p.body, "Ana took up seat A again.")
	require.Equal(t, domain.TableStarted, there.look(table).Table.Status)
	require.Contains(t, there.browser().get("/t/"+table).body, "Ana", "the game goes on under her name")

	for _, forged := range []string{
		strings.Replace(mine[1], "/claim/A.", "/claim/B.", 1),
		strings.Replace(bos[1], string(bo.id), string(ana.id), 1),
		"/t/" + table + "/claim/A", "/t/" + table + "/claim/" + url.PathEscape("?.x.y"),
	} {
		require.Equal(t, 410, phone.get(html.UnescapeString(forged)).status, forged)
	}
}

// Without the other server's address the page says that the game goes on, and who knows where.
func TestATableHandedOverToAnUnknownAddressSaysSo(t *testing.T) {
	h, there := open(t), openWith(t, [32]byte{9})
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	h.handsOver(table, there, "")
	p := ana.get("/t/" + table)
	require.Contains(t, p.body, "The game goes on at another server.")
	require.Contains(t, p.body, "The hosts of this server send you the link to your seat.")
	require.NotContains(t, p.body, "The game is over")
	for _, address := range []string{"games.example.net", "ftp://games.example.net", "https://games.example.net/x",
		"https://a:b@games.example.net", "javascript:alert(1)"} {
		_, err := record.KeyAt("posthorn-key-AAAA", address)
		require.ErrorIs(t, err, record.ErrKey, address)
	}
}
