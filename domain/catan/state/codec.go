package state

import (
	"encoding/json"
	"errors"
	"slices"

	"posthorn/domain"
	"posthorn/domain/catan/table"
	"posthorn/domain/kit"
)

// Codec lists every event type ever released.
func (Room) Codec() domain.Codec {
	played := kit.SecretType[Played, Unseen](TypePlayed)
	played.Body = func() any { return Nothing() }
	return domain.Codec{Types: []domain.EventType{kit.SecretType[SetUp, Held](TypeSetup), played, kit.SecretType[Dealt, Held](TypeDealt)}}
}

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
	return odd(!fits)
}

// Check implements domain.Checker.
func (u *Unseen) Check(*domain.Event) error { return odd(!in(u.Card, 0, table.CardKinds)) }

// Check implements domain.Checker.
func (b *SetUp) Check(*domain.Event) error {
	return odd(b.Seats < 2 || b.Seats > MaxColours || b.First < 0 || int(b.First) >= b.Seats || b.Given != nil && !b.Given.fits(b.Seats))
}

// odd refuses an event that no move or set-up makes.
func odd(is bool) error {
	if is {
		return errors.New("it names a colour, a place or a card that there is not")
	}
	return nil
}

// fits tells whether a position has the form of one for so many seats, it is a seat's turn, and offers are
// of something.
func (v *Position) fits(seats int) bool {
	text, err := json.Marshal(v)
	return err == nil && givenSchemas[seats].Fits(text) == nil && v.First != "" && v.Active != "" && (len(v.Neutrals) == 0 || seats == 2) &&
		!slices.ContainsFunc(v.Offers, func(o OfferView) bool { return o.Give == nil || o.Want == nil })
}
