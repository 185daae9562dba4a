package pages

import (
	"crypto/sha256"
	"embed"
	"fmt"
	nethttp "net/http"
	"path"

	"github.com/labstack/echo/v4"
)

//go:embed static/*
var staticFiles embed.FS

// asset is a file that pages load besides themselves, under an address that holds a digest of
// it, so that browsers may keep it for ever.
type asset struct {
	data    []byte
	address string
}

// readAssets reads them, by name.
func (s *Site) readAssets() error {
	files, err := staticFiles.ReadDir("static")
	if err != nil {
		return fmt.Errorf("static files: %w", err)
	}
	for _, f := range files {
		data, err := staticFiles.ReadFile("static/" + f.Name())
		if err != nil {
			return fmt.Errorf("static files: %w", err)
		}
		sum := sha256.Sum256(data)
		s.assets[f.Name()] = asset{data, fmt.Sprintf("/assets/%x/%s", sum[:6], f.Name())}
	}
	return nil
}

// asset serves a file for ever, if the digest is today's.
func (s *Site) asset(c echo.Context) error {
	name := c.Param("name")
	a, ok := s.assets[name]
	if !ok || a.address != "/assets/"+c.Param("digest")+"/"+name {
		return echo.ErrNotFound
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	return c.Blob(nethttp.StatusOK, assetTypes[path.Ext(name)], a.data)
}

// assetTypes are the types of the files, whatever the machine has on record.
var assetTypes = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

// icon serves the mark of the house under the addresses that browsers ask for unasked.
func (s *Site) icon(c echo.Context) error {
	c.Response().Header().Set("Cache-Control", "public, max-age=86400")
	return c.Blob(nethttp.StatusOK, assetTypes[".svg"], s.assets["favicon.svg"].data)
}

// robots keeps search engines off everything but the front page.
func (s *Site) robots(c echo.Context) error {
	return c.String(nethttp.StatusOK, "User-agent: *\nDisallow: /\n")
}
