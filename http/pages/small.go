package pages

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	nethttp "net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/http/door"
	"posthorn/projections/picture"
)

// A table's small picture has an address of its own, so that a list of many is quick and a browser never asks for one
// twice. It is the main panel as a stranger sees it, the same for everybody, so one drawing serves all.

// drawing is a picture as it is sent.
type drawing struct {
	plain, zipped []byte
	tag           string
}

func (d drawing) size() int { return len(d.plain) + len(d.zipped) }

// drawingsBytes is how many bytes of drawings are kept.
const drawingsBytes = 8 << 20

// draw writes a scene, with styles for dark screens, since the page's own styles do not reach it. If it shows something
// other than a board, its root's class says what.
func draw(scene domain.Scene, what string, styles []byte) (d drawing, err error) {
	var drawn, plain, zipped bytes.Buffer
	if err := picture.SVG(&drawn, scene,
		picture.SVGOptions{Prefix: "s-", Class: strings.TrimSpace("board " + what)}); err != nil {
		return d, err
	}
	root, rest, _ := bytes.Cut(drawn.Bytes(), []byte(">"))
	for _, part := range [][]byte{root, []byte("><style>"), styles, []byte("</style>"), rest} {
		plain.Write(part)
	}
	z := gzip.NewWriter(&zipped)
	if _, err = z.Write(plain.Bytes()); err == nil {
		err = z.Close()
	}
	sum := sha256.Sum256(plain.Bytes())
	return drawing{plain.Bytes(), zipped.Bytes(), fmt.Sprintf("%x", sum[:8])}, err
}

// still stops whatever moves on a board where it comes to rest.
var still = []byte("svg *{animation:none!important}")

// drawn returns a drawing from the store, or makes it.
func (s *Site) drawn(rb domain.Rulebook, name, what string, scene func() (domain.Scene, error)) (drawing, error) {
	if d, ok := s.drawings.Get(name); ok {
		return d, nil
	}
	shown, err := scene()
	if err != nil {
		return drawing{}, err
	}
	d, err := draw(shown, what, slices.Concat(s.assets["boards.css"].data, s.assets[nightsOf(rb.Name())].data, still))
	if err == nil {
		s.drawings.Put(name, d)
	}
	return d, err
}

// mainScene returns a main panel of a state as strangers see it, usually the only one.
func mainScene(rb domain.Rulebook, state domain.State, n int) (domain.Scene, error) {
	panels := rb.Draw(rb.View(state, domain.Spectator), domain.Sketch{})
	for i, p := range panels {
		if i > 0 && p.Weight != domain.PanelMain {
			continue
		}
		if n == 0 {
			return p.Scene, nil
		}
		n--
	}
	return domain.Scene{}, events.ErrNoStream
}

// tablePicture shows the table of the address as it stands, or a sample of its game while it gathers.
func (v publicPages) tablePicture() error {
	look, err := v.Look()
	if err != nil {
		return err
	}
	if look.Line == nil || look.Line.Version == 0 {
		return v.sampleOf(look.Rulebook)
	}
	name, n := look.LineHead.Hash.String(), 0
	if v.QueryParam("board") == "2" { // the second of two that lie face to face
		name, n = name+" 2", 1
	}
	d, err := v.site.drawn(look.Rulebook, name, "", func() (scene domain.Scene, err error) {
		err = v.Desk.Guard(look.Name, func() error {
			scene, err = mainScene(look.Rulebook, look.Line.State, n)
			return err
		})
		return scene, err
	})
	if err != nil {
		return err
	}
	return v.send(d, "private")
}

// gamePicture shows a sample of the game of the address.
func (v publicPages) gamePicture() error {
	rb, err := v.opening().gameOf()
	if err != nil {
		return err
	}
	return v.sampleOf(rb)
}

func (v publicPages) sampleOf(rb domain.Rulebook) error {
	d, err := v.site.drawn(rb, "sample "+rb.Name(), "", func() (domain.Scene, error) {
		s, err := sampleOf(rb)
		if err != nil {
			return domain.Scene{}, err
		}
		line, err := s.play(rb)
		if err != nil {
			return domain.Scene{}, err
		}
		return mainScene(rb, line.State, 0)
	})
	if err != nil {
		return err
	}
	return v.send(d, "public")
}

// send sends a drawing, unless the browser has it.
func (v publicPages) send(d drawing, person string) error {
	h, data, tag := v.Response().Header(), d.plain, d.tag
	if strings.Contains(v.Request().Header.Get("Accept-Encoding"), "gzip") {
		data, tag = d.zipped, tag+"-z"
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Type", assetTypes[".svg"])
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'")
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", `"`+tag+`"`)
	h.Set("Cache-Control", person+", no-cache") // revalidated each time, and usually not sent again
	if v.QueryParam("v") != "" {
		h.Set("Cache-Control", person+", max-age=604800")
	}
	nethttp.ServeContent(v.Response(), v.Request(), "", time.Time{}, bytes.NewReader(data))
	return nil
}

// pictureOf returns the address of a picture of a row's table.
func pictureOf(row door.InboxRow) string {
	if row.Version == 0 {
		return gamePictureOf(row.Game)
	}
	return tablePath(row.Table) + "/picture.svg?v=" + strconv.FormatUint(row.Version, 10)
}

func gamePictureOf(game string) string { return "/games/" + game + "/picture.svg" }
