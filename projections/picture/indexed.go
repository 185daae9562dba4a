package picture

import (
	"image"
	"math"
)

// composed is a picture as its pieces, the lowest first.
type composed struct {
	w, h   int
	ground uint32
	pieces []piece
}

// indexed paints pictures as colour numbers.
type indexed struct {
	w, h   int
	pix    []uint8 // in PNG order: row by row, each after a zero
	colors []uint32
	number [1 << 16]uint8 // from a cell of the colour cube to its colour's number
}

// unknown is the number of a cell not looked up yet.
const unknown = 0xFF

// paint paints a picture in its chosen colours.
func (k *indexed) paint(on *composed, p *palette) []uint8 {
	k.w, k.h, k.colors = on.w, on.h, p.colors
	fill(k.number[:], unknown)
	for i := range p.bins {
		k.number[cellOf(p.bins[i].leader)] = p.slot[i]
	}
	size := (k.w + 1) * k.h
	if cap(k.pix) < size {
		k.pix = make([]uint8, size)
	}
	k.pix = k.pix[:size]
	fill(k.pix, k.of(on.ground))
	for at := 0; at < size; at += k.w + 1 {
		k.pix[at] = 0
	}
	for i := range on.pieces {
		if q := &on.pieces[i]; q.raster != nil {
			k.raster(q)
		} else {
			k.mask(q)
		}
	}
	return k.pix
}

// of returns the number of the nearest chosen colour.
func (k *indexed) of(c uint32) uint8 {
	n := &k.number[cellOf(c)]
	if *n == unknown {
		at, best := rgb{float32(c >> 16 & 0xFF), float32(c >> 8 & 0xFF), float32(c & 0xFF)}, float32(math.MaxFloat32)
		for i, c := range k.colors {
			if d := at.to(rgb{float32(c >> 16 & 0xFF), float32(c >> 8 & 0xFF), float32(c & 0xFF)}); d < best {
				best, *n = d, uint8(i)
			}
		}
	}
	return *n
}

// over returns the number of a colour laid over a numbered one.
func (k *indexed) over(c uint32, below uint8) uint8 { return k.of(over(c, 0xFF<<24|k.colors[below])) }

func (k *indexed) bounds() image.Rectangle { return image.Rect(0, 0, k.w, k.h) }

func (k *indexed) row(x, y, n int) []uint8 { return k.pix[y*(k.w+1)+1+x:][:n] }

func (k *indexed) mask(q *piece) {
	col := premultiplied(q.color)
	number := k.of(col)
	q.mask.each(k.bounds(), q.x, q.y, func(x, y, n int, at int32) {
		dst := k.row(x, y, n)
		switch {
		case at != whole:
			for i, v := range q.mask.edge[at : int(at)+n] {
				dst[i] = k.over(scaled(col, uint32(v)), dst[i])
			}
		case col>>24 == 0xFF:
			fill(dst, number)
		default:
			was, now := dst[0], k.over(col, dst[0])
			for i, d := range dst {
				if d != was {
					was, now = d, k.over(col, d)
				}
				dst[i] = now
			}
		}
	})
}

func (k *indexed) raster(q *piece) {
	q.raster.solid.each(k.bounds(), q.x, q.y, func(x, y, n int, at int32) {
		dst := k.row(x, y, n)
		for i, c := range q.raster.cells[at : int(at)+n] {
			dst[i] = k.number[c] // all are known by now
		}
	})
	q.raster.sheer.each(k.bounds(), q.x, q.y, func(x, y, n int, at int32) {
		dst := k.row(x, y, n)
		for i, c := range q.raster.mixed[at : int(at)+n] {
			dst[i] = k.over(c, dst[i])
		}
	})
}

// fill sets bytes to one value.
func fill(dst []uint8, v uint8) {
	if len(dst) < 32 {
		for i := range dst {
			dst[i] = v
		}
		return
	}
	dst[0] = v
	for n := 1; n < len(dst); n *= 2 {
		copy(dst[n:], dst[:n])
	}
}
