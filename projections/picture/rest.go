package picture

// How much a painter keeps that rests, in bytes: what it painted last. A house sends few pictures at a time, and the next
// one is painted from the same drawings.
const (
	restRasters = 3 << 20
	restMasks   = 1 << 20
)

// Rest has the painter that the whole process shares forget most of what it keeps, and the memory that it paints in. Pictures are
// the same afterwards; the next ones take longer.
func Rest() { house.Rest() }

// Rest is [Rest] of this painter.
func (p *Painter) Rest() {
	p.pictures.Shrink(0)
	p.rasters.Shrink(restRasters)
	p.masks.Shrink(restMasks)
	for range cap(p.desks) {
		select {
		case <-p.desks:
			p.desks <- nil
		default: // somebody paints
			return
		}
	}
}
