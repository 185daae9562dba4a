package bench

import (
	"context"
	"fmt"
	"math/rand/v2"

	"posthorn/domain"
	"posthorn/events"
)

// benchOpens opens a table, seats people there and starts the game.
func benchOpens(ctx context.Context, desk *events.Desk, game string, rnd *rand.Rand,
	who ...domain.PersonID) (events.Name, error) {
	var places []domain.TablePlace
	for _, id := range who {
		places = append(places, domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{id}})
	}
	ans, err := desk.Open(ctx, events.Actor{Person: who[0], Door: events.DoorHost}, events.NewCommandID(),
		events.NewTable{Rulebook: game, Pace: "weekly", Places: places})
	if err != nil {
		return ans.Table, fmt.Errorf("open a table: %w", err)
	}
	for s, id := range who {
		chance := fmt.Sprintf("chance of seat %d: %x", s, rnd.Uint64())
		join := events.Join{Seat: domain.Seat(s), Chance: []byte(chance)}
		if _, err := desk.Do(ctx, events.Actor{Person: id, Door: events.DoorHost}, ans.Table, events.NewCommandID(),
			join); err != nil {
			return ans.Table, fmt.Errorf("take a seat: %w", err)
		}
	}
	_, err = desk.Chores(ctx, ans.Table)
	return ans.Table, err
}

// chooser chooses a move for a decision. It returns nil if there is none.
type chooser func(look events.Look, o domain.Open, rnd *rand.Rand) domain.Move

// drawnMove draws one of the legal moves, all equally likely.
func drawnMove(look events.Look, o domain.Open, rnd *rand.Rand) (move domain.Move) {
	if picker := look.Rulebook.Extras().Picker; picker != nil {
		move, _ = picker.PickLegal(look.Line.State, o.Seat, rnd.IntN)
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

// busyMoves is how many moves of a game are played before its players pass.
const busyMoves = 90

// lastingMove draws moves at first, and then ends each turn as soon as possible: that keeps Catan and the Rivals going
// forever.
func lastingMove(look events.Look, o domain.Open, rnd *rand.Rand) (move domain.Move) {
	if look.LineHead.Version < busyMoves {
		return drawnMove(look, o, rnd)
	}
	for m := range look.Rulebook.Legal(look.Line.State, o.Seat) {
		switch look.Rulebook.FormatMove(m, nil) {
		case "end", "roll", "pass", "keep":
			return m
		}
		if move == nil {
			move = m
		}
	}
	return move
}

// benchPlay plays at a table until its line reaches a version, or the game ends.
func benchPlay(ctx context.Context, desk *events.Desk, table events.Name, version uint64, choose chooser,
	rnd *rand.Rand) (look events.Look, err error) {
	for {
		if look, err = desk.Look(ctx, table); err != nil || look.Table.Status == domain.TableEnded ||
			look.LineHead.Version >= version {
			return look, err
		}
		if len(look.Line.Awaited()) == 0 {
			if _, err := desk.Chores(ctx, table); err != nil {
				return look, err
			}
			continue
		}
		if _, err := benchMove(ctx, desk, look, choose, rnd); err != nil {
			return look, err
		}
	}
}

// benchMove plays a move for the first person asked.
func benchMove(ctx context.Context, desk *events.Desk, look events.Look, choose chooser, rnd *rand.Rand) (events.Answer,
	error) {
	o := look.Line.Awaited()[0]
	move := choose(look, o, rnd)
	if move == nil {
		return events.Answer{}, fmt.Errorf("seat %s is awaited and has no move", o.Seat.Letter())
	}
	by := events.Actor{Person: look.Table.Places[o.Seat].Holders[0], Door: events.DoorHost}
	ans, err := desk.Play(ctx, by,
		events.Move{ID: events.NewCommandID(), Table: look.Name, Line: look.LineName, Seat: o.Seat, Decision: o,
			Move: move})
	if err != nil {
		return ans, fmt.Errorf("play a move: %w", err)
	}
	return ans, nil
}
