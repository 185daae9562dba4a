package words

import (
	"strconv"
	"strings"
	"time"
)

// Moment formats a time as clocks in its zone show it, with the day of the week: a deadline that said "in two hours"
// would be wrong an hour later.
func (p Printer) Moment(t time.Time) string {
	return p.Text("moment", "weekday", p.weekday(t), "day", p.dayOfMonth(t), "time", t.Format("15:04"), "zone", zone(t))
}

// Dated formats a time as clocks in its zone show it, with the year: people read records years later.
func (p Printer) Dated(t time.Time) string {
	return p.Text("dated", "day", p.dayOfMonth(t), "year", strconv.Itoa(t.Year()), "time", t.Format("15:04"), "zone",
		zone(t))
}

// Date formats a time's day in its zone, with the year.
func (p Printer) Date(t time.Time) string {
	return p.Text("date", "day", p.dayOfMonth(t), "year", strconv.Itoa(t.Year()))
}

// Place formats somebody's place in a ranking: "2nd".
func (p Printer) Place(n int) string {
	_, in := p.find("place.other")
	return p.Text("place."+in.Ordinal(n), "n", strconv.Itoa(n))
}

// Day formats a time's day in its zone.
func (p Printer) Day(t time.Time) string {
	return p.Text("day", "weekday", p.weekday(t), "day", p.dayOfMonth(t))
}

func (p Printer) weekday(t time.Time) string {
	return p.Text("weekday." + strconv.Itoa(int(t.Weekday())))
}

func (p Printer) dayOfMonth(t time.Time) string {
	return p.Text("month."+strconv.Itoa(int(t.Month())), "n", strconv.Itoa(t.Day()))
}

// zone returns the name of a time's zone, or its hours if it has no name.
func zone(t time.Time) string {
	name, _ := t.Zone()
	if strings.HasPrefix(name, "+") || strings.HasPrefix(name, "-") {
		name = "UTC" + name
	}
	return name
}
