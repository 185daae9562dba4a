package carcassonne

import "posthorn/domain"

// Hand is the tile that is to be placed, as it is drawn: unturned.
func (r Rules) Hand(v domain.View) (domain.Scene, bool) {
	view := viewOf(v)
	if view.Tile == NoTile || len(view.Tiles) == 0 {
		return domain.Scene{}, false
	}
	return r.TileScene(view.Tile.String(), 0), true
}
