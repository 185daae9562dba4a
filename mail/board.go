package mail

import (
	"fmt"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/projections/picture"
	"posthorn/projections/turn"
)

// mostPictures limits all pictures of a mail together, in octets, and mostAside each but the first panel's, or mostWide
// where there are none of moves. Where they would exceed it they get fewer colours, and the first panel's gets smaller,
// but they all arrive.
const (
	mostPictures = 45_000
	mostAside    = 8_000
	mostWide     = 12_000
)

// The sizes of pictures. A phone shows the main one 374 pixels wide: finer ones would double a mail.
var (
	fine   = picture.PNGOptions{Width: 460, Scale: 1} // of the first panel
	coarse = picture.PNGOptions{Width: 360, Scale: 1}
	beside = picture.PNGOptions{Width: 230, Scale: 1} // of two panels side by side
	tiny   = picture.PNGOptions{Width: 102, Scale: 1}
)

// board draws the position's panels.
func (c *Composer) board(d *draft) ([]inline, error) {
	body, m := &d.content, d.m
	if !m.HasBoard() {
		return nil, nil
	}
	choice := m.Choose(nil)
	if d.Kind.How() != HowMoves {
		choice = turn.Choice{}
	}
	panels := m.Narrow(choice, body.top())
	if len(body.Best) > 0 {
		panels = slices.DeleteFunc(panels, func(p turn.Panel) bool { return p.Key == domain.PanelCosts })
	}
	if d.brief {
		a, _ := AnswerOf(d.Notice)
		body.briefly(panels, m.Have(), a.Fruitless)
		return nil, nil
	}
	tail := "." + d.Table.String()[:12] + "." + fmt.Sprint(m.Version)
	out, spent, err := c.small(body, m, tail)
	if err != nil {
		return nil, err
	}
	for i, p := range panels {
		p.Lines = slices.DeleteFunc(p.Lines, func(l string) bool {
			// what two panels say about their characters is said once
			return slices.ContainsFunc(body.Panels, func(s shown) bool { return slices.Contains(s.Lines, l) })
		})
		to := shown{ID: p.Key + tail, Alt: p.Alt, Name: p.Name, Lines: p.Lines, Text: p.Text,
			Main: p.Weight == domain.PanelMain, Asked: p.Asked, First: i == 0,
			Held: p.Weight == domain.PanelBeside, Small: p.Scene.W < thumbSide}
		to.Items = body.spell(p.Told)
		switch {
		case to.Held && to.Small && len(body.Best) > 0:
			to.Alt = "" // its words stand beside it
		case i > 0 && to.Main:
			to.Alt = p.Name // its lines explain its characters
		case i > 0 || d.brief:
			to.Alt = to.Words()
		}
		if to.W, to.H, err = picture.Size(p.Scene, room(p)); err != nil {
			return nil, fmt.Errorf("picture: %w", err)
		}
		if len(body.Best) > 0 {
			to.fit(len(panels))
		}
		body.Panels = append(body.Panels, to)
	}
	pictures, err := painted(panels, body, spent)
	if err != nil {
		return nil, err
	}
	for i, b := range pictures {
		out = append(out, inline{body.Panels[i].ID, b})
	}
	switch {
	case d.Kind == KindOver:
		return out, nil // its reader wants to know who won by what: the rest is on the page
	case len(body.Best) == 0:
		body.Words, body.Lines = m.Text("mail.words"), m.Situation()
		return out, nil
	}
	body.Brief, body.Spelled = strings.Join(m.Brief(), " "), append(m.Spelled(), body.Spelled...)
	return out, nil
}

// mostHeld is how many lines what somebody holds and found may take near the top of a text.
const mostHeld = 8

// spell says in text what things cost and do; or, where there are too many for the top of a mail, what they cost, or
// no more than what they are called, and the rest further below.
func (c *content) spell(things []turn.Told) (list []string) {
	lines, room := 0, mostHeld
	for _, p := range c.Panels {
		room -= len(p.Items)
	}
	for _, t := range things {
		list = append(list, wrap(" - ", "   ", t.Line))
		lines += 1 + strings.Count(list[len(list)-1], "\n")
	}
	switch {
	case lines <= room:
		return list
	case len(things) > room:
		for _, t := range things {
			c.Spelled = append(c.Spelled, t.Line)
		}
		return nil
	}
	for i, t := range things {
		if strings.Contains(list[i], "\n") {
			list[i], c.Spelled = " - "+t.Short, append(c.Spelled, t.Does)
		}
	}
	return list
}

