package http_test

import (
	"compress/gzip"
	"context"
	"io"
	"math/rand/v2"
	nethttp "net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/programtest"
	"posthorn/http"
	"posthorn/projections/words"
)

// wire asks as a browser on this site does, and returns the response, the bytes sent over the wire, and the text.
func (b *browser) wire(path string, change ...func(*nethttp.Request)) (res *nethttp.Response, sent int, text string) {
	b.t.Helper()
	req, err := nethttp.NewRequestWithContext(context.Background(), "GET", b.web.URL+path, nil)
	require.NoError(b.t, err)
	req.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd") // the client does not decode it if set by hand
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	for _, f := range change {
		f(req)
	}
	res, err = b.client.Do(req)
	require.NoError(b.t, err)
	defer func() { require.NoError(b.t, res.Body.Close()) }()
	body, err := io.ReadAll(res.Body)
	require.NoError(b.t, err)
	if res.Header.Get("Content-Encoding") != "gzip" {
		return res, len(body), string(body)
	}
	z, err := gzip.NewReader(strings.NewReader(string(body)))
	require.NoError(b.t, err)
	plain, err := io.ReadAll(z)
	require.NoError(b.t, err)
	return res, len(body), string(plain)
}

func from(site string) func(*nethttp.Request) {
	return func(r *nethttp.Request) {
		r.Header.Del("Sec-Fetch-Site")
		if site != "" {
			r.Header.Set("Sec-Fetch-Site", site)
		}
	}
}

func TestAnswersAreCompressed(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	for _, path := range []string{"/t/" + table, "/", "/api/v1/openapi.json", "/t/" + table + "/audit"} {
		res, sent, text := ana.wire(path)
		require.Equal(t, 200, res.StatusCode)
		require.Equal(t, "gzip", res.Header.Get("Content-Encoding"), path)
		require.Contains(t, res.Header.Values("Vary"), "Accept-Encoding")
		require.Less(t, sent, len(text)/2, path)
	}
	// a picture is compressed already, and a client that does not ask for compression gets none
	res, _, _ := ana.wire("/api/v1/tables/" + table + "/picture.png")
	require.Empty(t, res.Header.Get("Content-Encoding"))
	res, _, text := ana.wire("/t/"+table, func(r *nethttp.Request) { r.Header.Set("Accept-Encoding", "identity") })
	require.Empty(t, res.Header.Get("Content-Encoding"))
	require.Contains(t, text, "</html>")
}

// The length of a compressed answer reveals its content to anybody who can choose part of it: see guard.Packed.
func TestWhatAnotherSiteAsksForIsNotCompressed(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	for site, want := range map[string]string{"same-origin": "gzip", "none": "gzip", "cross-site": "", "same-site": "",
		"": ""} {
		res, _, text := ana.wire("/t/"+table+"?seat=guess", from(site))
		require.Equal(t, want, res.Header.Get("Content-Encoding"), "Sec-Fetch-Site: %s", site)
		require.Contains(t, text, "</html>")
		// for clients nobody knows here there is nothing to guess
		res, _, _ = h.browser().wire("/t/"+table, from(site))
		require.Equal(t, "gzip", res.Header.Get("Content-Encoding"), "Sec-Fetch-Site: %s", site)
	}
}

