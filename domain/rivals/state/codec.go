package state

import (
	"encoding/json"
	"fmt"
	"strconv"

	"posthorn/domain"
	"posthorn/domain/codec"
	"posthorn/domain/rivals/table"
)

// Rooms of secret parts, in bytes. A deal's holds the names of all cards there are; a move's, all
// cards of a stack that somebody looks through, or the stack of events shuffled anew.
const (
	dealtRoom  = 4096
	playedRoom = 1024
)

// Codec lists every event type ever released.
func (Room) Codec() domain.Codec {
	return domain.Codec{Types: []domain.EventType{
		{Name: dealtType, Body: func() any { return &Dealt{} }, Secret: func() any { return &Cards{} }, Room: dealtRoom},
		{Name: PlayedType, Body: func() any { return &Played{} }, Secret: func() any { return &Hidden{} }, Room: playedRoom},
	}}
}

func appendOps(dst []byte, ops []Op) []byte {
	dst = append(dst, '[')
	for i := range ops {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = ops[i].append(dst)
	}
	return append(dst, ']')
}

// AppendJSON writes what UnmarshalJSON reads.
func (p *Played) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"ops":`...)
	dst = appendOps(dst, p.Ops)
	if p.Queued {
		dst = append(dst, `,"tasks":[`...)
		for i := range p.Tasks {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = p.Tasks[i].append(dst)
		}
		dst = append(dst, ']')
	}
	if p.Serial != 0 || p.NextID != 0 {
		dst = append(dst, `,"count":[`...)
		dst = appendSmall(dst, uint64(p.Serial))
		dst = append(dst, ',')
		dst = appendSmall(dst, uint64(p.NextID))
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

// MarshalJSON is AppendJSON.
func (p *Played) MarshalJSON() ([]byte, error) { return p.AppendJSON(nil), nil }

// UnmarshalJSON reads what AppendJSON wrote.
func (p *Played) UnmarshalJSON(b []byte) error {
	var w struct {
		Ops   []Op      `json:"ops"`
		Tasks *[]Task   `json:"tasks"`
		Count [2]uint16 `json:"count"`
	}
	if err := json.Unmarshal(b, &w); err != nil {
		return fmt.Errorf("played: %w", err)
	}
	*p = Played{Ops: w.Ops, Serial: w.Count[0], NextID: w.Count[1]}
	if w.Tasks != nil {
		p.Queued, p.Tasks = true, *w.Tasks
	}
	return nil
}

// append writes a task as UnmarshalJSON reads it.
func (t *Task) append(dst []byte) []byte {
	dst = append(dst, `{"kind":"`...)
	dst = append(append(dst, TaskNames[t.Kind]...), '"')
	if t.Seat >= 0 {
		dst = append(dst, `,"seat":"`...)
		dst = append(dst, 'A'+byte(t.Seat), '"')
	}
	dst = appendField(dst, "n", uint64(t.N))
	if t.Res != 0 {
		dst = append(dst, `,"goods":[`...)
		for res := range table.Res(table.Resources) {
			if t.Res.Has(res) {
				dst = append(append(append(dst, '"'), table.ResNames[res]...), '"', ',')
			}
		}
		dst[len(dst)-1] = ']'
	}
	if t.Need != (table.Goods{}) {
		dst = append(dst, `,"need":[`...)
		for _, n := range t.Need {
			dst = append(appendSmall(dst, uint64(n)), ',')
		}
		dst[len(dst)-1] = ']'
	}
	if t.Card != table.NoCard {
		dst = append(dst, `,"card":"`...)
		dst = append(append(dst, t.Card.Name()...), '"')
	}
	dst = appendField(dst, "site", uint64(t.Site))
	if t.Arg != 0 {
		dst = strconv.AppendInt(append(dst, `,"arg":`...), int64(t.Arg), 10)
	}
	dst = appendField(dst, "mask", t.Mask)
	return append(appendField(dst, "id", uint64(t.ID)), '}')
}

func appendField(dst []byte, name string, n uint64) []byte {
	if n == 0 {
		return dst
	}
	dst = append(append(append(dst, ',', '"'), name...), '"', ':')
	return appendSmall(dst, n)
}

// appendSmall is strconv.AppendUint for numbers that mostly have few digits.
func appendSmall(dst []byte, n uint64) []byte {
	switch {
	case n < 10:
		return append(dst, '0'+byte(n))
	case n < 100:
		return append(dst, '0'+byte(n/10), '0'+byte(n%10))
	case n < 1000:
		return append(dst, '0'+byte(n/100), '0'+byte(n/10%10), '0'+byte(n%10))
	case n < 10_000:
		return append(dst, '0'+byte(n/1000), '0'+byte(n/100%10), '0'+byte(n/10%10), '0'+byte(n%10))
	}
	return strconv.AppendUint(dst, n, 10)
}

// AppendJSON writes what UnmarshalJSON reads.
func (h *Hidden) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	if h.Move != "" {
		dst = append(dst, `"move":`...)
		dst = append(codec.AppendString(dst, h.Move), ',')
	}
	if h.Told {
		dst = append(dst, `"told":`...)
	} else {
		dst = append(dst, `"ops":`...)
	}
	return append(appendOps(dst, h.Ops), '}')
}

// MarshalJSON refuses: a secret part is written by the codec alone.
func (h *Hidden) MarshalJSON() ([]byte, error) { return nil, domain.ErrSecret }

// UnmarshalJSON reads what AppendJSON wrote.
func (h *Hidden) UnmarshalJSON(b []byte) error {
	var w struct {
		Move string `json:"move"`
		Ops  []Op   `json:"ops"`
		Told []Op   `json:"told"`
	}
	if err := json.Unmarshal(b, &w); err != nil {
		return fmt.Errorf("hidden: %w", err)
	}
	*h = Hidden{Ops: w.Ops, Move: w.Move}
	if w.Told != nil {
		*h = Hidden{Told: true, Move: w.Move, Ops: w.Told}
	}
	return nil
}

// AppendJSON writes a deal's secret part as encoding/json reads it.
func (c *Cards) AppendJSON(dst []byte) []byte {
	type plain Cards
	b, err := json.Marshal((*plain)(c))
	if err != nil {
		panic("rivals: cards that have no JSON: " + err.Error())
	}
	return append(dst, b...)
}

// MarshalJSON refuses: a secret part is written by the codec alone.
func (c *Cards) MarshalJSON() ([]byte, error) { return nil, domain.ErrSecret }

var (
	_ domain.Appender = (*Cards)(nil)
	_ domain.Appender = (*Played)(nil)
	_ domain.Appender = (*Hidden)(nil)
)
