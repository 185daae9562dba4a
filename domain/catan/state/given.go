package state

import (
	"encoding/json"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/domain/catan/table"
	"posthorn/domain/kit"
)

// ReadGiven reads a position that was set up by hand, once it has the form of one; nil if none was.
func ReadGiven(raw json.RawMessage, seats int) (*Position, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	if m := givenSchemas[min(max(seats, 2), MaxColours)].Fits(raw); m != nil {
		return nil, m.Refusal("given")
	}
	var v Position
	if err := json.Unmarshal(raw, &v); err != nil { // what the schema leaves open: how many hexes
		return nil, kit.BadGiven("board", "…", "board")
	}
	return &v, nil
}

// givenSchemas are the forms of positions, by the number of seats.
var givenSchemas = func() (all [MaxColours + 1]*domain.Schema) {
	for n := 2; n <= MaxColours; n++ {
		all[n] = givenSchema(n)
	}
	return all
}()

func givenSchema(seats int) *domain.Schema {
	var who []string
	for c := range int8(seats) {
		who = append(who, Letter(c))
	}
	holders := append([]string{""}, who...)
	if seats == 2 {
		holders = append(holders, table.NeutralLetters[:]...)
	}
	seat := domain.TextOf(func(w string) (domain.Say, bool) {
		return domain.S("given.seat", "allowed", strings.Join(who, ", ")), w == "" || slices.Contains(who, strings.ToUpper(w))
	})
	paths, corners := domain.ListOf(domain.NumberOf(0, table.PathCount-1), table.PathCount), domain.ListOf(domain.NumberOf(0, table.CornerCount-1), table.CornerCount)
	cards := domain.CountsOf(table.CardsOfKind, func(word string) (domain.Say, bool) {
		_, ok := table.ResourceNamed(word)
		return domain.S("given.resource"), ok
	})
	developments := domain.CountsOf(25, func(word string) (domain.Say, bool) {
		_, ok := table.CardNamed(word)
		return domain.S("given.development"), ok
	})
	small, many := domain.NumberOf(0, 100), domain.NumberOf(0, 1<<30)
	board := func(good func(string) bool) *domain.Schema {
		return domain.TextOf(func(w string) (domain.Say, bool) { return domain.S("given.board"), good(w) })
	}
	return domain.ObjectOf(map[string]*domain.Schema{
		"viewer": domain.TextOf(nil), "target": small, "friendly": domain.SwitchOf(),
		"board": domain.ObjectOf(map[string]*domain.Schema{
			"hexes":    domain.ListOf(board(func(w string) bool { _, _, ok := table.ParseHex(w); return ok }), table.HexCount),
			"harbours": domain.ListOf(board(func(w string) bool { _, ok := table.ParseHarbour(w); return ok }), table.HarbourCount),
		}),
		"robber": domain.NumberOf(0, table.HexCount-1), "phase": domain.WordOf(PhaseWords[:]...), "back": domain.WordOf(PhaseMain.String(), PhaseRoll.String()),
		"first": seat, "active": seat, "turn": domain.NumberOf(0, 1<<14), "stint": many, "founded": domain.NumberOf(0, 2*MaxColours),
		"rolls": domain.NumberOf(0, 2), "dice": domain.ListOf(domain.ListOf(domain.NumberOf(1, 6), 2), 2),
		"card_played": domain.SwitchOf(), "token_used": domain.SwitchOf(), "refilled": domain.SwitchOf(), "built": domain.SwitchOf(),
		"due":  domain.ObjectOf(map[string]*domain.Schema{"roads": domain.NumberOf(0, 2), "settlements": domain.NumberOf(0, 1)}),
		"bank": cards, "deck": domain.NumberOf(0, 25), "deck_cards": developments,
		"players": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"seat": seat, "roads": paths, "settlements": corners, "cities": corners, "hand": cards, "hand_size": small,
			"cards": developments, "card_count": small, "fresh": developments, "fresh_count": small, "knights": domain.NumberOf(0, 25), "spent": developments,
			"road_length": small, "tokens": domain.NumberOf(0, 20), "owes": domain.NumberOf(0, 95), "points": small,
		}), seats),
		"neutrals": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"name": domain.WordOf(table.NeutralLetters[:]...), "roads": paths, "settlements": corners, "road_length": small,
		}), 2),
		"longest": domain.WordOf(holders...), "army": domain.WordOf(holders...),
		"offers": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"by": seat, "number": domain.NumberOf(-(1 << 30), 1<<30), "give": cards, "want": cards, "to": domain.ListOf(seat, seats), "yes": domain.ListOf(seat, seats),
			"no": domain.ListOf(seat, seats), "ask": domain.SwitchOf(),
		}), seats),
		"offer_count": domain.NumberOf(-(1 << 30), 1<<30), "supply": domain.NumberOf(0, 20), "still": small, "winner": seat,
	})
}
