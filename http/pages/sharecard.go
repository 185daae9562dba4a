package pages

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	nethttp "net/http"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/http/door"
	"posthorn/projections/picture"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// A finished game has a card: a picture of its end that other programs show where its address was sent. It is the same
// for everybody, in the language that its address names, and only of a game that anybody with the address may see.

// cardOctets is how large a card is at most.
const cardOctets = 150_000

// sharedCard says where a page's card is.
type sharedCard struct {
	Address       string
	Alt           string
	Width, Height int
}

// hasCard reports whether a table has a card.
func (v *visit) hasCard(look desk.Look) (bool, error) {
	if look.Line == nil || look.Line.Version == 0 || !look.Table.IsOver() {
		return false, nil
	}
	err := v.MaySee(look.Name, "")
	if errors.Is(err, events.ErrNoStream) {
		return false, nil
	}
	return err == nil, err
}

// shared returns the card of a finished game for its page to name; nil if it has none.
func (v *visit) shared(look desk.Look, m *turn.Model) (*sharedCard, error) {
	if has, err := v.hasCard(look); err != nil || !has || m.GoesOn {
		return nil, err
	}
	alt := outcome(m)
	for _, e := range door.Scores(m) {
		alt += " " + e.Label + ": " + domain.Number(e.Final) + "."
	}
	return &sharedCard{Address: v.Links.Card(look.Name, v.Lang), Alt: alt,
		Width: picture.CardWidth, Height: picture.CardHeight}, nil
}

// outcome says in a sentence how a game ended.
func outcome(m *turn.Model) string { return append(m.Result, m.Sentence)[0] }

// shareCard sends the card of the game of the address.
func (v pastPages) shareCard() error {
	look, err := v.Look()
	if err != nil {
		return err
	}
	if has, err := v.hasCard(look); err != nil || !has {
		return cmp.Or(err, events.ErrNoStream)
	}
	v.Who = door.Who{} // the same for everybody
	lang := v.QueryParam("lang")
	if !door.Known(lang) {
		lang = words.Languages[0]
	}
	v.Use(lang)
	card, err := v.card()
	if err != nil {
		return err
	}
	scene, err := card.Scene()
	if err != nil {
		return err
	}
	data, err := picture.PNG(scene, picture.PNGOptions{Width: picture.CardWidth / 2, Scale: 2, Most: cardOctets})
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	h := v.Response().Header()
	h.Set("Content-Type", "image/png")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin") // it is shown elsewhere
	h.Set("ETag", fmt.Sprintf(`"%x"`, sum[:12]))
	h.Set("Cache-Control", "public, max-age=3600") // a name may change
	nethttp.ServeContent(v.Response(), v.Request(), "", time.Time{}, bytes.NewReader(data))
	return nil
}

// card returns what stands on the card.
func (v pastPages) card() (c picture.Card, err error) {
	look, course, _, t, err := v.went()
	if err != nil {
		return c, err
	}
	if t.M.GoesOn {
		return c, events.ErrNoStream
	}
	if c.Board, err = stacked(t.M.Still()); err != nil {
		return c, err
	}
	c.House, c.Game, c.Title = v.T("house.name"), t.M.Game, outcome(t.M)
	for _, p := range t.M.Players { // also within the sentence
		c.Title = strings.NewReplacer(words.Isolated(p.Name), v.written(p.Name, p.Seat),
			p.Name, v.written(p.Name, p.Seat)).Replace(c.Title)
	}
	c.Title = picture.Letters(c.Title)
	for _, s := range t.Kinds {
		c.Kinds = append(c.Kinds, s.Name)
	}
	for _, r := range t.Ranked {
		seat := domain.Seat(r.Seat)
		if r.Seat < 0 {
			seat = domain.Nobody
		}
		row := picture.CardRow{Seat: seat, Name: v.written(r.Label, seat), Points: r.Final}
		for _, s := range t.Kinds {
			row.From = append(row.From, s.Points[r.Entry])
		}
		c.Rows = append(c.Rows, row)
	}
	when := v.Print.Date(course.Last.UTC())
	if first := v.Print.Date(course.Began.UTC()); first != when {
		when = first + " – " + when
	}
	c.Foot = []string{v.T("page.story.facts", "n", course.Moves, "pace", v.T("page.pace."+look.Table.Pace)), when}
	for i, line := range c.Foot {
		c.Foot[i] = picture.Letters(line)
	}
	return c, nil
}

// written returns a name as pictures can show it: where they lack its letters, the seat's.
func (v *visit) written(name string, seat domain.Seat) string {
	if seat == domain.Nobody {
		return picture.Letters(name)
	}
	return cmp.Or(picture.Letters(name), v.T("page.new.seat", "letter", seat.Letter()))
}
