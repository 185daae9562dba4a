package door

import (
	"slices"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/calendar"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/projections/turn"
)

// zoned sets the visit's time zone to the person's; UTC if it is unknown.
func (v *Visit) zoned(p people.Person) { v.Zone, v.ZoneKnown = p.Location(), p.ZoneKnown }

// day parses a day.
func day(text string) (calendar.Day, error) {
	d, err := calendar.ParseDay(strings.TrimSpace(text))
	if err != nil {
		return d, domain.Refuse("day")
	}
	return d, nil
}

// awayUntil returns the span from today to a day.
func (v Settings) awayUntil(who domain.PersonID, text string) (calendar.Span, error) {
	until, err := day(text)
	if err != nil {
		return calendar.Span{}, err
	}
	today, err := v.People.Today(v.Ctx(), who)
	if err == nil && (until < today || until-today >= people.MostAway) {
		err = domain.Refuse("away-days", "most", people.MostAway)
	}
	return calendar.Span{From: today, Until: until}, err
}

// GoAway notes that the reader is on holiday for some days, and tells all their tables except one.
func (v Settings) GoAway(days calendar.Span, but events.Name) error {
	added, err := v.People.GoAway(v.Ctx(), v.Me, days)
	if err != nil {
		return err
	}
	var all []desk.Command
	for _, span := range added {
		all = append(all, desk.GoAway{Days: span})
	}
	return v.tellTables(but, all...)
}

// Back ends the reader's holidays, and tells all their tables except one.
func (v Settings) Back(but events.Name) error {
	if err := v.People.Back(v.Ctx(), v.Me); err != nil {
		return err
	}
	return v.tellTables(but, desk.ComeBack{})
}

// tellTables gives commands about the reader's time at all the tables where they play except one. A table that refuses
// one has nothing to be told.
func (v Settings) tellTables(but events.Name, all ...desk.Command) error {
	items, err := v.Lists().All() // including a table that has just begun
	if err != nil {
		return err
	}
	for _, it := range items {
		if it.Status != domain.TableStarted || it.Table == but || !slices.Contains(it.Roles, "plays") {
			continue
		}
		for _, c := range all {
			// A later absence may be of the same days: what came before is no reason not to tell it.
			_, err := v.Desk.Do(v.Ctx(), v.Actor(v.Me), it.Table, events.NewCommandID(), c)
			if _, refused := domain.AsRefusal(err); err != nil && !refused {
				return err // once a deadline has passed, the rest follows from the calendar
			}
		}
	}
	return nil
}

// timed are the actions that concern time.
var timed = []Action{
	{"away", "until", "away", func(v Commands, at At, in Input) (desk.Command, error) {
		days, err := v.Settings().awayUntil(at.By, in.Until)
		if err == nil && in.Everywhere && v.SignedIn() && v.Me == at.By {
			err = v.Settings().GoAway(days, at.Table)
		}
		return desk.GoAway{Days: days}, err
	}},
	{"back", "", "back", func(v Commands, at At, in Input) (desk.Command, error) {
		if in.Everywhere && v.SignedIn() && v.Me == at.By {
			return desk.ComeBack{}, v.Settings().Back(at.Table)
		}
		return desk.ComeBack{}, nil
	}},
	{"nudge", "seat", "nudged", ofSeat[desk.Nudge]},
	{"need", "seat until", "longer", func(_ Commands, _ At, in Input) (desk.Command, error) {
		until, err := day(in.Until)
		return desk.NeedTime{Seat: in.Seat.At(), Until: until}, err
	}},
	{"pause", "until reason", "proposed", func(v Commands, _ At, in Input) (desk.Command, error) {
		until, err := day(in.Until)
		if err != nil {
			return nil, err
		}
		reason, err := v.written(string(in.Reason), false)
		return desk.ProposePause{Until: until, Written: reason}, err
	}},
	{"lend", "seat", "lent", ofSeat[desk.Lend]},
	{"offer", "seat address language name", "invited", func(v Commands, at At, in Input) (desk.Command, error) {
		whom, err := v.Invitations().invites(at, in, "not-a-player", func(t *domain.Table) bool {
			return len(t.SeatsOf(at.By)) > 0
		})
		return desk.OfferSeat{Seat: in.Seat.At(), Person: whom}, err
	}},
	{"withdraw", "seat", "refused", ofSeat[desk.WithdrawOffer]},
	{"takeover", "seat", "joined", ofSeat[desk.TakeOver]},
	{"return", "seat", "back", ofSeat[desk.Return]},
}

// TimeOuts are what may happen at a table when somebody's time runs out.
func TimeOuts() []string {
	out := make([]string, len(domain.TimeOuts))
	for i, o := range domain.TimeOuts {
		out[i] = string(o)
	}
	return out
}

// DueOf returns the earliest deadline of what a table asks of the reader; zero if there is none.
func DueOf(m *turn.Model) (due time.Time) {
	for _, a := range m.Asks {
		if !a.Due.IsZero() && (due.IsZero() || a.Due.Before(due)) {
			due = a.Due
		}
	}
	return due
}
