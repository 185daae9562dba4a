package http_test

import (
	nethttp "net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/rulebooks"
	"posthorn/http"
	"posthorn/mail"
	"posthorn/projections/words"
)

func TestAServerThatStandsBySaysSoInEachLanguage(t *testing.T) {
	book, err := words.New(rulebooks.All(), mail.Catalogue(), http.Catalogue())
	require.NoError(t, err)
	said := map[string]bool{}
	for _, lang := range words.Languages {
		for _, method := range []string{nethttp.MethodGet, nethttp.MethodPost, nethttp.MethodHead} {
			r := httptest.NewRequest(method, "/api/v1/tables", nil)
			r.Header.Set("Accept-Language", lang)
			w := httptest.NewRecorder()
			http.Elsewhere(book).ServeHTTP(w, r)
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
	require.Len(t, said, len(words.Languages))
}
