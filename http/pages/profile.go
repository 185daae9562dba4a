package pages

import (
	"errors"
	"slices"

	"posthorn/domain"
	"posthorn/events/desk"
)

// profilePage is what somebody has played, and how they kept time.
type profilePage struct {
	Games []gameRecord
	Timed int // their seats at tables that keep time
	Spare int // days of time they had
	Spent int // and used
}

// gameRecord is what somebody has played of one game.
type gameRecord struct {
	Name, Picture          string
	Playing, Finished, Won int
}

// mostProfiled is how many tables a profile covers, latest first.
const mostProfiled = 300

// profile counts the reader's games. Only they can see it.
func (v settingsPages) profile() error {
	items, err := v.Lists().All()
	if err != nil {
		return err
	}
	var page profilePage
	records := map[string]*gameRecord{}
	for _, rb := range v.Rulebooks {
		records[rb.Name()] = &gameRecord{Name: v.Book.Printer(v.Lang, rb.Name(), nil).Text("name"),
			Picture: gamePictureOf(rb.Name())}
	}
	for _, it := range items[:min(len(items), mostProfiled)] {
		if !slices.Contains(it.Roles, "plays") || records[it.Rulebook] == nil {
			continue
		}
		look, err := v.Desk.Look(v.Ctx(), it.Table)
		if errors.As(err, new(*desk.Unreadable)) {
			continue
		}
		if err != nil {
			return err
		}
		page.count(look.Table, v.Me, records[it.Rulebook])
	}
	for _, rb := range v.Rulebooks {
		if r := records[rb.Name()]; r.Playing+r.Finished > 0 {
			page.Games = append(page.Games, *r)
		}
	}
	return v.render("profile", sheet{Title: v.T("page.profile.title"), Styles: frontStyles, Body: page})
}

// count adds the seats that somebody holds at a table.
func (p *profilePage) count(t *domain.Table, me domain.PersonID, r *gameRecord) {
	switch {
	case t.Status == domain.TableStarted:
		r.Playing++
	case t.Status == domain.TableEnded && t.End == domain.EndFinished:
		r.Finished++
	default:
		return // it never began, or was broken off
	}
	won := false
	for _, seat := range t.SeatsOf(me) {
		won = won || int(seat) < len(t.Ranks) && t.Ranks[seat] == 1
		if t.Clock != nil {
			p.Timed, p.Spare, p.Spent = p.Timed+1, p.Spare+t.Clock.Spare, p.Spent+t.Clock.Spare-t.SpareLeft(seat)
		}
	}
	if won {
		r.Won++
	}
}
