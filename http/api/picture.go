package api

import (
	"bytes"
	"errors"
	nethttp "net/http"
	"net/url"
	"slices"

	"posthorn/events"
	"posthorn/http/door"
	"posthorn/projections/picture"
	"posthorn/projections/turn"
)

func svg(c *call) (any, error) {
	return c.picture("image/svg+xml", func(p *turn.Panel) ([]byte, error) {
		var b bytes.Buffer
		err := picture.SVG(&b, p.Scene, picture.SVGOptions{Prefix: "b-", Label: p.Alt})
		return b.Bytes(), err
	})
}

func png(c *call) (any, error) {
	width, err1 := c.number("width", 1000)
	scale, err2 := c.number("scale", 2)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	opt := picture.PNGOptions{Width: int(width), Scale: int(scale)}
	return c.picture("image/png", func(p *turn.Panel) ([]byte, error) {
		if _, _, err := picture.Size(p.Scene, opt); err != nil {
			return nil, door.ErrMalformed
		}
		return picture.PNG(p.Scene, opt)
	})
}

// picturePolicy keeps a picture opened on its own from doing anything.
const picturePolicy = "default-src 'none'; sandbox; frame-ancestors 'none'"

// picture answers with a panel, by default the first, as it stands or at a version of a line.
func (c *call) picture(kind string, draw func(*turn.Panel) ([]byte, error)) (any, error) {
	leave, err := c.api.pictures.Enter(c.Ctx())
	if err != nil {
		return nil, err
	}
	defer leave()
	var m *turn.Model
	if line, version := c.QueryParam("line"), c.QueryParam("version"); line == "" && version == "" {
		m, err = c.Model()
	} else {
		m, err = c.History().Moment(line, version)
	}
	if err != nil {
		return nil, err
	}
	panels, name := m.Panels(turn.Choice{}), c.QueryParam("panel")
	i := slices.IndexFunc(panels, func(p turn.Panel) bool { return name == "" || name == p.Key })
	if i < 0 {
		return nil, events.ErrNoStream
	}
	data, err := draw(&panels[i])
	if err != nil {
		return nil, err
	}
	h := c.Response().Header()
	// The picture's words, encoded by RFC 8187: a header may only hold ASCII.
	h.Set("Posthorn-Alt", "UTF-8''"+url.PathEscape(panels[i].Alt))
	h.Set("Content-Language", c.Lang)
	h.Set("Content-Security-Policy", picturePolicy)
	return nil, c.Blob(nethttp.StatusOK, kind, data)
}
