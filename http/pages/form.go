package pages

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
)

// filled returns the notation of a form that was filled in: its pattern with every field replaced. It names seats by
// letter.
func filled(f domain.Form, q url.Values) string {
	text := f.Pattern
	for _, field := range f.Fields {
		text = strings.ReplaceAll(text, "{"+field.Name+"}", fieldText(field, q))
	}
	return strings.Join(strings.Fields(text), " ")
}

func fieldText(field domain.Field, q url.Values) string {
	switch field.Kind {
	case domain.FieldAmounts:
		var parts []string
		for _, w := range field.Words {
			n, err := strconv.Atoi(strings.TrimSpace(q.Get(field.Name + "." + w)))
			if err == nil && n > 0 && n <= max(field.Max, 1) {
				parts = append(parts, strconv.Itoa(n)+" "+w)
			}
		}
		return strings.Join(parts, " ")
	case domain.FieldSeats:
		var parts []string
		for _, seat := range field.Seats {
			if slices.Contains(q[field.Name], seat.Letter()) {
				parts = append(parts, seat.Letter())
			}
		}
		return strings.Join(parts, " ")
	default:
		if chosen := q.Get(field.Name); slices.Contains(field.Words, chosen) {
			return chosen
		}
		return ""
	}
}

// formOf returns the notation of the form that a query fills in.
func formOf(forms []domain.Form, q url.Values) (text string, ok bool) {
	for _, f := range forms {
		if f.Key == q.Get("form") {
			return filled(f, q), true
		}
	}
	return "", false
}
