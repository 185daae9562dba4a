package picture

const (
	spaced  = 8 // pixels between sampled ones
	samples = 4 // edges of a piece to sample
)

// farther is a coarse picture: of every few pixels, each way, the middle one.
type farther struct {
	w, h int
	pix  []uint32
}

func (f *farther) clear(c uint32) {
	if cap(f.pix) < f.w*f.h {
		f.pix = make([]uint32, f.w*f.h)
	}
	f.pix = f.pix[:f.w*f.h]
	for i := range f.pix {
		f.pix[i] = c
	}
}

// at returns roughly the colour of a pixel; ok is false outside the picture.
func (f *farther) at(x, y int) (c uint32, ok bool) {
	if x < 0 || y < 0 || x/spaced >= f.w || y/spaced >= f.h {
		return 0, false
	}
	return f.pix[y/spaced*f.w+x/spaced], true
}

// raster adds a symbol.
func (f *farther) raster(q *piece) {
	r := q.raster
	f.each(&r.solid, q.x, q.y, func(dst *uint32, at int32) { *dst = colorOf(r.cells[at]) })
	f.each(&r.sheer, q.x, q.y, func(dst *uint32, at int32) { *dst = over(r.mixed[at], *dst) })
}

// mask paints what a mask covers. A translucent colour also adds the mixed colours to the palette.
func (f *farther) mask(q *piece, col uint32, p *palette) {
	f.each(&q.mask.runs, q.x, q.y, func(dst *uint32, at int32) {
		switch {
		case at != whole:
			*dst = over(scaled(col, uint32(q.mask.edge[at])), *dst)
		case col>>24 == 0xFF:
			*dst = col
		default:
			*dst = over(col, *dst)
			p.add(*dst, 4*spaced*spaced) // flat, and not counted close up
		}
	})
}

// each passes do the coarse pixels below runs moved by whole pixels, and where the run's own pixels are.
func (f *farther) each(r *runs, dx, dy int, do func(dst *uint32, at int32)) {
	left, top := r.x+dx, r.y+dy
	first := reached(top)
	for fy := first; fy < f.h; fy++ {
		y := fy*spaced + spaced/2 - top
		if y >= r.h {
			return
		}
		row := f.pix[fy*f.w : (fy+1)*f.w]
		for _, s := range r.list[r.rows[y]:r.rows[y+1]] {
			from := left + int(s.x)
			fx := reached(from)
			for ; fx < f.w && fx*spaced+spaced/2 < from+int(s.n); fx++ {
				at := s.at
				if at != whole {
					at += int32(fx*spaced + spaced/2 - from)
				}
				do(&row[fx], at)
			}
		}
	}
}

// reached returns the first sampled pixel at or beyond a coordinate.
func reached(at int) int { return max(0, (at+spaced/2-1)/spaced) }

// look collects a picture's colours: those of its pieces, whatever covers them, and some of those they mix to with what
// lies below.
func (p *palette) look(on *composed) {
	p.reset()
	p.far = farther{w: (on.w + spaced - 1) / spaced, h: (on.h + spaced - 1) / spaced, pix: p.far.pix}
	p.far.clear(on.ground)
	p.add(on.ground, on.w*on.h)
	for i := range on.pieces {
		q := &on.pieces[i]
		if q.raster != nil {
			for k := range q.raster.bins {
				p.merge(&q.raster.bins[k])
			}
			p.edges(&q.raster.sheer, q.x, q.y, len(q.raster.mixed), func(at int32) uint32 { return q.raster.mixed[at] })
			p.far.raster(q)
			continue
		}
		col := premultiplied(q.color)
		p.edges(&q.mask.runs, q.x, q.y, len(q.mask.edge), func(at int32) uint32 {
			return scaled(col, uint32(q.mask.edge[at]))
		})
		if col>>24 == 0xFF && q.mask.whole > 0 {
			p.add(col, min(q.mask.whole, on.w*on.h))
		}
		p.far.mask(q, col, p)
	}
	p.weigh()
}

// edges adds a number of pixels that mix with what lies below, judging by a sample of them.
func (p *palette) edges(r *runs, dx, dy, pixels int, color func(at int32) uint32) {
	if pixels == 0 {
		return
	}
	step := max(len(r.list)/samples, 1)
	for i := step / 2; i < len(r.list); i += step {
		for i < len(r.list) && r.list[i].at == whole {
			i++
		}
		if i == len(r.list) {
			return
		}
		x, y := r.middle(i)
		if below, ok := p.far.at(x+dx, y+dy); ok {
			p.add(over(color(r.list[i].at+int32(r.list[i].n/2)), below), max(pixels/samples, 1))
		}
	}
}
