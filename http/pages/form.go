package pages

import (
	"net/url"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/projections/turn"
)

// blank is an open-ended move to be filled in, as the page shows it.
type blank struct {
	Key    string
	Label  string
	Fields []blankField
}

type blankField struct {
	Name  string // of the form's inputs
	Label string
	Kind  domain.FieldKind
	Rows  []blankRow
	Max   int
}

type blankRow struct {
	Name, Value, Label string
}

// blanks renders a rulebook's forms: moves of the seat that is awaited, or its orders.
func (v *visit) blanks(m *turn.Model, forms []domain.Form) []blank {
	var out []blank
	for _, f := range forms {
		b := blank{Key: f.Key, Label: m.Say(f.Label)}
		for _, field := range f.Fields {
			bf := blankField{Name: field.Name, Label: m.Say(field.Label), Kind: field.Kind, Max: field.Max}
			for i, w := range field.Words {
				row := blankRow{Name: field.Name + "." + w, Value: w, Label: w}
				if i < len(field.Labels) {
					row.Label = m.Say(field.Labels[i])
				}
				bf.Rows = append(bf.Rows, row)
			}
			for _, seat := range field.Seats {
				row := blankRow{Name: field.Name, Value: seat.Letter(), Label: seat.Letter()}
				if int(seat) < len(m.Players) {
					row.Label = m.Players[seat].Name
				}
				bf.Rows = append(bf.Rows, row)
			}
			b.Fields = append(b.Fields, bf)
		}
		out = append(out, b)
	}
	return out
}

// filled writes the notation of a form that was filled in: its pattern with every field
// replaced. Seats stand by letter.
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
			for _, chosen := range q[field.Name] {
				if chosen == seat.Letter() {
					parts = append(parts, chosen)
				}
			}
		}
		return strings.Join(parts, " ")
	default:
		for _, w := range field.Words {
			if w == q.Get(field.Name) {
				return w
			}
		}
		return ""
	}
}

// formOf finds the form a query fills in, and its notation.
func formOf(m *turn.Model, q url.Values) (text string, ok bool) {
	for _, f := range m.Forms {
		if f.Key == q.Get("form") {
			return filled(f, q), true
		}
	}
	return "", false
}
