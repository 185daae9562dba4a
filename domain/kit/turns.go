package kit

import "posthorn/domain"

// single are the lists of a single turn, by seat and number: a game asks for one after every move, and is mostly given the
// same again.
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

// OneTurn is the list of a seat's turn where nothing else is awaited. It must not be changed.
func OneTurn(seat domain.Seat, number int) []domain.Decision {
	if seat >= 0 && seat < turnSeats && number >= 0 && number < turnNumbers {
		return single[seat][number][:]
	}
	return []domain.Decision{{Seat: seat, Kind: "turn", Serial: number}}
}