// briefly shows, in characters alone, what the reader has to choose from and to pay with. What they hold is told in
// full where it alone is what is asked about, unless they were told before.
func (c *content) briefly(panels []turn.Panel, have string, before bool) {
	for _, p := range panels {
		if p.Weight == domain.PanelBeside {
			held := shown{Name: p.Name, Lines: p.Lines, Text: p.Text, Held: true}
			if !before && c.about(p) {
				held.Items = c.spell(p.Told)
			}
			c.Panels = append(c.Panels, held)
		}
	}
	if have != "" {
		c.Panels = append(c.Panels, shown{Lines: []string{have}, Held: true})
	}
}

// about reports whether the moves that a mail puts first, and so what it asks, are about what a panel shows: each is
// of one of its things.
func (c *content) about(p turn.Panel) bool {
	return !slices.ContainsFunc(c.Best, func(b best) bool {
		return !slices.ContainsFunc(p.Told, func(t turn.Told) bool {
			thing, _, _ := strings.Cut(t.Does, ":")
			return strings.Contains(b.move.Label(), thing)
		})
	})
}

// thumbSide is how many units of a scene a small picture shows.
const thumbSide = 170

// thumb is the width and the height of one as it is shown.
const thumb = 68

// small draws the moves that the mail puts first, each made: a small part of the panel that shows it.
func (c *Composer) small(body *content, m *turn.Model, tail string) (out []inline, size int, err error) {
	for i := range body.Best {
		b := &body.Best[i]
		spots := make([]string, len(b.move.Path))
		for k, o := range b.move.Path {
			spots[k] = o.Spot
		}
		for _, scene := range m.Tried(b.move) {
			part, ok := picture.Cut(scene, thumbSide, spots...)
			if !ok {
				continue
			}
			file, err := picture.PNG(part, tiny)
			if err != nil {
				return nil, 0, fmt.Errorf("picture: %w", err)
			}
			size += len(file)
			b.Picture = shown{ID: "move" + string(rune('a'+i)) + tail, Alt: b.Label, W: thumb, H: thumb}
			out = append(out, inline{b.Picture.ID, file})
			break
		}
	}
	return out, size, nil
}

// painted draws the panels' pictures, none much larger than it is shown. Small ones have spent some octets.
func painted(panels []turn.Panel, body *content, spent int) (out [][]byte, err error) {
	out = make([][]byte, len(panels))
	paint := func(i int, opt picture.PNGOptions) {
		if out[i], err = picture.PNG(panels[i].Scene, opt); err != nil {
			err = fmt.Errorf("picture: %w", err)
		}
	}
	left := mostPictures - spent
	for i := len(panels) - 1; i > 0 && err == nil; i-- {
		opt := body.Panels[i].sized(panels[i])
		if len(body.Best) > 0 && !body.Panels[i].Held {
			opt = beside
		}
		if opt.Most = mostWide; spent > 0 {
			opt.Most = mostAside
		}
		paint(i, opt)
		left -= len(out[i])
	}
	if err != nil || len(panels) == 0 {
		return out, err
	}
	if body.Panels[0].H > highAmong {
		if paint(0, fine); err != nil || len(out[0]) <= left {
			return out, err
		}
	}
	opt := body.Panels[0].sized(panels[0])
	opt.Most = max(left, mostAside)
	paint(0, opt)
	return out, err
}

// sized returns how fine a panel's picture need be, which a phone shows at twice its pixels or three times.
func (s shown) sized(p turn.Panel) picture.PNGOptions {
	if w, _, err := picture.Size(p.Scene, beside); err == nil && 2*w >= 3*s.W {
		return beside
	}
	return coarse
}

// How high a phone shows a picture at most, so that there is room for what is below it: the first one, the first one of
// many, and what is held, in pixels.
const (
	highAlone = 330
	highAmong = 200
	highHeld  = 120
)

// fit makes a picture no higher than a phone shows it, in a mail of so many.
func (s *shown) fit(panels int) {
	const phone = 374
	high := highAlone
	switch {
	case s.Held:
		high = highHeld
	case panels > 3:
		high = highAmong
	}
	if s.H*min(phone, s.W)/s.W > high {
		s.W, s.H = s.W*high/s.H, high
	}
}

// room returns how large a panel's picture is shown at most.
func room(p turn.Panel) picture.PNGOptions {
	if p.Weight == domain.PanelBeside {
		return picture.PNGOptions{Width: int(domain.PanelBesideWidth), Scale: 1}
	}
	return picture.PNGOptions{Width: int(domain.PanelWidth), Scale: 1}
}
