package http_test

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	nethttp "net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// chats says many things at a table, past every limit.
func (b *browser) chats(table string, many int) {
	b.t.Helper()
	name, err := events.ParseName(table)
	require.NoError(b.t, err)
	for i := range many {
		text, err := b.people.Encrypt(context.Background(), b.id, fmt.Appendf(nil, "word %d.", i))
		require.NoError(b.t, err)
		_, err = b.desk.Do(context.Background(), events.Actor{Person: b.id, Door: "test"}, name, events.NewCommandID(),
			desk.Say{Written: desk.Written{Text: text}})
		require.NoError(b.t, err)
	}
}

var (
	word    = regexp.MustCompile(`word \d+\.`)
	earlier = regexp.MustCompile(`<a href="([^"]*talk=\d+[^"]*)">Earlier</a>`)
)

func TestAPageShowsTheLatestOfALongTalkAndLinksTheRest(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	ana.chats(table, 150)
	// newest first, and few of them however many there are
	p := bo.get("/t/" + table)
	head, talk, _ := strings.Cut(p.body, `id="talk"`)
	require.Equal(t, []string{"word 149."}, word.FindAllString(head, -1), "the last one stands above the board, too")
	words := word.FindAllString(talk, -1)
	require.Equal(t, "word 149.", words[0])
	require.Equal(t, "word 148.", words[1])
	require.LessOrEqual(t, len(words), 40)
	// and through links, without a script, all of them, each once
	seen, pages := words, 1
	for {
		m := earlier.FindStringSubmatch(p.body)
		if m == nil {
			break
		}
		p = bo.get(strings.TrimSuffix(html.UnescapeString(m[1]), "#talk"))
		require.Equal(t, 200, p.status)
		require.Contains(t, p.body, `class="talk" id="talk" open`)
		require.Contains(t, p.body, "The latest")
		words = word.FindAllString(p.body, -1)
		require.LessOrEqual(t, len(words), 40)
		seen, pages = append(seen, words...), pages+1
		require.Less(t, pages, 20)
	}
	require.Len(t, seen, 150)
	for i, w := range seen {
		require.Equal(t, fmt.Sprintf("word %d.", 149-i), w)
	}
	// the address may contain nonsense
	for _, q := range []string{"0", "1", "2", "-1", "x", "99999999999999999999", "9223372036854775807"} {
		require.Equal(t, 200, bo.get("/t/"+table+"?talk="+q).status, q)
	}
	require.NotContains(t, h.browser().get("/t/"+table+"?talk=50").body, "word ",
		"whoever does not know the table reads nothing")
}

func TestTheAPITellsALongTalkInParts(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	ana.chats(table, 250)
	bot := bo.bot(h.spec(), "read", "")
	var seen []string
	query, parts := "?most=60", 0
	for {
		var got struct {
			Events []struct {
				Sentences []string `json:"sentences"`
			} `json:"events"`
			Before uint64 `json:"before"`
		}
		require.NoError(t, json.Unmarshal([]byte(bot.call("GET", "/tables/"+table+"/chat"+query, nil).body), &got))
		var part []string
		for _, e := range got.Events {
			part = append(part, word.FindAllString(strings.Join(e.Sentences, " "), -1)...)
		}
		require.LessOrEqual(t, len(got.Events), 60)
		seen, parts = append(part, seen...), parts+1
		if got.Before == 0 {
			break
		}
		query = fmt.Sprintf("?most=60&before=%d", got.Before)
	}
	require.Len(t, seen, 250)
	for i, w := range seen {
		require.Equal(t, fmt.Sprintf("word %d.", i), w)
	}
	require.Equal(t, 400, bot.call("GET", "/tables/"+table+"/chat?most=501", nil).status)
}

func TestTheAuditPageShowsATablesOwnEventsInParts(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	ana.chats(table, 450)
	rows := func(p page) int { return strings.Count(p.body, "table.said.v1") }
	p := ana.get("/t/" + table + "/audit?of=table")
	commitment := regexp.MustCompile(`Commitment</dt><dd><code>([0-9a-f]{64})</code>`).FindString(p.body)
	require.NotEmpty(t, commitment)
	n := rows(p)
	require.LessOrEqual(t, n, 60)
	for link := regexp.MustCompile(`rel="prev" href="([^"]*)"`); ; {
		m := link.FindStringSubmatch(p.body)
		if m == nil {
			break
		}
		p = ana.get("/t/" + table + "/audit" + html.UnescapeString(m[1]))
		require.LessOrEqual(t, rows(p), 60)
		require.Contains(t, p.body, commitment)
		n += rows(p)
	}
	require.Equal(t, 450, n)
}

