package pages

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"mime"
	nethttp "net/http"
	"path"

	"github.com/labstack/echo/v4"
)

//go:embed static/*
var staticFiles embed.FS

// assetSet is what pages load besides themselves: each file under an address that holds a
// digest of it, so that browsers may keep it for ever.
type assetSet struct {
	data    map[string][]byte // by name
	address map[string]string // by name
}

func newAssets() (*assetSet, error) {
	files, err := staticFiles.ReadDir("static")
	if err != nil {
		return nil, fmt.Errorf("static files: %w", err)
	}
	a := &assetSet{data: map[string][]byte{}, address: map[string]string{}}
	for _, f := range files {
		data, err := staticFiles.ReadFile("static/" + f.Name())
		if err != nil {
			return nil, fmt.Errorf("static files: %w", err)
		}
		sum := sha256.Sum256(data)
		a.data[f.Name()] = data
		a.address[f.Name()] = "/assets/" + hex.EncodeToString(sum[:6]) + "/" + f.Name()
	}
	return a, nil
}

// asset serves a file for ever, if the digest is today's.
func (s *Site) asset(c echo.Context) error {
	name := c.Param("name")
	data, ok := s.assets.data[name]
	if !ok || s.assets.address[name] != "/assets/"+c.Param("digest")+"/"+name {
		return echo.ErrNotFound
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	return c.Blob(nethttp.StatusOK, typeOf(name), data)
}

// icon serves the mark of the house under the addresses that browsers ask for unasked.
func (s *Site) icon(c echo.Context) error {
	c.Response().Header().Set("Cache-Control", "public, max-age=86400")
	return c.Blob(nethttp.StatusOK, "image/svg+xml", s.assets.data["favicon.svg"])
}

// robots keeps search engines off everything but the front page.
func (s *Site) robots(c echo.Context) error {
	return c.String(nethttp.StatusOK, "User-agent: *\nDisallow: /\n")
}

func typeOf(name string) string {
	switch path.Ext(name) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return mime.TypeByExtension(path.Ext(name))
}
