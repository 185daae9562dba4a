package picture

import (
	"image"
	"slices"

	"posthorn/domain"
)

// pixels are colours 0xAARRGGBB, premultiplied by their opacity, row by row.
type pixels struct {
	x, y, w, h int // where the first one lies, and how many there are
	pix        []uint32
}

func newPixels(r image.Rectangle) pixels {
	return pixels{r.Min.X, r.Min.Y, r.Dx(), r.Dy(), make([]uint32, r.Dx()*r.Dy())}
}

func (p *pixels) bounds() image.Rectangle { return image.Rect(p.x, p.y, p.x+p.w, p.y+p.h) }

// lay lays pixels over those below, where both overlap.
func (p *pixels) lay(above *pixels) {
	r := p.bounds().Intersect(above.bounds())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		dst := p.pix[(y-p.y)*p.w+r.Min.X-p.x:][:r.Dx()]
		for i, c := range above.pix[(y-above.y)*above.w+r.Min.X-above.x:][:r.Dx()] {
			if c != 0 {
				dst[i] = over(c, dst[i])
			}
		}
	}
}

func premultiplied(c domain.Color) uint32 {
	return scaled(0xFF000000|uint32(c>>8), uint32(c&0xFF))
}

// scaled returns a part of a colour, in 255ths.
func scaled(c, part uint32) uint32 {
	// Two channels at a time; (x + 128 + (x + 128)/256) / 256 is x/255, rounded.
	rb := (c&0x00FF00FF)*part + 0x00800080
	rb = (rb + rb>>8&0x00FF00FF) >> 8 & 0x00FF00FF
	ag := (c>>8&0x00FF00FF)*part + 0x00800080
	ag = (ag + ag>>8&0x00FF00FF) & 0xFF00FF00
	return rb | ag
}

// over returns a colour laid over another.
func over(c, below uint32) uint32 { return c + scaled(below, 255-c>>24) }

// runs are the non-empty pixels of a rectangle, as runs in rows.
type runs struct {
	x, y, w, h int
	rows       []int32 // where each row's runs begin, and where the last row's end
	list       []run
}

type run struct {
	x, n int16
	at   int32 // where its pixels are stored, or whole
}

// whole marks a run of pixels that need no storage.
const whole int32 = -1

func newRuns(r image.Rectangle) runs {
	return runs{x: r.Min.X, y: r.Min.Y, w: r.Dx(), h: r.Dy(), rows: append(make([]int32, 0, r.Dy()+1), 0)}
}

func (r *runs) bytes() int { return 64 + 4*len(r.rows) + 8*len(r.list) }

func (r *runs) add(x, n int, at int32) { r.list = append(r.list, run{int16(x), int16(n), at}) }

func (r *runs) endRow() { r.rows = append(r.rows, int32(len(r.list))) }

// each passes do the runs moved by whole pixels, clipped to a canvas: from which canvas pixel, how many, and where the
// run's own pixels are.
func (r *runs) each(on image.Rectangle, dx, dy int, do func(x, y, n int, at int32)) {
	left, top := r.x+dx-on.Min.X, r.y+dy-on.Min.Y
	w, h := on.Dx(), on.Dy()
	for y := max(0, -top); y < min(r.h, h-top); y++ {
		for _, s := range r.list[r.rows[y]:r.rows[y+1]] {
			from, to, at := left+int(s.x), left+int(s.x)+int(s.n), s.at
			if from < 0 {
				if at != whole {
					at += int32(-from)
				}
				from = 0
			}
			if to = min(to, w); from < to {
				do(from, top+y, to-from, at)
			}
		}
	}
}

// middle returns the middle pixel of a run, given its index in the list.
func (r *runs) middle(i int) (x, y int) {
	row, found := slices.BinarySearch(r.rows, int32(i))
	if !found {
		row--
	}
	for found && row+1 < len(r.rows) && r.rows[row+1] == int32(i) {
		row++ // skip rows without runs
	}
	return r.x + int(r.list[i].x) + int(r.list[i].n)/2, r.y + row
}

// raster holds a symbol's painted pixels, relative to its origin. It does not change once made.
type raster struct {
	solid runs     // of opaque pixels
	cells []uint16 // their colours, by cells of the colour cube
	sheer runs     // of translucent pixels
	mixed []uint32 // their colours
	bins  []bin    // the opaque colours in it
}

func (r *raster) bytes() int {
	return r.solid.bytes() + r.sheer.bytes() + 2*len(r.cells) + 4*len(r.mixed) + binBytes*len(r.bins)
}

func rasterOf(p *pixels, look *palette) *raster {
	rect := p.bounds()
	r := &raster{solid: newRuns(rect), sheer: newRuns(rect)}
	look.reset()
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
			if !opaque {
				r.sheer.add(from, x-from, int32(len(r.mixed)))
				r.mixed = append(r.mixed, row[from:x]...)
				continue
			}
			r.solid.add(from, x-from, int32(len(r.cells)))
			for _, c := range row[from:x] {
				look.add(c, 1)
				r.cells = append(r.cells, uint16(cellOf(c)))
			}
		}
		r.solid.endRow()
		r.sheer.endRow()
	}
	r.bins = slices.Clone(look.bins)
	return r
}
