package picture

import "posthorn/domain"

// Cut returns the square part of a scene, at least so many units wide, about what is being tried out (the shapes of
// class "ghost" or "tried") or else about one of the spots; ok is false if it has neither.
func Cut(s domain.Scene, side float64, spots ...string) (part domain.Scene, ok bool) {
	at := extent{emptyBox(), symbolsByID(&s)}
	for _, class := range []string{"ghost", "tried"} {
		at.class(class, s.Shapes, newFrame(1, 0, 0, 0), 0)
	}
	for i := 0; at.empty() && i < len(spots); i++ {
		if spots[i] != "" {
			at.spot(spots[i], s.Shapes, newFrame(1, 0, 0, 0), 0)
		}
	}
	if at.empty() {
		return s, false
	}
	side = min(max(side, at.x1-at.x0, at.y1-at.y0), s.W, s.H)
	s.X, _ = window(s.X, s.W, (at.x0+at.x1)/2, (at.x0+at.x1)/2, side)
	s.Y, _ = window(s.Y, s.H, (at.y0+at.y1)/2, (at.y0+at.y1)/2, side)
	s.W, s.H = side, side
	return s, true
}

// spot adds the shapes of a spot, wherever they lie in a list.
func (e *extent) spot(name string, list []domain.Shape, f frame, depth int) {
	for i := range list {
		if sh := &list[i]; sh.Spot == name {
			e.shape(sh, f, depth)
		} else if depth < maxNesting {
			e.spot(name, sh.Group, f.inner(sh), depth+1)
		}
	}
}
