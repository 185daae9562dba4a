package guard

import (
	"fmt"
	nethttp "net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
)

// packed is how hard answers are compressed: a page of a game to a fifth, in a millisecond.
const packed = 5

// Packed compresses answers for those who take it, but for live streams, whose lines must not wait for more, and
// what [guessable] names.
func Packed(next nethttp.Handler) (nethttp.Handler, error) {
	wrap, err := gzhttp.NewWrapper(gzhttp.CompressionLevel(packed), gzhttp.EnableZstd(false), gzhttp.SetContentType(false),
		gzhttp.ExceptContentTypes([]string{"image/png"})) // is compressed as it is
	if err != nil {
		return nil, fmt.Errorf("compress answers: %w", err)
	}
	pack := wrap(next)
	return nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		if guessable(r) || strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
			next.ServeHTTP(w, r)
			return
		}
		pack(w, r)
	}), nil
}

// guessable reports whether an answer's length could tell somebody else what is in it. Pages show what their reader alone
// may know, and repeat parts of their address. Whoever chooses the address and sees how long the compressed answer is could
// guess the rest piece by piece (BREACH). To choose it they must have the reader's own browser ask, with its cookies, from
// a site of theirs, and browsers say so: what they do not say comes from this site or from nobody is not compressed. A
// language chosen is no secret.
func guessable(r *nethttp.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "same-origin", "none":
		return false
	}
	for _, c := range r.Cookies() {
		if c.Name != "lang" {
			return true
		}
	}
	return false
}
