package outages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	nethttp "net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events"
)

// readBy is a house with a server that only reads.
type readBy struct {
	*keptByTwo
	reader *machine
	caller *caller
	log    *ledger
}

// asks sends a request to a machine, anonymous unless a header says otherwise.
func (k *keptByTwo) asks(m *machine, method, path, body string, header ...string) (*nethttp.Response, string) {
	t := k.t
	t.Helper()
	r, err := nethttp.NewRequestWithContext(t.Context(), method, "http://"+m.listen+path, strings.NewReader(body))
	require.NoError(t, err)
	r.Host = strings.TrimPrefix(k.front.URL, "http://")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := (&nethttp.Client{Timeout: posthorntest.Patient,
		CheckRedirect: func(*nethttp.Request, []*nethttp.Request) error { return nethttp.ErrUseLastResponse }}).Do(r)
	require.NoError(t, err)
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, errors.Join(err, resp.Body.Close()), path)
	return resp, string(text)
}

// reads waits until the reader is ready.
func (k *readBy) reads() {
	k.t.Helper()
	k.reader.until("it reads", func() bool {
		status, says := k.reader.asked("/readyz")
		return status == nethttp.StatusOK && says == "reader, 0 events behind\n"
	})
}

var passedOn = regexp.MustCompile(`(?m)^posthorn_passed_on_total (\S+)$`)

// passed returns how many requests the reader has passed on.
func (k *readBy) passed() (n int) {
	k.t.Helper()
	status, text := k.reader.asked("/metrics")
	require.Equal(k.t, nethttp.StatusOK, status)
	found := passedOn.FindStringSubmatch(text)
	require.NotEmpty(k.t, found, text)
	_, err := fmt.Sscan(found[1], &n)
	require.NoError(k.t, err)
	return n
}

var stands = regexp.MustCompile(`(?m)^posthorn_position\{of="(?:log|views)"\} (\S+)$`)

// arrives waits until the reader's log and lists have reached a position. Until then the reader may pass on requests
// for that position.
func (k *readBy) arrives(position string) {
	k.t.Helper()
	want, err := strconv.ParseFloat(position, 64)
	require.NoError(k.t, err)
	k.reader.until("it is at "+position, func() bool {
		_, text := k.reader.asked("/metrics")
		found := stands.FindAllStringSubmatch(text, -1)
		return len(found) == 2 && !slices.ContainsFunc(found, func(m []string) bool {
			at, err := strconv.ParseFloat(m[1], 64)
			return err != nil || at < want
		})
	})
}

// gives gives a command by the API, through the reader, and returns the position in the answer.
func (k *readBy) gives(path string, who int, in any) (position, body string) {
	k.t.Helper()
	text, err := json.Marshal(in)
	require.NoError(k.t, err)
	resp, body := k.asks(k.reader, "POST", "/api/v1"+path, string(text), "Authorization",
		"Bearer "+k.caller.tokens[who], "Content-Type", "application/json",
		"Idempotency-Key", events.NewCommandID().String())
	require.Contains(k.t, []int{200, 201}, resp.StatusCode, body)
	position = resp.Header.Get("Posthorn-Position")
	require.NotEmpty(k.t, position)
	require.Contains(k.t, resp.Header.Get("Set-Cookie"), "posthorn-position="+position)
	return position, body
}

// opens opens a table that anybody may watch, and begins it.
func (k *readBy) opens(game string) (table, position string) {
	k.t.Helper()
	_, body := k.gives("/tables", 0,
		map[string]any{"game": game, "pace": "weekly", "listed": true,
			"seats": []map[string]any{{"kind": "me"}, {"kind": "open"}}})
	var opened struct{ Table string }
	require.NoError(k.t, json.Unmarshal([]byte(body), &opened))
	for s := range k.caller.tokens {
		position, _ = k.gives("/tables/"+opened.Table+"/join", s,
			map[string]any{"seat": s, "chance": strings.Repeat("0", 31) + "1"})
	}
	return opened.Table, position
}

// moves plays one move at a table through the reader.
func (k *readBy) moves(table string) (version uint64, position string) {
	k.t.Helper()
	for deadline := time.Now().Add(posthorntest.Patient); time.Now().
		Before(deadline); time.Sleep(5 * time.Millisecond) {
		for who := range k.caller.tokens {
			resp, body := k.asks(k.reader, "GET", "/api/v1/tables/"+table+"/moves?words=no", "", "Authorization",
				"Bearer "+k.caller.tokens[who])
			require.Equal(k.t, nethttp.StatusOK, resp.StatusCode, body)
			var l listed
			require.NoError(k.t, json.Unmarshal([]byte(body), &l))
			if len(l.Moves) == 0 {
				continue
			}
			position, body := k.gives("/tables/"+table+"/moves", who,
				map[string]any{"line": l.Line, "decision": l.Decision, "move": l.Moves[0].Notation})
			var done struct{ Version uint64 }
			require.NoError(k.t, json.Unmarshal([]byte(body), &done))
			return done.Version, position
		}
	}
	k.t.Fatal("nobody is asked")
	return 0, ""
}

