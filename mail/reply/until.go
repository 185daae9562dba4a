package reply

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"posthorn/domain"
)

// mostDays is how many days ahead a day may be.
const mostDays = 366

// Until reads until when somebody is away: a weekday, a date, tomorrow, or a number of days, in English, Portuguese or
// Polish. It returns the start of that day in the zone of now, or the zero time if the text is empty; ok is false if
// the text gives no day within the next year. Of the day on which they are back, it returns the day before.
func Until(text string, now time.Time) (day time.Time, ok bool) {
	if back, ok := after("return", text); ok {
		day, ok = Until(back, now)
		return day.AddDate(0, 0, -1), ok && day.After(now)
	}
	all := dayWords(text)
	for len(all) > 0 && typed.is("until", all[0]) {
		all = all[1:]
	}
	if len(all) == 0 {
		return time.Time{}, strings.TrimSpace(text) == ""
	}
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	if day, ok = span(all, today); !ok {
		rest := all[:0:0]
		for _, w := range all {
			if !typed.is("filler", w) {
				rest = append(rest, strings.Trim(w, "."))
			}
		}
		day, ok = named(rest, today)
	}
	if !ok || day.Before(today) || day.After(today.AddDate(0, 0, mostDays)) {
		return time.Time{}, false
	}
	return day, true
}

func dayWords(text string) []string {
	return strings.Fields(strings.NewReplacer(",", " ", "-feira", "").Replace(domain.Fold(text)))
}

// dayAlone reports whether a text has nothing but words and numbers that give a day.
func dayAlone(text string) (some bool) {
	for _, w := range dayWords(strings.TrimRight(text, ".! ")) {
		kinds := []string{"today", "tomorrow", "day", "week"}
		for m := 1; m <= 12; m++ {
			kinds = append(kinds, "month"+strconv.Itoa(m))
		}
		is := func(kind string) bool { return typed.is(kind, strings.Trim(w, ".")) }
		switch {
		case isDay(strings.Trim(w, ".")), slices.ContainsFunc(kinds, is), digit(w[0]) && strings.ContainsAny(w, "./-"):
			some = true
		case digit(w[0]), slices.ContainsFunc([]string{"until", "filler", "one"}, is):
		default:
			return false
		}
	}
	return some
}

// span reads "3 days" or "a week".
func span(all []string, today time.Time) (time.Time, bool) {
	n, err := strconv.Atoi(all[0])
	if typed.is("one", all[0]) {
		n, err = 1, nil
	}
	if err != nil || n < 1 || n > mostDays || len(all) != 2 {
		return time.Time{}, false
	}
	switch {
	case typed.is("day", all[1]):
		return today.AddDate(0, 0, n), true
	case typed.is("week", all[1]):
		return today.AddDate(0, 0, 7*n), true
	}
	return time.Time{}, false
}

// named reads a day by its name or date. A date without a year is the next such date.
func named(all []string, today time.Time) (time.Time, bool) {
	if len(all) == 1 {
		switch w := all[0]; {
		case typed.is("today", w):
			return today, true
		case typed.is("tomorrow", w):
			return today.AddDate(0, 0, 1), true
		}
		for n := 1; n <= 7; n++ {
			day := today.AddDate(0, 0, n)
			if typed.is(strings.ToLower(day.Weekday().String()), all[0]) {
				return day, true
			}
		}
		return dated3(strings.FieldsFunc(all[0], func(r rune) bool { return strings.ContainsRune("-./", r) }),
			strings.Contains(all[0], "-"), today)
	}
	if len(all) > 1 && len(all) < 4 {
		for m := 1; m <= 12; m++ {
			for i := range 2 {
				if typed.is("month"+strconv.Itoa(m), all[i]) {
					return dated3(append([]string{strings.TrimSuffix(strings.TrimRight(all[1-i], "."), "th"),
						strconv.Itoa(m)}, all[2:]...), false, today)
				}
			}
		}
		if isDay(all[0]) { // "Sunday 29 November", "niedz. 29.11."
			return named(all[1:], today)
		}
	}
	return time.Time{}, false
}

func isDay(w string) bool {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if typed.is(strings.ToLower(d.String()), w) {
			return true
		}
	}
	return false
}

// dated3 reads a day, a month and perhaps a year; with dashes the year comes first.
func dated3(parts []string, yearFirst bool, today time.Time) (time.Time, bool) {
	n := make([]int, len(parts))
	for i, p := range parts {
		var err error
		if n[i], err = strconv.Atoi(p); err != nil {
			return time.Time{}, false
		}
	}
	if yearFirst && len(n) == 3 {
		n[0], n[2] = n[2], n[0]
	}
	switch {
	case len(n) == 2:
		n = append(n, today.Year())
	case len(n) != 3:
		return time.Time{}, false
	}
	day := time.Date(n[2], time.Month(n[1]), n[0], 0, 0, 0, 0, today.Location())
	if day.Day() != n[0] || int(day.Month()) != n[1] {
		return time.Time{}, false
	}
	if len(parts) == 2 && day.Before(today) {
		day = day.AddDate(1, 0, 0)
	}
	return day, true
}
