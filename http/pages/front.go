package pages

import (
	"errors"
	"slices"
	"strconv"

	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/http/door"
	"posthorn/projections/views"
)

// frontPage is what strangers see first: the games, and a board in play.
type frontPage struct {
	Games []offered
	Try   bool // newcomers may open a table, and so play a first game at once
	Live  *door.InboxRow
}

// offered is a game with its picture.
type offered struct {
	door.Game
	About, Length string // in words; "" if the game does not say
	Picture       string
	Rule          string // address of its rules; "" if it has none
	Selected      bool
}

func (v publicPages) offer(g door.Game) offered {
	return offered{Game: g, About: v.ofGame(g.Game, "about"), Length: v.ofGame(g.Game, "length"),
		Picture: gamePictureOf(g.Game), Rule: v.Rules(g.Game)}
}

// offers returns all games, with one of them selected.
func (v publicPages) offers(chosen string) []offered {
	var out []offered
	for i, g := range v.Games() {
		o := v.offer(g)
		o.Selected = g.Game == chosen || chosen == "" && i == 0
		out = append(out, o)
	}
	return out
}

// ofGame returns a game's text, or "" if it has none.
func (v publicPages) ofGame(game, key string) string {
	if !v.Book.Has(game + "." + key) {
		return ""
	}
	return v.Book.Printer(v.Lang, game, nil).Text(key)
}

// front shows the inbox to somebody signed in, and otherwise a welcome.
func (v publicPages) front() error {
	if !v.SignedIn() {
		return v.welcome()
	}
	from, _ := strconv.Atoi(v.QueryParam("from")) // anything but a number means the first part
	box, err := v.Lists().Inbox(from, inboxPart)
	if err != nil {
		return err
	}
	page := inboxPage{Inbox: box}
	for _, rows := range []*[]door.InboxRow{&box.Awaits, &box.Others} {
		*rows = slices.DeleteFunc(*rows, func(r door.InboxRow) bool {
			if r.Trial {
				page.Studies = append(page.Studies, r)
			}
			return r.Trial
		})
	}
	return v.render("inbox", sheet{Title: v.T("page.nav.inbox"), Mine: len(box.Awaits)+len(box.Invited) > 0, Wide: true,
		Styles: frontStyles, Body: page})
}

// inboxPage is what awaits the reader, their other games, and what they are studying alone, where nobody waits.
type inboxPage struct {
	*door.Inbox
	Studies []door.InboxRow
}

// inboxPart is how many unfinished games the inbox lists at once.
const inboxPart = 40

// frontStyles are the styles of the pages before and after a game.
var frontStyles = []string{"front.css"}

// welcome is the front page for strangers. It also shows its own form again if that was refused.
func (v publicPages) welcome() error {
	only, err := v.Signup()
	if err != nil {
		return err
	}
	page := frontPage{Games: v.offers(v.FormValue("game")), Try: v.Opening == door.OpenAnyone && only == ""}
	if err := v.Lists().Seen(); err != nil {
		return err
	}
	items, err := v.Views.Watched(v.Ctx(), 1)
	if err != nil {
		return err
	}
	rows, err := v.rows(items)
	if err != nil {
		return err
	}
	if len(rows) > 0 {
		page.Live = &rows[0]
	}
	return v.render("front", sheet{Wide: true, Styles: frontStyles, Body: page})
}

// rows returns tables as a list shows them to the reader, without those that cannot be read or that they may not see.
func (v publicPages) rows(items []views.Item) ([]door.InboxRow, error) {
	var out []door.InboxRow
	for _, it := range items {
		if err := v.MaySee(it.Table, v.Me); errors.Is(err, events.ErrNoStream) {
			continue
		} else if err != nil {
			return nil, err
		}
		m, err := v.Lists().Listed(it.Table)
		if err != nil {
			return nil, err
		}
		if m != nil {
			out = append(out, door.InboxRow{Table: it.Table, Game: it.Rulebook, Version: it.Version, Title: m.Title,
				Sentence: m.Sentence, Since: it.Moved})
		}
	}
	return out, nil
}

// another returns the table, other than this one, that has awaited the reader longest; "" if there is none.
func (v publicPages) another(table events.Name) (string, error) {
	waiting, err := v.Views.Awaiting(v.Ctx(), v.Me)
	if err != nil {
		return "", err
	}
	for _, name := range waiting {
		if name == table {
			continue
		}
		m, err := v.Lists().Listed(name)
		if err != nil {
			return "", err
		}
		if m != nil && m.Asked(desk.AskTurn) {
			return tablePath(name), nil
		}
	}
	return "", nil
}
