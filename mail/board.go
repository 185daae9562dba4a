package mail

import (
	"fmt"
	"slices"

	"posthorn/domain"
	"posthorn/projections/picture"
	"posthorn/projections/turn"
)

// mostPictures limits all pictures of a mail together, in octets. Where they would exceed it they are drawn coarser,
// the last ones first, but they all arrive.
const mostPictures = 100_000

// The sizes of pictures, in the order in which they shrink.
var (
	fine = picture.PNGOptions{Width: 500, Scale: 2}
	// a quarter sharper than coarse in a main panel's room, and fine in a panel beside one
	middle = picture.PNGOptions{Width: 320, Scale: 2}
	coarse = picture.PNGOptions{Width: 500, Scale: 1}
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
	panels := m.Narrow(choice)
	if d.brief {
		panels = slices.DeleteFunc(panels, func(p turn.Panel) bool { return p.Weight == domain.PanelMain })
	}
	pictures, err := painted(panels)
	if err != nil {
		return nil, err
	}
	tail := "." + d.Table.String()[:12] + "." + fmt.Sprint(m.Version)
	var out []inline
	for i, p := range panels {
		p.Lines = slices.DeleteFunc(p.Lines, func(l string) bool {
			// what two panels say about their characters is said once
			return slices.ContainsFunc(body.Panels, func(s shown) bool { return slices.Contains(s.Lines, l) })
		})
		to := shown{ID: p.Key + tail, Alt: p.Alt, Name: p.Name, Lines: p.Lines, Text: p.Text,
			Main: p.Weight == domain.PanelMain, Asked: p.Asked}
		if to.W, to.H, err = picture.Size(p.Scene, coarsest(p)); err != nil {
			return nil, fmt.Errorf("picture: %w", err)
		}
		body.Panels = append(body.Panels, to)
		out = append(out, inline{to.ID, pictures[i]})
	}
	body.Words, body.Lines = m.Text("mail.words"), m.Situation()
	return out, nil
}

// painted draws the panels' pictures fine. In a game with several main panels none of those is that fine, and only the
// first is better than coarse.
func painted(panels []turn.Panel) ([][]byte, error) {
	out, mains, sum := make([][]byte, len(panels)), 0, 0
	for _, p := range panels {
		if p.Weight == domain.PanelMain {
			mains++
		}
	}
	drawn := make([]picture.PNGOptions, len(panels))
	paint := func(i int, opt picture.PNGOptions) error {
		if drawn[i] == opt {
			return nil
		}
		file, err := picture.PNG(panels[i].Scene, opt)
		if err != nil {
			return fmt.Errorf("picture: %w", err)
		}
		sum += len(file) - len(out[i])
		out[i], drawn[i] = file, opt
		return nil
	}
	for i, p := range panels {
		opt := fine
		switch {
		case i > 0 && p.Weight == domain.PanelMain:
			opt = coarsest(p)
		case mains > 1 || p.Weight == domain.PanelBeside:
			opt = middle
		}
		if err := paint(i, opt); err != nil {
			return nil, err
		}
	}
	for step := 0; step < steps && sum > mostPictures; step++ {
		for i := len(panels) - 1; i >= 0 && sum > mostPictures; i-- {
			if err := paint(i, coarser(panels[i], i, step)); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// steps is how often all pictures of a mail may shrink.
const steps = 3

// coarser returns how a panel's picture shrinks at a step. The first picture, which the mail is about, shrinks last.
func coarser(p turn.Panel, i, step int) picture.PNGOptions {
	switch {
	case step == steps-1:
		return picture.PNGOptions{Width: middle.Width, Scale: 1}
	case step == 0 && i == 0:
		return middle
	}
	return coarsest(p)
}

// coarsest returns how small a panel's picture may get: one pixel for each pixel of its room.
func coarsest(p turn.Panel) picture.PNGOptions {
	if p.Weight == domain.PanelBeside {
		return picture.PNGOptions{Width: middle.Width, Scale: 1}
	}
	return coarse
}
