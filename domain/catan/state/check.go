package state

import (
	"errors"

	"posthorn/domain"
	"posthorn/domain/catan/table"
)

// errOdd is why an event is refused that no move or set-up makes.
var errOdd = errors.New("it names a colour, a place or a card that there is not")

func in(n, least, most int8) bool { return n >= least && n <= most }

// Check implements domain.Checker.
func (p *Played) Check(e *domain.Event) error {
	fits := e.Seat >= 0 && e.Seat < MaxColours && in(int8(p.Robber), table.NoHex, table.HexCount-1) && in(int8(p.Card), int8(table.NoCard), table.CardKinds-1) &&
		p.Did != noKind && p.Phase != noPhase
	colours := []int8{int8(p.Next), int8(p.From), int8(p.Partner), p.Won[0]}
	if p.Cards != nil {
		colours = append(colours, p.Cards[:]...)
	}
	for _, c := range colours {
		fits = fits && in(c, NoColour, MaxColours-1)
	}
	fits = fits && (p.Did != KindGive || p.Partner != None)
	for _, x := range p.Pieces {
		most := int8(table.CornerCount - 1)
		if x.Sort == RoadPiece {
			most = table.PathCount - 1
		}
		fits = fits && x.Sort <= CityPiece && in(x.Colour, 0, MaxColours-1) && (x.Sort == NoPiece || in(x.At, 0, most))
	}
	if !fits {
		return errOdd
	}
	return nil
}

// Check implements domain.Checker.
func (u *Unseen) Check(*domain.Event) error {
	if !in(u.Card, 0, table.CardKinds) {
		return errOdd
	}
	return nil
}

// Check implements domain.Checker.
func (b *SetUp) Check(*domain.Event) error {
	if b.Seats < 2 || b.Seats > MaxColours || b.First < 0 || int(b.First) >= b.Seats || b.Given != nil && !b.Given.fits(b.Seats) {
		return errOdd
	}
	return nil
}

// fits tells whether a position has no more seats than the game, it is a seat's turn, and all of
// its places are on the island.
func (v *Position) fits(seats int) bool {
	fits := len(v.Players) <= seats && (len(v.Neutrals) == 0 || seats == 2 && len(v.Neutrals) <= 2) &&
		(v.Robber == nil || *v.Robber >= 0 && *v.Robber < table.HexCount) && len(v.Dice) <= 2
	for _, seat := range []string{v.First, v.Active} {
		fits = fits && len(seat) == 1 && seat[0] >= 'A' && int(seat[0]-'A') < seats
	}
	on := func(most int, places []int) {
		for _, at := range places {
			fits = fits && at >= 0 && at < most
		}
	}
	for i := range v.Players {
		p := &v.Players[i]
		on(table.PathCount, p.Roads)
		on(table.CornerCount, p.Settlements)
		on(table.CornerCount, p.Cities)
	}
	for i := range v.Neutrals {
		on(table.PathCount, v.Neutrals[i].Roads)
		on(table.CornerCount, v.Neutrals[i].Settlements)
	}
	for i := range v.Offers {
		fits = fits && v.Offers[i].Give != nil && v.Offers[i].Want != nil
	}
	return fits
}
