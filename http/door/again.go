package door

import (
	"context"
	"fmt"
	nethttp "net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// By returns the visit of somebody who comes by another door than HTTP.
func (h *Parts) By(ctx context.Context, person domain.PersonID, by string) (*Visit, error) {
	r, err := nethttp.NewRequestWithContext(ctx, nethttp.MethodPost, h.Public.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("a visit: %w", err)
	}
	return &Visit{Context: echo.New().NewContext(r, nil), Parts: h, Who: Who{Me: person}, Door: by}, nil
}

// MayAgain reports whether the reader may invite everybody at a table to another game: it is over, and they must have
// held a seat to the end.
func (v NewTables) MayAgain(look desk.Look) bool {
	return look.Table.IsOver() && len(look.Table.SeatsOf(v.Me)) > 0 && v.MayOpen() == nil
}

// Others returns the other games that the people of a table can play, each with as many seats.
func (v NewTables) Others(look desk.Look) (games []Word) {
	for _, rb := range v.Rulebooks {
		if _, fits := seating(rb, len(look.Table.Places)); fits && rb.Name() != look.Table.Rulebook {
			games = append(games, Word{Value: rb.Name(), Label: v.Book.Printer(v.Lang, rb.Name(), nil).Text("name")})
		}
	}
	return games
}

// seating returns with which choices a game is for a number of seats.
func seating(rb domain.Rulebook, seats int) (c domain.Choices, fits bool) {
	if key := SwitchFor(rb, nil, seats); key != "" {
		return domain.Choices{key: "on"}, true
	}
	least, most := rb.Seats(FullOr(rb, nil))
	return nil, seats >= least && seats <= most
}

// Again returns the table at which the people of one play the same game once more, or another one: that which one of
// them has opened, if it has the reader or waits for them, or else a new one.
func (v NewTables) Again(look desk.Look, game, name string) (events.Name, error) {
	if game == look.Table.Rulebook {
		game = ""
	}
	var people []domain.PersonID
	for _, p := range look.Table.Places {
		people = append(people, p.Holders...)
	}
	for round := 0; ; round++ {
		none := true
		for _, id := range people {
			table, ok, err := v.Desk.Opened(v.Ctx(), id, againBy(look, id, game, round))
			if err != nil {
				return table, err
			}
			if !ok {
				continue
			}
			none = false
			if there, err := v.Desk.Look(v.Ctx(), table); err != nil ||
				there.Table.Status != domain.TableEnded && there.Table.Knows(v.Me) {
				return table, err
			}
		}
		if none {
			ans, err := v.anew(look, game, name, againBy(look, v.Me, game, round))
			return ans.Table, err
		}
	}
}

// againBy is the command by which somebody opens a game once more, for the nth time: whoever looks for it finds the
// table.
func againBy(look desk.Look, id domain.PersonID, game string, round int) events.CommandID {
	return events.Derive("again", look.Name[:], []byte(id), []byte(game), []byte(strconv.Itoa(round)))
}

// anew opens a table of the same game, pace and rules, or of another game as it is usually played, and invites
// everybody to the seat they had. The name is its opener's, if they have none yet.
func (v NewTables) anew(look desk.Look, game, name string, id events.CommandID) (desk.Answer, error) {
	t := look.Table
	w := TableWish{Name: name, Before: t.Places,
		NewTable: desk.NewTable{Rulebook: t.Rulebook, Choices: t.Choices, Pace: t.Pace, Clock: t.Clock,
			NoUndo: t.NoUndo, Grace: t.Grace, Listed: t.Listed}}
	if game != "" && game != t.Rulebook {
		rb, ok := v.Rulebook(game)
		if !ok {
			return desk.Answer{}, domain.Refuse("no-game", "game", game)
		}
		w.Rulebook = game
		w.Choices, _ = seating(rb, len(t.Places))
	}
	for _, p := range t.Places {
		kind := "same"
		if len(p.Holders) == 1 && p.Holders[0] == v.Me {
			kind = "me"
		}
		w.Seats = append(w.Seats, SeatWish{Kind: kind})
	}
	return v.Open(func() (events.CommandID, error) { return id, nil }, w)
}
