package carcassonne

import (
	"maps"
	"slices"
	"strconv"

	"posthorn/domain"
)

var _, _ domain.Appender = (*Played)(nil), (*SetUp)(nil)

// AppendJSON writes what encoding/json would, without reflection: a turn is encoded at every
// move of a simulation.
func (p *Played) AppendJSON(dst []byte) []byte {
	dst = appendOwner(append(dst, `{"by":`...), p.By)
	dst = appendTile(append(dst, `,"tile":`...), p.Tile)
	dst = appendXY(dst, p.X, p.Y)
	dst = strconv.AppendInt(append(dst, `,"turn":`...), int64(p.Turn), 10)
	if p.Placed != nil {
		dst = appendOwner(append(dst, `,"placed":{"seat":`...), p.Placed.Seat)
		dst = append(appendOn(dst, p.Placed.Abbot, p.Placed.On), '}')
	}
	dst = appendScores(dst, `,"scores":[`, p.Scores)
	if len(p.SetOff) > 0 {
		dst = appendTiles(append(dst, `,"set_off":`...), p.SetOff)
	}
	dst = appendTile(append(dst, `,"next":`...), p.Next)
	dst = appendOwner(append(dst, `,"next_by":`...), p.NextBy)
	if len(p.Piles) > 0 {
		dst = appendNumbers(append(dst, `,"piles":`...), p.Piles)
	}
	dst = appendScores(dst, `,"final":[`, p.Final)
	if p.Stopped {
		dst = append(dst, `,"stopped":true`...)
	}
	return append(dst, '}')
}

// AppendJSON writes what encoding/json would.
func (e *SetUp) AppendJSON(dst []byte) []byte {
	return append(e.View.append(append(dst, `{"view":`...)), '}')
}

func (v *View) append(dst []byte) []byte {
	dst = appendChoices(append(dst, `{"options":`...), v.Options)
	dst = domain.AppendJSONString(append(dst, `,"phase":`...), string(v.Phase))
	dst = strconv.AppendInt(append(dst, `,"turn":`...), int64(v.Turn), 10)
	dst = appendOwner(append(dst, `,"to_move":`...), v.ToMove)
	dst = appendTile(append(dst, `,"tile":`...), v.Tile)
	dst = append(dst, `,"tiles":[`...)
	for i := range v.Tiles {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = v.Tiles[i].append(dst)
	}
	dst = appendNumbers(append(dst, `],"scores":`...), v.Scores)
	dst = appendNumbers(append(dst, `,"followers":`...), v.Followers)
	dst = appendNumbers(append(dst, `,"abbots":`...), v.Abbots)
	dst = v.Remaining.append(append(dst, `,"remaining":`...))
	dst = appendTiles(append(dst, `,"set_aside":`...), v.SetAside)
	dst = appendNumbers(append(dst, `,"piles":`...), v.Piles)
	return append(dst, '}')
}

func (t *ViewTile) append(dst []byte) []byte {
	dst = appendXY(appendTile(append(dst, `{"tile":`...), t.Tile), t.X, t.Y)
	dst = strconv.AppendInt(append(dst, `,"turn":`...), int64(t.Turn), 10)
	if len(t.Figures) > 0 {
		dst = append(dst, `,"figures":`...)
		for i := range t.Figures {
			f := &t.Figures[i]
			dst = appendOwner(append(append(dst, listMark(i)), `{"seat":`...), f.Seat)
			dst = append(appendOn(dst, f.Abbot, f.On), '}')
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

// append writes the kinds that are not 0, in the table's order.
func (c *Counts) append(dst []byte) []byte {
	mark := byte('{')
	for i, n := range c {
		if n > 0 {
			dst = append(appendTile(append(dst, mark), TileID(i)), ':')
			dst = strconv.AppendUint(dst, uint64(n), 10)
			mark = ','
		}
	}
	if mark == '{' {
		dst = append(dst, mark)
	}
	return append(dst, '}')
}

func appendChoices(dst []byte, o domain.Choices) []byte {
	dst = append(dst, '{')
	for i, key := range slices.Sorted(maps.Keys(o)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(domain.AppendJSONString(dst, key), ':')
		dst = domain.AppendJSONString(dst, o[key])
	}
	return append(dst, '}')
}

func appendNumbers(dst []byte, list []int) []byte {
	dst = append(dst, '[')
	for i, n := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	return append(dst, ']')
}

func appendTiles(dst []byte, list []TileID) []byte {
	dst = append(dst, '[')
	for i, id := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendTile(dst, id)
	}
	return append(dst, ']')
}

func listMark(i int) byte {
	if i == 0 {
		return '['
	}
	return ','
}

func appendScores(dst []byte, key string, list []Score) []byte {
	if len(list) == 0 {
		return dst
	}
	dst = append(dst, key...)
	for i := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = list[i].append(dst)
	}
	return append(dst, ']')
}

func (x *Score) append(dst []byte) []byte {
	dst = append(append(append(dst, `{"what":"`...), x.What.String()...), '"')
	if x.Recalled {
		dst = append(dst, `,"recalled":true`...)
	}
	dst = appendXY(dst, x.X, x.Y)
	dst = append(x.On.append(append(dst, `,"on":"`...)), '"')
	for _, n := range [...]struct {
		key string
		n   int
	}{{`,"tiles":`, x.Tiles}, {`,"pennants":`, x.Pennants}, {`,"cities":`, x.Cities}} {
		if n.n != 0 {
			dst = strconv.AppendInt(append(dst, n.key...), int64(n.n), 10)
		}
	}
	dst = strconv.AppendInt(append(dst, `,"worth":`...), int64(x.Worth), 10)
	dst = append(dst, `,"figures":`...)
	for i := range x.Figures {
		f := &x.Figures[i]
		dst = appendOwner(append(append(dst, listMark(i)), `{"seat":`...), f.Seat)
		if f.Abbot {
			dst = append(dst, `,"abbot":true`...)
		}
		dst = append(appendOn(appendXY(dst, f.X, f.Y), false, f.On), '}')
	}
	dst = append(dst, ']')
	if len(x.Points) > 0 {
		dst = append(dst, `,"points":`...)
		for i, a := range x.Points {
			dst = appendOwner(append(append(dst, listMark(i)), `{"seat":`...), a.Seat)
			dst = append(strconv.AppendInt(append(dst, `,"points":`...), int64(a.Points), 10), '}')
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

func appendXY(dst []byte, x, y int) []byte {
	dst = strconv.AppendInt(append(dst, `,"x":`...), int64(x), 10)
	return strconv.AppendInt(append(dst, `,"y":`...), int64(y), 10)
}

func appendOn(dst []byte, abbot bool, on Place) []byte {
	if abbot {
		dst = append(dst, `,"abbot":true`...)
	}
	return append(on.append(append(dst, `,"on":"`...)), '"')
}

func appendOwner(dst []byte, o Owner) []byte { return append(dst, '"', byte('A'+o), '"') }

func appendTile(dst []byte, id TileID) []byte {
	return append(append(append(dst, '"'), id.String()...), '"')
}
