package pages

import (
	"errors"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/http/door"
	"posthorn/projections/views"
)

// lobbyPage is what strangers may find: open seats, and boards to watch.
type lobbyPage struct {
	Open    []openRow
	Watched []door.InboxRow
}

// openRow is a table with a seat for anybody.
type openRow struct {
	door.InboxRow
	Free, Seats int
	Pace, Grace string
	Opened      time.Time
}

// mostListed is how many tables the lobby shows.
const mostListed = 40

// lobby lists the tables that their openers let strangers find.
func (v publicPages) lobby() error {
	if err := v.Lists().Seen(); err != nil {
		return err
	}
	open, err := v.Views.Lobby(v.Ctx(), mostListed)
	if err != nil {
		return err
	}
	watched, err := v.Views.Watched(v.Ctx(), mostListed)
	if err != nil {
		return err
	}
	var page lobbyPage
	for _, it := range open {
		rows, err := v.rows([]views.Item{it})
		if err != nil {
			return err
		}
		look, err := v.Desk.Look(v.Ctx(), it.Table)
		if err != nil {
			return err
		}
		for _, row := range rows {
			grace := ""
			if n := look.Table.Grace; n > 0 {
				grace = v.Book.Printer(v.Lang, "", nil).Text("grace", "n", n)
			}
			page.Open = append(page.Open, openRow{row, it.Open, it.Seats, v.T("page.pace." + look.Table.Pace), grace,
				it.Opened})
		}
	}
	if page.Watched, err = v.rows(watched); err != nil {
		return err
	}
	return v.render("lobby", sheet{Title: v.T("page.lobby.title"), Wide: true, Styles: frontStyles, Body: page})
}

// tried returns the game that a sign-in form or a mailed link is about; nil if there is none. The link names the game
// itself, so that it leads there in whatever browser it is opened.
func (v publicPages) tried() domain.Rulebook {
	rb, ok := v.Rulebook(v.FormValue("game"))
	if !ok {
		return nil
	}
	return rb
}

// Wants returns the name of the game that signing in should lead to; "" if there is none.
func (v *visit) Wants() string {
	if rb := v.public().tried(); rb != nil {
		return rb.Name()
	}
	return ""
}

// openTry opens a table for a newcomer and the computer, which plays all other seats that the game usually has, and
// returns its address. They take their seat there once their browser has the table's commitment: at once, unless they
// want to add something of their own to the luck.
func (v publicPages) openTry(rb domain.Rulebook) (path string, err error) {
	if err := v.NewTables().MayOpen(); errors.Is(err, door.ErrInvitedOnly) {
		return "/", nil
	} else if err != nil {
		return "", err
	}
	places := []domain.TablePlace{{Kind: domain.SeatPlayer, Invited: []domain.PersonID{v.Me}}}
	for len(places) < max(rb.Extras().Usual, 2) {
		places = append(places, domain.TablePlace{Kind: domain.SeatStandIn, StandIn: "steady"})
	}
	ans, err := v.Desk.Open(v.Ctx(), v.Actor(v.Me), events.NewCommandID(),
		desk.NewTable{Rulebook: rb.Name(), Pace: "relaxed", Places: places})
	if err != nil {
		return "", err
	}
	if v.FormValue("luck") == ownLuck {
		return tablePath(ans.Table) + "?luck=" + ownLuck, nil
	}
	v.Keep(sitCookie, ans.Table.String(), sitLasts)
	return tablePath(ans.Table), nil
}
