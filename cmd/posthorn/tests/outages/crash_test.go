package outages

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/porttest"
	"posthorn/events/watch"
	"posthorn/mail"
)

// clients is how many people play at once while the program is killed.
const clients = 16

// The program is killed again and again while people play by the links in their mails, each time after some more moves,
// however long those take. No acknowledged move may be missing or doubled, the chain must be whole, and everybody whose
// decision is awaited must have exactly one mail for it, or two identical ones.
func TestKilledWhileSixteenPeoplePlay(t *testing.T) {
	t.Parallel()
	kills := 12
	if os.Getenv("POSTHORN_LONG") == "1" {
		kills = 200
	}
	bin, data := posthorntest.Binary(t), t.TempDir()
	addresses := seedTables(t, data)
	listen := porttest.Address(t)
	p := posthorntest.Start(t, bin, listen, "serve", "--data", data, "--pause", "1ms")
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var all sync.WaitGroup
	var moves atomic.Int64
	players := make([]*player, clients)
	for i := range players {
		players[i] = &player{base: p.Base, to: addresses[i], moves: &moves,
			client: &http.Client{Timeout: posthorntest.Patient,
				CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
		all.Go(func() { players[i].play(ctx) })
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range kills {
		played(t, &moves, rng.Int64N(clients/2))
		p.Kill()
		p = posthorntest.Start(t, bin, listen, "serve", "--data", data, "--pause", "1ms")
	}
	played(t, &moves, clients)
	stop()
	all.Wait()
	posthorntest.Calm(t, data)
	p.Stop()
	checkAfterCrash(t, data, kills, players)
}

// played waits until that many more moves have been acknowledged.
func played(t *testing.T, moves *atomic.Int64, more int64) {
	t.Helper()
	until := moves.Load() + more
	require.Eventually(t, func() bool { return moves.Load() >= until }, 5*time.Minute, time.Millisecond,
		"nobody gets on")
}

// seedTables opens a game for each client against a random stand-in.
func seedTables(t *testing.T, data string) []string {
	t.Helper()
	var out []string
	for i := range clients {
		out = append(out, fmt.Sprintf("p%d@example.org", i))
	}
	posthorntest.Seed(t, data, desk.NewTable{Rulebook: "carcassonne", Pace: "weekly",
		Places: []domain.TablePlace{{}, {Kind: domain.SeatStandIn, StandIn: "random"}}}, out...)
	return out
}

// player plays one game through the newest mail, whatever happens to the server.
type player struct {
	base, to string
	client   *http.Client
	acked    []events.CommandID // of acknowledged moves
	moves    *atomic.Int64      // of all players together
	think    time.Duration      // pause before the next move
}

var (
	newestMail = regexp.MustCompile(`href="(/mailbox/[0-9a-f-]+)"`)
	choice     = regexp.MustCompile(`href="(?:http://[^/"]*)?(/p/[^"?]*\?c=[^"#]*)`)
	formMove   = regexp.MustCompile(`(?s)<form method="post" action="([^"]*/move)".*?</form>`)
	hidden     = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)"`)
)

func (p *player) play(ctx context.Context) {
	for ctx.Err() == nil {
		wait := p.think
		if !p.turn(ctx) {
			wait = 10 * time.Millisecond
		}
		_ = watch.Pause(ctx, wait) // the loop's condition sees the end of the context
	}
}

// turn plays by one of the newest mails. Newer than the mail that asks there may be others, e.g. that a link was used
// for the first time.
func (p *player) turn(ctx context.Context) bool {
	for _, m := range newestMail.FindAllStringSubmatch(p.get(ctx, "/mailbox?to="+url.QueryEscape(p.to)), 3) {
		if p.plays(ctx, m[1]) {
			return true
		}
	}
	return false
}

// plays plays a move that a mail lists, or one that begins at a place it lists. It returns false if nothing was played.
func (p *player) plays(ctx context.Context, mail string) bool {
	form, chosen := []string(nil), ""
	for page := p.get(ctx, mail+"/html"); form == nil; form = formMove.FindStringSubmatch(page) {
		next := ""
		for _, link := range choice.FindAllStringSubmatch(page, -1) {
			if href := strings.ReplaceAll(link[1], "&amp;", "&"); strings.Count(href, "c=") > strings.Count(chosen,
				"c=") {
				next = href // one more choice than before, until nothing is left to choose
			}
		}
		if next == "" {
			return false
		}
		chosen = next
		page = p.get(ctx, next)
	}
	values := url.Values{}
	for _, f := range hidden.FindAllStringSubmatch(form[0], -1) {
		values.Set(f[1], strings.ReplaceAll(f[2], "&#43;", "+"))
	}
	id, err := events.ParseCommandID(values.Get("id"))
	if err != nil {
		return false
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.base+form[1], strings.NewReader(values.Encode()))
	if err != nil {
		return false
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := p.client.Do(req)
	if err != nil {
		return false
	}
	_ = resp.Body.Close() // its body is not needed
	if resp.StatusCode != http.StatusSeeOther {
		return false
	}
	p.acked = append(p.acked, id)
	p.moves.Add(1)
	return true
}

func (p *player) get(ctx context.Context, path string) string {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base+path, nil)
	if err != nil {
		return ""
	}
	resp, err := p.client.Do(req)
	if err != nil {
		return ""
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		body = nil
	}
	_ = resp.Body.Close() // the server may just have been killed
	return string(body)
}

func checkAfterCrash(t *testing.T, data string, kills int, players []*player) {
	t.Helper()
	ctx := context.Background()
	out, status := posthorntest.Command(t, posthorntest.Binary(t), "verify", "--data", data)
	require.Zero(t, status, out)
	h, err := house.Open(ctx, house.Settings{Settings: folder.Settings{Data: data}, Listen: "127.0.0.1:0",
		From: "posthorn@localhost", Opening: "anyone"}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	defer func() { require.NoError(t, h.Close()) }()
	seen := map[events.CommandID]int{}
	last, err := h.Log.Last(ctx)
	require.NoError(t, err)
	recs, err := h.Log.Read(ctx, 0, int(last))
	require.NoError(t, err)
	for i := range recs {
		require.EqualValues(t, i+1, recs[i].Pos)
		seen[recs[i].Command]++
	}
	acked := 0
	for _, p := range players {
		acked += len(p.acked)
		for _, id := range p.acked {
			require.Equal(t, 1, seen[h.Keys.Asked(id)], "acknowledged move %s of %s", id, p.to)
		}
	}
	require.Greater(t, acked, clients, "hardly anything was played")
	mails := mailsByID(t, data)
	doubled := 0
	for id, copies := range mails {
		require.LessOrEqual(t, len(copies), 1+kills, "mail %s: one more for each kill while it was under way", id)
		for _, c := range copies[1:] {
			doubled++
			require.Equal(t, copies[0], c, "mail %s came again and differs", id)
		}
	}
	awaited := 0
	tables, err := folder.TablesOf(ctx, h.Log)
	require.NoError(t, err)
	n := &mail.Notifier{Desk: h.Desk, Outbox: h.Outbox}
	wanted, err := n.Wanted(ctx, tables...)
	require.NoError(t, err)
	for _, w := range wanted {
		id, err := h.Sender.Composer.Passes.MessageID(w, 0, "localhost")
		require.NoError(t, err)
		letters, err := h.Outbox.Letters(ctx, w.Table)
		require.NoError(t, err)
		require.NotEmpty(t, mails[id], "%s awaited since version %d of %s has no mail: %s", w.Kind, w.Open.Since,
			w.Stream, lastOf(letters))
		awaited++
	}
	require.LessOrEqual(t, doubled, kills*mail.DefaultConnections, "more came again than can have been under way")
	t.Logf("%d events, %d acknowledged moves, %d mails of which %d came twice, %d awaited", len(recs), acked,
		len(mails), doubled, awaited)
}

// lastOf describes the newest letters of a table.
func lastOf(letters []mail.Letter) string {
	var b strings.Builder
	for _, l := range letters[max(0, len(letters)-3):] {
		fmt.Fprintf(&b, "\n%s since %d: %s after %d tries, due %s: %s", l.Kind, l.Open.Since, l.State, l.Attempts,
			l.Due.Format(time.TimeOnly), l.Note)
	}
	return b.String()
}

// mailsByID reads the built-in mailbox's folder.
func mailsByID(t *testing.T, data string) map[string][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(data, "mailbox", "*.eml"))
	require.NoError(t, err)
	out := map[string][]string{}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		require.NoError(t, err)
		m := posthorntest.MessageID.FindSubmatch(bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n")))
		require.NotNil(t, m, "%s", f)
		out[string(m[1])] = append(out[string(m[1])], string(raw))
	}
	return out
}
