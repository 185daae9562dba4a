package table

import "slices"

// Like returns the least number of clockwise quarter turns that makes a tile look as it does after this many: 0 for
// all four turns of a cloister, 1 for three turns of a straight road. No other tile has the same parts in another
// arrangement.
func (id TileID) Like(quarters int) int { return int(likes[id][quarters&3]) }

// likes holds the results for all tiles, by quarter turns.
var likes = func() (all [][4]uint8) {
	for _, s := range Shapes {
		var own [4]uint8
		for k := range own {
			own[k] = uint8(slices.IndexFunc(s.Turned[:k+1], func(r Turned) bool { return s.lies(&r, &s.Turned[k]) }))
		}
		all = append(all, own)
	}
	return all
}()

// lies reports whether a shape turned in two ways has parts of the same kinds along the same links.
func (s *Shape) lies(a, b *Turned) bool {
	for link := range a.PartOf {
		i, j := a.PartOf[link], b.PartOf[link]
		if (i < 0) != (j < 0) || i >= 0 &&
			(s.Kind[i] != s.Kind[j] || s.Pennant[i] != s.Pennant[j] || a.Links[i] != b.Links[j] ||
				!s.borders(a, i, b, j)) {
			return false
		}
	}
	return true
}

// borders reports whether two parts touch cities along the same links.
func (s *Shape) borders(a *Turned, i int8, b *Turned, j int8) bool {
	return s.cityLinks(a, i) == s.cityLinks(b, j)
}

func (s *Shape) cityLinks(r *Turned, part int8) (links uint16) {
	for c := range r.Links {
		if s.Cities[part]>>c&1 == 1 {
			links |= r.Links[c]
		}
	}
	return links
}
