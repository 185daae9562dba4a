package mail

import (
	"fmt"

	"posthorn/domain"
	"posthorn/projections/picture"
	"posthorn/projections/turn"
)

// handWidth is the room, in pixels, of the picture of what is to be played.
const handWidth = 320

// mostPicture is the most octets of a picture on fine screens.
const mostPicture = 100_000

// board draws the board, what is to be played, and the board in characters.
func (c *Composer) board(body *content, m *turn.Model, l Letter) ([]inline, error) {
	if !m.HasBoard() {
		return nil, nil
	}
	choice := m.Choose(nil)
	if l.Kind != KindTurn {
		choice = turn.Choice{}
	}
	tail := "." + l.Table.String()[:12] + "." + fmt.Sprint(m.Version)
	var out []inline
	show := func(to *shown, name, alt string, scene domain.Scene, width int) error {
		png, err := picture.PNG(scene, picture.PNGOptions{Width: width})
		if err == nil && len(png) > mostPicture {
			png, err = picture.PNG(scene, picture.PNGOptions{Width: width, Scale: 1}) // coarser, but it arrives
		}
		if err != nil {
			return fmt.Errorf("picture: %w", err)
		}
		to.ID, to.Alt = name+tail, alt
		if to.W, to.H, err = picture.Size(scene, picture.PNGOptions{Width: width, Scale: 1}); err != nil {
			return fmt.Errorf("picture: %w", err)
		}
		out = append(out, inline{to.ID, png})
		return nil
	}
	if err := show(&body.Picture, "board", m.Alt, m.Scene(choice, false), 0); err != nil {
		return nil, err
	}
	if hand, ok := m.Hand(); ok && l.Kind == KindTurn {
		if err := show(&body.Hand, "hand", m.Sentence, hand, handWidth); err != nil {
			return nil, err
		}
	}
	body.Board, body.Legend = m.Letters(choice), m.Legend()
	body.Words, body.Lines = m.Text("mail.words"), m.Situation()
	return out, nil
}
