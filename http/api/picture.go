package api

import (
	"bytes"
	"errors"
	nethttp "net/http"
	"net/url"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/http/door"
	"posthorn/projections/picture"
	"posthorn/projections/turn"
)

func svg(c *call) (any, error) {
	return c.picture("image/svg+xml", func(m *turn.Model, scene domain.Scene) ([]byte, error) {
		var b bytes.Buffer
		err := picture.SVG(&b, scene, picture.SVGOptions{Prefix: "b-", Label: m.Alt})
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
	return c.picture("image/png", func(_ *turn.Model, scene domain.Scene) ([]byte, error) {
		if _, _, err := picture.Size(scene, opt); err != nil {
			return nil, door.ErrMalformed
		}
		return picture.PNG(scene, opt)
	})
}

// picturePolicy keeps a picture that is opened by itself from doing anything.
const picturePolicy = "default-src 'none'; sandbox; frame-ancestors 'none'"

// picture answers with the board as it stands, or at a version of a line.
func (c *call) picture(kind string, draw func(*turn.Model, domain.Scene) ([]byte, error)) (any, error) {
	leave, err := c.api.pictures.Enter(c.Ctx())
	if err != nil {
		return nil, err
	}
	defer leave()
	var m *turn.Model
	if line, version := c.QueryParam("line"), c.QueryParam("version"); line == "" && version == "" {
		m, err = c.Model()
	} else {
		m, err = c.Moment(line, version)
	}
	if err != nil {
		return nil, err
	}
	if !m.HasBoard() {
		return nil, events.ErrNoStream
	}
	data, err := draw(m, m.Panels(turn.Choice{}, true)[0].Scene)
	if err != nil {
		return nil, err
	}
	h := c.Response().Header()
	// The words of the picture, as RFC 8187 writes them: a header holds ASCII alone.
	h.Set("Posthorn-Alt", "UTF-8''"+url.PathEscape(m.Alt))
	h.Set("Content-Language", c.Lang)
	h.Set("Content-Security-Policy", picturePolicy)
	return nil, c.Blob(nethttp.StatusOK, kind, data)
}
