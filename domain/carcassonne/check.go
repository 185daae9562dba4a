package carcassonne

import (
	"errors"

	"posthorn/domain"
)

// errOdd is why an event is refused that no turn or set-up makes.
var errOdd = errors.New("it names a tile, an owner or a part that there is not")

// farAway is farther from the first tile than all tiles in a row reach.
const farAway = 2 * maxTiles

func tileFits(id TileID, x, y, turn int) bool {
	return int(id) < tileKinds && turn >= 0 && turn < 360 && turn%90 == 0 && max(x, -x, y, -y) <= farAway
}

func (f *Stands) fits(id TileID, turn, owners int) bool {
	if int(f.Seat) >= owners {
		return false
	}
	if f.On.Kind == Cloister || f.On.Kind == Garden {
		return true
	}
	sh := &shapes[id]
	return sh.part(&sh.turned[turn/90], f.On) >= 0
}

// Check implements domain.Checker.
func (p *Played) Check(*domain.Event) error {
	fits := tileFits(p.Tile, p.X, p.Y, p.Turn) && int(p.By) < maxOwners && int(p.NextBy) < maxOwners && len(p.Piles) <= maxOwners &&
		len(p.SetOff) <= maxTiles && (p.Next == NoTile || int(p.Next) < tileKinds)
	for _, id := range p.SetOff {
		fits = fits && int(id) < tileKinds
	}
	for i := range p.Scores {
		for _, f := range p.Scores[i].Figures {
			fits = fits && int(f.Seat) < maxOwners
		}
		for _, a := range p.Scores[i].Points {
			fits = fits && int(a.Seat) < maxOwners
		}
	}
	if !fits || p.Placed != nil && !p.Placed.fits(p.Tile, p.Turn, maxOwners) {
		return errOdd
	}
	return nil
}

// Check implements domain.Checker.
func (b *SetUp) Check(*domain.Event) error {
	v, owners := &b.View, len(b.View.Scores)
	fits := owners >= 1 && owners <= maxOwners && len(v.Followers) == owners && len(v.Abbots) == owners && (len(v.Piles) == 0 || len(v.Piles) == owners) &&
		int(v.ToMove) < owners && (v.Tile == NoTile && v.Phase == PhaseOver || int(v.Tile) < tileKinds) && len(v.Tiles) <= maxTiles && len(v.SetAside) <= maxTiles
	if c := choicesOf(v.Options, owners); c.solo {
		fits = fits && len(v.Piles) == owners && int(c.owners) == owners
	}
	for i := range v.Tiles {
		t := &v.Tiles[i]
		fits = fits && tileFits(t.Tile, t.X, t.Y, t.Turn) && len(t.Figures) <= maxOwners
		for k := range t.Figures {
			fits = fits && t.Figures[k].fits(t.Tile, t.Turn, owners)
		}
	}
	if !fits || !new(State).load(v) {
		return errOdd
	}
	return nil
}