func TestWhoWritesTooMuchIsToldWhenToTryAgain(t *testing.T) {
	h := open(t)
	h.desk.Limit(desk.Limits{Chats: desk.Rate{Burst: 3, Every: 90 * time.Second},
		Tables: desk.Rate{Burst: 2, Every: time.Hour}})
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	say := func(b *browser) page {
		form := b.get("/t/" + table).form("/t/" + table + "/say")
		form.Set("text", "hello")
		return b.send("/t/"+table+"/say", form)
	}
	for range 3 {
		require.Equal(t, 200, say(ana).status)
	}
	p := say(ana)
	require.Equal(t, 429, p.status)
	require.Contains(t, p.body, "try again in 2 minutes")
	seconds, err := strconv.Atoi(p.header.Get("Retry-After"))
	require.NoError(t, err)
	require.InDelta(t, 80, seconds, 10.5)
	require.Equal(t, 200, say(bo).status)

	bot := ana.bot(h.spec(), "play", "")
	refused := bot.call("POST", "/tables/"+table+"/chat", map[string]any{"text": "hello"})
	require.Equal(t, 429, refused.status)
	require.Equal(t, "busy", refused.code())
	require.NotEmpty(t, refused.header.Get("Retry-After"))
	polish := bot.call("POST", "/tables/"+table+"/chat", map[string]any{"text": "hello"}, func(r *nethttp.Request) {
		r.Header.Set("Accept-Language", "pl")
	})
	require.Contains(t, polish.body, "za 2 minuty")

	h.table("tiny", ana, bo)
	p = ana.send("/new/tiny", ana.get("/new/tiny").form("/new/tiny"))
	require.Equal(t, 429, p.status)
	require.Contains(t, p.body, "try again in 60 minutes")
}

// Somebody whose proposal was refused reads so at the top of the table, until they have done something there; the
// person who refused it does not.
func TestWhoeverProposedReadsThatItWasRefused(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	home := "/t/" + table
	head := func(b *browser) string {
		before, _, _ := strings.Cut(b.get(home).body, `class="board-column"`)
		return before
	}
	do := func(b *browser, c desk.Command) {
		t.Helper()
		_, err := h.desk.Do(t.Context(), events.Actor{Person: b.id, Door: domain.DoorPage}, h.look(table).Name,
			events.NewCommandID(), c)
		require.NoError(t, err)
	}
	refused := "Ana said no to the proposal."
	do(bo, desk.ProposeEnd{})
	require.NotContains(t, head(bo), refused)
	do(ana, desk.Refuse{Since: h.look(table).Table.Proposal.Since})
	require.Contains(t, head(bo), refused)
	require.Contains(t, head(bo), refused, "looking is not acting")
	require.NotContains(t, head(ana), refused)
	bo.move(table, "keep")
	ana.move(table, "keep")
	require.NotContains(t, head(bo), refused, "he has moved since")

	do(bo, desk.ProposeEnd{})
	do(ana, desk.Refuse{Since: h.look(table).Table.Proposal.Since})
	require.Contains(t, head(bo), refused)
	do(bo, desk.ProposeEnd{})
	require.NotContains(t, head(bo), refused, "he has proposed something else")
	do(bo, desk.Refuse{Since: h.look(table).Table.Proposal.Since})
	require.NotContains(t, head(bo), "said no", "he withdrew it himself")
}

// A move answers what was said, even if somebody else has moved in between.
func TestAWordIsNoNewsAnyMoreOnceItsReaderHasMoved(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	home := "/t/" + table
	form := bo.get(home).form(home + "/say")
	form.Set("text", "good luck")
	require.Equal(t, 200, bo.send(home+"/say", form).status)
	require.Contains(t, ana.get(home).body, "said-last")
	ana.move(table, "keep")
	bo.move(table, "keep")
	require.NotContains(t, ana.get(home).body, "said-last")
}