func TestALiveStreamIsNotCompressed(t *testing.T) {
	h, _, _ := lively(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	l := h.listen(ana, table, from("same-origin"), func(r *nethttp.Request) { r.Header.Set("Accept-Encoding", "gzip") })
	require.Equal(t, 200, l.status)
	require.Empty(t, l.header.Get("Content-Encoding"))
	require.NotEmpty(t, l.next())
}

var fetched = regexp.MustCompile(`(?:href|src)="(/assets/[^"]*)"`)

// wireWhole returns the size over the wire of a page with everything it fetches.
func (b *browser) wireWhole(path string) int {
	b.t.Helper()
	res, sent, text := b.wire(path)
	require.Equal(b.t, 200, res.StatusCode)
	for _, m := range fetched.FindAllStringSubmatch(text, -1) {
		res, n, _ := b.wire(m[1])
		require.Equal(b.t, 200, res.StatusCode, m[1])
		sent += n
	}
	return sent
}

// Files go out as they were packed when the server started, whoever asks from wherever; a client that does not read
// gzip gets them plain. A standby server does the same.
func TestFilesAreSentPackedToWhoeverReadsThat(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	book, err := words.New(rulebooks.All())
	require.NoError(t, err)
	elsewhere, err := http.Elsewhere(book, rulebooks.All())
	require.NoError(t, err)
	_, _, page := ana.wire("/")
	links := fetched.FindAllStringSubmatch(page, -1)
	require.NotEmpty(t, links)
	for _, l := range links {
		for accepts, want := range map[string]string{
			"gzip": "gzip", "br, GZIP;q=0.5": "gzip", "deflate,gzip ; q=1": "gzip", "": "", "identity": "",
			"gzip;q=0": "", "gzip; q=0.0, br": "", "x-gzip": "",
		} {
			if path.Ext(l[1]) == ".svg" {
				continue // may be too small to gain from it
			}
			for _, site := range []string{"same-origin", "cross-site"} {
				res, _, text := ana.wire(l[1], from(site), func(r *nethttp.Request) {
					r.Header.Set("Accept-Encoding", accepts)
				})
				require.Equal(t, want, res.Header.Get("Content-Encoding"), "%s for %q", l[1], accepts)
				require.Contains(t, res.Header.Values("Vary"), "Accept-Encoding")
				w := httptest.NewRecorder()
				r := httptest.NewRequest(nethttp.MethodGet, l[1], nil)
				r.Header.Set("Accept-Encoding", accepts)
				elsewhere.ServeHTTP(w, r)
				require.Equal(t, want, w.Header().Get("Content-Encoding"))
				require.Contains(t, w.Header().Values("Vary"), "Accept-Encoding")
				body := w.Body.String()
				if want != "" {
					z, err := gzip.NewReader(w.Body)
					require.NoError(t, err)
					plain, err := io.ReadAll(z)
					require.NoError(t, err)
					body = string(plain)
				}
				require.Equal(t, text, body)
			}
		}
	}
}

// mostWire is the maximum size over the wire of a game's page with its styles and scripts, in octets.
const mostWire = 60_000

func TestTheFirstPageOfAGameIsLight(t *testing.T) {
	programtest.Long(t)
	for _, game := range []string{"carcassonne", "catan", "rivals"} {
		h := open(t)
		ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
		table := h.table(game, ana, bo)
		name, err := events.ParseName(table)
		require.NoError(t, err)
		play, rnd := desktest.House{Desk: h.desk, T: t, Ctx: context.Background()}, rand.New(rand.NewPCG(1, 2))
		for moves, ended := 0, false; !ended; moves += 60 {
			for _, b := range []*browser{ana, bo} {
				sent := b.wireWhole("/t/" + table)
				t.Logf("%s after %d moves: %d octets", game, moves, sent)
				require.LessOrEqual(t, sent, mostWire, "%s after %d moves", game, moves)
			}
			if ended = play.Random(name, rnd, 60); !ended && moves > 240 { // a random game can be long
				play.Does(ana.id, name, desk.ProposeEnd{})
				play.Agrees(bo.id, name)
				ended = true
			}
		}
		play.Follows(name)
		sent := ana.wireWhole("/t/" + table)
		t.Logf("%s at the end: %d octets", game, sent)
		require.LessOrEqual(t, sent, mostWire, "%s at the end", game)
		sent = ana.wireWhole("/t/" + table + "/story")
		t.Logf("the story of %s: %d octets", game, sent)
		require.LessOrEqual(t, sent, mostWire, "the story of %s", game)
	}
}

func TestTheListOfMovesLeavesOutWordsNobodyWants(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	path := "/api/v1/tables/" + table + "/moves"
	with, without := ana.get(path), ana.get(path+"?words=no")
	require.Equal(t, 200, without.status)
	require.Contains(t, with.body, `"words":"`)
	require.NotContains(t, without.body, `"words"`)
	require.Equal(t, 400, ana.get(path+"?words=few").status)
	require.JSONEq(t, regexp.MustCompile(`"words":"[^"]*",`).ReplaceAllString(with.body, ""), without.body)
}
