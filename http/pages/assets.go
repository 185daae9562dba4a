package pages

import (
	"crypto/sha256"
	"embed"
	"fmt"
	nethttp "net/http"
	"path"
	"strconv"

	"github.com/labstack/echo/v4"
)

//go:embed static/*
var staticFiles embed.FS

// asset is a file that pages load. Its address holds a digest of it, so that browsers may keep it indefinitely.
type asset struct {
	data    []byte
	address string
}

// assets are all assets by name.
type assets map[string]asset

func readAssets() (assets, error) {
	files, err := staticFiles.ReadDir("static")
	if err != nil {
		return nil, fmt.Errorf("static files: %w", err)
	}
	out := assets{}
	for _, f := range files {
		data, err := staticFiles.ReadFile("static/" + f.Name())
		if err != nil {
			return nil, fmt.Errorf("static files: %w", err)
		}
		sum := sha256.Sum256(data)
		out[f.Name()] = asset{data, fmt.Sprintf("/assets/%x/%s", sum[:6], f.Name())}
	}
	return out, nil
}

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
	c.Response().Header().Set("Cache-Control", keep)
	return c.Blob(nethttp.StatusOK, assetTypes[path.Ext(name)], a.data)
}

const keptAssets = "public, max-age=31536000, immutable"

// Assets serves this version's files at a standby server, since a page served just before may still need them, and
// leaves everything else to another handler.
func Assets(otherwise nethttp.Handler) (nethttp.Handler, error) {
	all, err := readAssets()
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
		h.Set("Content-Length", strconv.Itoa(len(a.data)))
		if r.Method == nethttp.MethodGet {
			_, _ = w.Write(a.data) // the client may have gone
		}
	}), nil
}

// assetTypes are the files' content types, whatever the machine has on record.
var assetTypes = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

// icon serves the house's icon under the addresses that browsers ask for by default.
func (s *Site) icon(c echo.Context) error {
	c.Response().Header().Set("Cache-Control", "public, max-age=86400")
	return c.Blob(nethttp.StatusOK, assetTypes[".svg"], s.assets["favicon.svg"].data)
}

// robots keeps search engines off everything but the front page.
func (s *Site) robots(c echo.Context) error {
	return c.String(nethttp.StatusOK, "User-agent: *\nDisallow: /\n")
}
