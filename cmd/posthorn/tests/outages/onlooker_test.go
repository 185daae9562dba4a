package outages

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	nethttp "net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
)

// onlooker keeps requesting pages from any machine that answers, with all their assets, like a browser with an empty
// cache.
type onlooker struct {
	t       *testing.T
	session string
	houses  []string
	at      int
	of      map[string]string // version by the address of its style sheet
	client  *nethttp.Client

	mu    sync.Mutex
	wrong []string
	seen  map[string]int // pages, by version
	table string
}

var (
	pageAsset = regexp.MustCompile(`(?:href|src)="(/assets/([0-9a-f]+)/([a-z.]+))"`)
	pageTable = regexp.MustCompile(`href="(/t/[0-9a-f]{32})`)
)

func newOnlooker(t *testing.T, session string, houses []*machine) *onlooker {
	t.Helper()
	o := &onlooker{t: t, session: session, of: map[string]string{}, seen: map[string]int{},
		client: &nethttp.Client{Timeout: 5 * time.Second}}
	for _, m := range houses {
		o.houses = append(o.houses, "http://"+m.listen)
	}
	return o
}

// on looks until the context ends.
func (o *onlooker) on(ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		path := []string{"/", "/rules/carcassonne", o.table}[n%3]
		if path == "" {
			continue
		}
		if body, _, ok := o.get(ctx, path, func(status int) bool { return status == nethttp.StatusOK }); ok {
			o.page(ctx, path, body)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// get asks one machine after the other until one has the page. It is no fault if none answers, or one says that it is
// too early.
func (o *onlooker) get(ctx context.Context, path string, good func(int) bool) (string, nethttp.Header, bool) {
	for late := time.Now().Add(posthorntest.Patient); ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
		r, err := nethttp.NewRequestWithContext(ctx, nethttp.MethodGet, o.houses[o.at]+path, nil)
		if err != nil {
			o.says("%s: %v", path, err)
			return "", nil, false
		}
		r.AddCookie(&nethttp.Cookie{Name: "posthorn", Value: o.session})
		r.Header.Set("X-Forwarded-For", "10.9.9.9")
		resp, err := o.client.Do(r)
		if err == nil {
			body, failed := io.ReadAll(resp.Body)
			_ = resp.Body.Close() // it was read to the end
			switch {
			case failed != nil:
			case good(resp.StatusCode):
				return string(body), resp.Header, true
			case resp.StatusCode != nethttp.StatusServiceUnavailable &&
				resp.StatusCode != nethttp.StatusTooManyRequests:
				o.says("%s: %d: %.300s", path, resp.StatusCode, body)
				return "", nil, false
			}
		}
		if o.at = (o.at + 1) % len(o.houses); time.Now().After(late) {
			o.says("%s: nobody answers", path)
			return "", nil, false
		}
	}
	return "", nil, false
}

// page checks a page and its assets. Whose version a style sheet is shows in it, if it is the one of its address.
func (o *onlooker) page(ctx context.Context, path, body string) {
	version := ""
	for _, a := range pageAsset.FindAllStringSubmatch(body, -1) {
		text, header, ok := o.get(ctx, a[1], func(status int) bool { return status == nethttp.StatusOK })
		sum := sha256.Sum256([]byte(text))
		own := ok && fmt.Sprintf("%x", sum[:6]) == a[2]
		if ok && !own && header.Get("Cache-Control") != "no-store" {
			o.says("%s: another file is kept for %s", path, a[1])
		}
		if a[3] != "posthorn.css" {
			continue
		}
		if own {
			o.of[a[1]] = map[bool]string{true: "next", false: "this"}[strings.Contains(text, nextStyle)]
		}
		version = o.of[a[1]]
	}
	word := "this"
	if strings.Contains(body, nextWord) {
		word = "next"
	}
	if ctx.Err() != nil || version == "" && len(o.of) < 2 {
		return // the style of this version was not seen yet, as another machine answered for it
	}
	if version != word || !strings.Contains(body, "</html>") {
		o.says("%s: its style is of %q, its words of %q: %.200s", path, version, word, body)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seen[version]++
	if t := pageTable.FindStringSubmatch(body); t != nil {
		o.table = t[1]
	}
}

func (o *onlooker) says(format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.wrong = append(o.wrong, fmt.Sprintf(format, args...))
}

// check reports what was wrong.
func (o *onlooker) check() {
	o.t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	require.Empty(o.t, o.wrong)
	require.Positive(o.t, o.seen["this"])
	require.Positive(o.t, o.seen["next"])
	require.NotEmpty(o.t, o.table)
	o.t.Logf("pages seen, by version: %v", o.seen)
}
