package state

import (
	"errors"

	"posthorn/domain"
	"posthorn/domain/carcassonne/table"
)

// errOdd is why an event is refused that no turn or set-up makes.
var errOdd = errors.New("it names a tile, an owner or a part that there is not")

// farAway is farther from the first tile than all tiles in a row reach.
const farAway = 2 * table.MaxTiles

func tileFits(id table.TileID, x, y, turn int) bool {
	return int(id) < table.TileKinds && turn >= 0 && turn < 360 && turn%90 == 0 && max(x, -x, y, -y) <= farAway
}

// Check implements domain.Checker.
func (p *Played) Check(*domain.Event) error {
	fits := tileFits(p.Tile, p.X, p.Y, p.Turn) && int(p.By) < table.MaxOwners && int(p.NextBy) < table.MaxOwners && len(p.Piles) <= table.MaxOwners &&
		len(p.SetOff) <= table.MaxTiles && (p.Next == table.NoTile || int(p.Next) < table.TileKinds)
	for _, id := range p.SetOff {
		fits = fits && int(id) < table.TileKinds
	}
	for i := range p.Scores {
		for _, f := range p.Scores[i].Figures {
			fits = fits && int(f.Seat) < table.MaxOwners
		}
		for _, a := range p.Scores[i].Points {
			fits = fits && int(a.Seat) < table.MaxOwners
		}
	}
	if !fits || p.Placed != nil && (int(p.Placed.Seat) >= table.MaxOwners || part(p.Tile, uint8(p.Turn/90), p.Placed) < 0) {
		return errOdd
	}
	return nil
}

// Check implements domain.Checker.
func (b *SetUp) Check(*domain.Event) error {
	v, owners := &b.View, len(b.View.Scores)
	fits := owners >= 1 && owners <= table.MaxOwners && len(v.Followers) == owners && len(v.Abbots) == owners && (len(v.Piles) == 0 || len(v.Piles) == owners) &&
		int(v.ToMove) < owners && (v.Tile == table.NoTile && v.Phase == PhaseOver || int(v.Tile) < table.TileKinds) && len(v.Tiles) <= table.MaxTiles && len(v.SetAside) <= table.MaxTiles
	if c := table.ChoicesOf(v.Options, owners); c.Solo {
		fits = fits && len(v.Piles) == owners && int(c.Owners) == owners
	}
	for i := range v.Tiles {
		t := &v.Tiles[i]
		fits = fits && tileFits(t.Tile, t.X, t.Y, t.Turn) && len(t.Figures) <= table.MaxOwners
	}
	if !fits || !new(State).load(v) {
		return errOdd
	}
	return nil
}
