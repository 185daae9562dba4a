package carcassonne

import (
	"encoding/json"
	"fmt"
)

// UnmarshalJSON reads a turn. What AppendJSON wrote is read straight through, which a game's
// loading is mostly made of; anything else goes by reflection.
func (p *Played) UnmarshalJSON(b []byte) error {
	c := cursor{rest: b}
	var read Played
	if c.played(&read); !c.lost && len(c.rest) == 0 {
		*p = read
		return nil
	}
	type plainPlayed Played
	if err := json.Unmarshal(b, (*plainPlayed)(p)); err != nil {
		return fmt.Errorf("read a turn: %w", err)
	}
	return nil
}

// cursor reads JSON of a known form. It is lost once something else stands there.
type cursor struct {
	rest []byte
	lost bool
}

// skip passes over a text if it stands there.
func (c *cursor) skip(text string) bool {
	if len(c.rest) < len(text) || string(c.rest[:len(text)]) != text {
		return false
	}
	c.rest = c.rest[len(text):]
	return true
}

func (c *cursor) need(text string) { c.lost = !c.skip(text) || c.lost }

func (c *cursor) number(key string) (n int) {
	c.need(key)
	minus := c.skip("-")
	i := 0
	for ; i < len(c.rest) && i < 9 && c.rest[i] >= '0' && c.rest[i] <= '9'; i++ {
		n = 10*n + int(c.rest[i]-'0')
	}
	c.lost = c.lost || i == 0
	c.rest = c.rest[i:]
	if minus {
		return -n
	}
	return n
}

// text reads a string without escapes.
func (c *cursor) text(key string) []byte {
	c.need(key)
	c.need(`"`)
	for i, x := range c.rest {
		switch {
		case x == '"':
			t := c.rest[:i]
			c.rest = c.rest[i+1:]
			return t
		case x == '\\' || x < ' ':
			c.lost = true
			return nil
		}
	}
	c.lost = true
	return nil
}

func (c *cursor) owner(key string) Owner {
	t := c.text(key)
	if len(t) != 1 || t[0] < 'A' || t[0] >= 'A'+maxOwners {
		c.lost = true
		return 0
	}
	return Owner(t[0] - 'A')
}

func (c *cursor) tile(key string) TileID {
	t := c.text(key)
	if len(t) == 0 {
		return NoTile
	}
	id, ok := tileLetters[string(t)]
	c.lost = c.lost || !ok
	return id
}

func (c *cursor) place(key string) Place {
	p, ok := placeNames[string(c.text(key))]
	c.lost = c.lost || !ok
	return p
}

// placeNames are the places as they are written.
var placeNames = func() map[string]Place {
	m := map[string]Place{}
	for at := range uint8(8) {
		for k := Road; k <= Garden; k++ {
			if k == Field || at < 4 && (k < Cloister || at == 0) {
				m[Place{k, at}.String()] = Place{k, at}
			}
		}
	}
	return m
}()

func (c *cursor) played(p *Played) {
	p.By = c.owner(`{"by":`)
	p.Tile = c.tile(`,"tile":`)
	p.X, p.Y, p.Turn = c.number(`,"x":`), c.number(`,"y":`), c.number(`,"turn":`)
	if c.skip(`,"placed":`) {
		p.Placed = &Stands{Seat: c.owner(`{"seat":`), Abbot: c.skip(`,"abbot":true`), On: c.place(`,"on":`)}
		c.need(`}`)
	}
	p.Scores = c.scores(`,"scores":[`)
	if c.skip(`,"set_off":[`) {
		for more := true; more && !c.lost; more = c.skip(`,`) {
			p.SetOff = append(p.SetOff, c.tile(``))
		}
		c.need(`]`)
	}
	p.Next, p.NextBy = c.tile(`,"next":`), c.owner(`,"next_by":`)
	if c.skip(`,"piles":[`) {
		for more := true; more && !c.lost; more = c.skip(`,`) {
			p.Piles = append(p.Piles, c.number(``))
		}
		c.need(`]`)
	}
	p.Final = c.scores(`,"final":[`)
	p.Stopped = c.skip(`,"stopped":true`)
	c.need(`}`)
}

func (c *cursor) scores(key string) (list []Score) {
	if !c.skip(key) {
		return nil
	}
	for more := true; more && !c.lost; more = c.skip(`,`) {
		list = append(list, c.score())
	}
	c.need(`]`)
	return list
}

func (c *cursor) score() (x Score) {
	if err := x.What.UnmarshalText(c.text(`{"what":`)); err != nil {
		c.lost = true
	}
	x.Recalled = c.skip(`,"recalled":true`)
	x.X, x.Y, x.On = c.number(`,"x":`), c.number(`,"y":`), c.place(`,"on":`)
	for _, n := range [...]struct {
		key  string
		into *int
	}{{`,"tiles":`, &x.Tiles}, {`,"pennants":`, &x.Pennants}, {`,"cities":`, &x.Cities}} {
		if c.skip(n.key) {
			*n.into = c.number(``)
		}
	}
	x.Worth = c.number(`,"worth":`)
	c.need(`,"figures":[`)
	for more := true; more && !c.lost; more = c.skip(`,`) {
		f := Posted{Seat: c.owner(`{"seat":`), Abbot: c.skip(`,"abbot":true`)}
		f.X, f.Y, f.On = c.number(`,"x":`), c.number(`,"y":`), c.place(`,"on":`)
		c.need(`}`)
		x.Figures = append(x.Figures, f)
	}
	c.need(`]`)
	if c.skip(`,"points":[`) {
		for more := true; more && !c.lost; more = c.skip(`,`) {
			x.Points = append(x.Points, Awarded{Seat: c.owner(`{"seat":`), Points: c.number(`,"points":`)})
			c.need(`}`)
		}
		c.need(`]`)
	}
	c.need(`}`)
	return x
}
