package kit

import "posthorn/domain"

// single holds the lists of a single turn, by seat and number: a game asks for one after every move, and usually gets
// the same again.
var single = func() (all [turnSeats][turnNumbers][1]domain.Decision) {
	for seat := range all {
		for n := range all[seat] {
			all[seat][n][0] = domain.Decision{Seat: domain.Seat(seat), Kind: "turn", Serial: n}
		}
	}
	return all
}()

const (
	turnSeats   = 4
	turnNumbers = 1 << 10
)

// OneTurn returns the list with a seat's turn, if nothing else is awaited. Callers must not change it.
func OneTurn(seat domain.Seat, number int) []domain.Decision {
	if seat >= 0 && seat < turnSeats && number >= 0 && number < turnNumbers {
		return single[seat][number][:]
	}
	return []domain.Decision{{Seat: seat, Kind: "turn", Serial: number}}
}
