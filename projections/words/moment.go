package words

import (
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// Moment writes a time as the clocks of its zone show it, with the day of the week: a deadline that
// said "in two hours" would be wrong an hour later.
func (p Printer) Moment(t time.Time) string {
	return p.Text("moment", "weekday", p.weekday(t), "day", p.dayOfMonth(t), "time", t.Format("15:04"), "zone", zone(t))
}

// Dated writes a time as the clocks of its zone show it, with the year: what a record says when it happened is
// read years later.
func (p Printer) Dated(t time.Time) string {
	return p.Text("dated", "day", p.dayOfMonth(t), "year", strconv.Itoa(t.Year()), "time", t.Format("15:04"), "zone", zone(t))
}

// Place writes which of a ranking somebody came: "2nd".
func (p Printer) Place(n int) string {
	form := plural.Ordinal.MatchPlural(language.Make(p.lang), n, 0, 0, 0, 0)
	return p.Text("place."+placeForms[form], "n", strconv.Itoa(n))
}

// placeForms are the forms in which an ordinal is written, as CLDR calls them.
var placeForms = map[plural.Form]string{plural.Other: "other", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many", plural.Zero: "zero"}

// Day writes the day of a time in its zone.
func (p Printer) Day(t time.Time) string {
	return p.Text("day", "weekday", p.weekday(t), "day", p.dayOfMonth(t))
}

func (p Printer) weekday(t time.Time) string {
	return p.Text("weekday." + strconv.Itoa(int(t.Weekday())))
}

func (p Printer) dayOfMonth(t time.Time) string {
	return p.Text("month."+strconv.Itoa(int(t.Month())), "n", strconv.Itoa(t.Day()))
}

// zone is what the zone of a time is called; one without a name of its own is told by its hours.
func zone(t time.Time) string {
	name, _ := t.Zone()
	if strings.HasPrefix(name, "+") || strings.HasPrefix(name, "-") {
		name = "UTC" + name
	}
	return name
}
