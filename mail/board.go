package mail

import (
	"fmt"
	"slices"

	"posthorn/domain"
	"posthorn/projections/picture"
	"posthorn/projections/turn"
)

// besideWidth is the room, in pixels, of a picture that stands beside the main one on a page.
const besideWidth = 320

// mostPicture is the most octets of a picture on fine screens, and mostPictures of all of a mail: what would be more
// is drawn coarser, but arrives.
const mostPicture, mostPictures = 100_000, 105_000

// board draws the panels of the position.
func (c *Composer) board(body *content, m *turn.Model, l Letter) ([]inline, error) {
	if !m.HasBoard() {
		return nil, nil
	}
	choice := m.Choose(nil)
	if l.Kind != KindTurn && l.Kind != KindReply {
		choice = turn.Choice{}
	}
	tail := "." + l.Table.String()[:12] + "." + fmt.Sprint(m.Version)
	var out []inline
	fine := 0 // octets so far
	show := func(p turn.Panel) error {
		width := 0
		if p.Weight == domain.PanelBeside {
			width = besideWidth
		}
		scene := p.Scene
		opt := picture.PNGOptions{Width: width}
		if p.Weight == domain.PanelMain && len(out) > 0 {
			opt.Scale = 1 // one large picture on fine screens is enough
		}
		png, err := picture.PNG(scene, opt)
		if err == nil && opt.Scale == 0 && (len(png) > mostPicture || fine+len(png) > mostPictures) {
			opt.Scale = 1
			png, err = picture.PNG(scene, opt)
		}
		fine += len(png)
		if err != nil {
			return fmt.Errorf("picture: %w", err)
		}
		p.Lines = slices.DeleteFunc(p.Lines, func(l string) bool { // what two panels say of their characters is said once
			return slices.ContainsFunc(body.Panels, func(s shown) bool { return slices.Contains(s.Lines, l) })
		})
		to := shown{ID: p.Key + tail, Alt: p.Alt, Name: p.Name, Lines: p.Lines, Text: p.Text, Main: p.Weight == domain.PanelMain}
		if to.W, to.H, err = picture.Size(scene, picture.PNGOptions{Width: width, Scale: 1}); err != nil {
			return fmt.Errorf("picture: %w", err)
		}
		body.Panels = append(body.Panels, to)
		out = append(out, inline{to.ID, png})
		return nil
	}
	for _, p := range m.Narrow(choice) {
		if err := show(p); err != nil {
			return nil, err
		}
	}
	body.Words, body.Lines = m.Text("mail.words"), m.Situation()
	return out, nil
}
