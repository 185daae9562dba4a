package http_test

import (
	nethttp "net/http"
	"net/http/httptest"
	"path"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/languages"
	"posthorn/domain/rulebooks"
	"posthorn/http"
	"posthorn/projections/words"
)

func TestAServerThatStandsBySaysSoInEachLanguage(t *testing.T) {
	book, err := words.New(rulebooks.All())
	require.NoError(t, err)
	elsewhere, err := http.Elsewhere(book, rulebooks.All())
	require.NoError(t, err)
	said := map[string]bool{}
	for _, lang := range languages.Complete() {
		for _, method := range []string{nethttp.MethodGet, nethttp.MethodPost, nethttp.MethodHead} {
			r := httptest.NewRequest(method, "/api/v1/tables", nil)
			r.Header.Set("Accept-Language", lang)
			w := httptest.NewRecorder()
			elsewhere.ServeHTTP(w, r)
			require.Equal(t, nethttp.StatusServiceUnavailable, w.Code)
			require.NotEmpty(t, w.Header().Get("Retry-After"))
			require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
			if method == nethttp.MethodHead {
				require.Empty(t, w.Body.String())
				continue
			}
			text := book.Printer(lang, "", nil).Text("page.error.elsewhere.text")
			require.Contains(t, w.Body.String(), text)
			require.Contains(t, w.Body.String(), `lang="`+lang+`"`)
			said[text] = true
		}
	}
	require.Len(t, said, len(languages.Complete()))
}

// Given a page whose server was stopped before the browser had asked for all its files, then a standby server has the
// files of that version, and the server that runs afterwards sends its own instead of those it does not know, for this
// once.
func TestWhatBelongsToAPageOutlivesItsServer(t *testing.T) {
	h := open(t)
	stranger := h.browser()
	links := fetched.FindAllStringSubmatch(stranger.get("/").body, -1)
	require.NotEmpty(t, links)
	book, err := words.New(rulebooks.All())
	require.NoError(t, err)
	elsewhere, err := http.Elsewhere(book, rulebooks.All())
	require.NoError(t, err)
	for _, l := range links {
		today := stranger.get(l[1])
		require.Equal(t, nethttp.StatusOK, today.status)
		require.Contains(t, today.header.Get("Cache-Control"), "immutable")
		for _, method := range []string{nethttp.MethodGet, nethttp.MethodHead} {
			w := httptest.NewRecorder()
			elsewhere.ServeHTTP(w, httptest.NewRequest(method, l[1], nil))
			require.Equal(t, nethttp.StatusOK, w.Code)
			require.Equal(t, today.header.Get("Content-Type"), w.Header().Get("Content-Type"))
			if method == nethttp.MethodGet {
				require.Equal(t, today.body, w.Body.String())
			}
		}
		before := "/assets/000000000000/" + path.Base(l[1])
		now := stranger.get(before)
		require.Equal(t, nethttp.StatusOK, now.status)
		require.Equal(t, "no-store", now.header.Get("Cache-Control"))
		require.Equal(t, today.body, now.body)
		w := httptest.NewRecorder()
		elsewhere.ServeHTTP(w, httptest.NewRequest(nethttp.MethodGet, before, nil))
		require.Equal(t, nethttp.StatusServiceUnavailable, w.Code)
	}
	require.Equal(t, nethttp.StatusNotFound, stranger.get("/assets/000000000000/nothing.css").status)
}
