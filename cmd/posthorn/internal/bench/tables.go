package bench

import (
	"context"
	"fmt"
	"math/rand/v2"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// benchOpens opens a table, seats people there and starts the game.
func benchOpens(ctx context.Context, d *desk.Desk, game string, rnd *rand.Rand,
	who ...domain.PersonID) (events.Name, error) {
	var places []domain.TablePlace
	for _, id := range who {
		places = append(places, domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{id}})
	}
	ans, err := d.Open(ctx, events.Actor{Person: who[0], Door: domain.DoorHost}, events.NewCommandID(),
		desk.NewTable{Rulebook: game, Pace: "weekly", Places: places})
	if err != nil {
		return ans.Table, fmt.Errorf("open a table: %w", err)
	}
	for s, id := range who {
		chance := fmt.Sprintf("chance of seat %d: %x", s, rnd.Uint64())
		join := desk.Join{Seat: domain.Seat(s), Chance: []byte(chance)}
		if _, err := d.Do(ctx, events.Actor{Person: id, Door: domain.DoorHost}, ans.Table, events.NewCommandID(),
			join); err != nil {
			return ans.Table, fmt.Errorf("take a seat: %w", err)
		}
	}
	_, err = d.Advance(ctx, ans.Table)
	return ans.Table, err
}

// drawnMove draws one of the legal moves, all equally likely.
func drawnMove(look desk.Look, o domain.Open, rnd *rand.Rand) (move domain.Move) {
	if pick := look.Rulebook.Extras().PickLegal; pick != nil {
		move, _ = pick(look.Line.State, o.Seat, rnd.IntN)
		return move
	}
	seen := 0
	for m := range look.Rulebook.Legal(look.Line.State, o.Seat) {
		if seen++; rnd.IntN(seen) == 0 {
			move = m
		}
	}
	return move
}
