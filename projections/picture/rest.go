package picture

// How many bytes a resting painter keeps of what it painted last. A house sends few pictures at a time, and the next
// one uses the same drawings.
const (
	restRasters = 3 << 20
	restMasks   = 1 << 20
)

// Rest makes the process-wide painter drop most of its caches, and its working memory. Pictures stay the same
// afterwards; the next ones take longer.
func Rest() { house.Rest() }

// Rest does for this painter what [Rest] does for the shared one.
func (p *Painter) Rest() {
	p.pictures.Shrink(0)
	p.rasters.Shrink(restRasters)
	p.masks.Shrink(restMasks)
	for range cap(p.desks) {
		select {
		case <-p.desks:
			p.desks <- nil
		default: // somebody is painting
			return
		}
	}
}

// Small makes the process-wide painter keep less for good: it paints more often, in a third of the memory.
func Small() {
	house.pictures.Resize(pictureBytes / 4)
	house.rasters.Resize(rasterBytes / 4)
	house.masks.Resize(maskBytes / 4)
}
