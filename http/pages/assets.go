package pages

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"maps"
	nethttp "net/http"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/labstack/echo/v4"
	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/css"
	"github.com/tdewolff/minify/v2/js"

	"posthorn/domain"
)

//go:embed static/*
var staticFiles embed.FS

// asset is a file that pages load. Its address holds a digest of it, so that browsers may keep it indefinitely.
type asset struct {
	data    []byte
	packed  []byte // the same as gzip, packed once and as small as possible; nil if that saves nothing
	address string
}

// newAsset makes an asset of a file, without the comments and spaces that are for whoever reads the program.
func newAsset(name string, data []byte) (asset, error) {
	if small, err := minifier.Bytes(assetTypes[path.Ext(name)], data); err == nil {
		data = small
	} else if !errors.Is(err, minify.ErrNotExist) {
		return asset{}, fmt.Errorf("minify %s: %w", name, err)
	}
	sum := sha256.Sum256(data)
	a := asset{data: data, address: fmt.Sprintf("/assets/%x/%s", sum[:6], name)}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return a, fmt.Errorf("pack %s: %w", name, err)
	}
	if b.Len() < len(data) {
		a.packed = b.Bytes()
	}
	return a, nil
}

// minifier knows the types that grow with their comments.
var minifier = func() *minify.M {
	m := minify.New()
	m.AddFunc("text/css", css.Minify)
	m.AddFunc("text/javascript", js.Minify)
	return m
}()

// chosen returns the form that goes to a client, and says so in the answer's header. What an asset holds is no secret,
// so its length reveals nothing to anybody (see guard.Packed).
func (a *asset) chosen(h nethttp.Header, r *nethttp.Request) []byte {
	h.Set("Vary", "Accept-Encoding") // and nothing else: it is the same file for everybody
	if a.packed == nil || !takesGzip(r) {
		return a.data
	}
	h.Set("Content-Encoding", "gzip")
	return a.packed
}

// takesGzip reports whether a client names gzip among the encodings it reads.
func takesGzip(r *nethttp.Request) bool {
	for part := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		name, weight, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			_, q, ok := strings.Cut(weight, "=")
			n, err := strconv.ParseFloat(strings.TrimSpace(q), 64)
			return !ok || err != nil || n > 0
		}
	}
	return false
}

// assets are all assets by name.
type assets map[string]asset

// fileAssets makes the assets that stand beside this file, which are the same for all sites of a process.
var fileAssets = sync.OnceValues(func() (assets, error) {
	list, err := staticFiles.ReadDir("static")
	if err != nil {
		return nil, fmt.Errorf("static files: %w", err)
	}
	out := assets{}
	for _, f := range list {
		data, err := staticFiles.ReadFile("static/" + f.Name())
		if err != nil {
			return nil, fmt.Errorf("static files: %w", err)
		}
		if out[f.Name()], err = newAsset(f.Name(), data); err != nil {
			return nil, err
		}
	}
	return out, nil
})

// readAssets returns those files, and a style for the drawings of each game.
func readAssets(games []domain.Rulebook) (assets, error) {
	all, err := fileAssets()
	if err != nil {
		return nil, err
	}
	out := maps.Clone(all)
	for _, rb := range games {
		list := rb.Extras().Nights
		if name := nightsOf(rb.Name()); len(list) > 0 {
			if out[name], err = newAsset(name, nights(list)); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// Asset returns the address of a file that the page loads.
func (v *visit) Asset(name string) string { return v.site.assets[name].address }

// asset serves a file that browsers may keep indefinitely, if the digest is current. A reader whose page came from a
// replaced version of the program gets the current file, to be used only this once: a page without a style is worse.
func (s *Site) asset(c echo.Context) error {
	name := c.Param("name")
	a, ok := s.assets[name]
	if !ok {
		return echo.ErrNotFound
	}
	keep := keptAssets
	if a.address != "/assets/"+c.Param("digest")+"/"+name {
		keep = "no-store"
	}
	h := c.Response().Header()
	h.Set("Cache-Control", keep)
	return c.Blob(nethttp.StatusOK, assetTypes[path.Ext(name)], a.chosen(h, c.Request()))
}

const keptAssets = "public, max-age=31536000, immutable"

// Assets serves this version's files at a standby server, since a page served just before may still need them, and
// leaves everything else to another handler.
func Assets(games []domain.Rulebook, otherwise nethttp.Handler) (nethttp.Handler, error) {
	all, err := readAssets(games)
	if err != nil {
		return nil, err
	}
	return nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		a, ok := all[path.Base(r.URL.Path)]
		if !ok || a.address != r.URL.Path || r.Method != nethttp.MethodGet && r.Method != nethttp.MethodHead {
			otherwise.ServeHTTP(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", assetTypes[path.Ext(r.URL.Path)])
		h.Set("Cache-Control", keptAssets)
		h.Set("X-Content-Type-Options", "nosniff")
		data := a.chosen(h, r)
		h.Set("Content-Length", strconv.Itoa(len(data)))
		if r.Method == nethttp.MethodGet {
			_, _ = w.Write(data) // the client may have gone
		}
	}), nil
}

// assetTypes are the files' content types, whatever the machine has on record.
var assetTypes = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml"}

// icon serves the house's icon under the addresses that browsers ask for by default.
func (s *Site) icon(c echo.Context) error {
	c.Response().Header().Set("Cache-Control", "public, max-age=86400")
	return c.Blob(nethttp.StatusOK, assetTypes[".svg"], s.assets["favicon.svg"].data)
}

// robots keeps search engines off everything but the front page.
func (s *Site) robots(c echo.Context) error {
	return c.String(nethttp.StatusOK, "User-agent: *\nDisallow: /\n")
}