// shown returns the pages of a table and of the house that anybody may see, and those that do not exist, or not for
// anonymous clients.
func shown(table, line string) (here, elsewhere []string) {
	at, api := "/t/"+table, "/api/v1/tables/"+table
	return []string{"/", "/lobby", "/rules", "/rules/catan?lang=pl", at, at + "/story", at + "/print", at + "/audit",
			at + "/receipts", at + "/tree", at + "/picture.svg", at + "/record",
			at + "/line/" + line + "/2", api, api + "/timeline", api + "/lines", api + "/audit", api + "/record",
			api + "/picture.svg", api + "/picture.png", "/api/v1/games", "/robots.txt"},
		[]string{"/t/00000000000000000000000000000000", at + "/line/" + line + "/999999", at + "/game.gif",
			at + "/sketch", at + "/settings", "/nowhere", "/settings", "/sign-in", "/api/v1/checkpoint",
			"/api/v1/inbox"}
}

// never matches what may differ between two answers: when a record was written, names of commands, and how long ago
// something was, in any language.
var never = regexp.MustCompile(
	`"(exported|sum)":"[^"]*"|value="[0-9a-f]{32}"|>[^<]*</time>|\b\d+ (seconds?|minutes?) ago|just now`)

// same asserts that anonymous clients get the same from the reader and from the writer.
func (k *readBy) same(writer *machine, position string, paths ...string) {
	t := k.t
	t.Helper()
	for _, path := range paths {
		for _, lang := range []string{"en", "pl"} {
			want, page := k.asks(writer, "GET", path, "", "Accept-Language", lang)
			got, there := k.asks(k.reader, "GET", path, "", "Accept-Language", lang, "Posthorn-Position", position)
			require.Equal(t, want.StatusCode, got.StatusCode, "%s %s", path, there)
			require.Equal(t, never.ReplaceAllString(page, ""), never.ReplaceAllString(there, ""), path)
			for _, name := range []string{"Content-Type", "ETag", "Cache-Control", "Content-Language",
				"Content-Security-Policy", "Location"} {
				require.Equal(t, want.Header.Values(name), got.Header.Values(name), "%s of %s", name, path)
			}
		}
	}
}

// shows asserts that the reader comes to show a page itself, and always correctly. While a new copy of the people
// replaces the old one, it may ask the writer.
func (k *readBy) shows(writer *machine, position, path string) {
	k.t.Helper()
	for late := time.Now().Add(posthorntest.Patient); ; {
		before := k.passed()
		k.same(writer, position, path)
		if k.passed() == before {
			return
		}
		require.True(k.t, time.Now().Before(late), "it shows %s by itself", path)
	}
}

