package picture

import (
	"image"

	"posthorn/domain"
)

// pixels are colours 0xAARRGGBB, multiplied by their opacity, row by row.
type pixels struct {
	x, y, w, h int // where the first one lies, and how many there are
	pix        []uint32
}

func newPixels(r image.Rectangle) pixels {
	return pixels{r.Min.X, r.Min.Y, r.Dx(), r.Dy(), make([]uint32, r.Dx()*r.Dy())}
}

// clear makes all pixels one opaque colour.
func (p *pixels) clear(c domain.Color) {
	col := premultiplied(c | 0xFF)
	for i := range p.pix {
		p.pix[i] = col
	}
}

func premultiplied(c domain.Color) uint32 {
	return scaled(0xFF000000|uint32(c>>8), uint32(c&0xFF))
}

// scaled is a colour of which there is only a part, in 255ths.
func scaled(c, part uint32) uint32 {
	// Two channels at a time; (x + 128 + (x + 128)/256) / 256 is x/255, rounded.
	rb := (c&0x00FF00FF)*part + 0x00800080
	rb = (rb + rb>>8&0x00FF00FF) >> 8 & 0x00FF00FF
	ag := (c>>8&0x00FF00FF)*part + 0x00800080
	ag = (ag + ag>>8&0x00FF00FF) & 0xFF00FF00
	return rb | ag
}

// over is a colour above another.
func over(c, below uint32) uint32 { return c + scaled(below, 255-c>>24) }

// runs are pixels of a rectangle that are not empty, as runs in rows.
type runs struct {
	x, y, w, h int
	rows       []int32 // where each row's runs begin, and where the last one's end
	list       []run
}

type run struct {
	x, n int16
	at   int32 // where its pixels are kept, or whole
}

// whole is a run of pixels of which nothing need be kept.
const whole int32 = -1

func newRuns(r image.Rectangle) runs {
	return runs{x: r.Min.X, y: r.Min.Y, w: r.Dx(), h: r.Dy(), rows: append(make([]int32, 0, r.Dy()+1), 0)}
}

func (r *runs) bytes() int { return 64 + 4*len(r.rows) + 8*len(r.list) }

func (r *runs) add(x, n int, at int32) { r.list = append(r.list, run{int16(x), int16(n), at}) }

func (r *runs) endRow() { r.rows = append(r.rows, int32(len(r.list))) }

// each hands out the pixels under each run, moved by whole pixels, as far as there are any, and where the run's own are.
func (r *runs) each(on *pixels, dx, dy int, do func(dst []uint32, at int32)) {
	left, top := r.x+dx-on.x, r.y+dy-on.y
	for y := max(0, -top); y < min(r.h, on.h-top); y++ {
		row := on.pix[(top+y)*on.w : (top+y+1)*on.w]
		for _, s := range r.list[r.rows[y]:r.rows[y+1]] {
			from, to, at := left+int(s.x), left+int(s.x)+int(s.n), s.at
			if from < 0 {
				if at != whole {
					at += int32(-from)
				}
				from = 0
			}
			if to = min(to, on.w); from < to {
				do(row[from:to], at)
			}
		}
	}
}

// raster is a symbol's pixels about its origin, but for those that are not painted. Nobody changes it once it is made.
type raster struct {
	solid  runs // of opaque pixels
	sheer  runs // of those that let something through
	colors []uint32
}

func (r *raster) bytes() int { return r.solid.bytes() + r.sheer.bytes() + 4*len(r.colors) }

func rasterOf(p *pixels) *raster {
	rect := image.Rect(p.x, p.y, p.x+p.w, p.y+p.h)
	r := &raster{solid: newRuns(rect), sheer: newRuns(rect)}
	for y := range p.h {
		row := p.pix[y*p.w : (y+1)*p.w]
		for x := 0; x < len(row); {
			if row[x] == 0 {
				x++
				continue
			}
			from, opaque := x, row[x]>>24 == 0xFF
			for x < len(row) && row[x] != 0 && (row[x]>>24 == 0xFF) == opaque {
				x++
			}
			of := &r.sheer
			if opaque {
				of = &r.solid
			}
			of.add(from, x-from, int32(len(r.colors)))
			r.colors = append(r.colors, row[from:x]...)
		}
		r.solid.endRow()
		r.sheer.endRow()
	}
	return r
}

// copyTo sets the symbol on a canvas, its origin on a whole pixel.
func (r *raster) copyTo(on *pixels, x, y int) {
	r.solid.each(on, x, y, func(dst []uint32, at int32) { copy(dst, r.colors[at:]) })
	r.sheer.each(on, x, y, func(dst []uint32, at int32) {
		for i, c := range r.colors[at : int(at)+len(dst)] {
			dst[i] = over(c, dst[i])
		}
	})
}
