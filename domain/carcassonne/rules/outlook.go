package rules

import (
	"math"
	"math/bits"
	"slices"

	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// outlook is how a board will probably develop with the tiles still to come: everybody knows how many of each there
// are, and where they fit.
type outlook struct {
	s     *state.State
	bag   state.Counts
	kinds uint64  // bits of the kinds in the bag
	n     float64 // tiles to come, including the one being placed
	left  float64 // of the game, 1 to 0
	short float64 // 1 until the last rounds, then falling
	each  [table.MaxNodes]prospect
	side  [table.MaxOwners]features
}

// prospect is how an open road or city will probably develop.
type prospect struct {
	cells uint8   // open places it leads to
	stuck bool    // no tile fits one of them any more
	ever  float64 // the chance that tiles that end it come at all
	soon  float64 // the chance that they come within a few turns
}

// fitters holds, for each combination of edges asked, the bits of the kinds of tile that fit; enders holds those that
// end the feature entering by an edge.
var fitters, enders = func() (fit [len(table.Fitting[0])]uint64, end [len(table.Fitting[0])][4]uint64) {
	for a := range fit {
		for id := range table.Shapes {
			for turns := table.Fitting[id][a]; turns != 0; turns &= turns - 1 {
				r := &table.Shapes[id].Turned[bits.TrailingZeros8(turns)]
				fit[a] |= 1 << id
				for e := range 4 {
					if endsThere(r, table.Asks(a), e) {
						end[a][e] |= 1 << id
					}
				}
			}
		}
	}
	return fit, end
}()

// endsThere reports whether the part at an edge of a tile leaves it only by edges that already have a neighbour.
func endsThere(r *table.Turned, asks table.Asks, e int) bool {
	part := r.PartOf[e]
	if part < 0 {
		return false
	}
	for edges := r.Links[part] & 0xF; edges != 0; edges &= edges - 1 {
		if asks.Edge(bits.TrailingZeros16(edges)) == table.NoKind {
			return false
		}
	}
	return true
}

func outlookOf(s *state.State) (o outlook) {
	o.s, o.bag = s, s.Bag
	o.n = float64(s.NLand) + float64(s.NRiver)
	if s.Current != table.NoTile {
		o.bag[s.Current]++
		o.n++
	}
	for id, n := range o.bag {
		if n > 0 {
			o.kinds |= 1 << id
		}
	}
	o.left = o.n / wholeGame
	o.short = min(1, o.n/float64(6*s.Owners))
	for _, v := range s.Open[:s.NOpen] {
		o.place(&s.Cells[v.Cell()])
	}
	o.figures()
	o.hands()
	return o
}

// count returns how many tiles of these kinds are in the bag.
func (o *outlook) count(kinds uint64) (n float64) {
	for kinds &= o.kinds; kinds != 0; kinds &= kinds - 1 {
		n += float64(o.bag[bits.TrailingZeros64(kinds)])
	}
	return n
}

// chance returns the probability that at least one of so many tiles serves a feature that gets this share of them.
func chance(tiles, share float64) float64 { return 1 - math.Exp(-tiles*share) }

// within returns the share of the tiles to come that the next few make up.
func (o *outlook) within(few float64) float64 { return few / max(few, o.n) }

// place works out what an open place does for the features around it.
func (o *outlook) place(c *state.Cell) {
	s, about := o.s, o.s.Look(c)
	fits := o.count(fitters[c.Asks])
	var near [table.Links]uint16 // the features around it, each once
	n := 0
	for link := range near {
		id, ok := about.At(link)
		if !ok || slices.Contains(near[:n], id) {
			continue
		}
		f := &s.Features[id]
		if link < table.HalfLinks && f.Kind != table.River {
			o.each[id].add(fits, o.count(enders[c.Asks][link]), o.within(6))
		}
		for _, other := range near[:n] {
			if g := &s.Features[other]; g.Kind == f.Kind && f.All > 0 && g.All > 0 {
				o.join(id, other, fits)
			}
		}
		near[n] = id
		n++
	}
}

// add counts one of the open places a feature leads to into its prospect.
func (p *prospect) add(fits, ends, soon float64) {
	if p.cells == 0 {
		p.ever, p.soon = 1, 1
	}
	p.cells++
	p.stuck = p.stuck || fits == 0
	p.ever *= chance(ends, 0.7)
	p.soon *= chance(ends, soon)
}

// join works out what everybody would gain or lose if a tile merged two features.
func (o *outlook) join(a, b uint16, fits float64) {
	f, g := &o.s.Features[a], &o.s.Features[b]
	men := f.Men
	for i, n := range g.Men {
		men[i] += n
	}
	side, x, y := featureJoinRoad, float64(f.Size()), float64(g.Size())
	switch f.Kind {
	case table.Field:
		side, x, y = featureJoinField, 3*float64(completeAt(o.s, a)), 3*float64(completeAt(o.s, b))
		fits *= 0.3 // few of them have a field just there
	case table.City:
		side, x, y = featureJoinCity, x+float64(f.Pennants), y+float64(g.Pennants)
	}
	p := chance(fits, o.within(8))
	both, ofA, ofB := majority(&men), majority(&f.Men), majority(&g.Men)
	for w := range o.s.Owners {
		o.side[w][side] += p * (ifIn(both, w, x+y) - ifIn(ofA, w, x) - ifIn(ofB, w, y))
	}
}

// ifIn returns the worth if the owner is among those in who, and 0 if not.
func ifIn(who, owner uint8, worth float64) float64 {
	if who>>owner&1 == 1 {
		return worth
	}
	return 0
}

// figures looks at what players hold.
func (o *outlook) figures() {
	s := o.s
	var seen nodeSet
	for i := range s.Figures[:s.NFigures] {
		f := &s.Figures[i]
		if f.Part == table.ShrinePart {
			o.shrine(f)
		} else if id := s.FeatureOf(f); seen.add(id) {
			o.held(id)
		}
	}
}

// shrine counts the neighbours a cloister or garden has, and those that will probably come.
func (o *outlook) shrine(f *state.Figure) {
	s, t, side := o.s, &o.s.Tiles[f.Tile], &o.side[f.Owner]
	fills, all := 0.0, 1.0
	for i := range table.StepX {
		x, y := t.X+table.StepX[i], t.Y+table.StepY[i]
		if s.TileAt(x, y) >= 0 {
			continue
		}
		fits := o.n
		if c := s.OpenAt(x, y); c != nil {
			fits = o.count(fitters[c.Asks])
		}
		p := chance(fits, 0.12)
		fills += p
		all *= p
	}
	now := 1 + float64(t.Around)
	if f.Abbot {
		side[featureAbbotNow] += now
		side[featureAbbotFills] += fills
		side[featureAbbotOut] += o.left
		return
	}
	side[featureShrineNow] += now
	side[featureShrineFills] += fills
	side[featureShrineBack] += all * o.left
	side[featureShrineOut] += o.left
}

// held looks at a road, city or field with somebody in it: what it will probably bring goes to those with the most
// men there, and the others' men are probably lost.
func (o *outlook) held(id uint16) {
	f := &o.s.Features[id]
	var own features
	behind := featureBehindRoad
	switch f.Kind {
	case table.Road:
		o.road(&own, id)
	case table.City:
		behind = featureBehindCity
		o.city(&own, id)
	default:
		behind = featureBehindField
		o.field(&own, id)
	}
	most := majority(&f.Men)
	for w := range o.s.Owners {
		side := &o.side[w]
		if most>>w&1 == 0 {
			side[behind] += float64(f.Men[w]) * o.left
			continue
		}
		for i, v := range own {
			side[i] += v
		}
		side[featureSpare] += float64(f.Men[w]-1) * o.left
	}
}

func (o *outlook) road(own *features, id uint16) {
	f, p := &o.s.Features[id], &o.each[id]
	size := float64(f.Size())
	own[featureRoadUnits] = size
	own[featureRoadLikely] = size * p.ever
	own[featureRoadGrows] = float64(f.Ends) * o.left
	own[featureRoadBack] = p.soon * o.left
	own[featureRoadOut] = o.left
	if p.stuck {
		own[featureRoadStuck] = o.left
	}
}

func (o *outlook) city(own *features, id uint16) {
	f, p := &o.s.Features[id], &o.each[id]
	units, ends := float64(f.Size())+float64(f.Pennants), float64(f.Ends)
	own[featureCityUnits] = units
	switch p.cells {
	case 1:
		own[featureCityOne], own[featureCityOneSoon] = units*p.ever, units*p.soon
	case 2:
		own[featureCityTwo], own[featureCityTwoSoon] = units*p.ever, units*p.soon
	default:
		own[featureCityMore] = units * p.ever
	}
	own[featureCityGrows] = ends * o.left
	own[featureCityGrowsLikely] = ends * o.left * p.ever
	own[featureCityBack] = p.soon * o.left
	own[featureCityOut] = o.left
	if p.stuck {
		own[featureCityStuck], own[featureCityStuckUnits] = o.left, units
	}
}

func (o *outlook) field(own *features, id uint16) {
	eachCity(o.s, id, func(city uint16) {
		if o.s.Features[city].Ends == 0 {
			own[featureFieldCities] += 3
			return
		}
		p := &o.each[city]
		own[featureFieldLikely] += 3 * p.ever
		own[featureFieldSoon] += 3 * p.soon
		own[featureFieldOpen] += o.left
	})
	own[featureFieldOut] = o.left
	own[featureFieldOutEarly] = o.left * o.left
}

// hands looks at what players have in hand, and at whose turn it is.
func (o *outlook) hands() {
	s := o.s
	for w := range s.Owners {
		side := &o.side[w]
		for i := range int(s.Hand[w]) {
			side[featureHand+min(i, handKinds-1)] += o.left
			side[featureHandShort+min(i, handKinds-1)] += o.short
		}
		if s.AbbotsHome[w] > 0 {
			side[featureAbbotHome] = o.left
		}
		if int(s.ToMove) == int(w) {
			side[featureTurn], side[featureTurnLong] = 1, o.left
		}
	}
}