// Given a house with a server that only reads, then it shows anonymous clients what the writer shows them, from its own
// log. Whatever anybody does through it is done by the writer, and next seen through it. It goes on while the writer is
// killed and another takes over, and after a restart of its own.
func TestAReaderShowsWhatEverybodyMaySee(t *testing.T) {
	t.Parallel()
	k := &readBy{keptByTwo: newKeptByTwo(t, 1, 4*time.Second)}
	a, b := k.machine("all"), k.machine("standby")
	k.reader = k.machine("reader")
	var moved atomic.Int64
	gave, callers := newCallers(t, a.data, []string{"rivals"}, 0, &moved, a)
	k.log, k.caller = gave, callers[0]
	session := signedIn(t, a.data, "caller-0-0@example.org")
	a.shares(b)
	a.shares(k.reader)
	a.begins()
	a.writes()
	k.reader.begins()
	k.reads()

	cards, _ := k.opens("rivals")
	board, position := k.opens("carcassonne")
	for _, table := range []string{cards, board} {
		k.moves(table)
		_, position = k.moves(table)
	}
	lines := func(table string) string {
		_, body := k.asks(a, "GET", "/api/v1/tables/"+table+"/lines", "")
		var l struct{ Lines []struct{ Line string } }
		require.NoError(t, json.Unmarshal([]byte(body), &l), body)
		require.NotEmpty(t, l.Lines, body)
		return l.Lines[0].Line
	}
	for _, table := range []string{cards, board} {
		here, elsewhere := shown(table, lines(table))
		k.arrives(position)
		for _, path := range here {
			k.shows(a, position, path)
		}
		before := k.passed()
		k.same(a, position, elsewhere...)
		require.Equal(t, before+2*len(elsewhere), k.passed(), "and what it does not have it asks for")
	}

	// What was done through it is seen through it.
	for range 3 {
		version, position := k.moves(board)
		before := k.passed()
		_, body := k.asks(k.reader, "GET", "/api/v1/tables/"+board, "", "Cookie", "posthorn-position="+position)
		var seen struct{ Version uint64 }
		require.NoError(t, json.Unmarshal([]byte(body), &seen), body)
		require.GreaterOrEqual(t, seen.Version, version)
		require.LessOrEqual(t, k.passed()-before, 1, "it waits a little, or asks")
	}
	// A reader that is behind what its client has seen asks the writer.
	before := k.passed()
	_, body := k.asks(k.reader, "GET", "/t/"+board, "", "Posthorn-Position", "1000000")
	require.Equal(t, before+1, k.passed())
	_, same := k.asks(a, "GET", "/t/"+board, "")
	require.Equal(t, never.ReplaceAllString(same, ""), never.ReplaceAllString(body, ""))

	// Signed-in people see what is theirs, from the writer.
	signed := []string{"Cookie", "posthorn=" + session}
	for _, path := range []string{"/", "/settings", "/t/" + cards} {
		want, page := k.asks(a, "GET", path, "", signed...)
		got, there := k.asks(k.reader, "GET", path, "", signed...)
		require.Equal(t, nethttp.StatusOK, want.StatusCode)
		require.Equal(t, want.StatusCode, got.StatusCode, path)
		require.Equal(t, never.ReplaceAllString(page, ""), never.ReplaceAllString(there, ""), path)
		require.Contains(t, there, "Ana")
	}
	// The reader checks the origin of a form, as every server does.
	resp, _ := k.asks(k.reader, "POST", "/language", url.Values{"lang": {"pl"}}.Encode(), "Content-Type",
		"application/x-www-form-urlencoded", "Origin", "https://elsewhere.example.org")
	require.Equal(t, nethttp.StatusForbidden, resp.StatusCode)
	k.listens(board)

	// It is stopped, and catches up with what was done meanwhile.
	k.reader.Kill()
	k.caller.houses = []string{"http://" + a.listen}
	k.caller.table = board
	for !k.caller.turn(t.Context()) {
		time.Sleep(5 * time.Millisecond)
	}
	k.reader.begins()
	k.reads()
	k.same(a, "", "/t/"+board, "/t/"+board+"/story")

	// The writer dies: what everybody may see goes on, and the rest once the other writes.
	b.begins()
	b.standsBy()
	a.Kill()
	resp, body = k.asks(k.reader, "GET", "/t/"+board, "")
	require.Equal(t, nethttp.StatusOK, resp.StatusCode, body)
	b.writes()
	_, position = k.moves(board)
	k.same(b, position, "/t/"+board, "/t/"+cards)
	b.Stop()
	k.away(board)
	k.reader.Stop()
}

// listens makes somebody watch a table through the reader, and waits until they hear of a move.
func (k *readBy) listens(table string) {
	t := k.t
	t.Helper()
	ctx, leave := context.WithTimeout(t.Context(), posthorntest.Patient)
	defer leave()
	r, err := nethttp.NewRequestWithContext(ctx, "GET", "http://"+k.reader.listen+"/t/"+table+"/live", nil)
	require.NoError(t, err)
	r.Header.Set("Accept", "text/event-stream")
	r.Host = strings.TrimPrefix(k.front.URL, "http://")
	resp, err := nethttp.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }() // it is abandoned
	require.Equal(t, nethttp.StatusOK, resp.StatusCode)
	version, _ := k.moves(table)
	text, got := []byte{}, make([]byte, 512)
	for !strings.Contains(string(text), fmt.Sprintf(`"version":%d`, version)) {
		n, err := resp.Body.Read(got)
		require.NoError(t, err, "%s", text)
		text = append(text, got[:n]...)
	}
}

// away asserts what the reader says while nobody writes.
func (k *readBy) away(table string) {
	t := k.t
	t.Helper()
	book, err := house.Words()
	require.NoError(t, err)
	var all sync.WaitGroup
	for _, lang := range []string{"en", "pt-BR", "pt-PT", "pl"} {
		all.Go(func() {
			say := book.Printer(lang, "", nil).Say(domain.Say{Key: "page.error.away"})
			resp, page := k.asks(k.reader, "POST", "/sign-in", "address=eva%40example.org", "Content-Type",
				"application/x-www-form-urlencoded", "Accept-Language", lang)
			if resp.StatusCode != nethttp.StatusServiceUnavailable || !strings.Contains(page, say) ||
				resp.Header.Get("Retry-After") == "" {
				t.Errorf("%s: %d %s", lang, resp.StatusCode, page)
			}
		})
	}
	all.Go(func() {
		resp, page := k.asks(k.reader, "POST", "/api/v1/tables/"+table+"/chat", `{"text":"hello"}`, "Content-Type",
			"application/json", "Authorization", "Bearer "+k.caller.tokens[0])
		if resp.StatusCode != nethttp.StatusServiceUnavailable || !strings.Contains(page, `"away"`) {
			t.Errorf("%d %s", resp.StatusCode, page)
		}
	})
	all.Wait()
	resp, _ := k.asks(k.reader, "GET", "/t/"+table, "")
	require.Equal(t, nethttp.StatusOK, resp.StatusCode, "what everybody may see is shown all the same")
}
