package pages

import (
	"cmp"
	"html/template"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/http/door"
	"posthorn/projections/turn"
)

// trade is a form put together from pictures of cards: a sentence, and what may be added to it. Each card is a link to
// the page with a changed sentence; the form decides which move the sentence is.
type trade struct {
	Label string
	Sides []tradeSide
	Whom  string // what the seats are asked for
	Seats []tradeSeat
	Kinds []tradeKind // the forms filled in the same way
	Bank  *tradeKind  // the bank accepts it too
	Back  string      // the page without the sentence
	Swaps []shownDeed // what one step exchanges with the bank
}

// tradeSide is one field for amounts.
type tradeSide struct {
	Label string
	Laid  []tradeCard // in the sentence
	Cards []tradeCard // may be added
}

type tradeCard struct {
	Word string // in the reader's language
	HTML template.HTML
	Href string // "" if no more may be added
	Left int    // how many more there are; -1 if unknown
	Rate int    // how many the bank takes for one; 0 if unknown
	Spot string // the field and its word: "give.wool"
}

type tradeSeat struct {
	Seat domain.Seat
	Name string
	Href string
	On   bool
}

type tradeKind struct {
	Label string
	Href  string
	On    bool
}

// composed reports whether a form is put together from pictures.
func composed(m *turn.Model, f domain.Form) bool {
	some := false
	for _, field := range f.Fields {
		for _, w := range field.Words {
			if field.Kind != domain.FieldAmounts || m.Pictured(w).W == 0 {
				return false
			}
			some = true
		}
	}
	return some
}

// Filled returns the forms that are filled in field by field.
func (g *gamePage) Filled() []domain.Form {
	return slices.DeleteFunc(slices.Clone(g.M.Forms), func(f domain.Form) bool { return composed(g.M, f) })
}

// Trades returns the forms that are put together from pictures, one of each set filled in the same way.
func (g *gamePage) Trades() (list []tradeKind) {
	var shapes []string
	for _, f := range g.M.Forms {
		if composed(g.M, f) && !slices.Contains(shapes, shapeOf(f)) {
			shapes = append(shapes, shapeOf(f))
			list = append(list, tradeKind{Label: g.M.Say(f.Label),
				Href: tradeAddress(g.Self, url.Values{"form": {f.Key}})})
		}
	}
	return list
}

// compose leaves on the page only what belongs to the sentence being put together: one thing at a time.
func (g *gamePage) compose() {
	if g.Trade == nil {
		return
	}
	if g.Ready == nil {
		g.Trade.Swaps = slices.DeleteFunc(g.Deeds, func(d shownDeed) bool {
			return len(d.Swaps) == 0 || d.Both
		})
	}
	g.Picks, g.Deeds, g.Once, g.Out, g.Ends, g.Always, g.Back = nil, nil, nil, nil, nil, nil, g.Trade.Back
	if g.Ready == nil {
		g.Headline = g.Trade.Label
	}
}

// shapeOf returns the same text for forms with the same fields.
func shapeOf(f domain.Form) string {
	var names []string
	for _, field := range f.Fields {
		names = append(names, field.Name)
	}
	return strings.Join(names, " ")
}

func tradeAddress(self string, q url.Values) string {
	u, err := url.Parse(self)
	if err != nil {
		return self
	}
	all := u.Query()
	maps.Copy(all, q)
	u.RawQuery, u.Fragment = all.Encode(), "trade"
	return u.String()
}

// trade reads the sentence in an address; nil if there is none. whole reports whether every side of it holds something,
// so that it is a move.
func (g *gamePage) trade(q url.Values) (t *trade, whole bool, err error) {
	i := slices.IndexFunc(g.M.Forms, func(f domain.Form) bool { return f.Key == q.Get("form") && composed(g.M, f) })
	if i < 0 {
		return nil, false, nil
	}
	f := g.M.Forms[i]
	laid := sentence(f, q)
	t, whole = &trade{Label: g.M.Say(f.Label), Back: g.with(nil)}, true
	for _, field := range f.Fields {
		if field.Kind == domain.FieldSeats {
			t.Whom = g.M.Say(field.Label)
			t.seats(g, field, laid)
			continue
		}
		side, n, err := g.tradeSide(f, field, laid)
		if err != nil {
			return nil, false, err
		}
		t.Sides, whole = append(t.Sides, side), whole && n > 0
	}
	for _, o := range g.M.Forms {
		if shapeOf(o) == shapeOf(f) && composed(g.M, o) {
			t.Kinds = append(t.Kinds, tradeKind{cmp.Or(g.M.Say(o.Apart), g.M.Say(o.Label)),
				tradeAddress(g.Self, with(laid, "form", o.Key)), o.Key == f.Key})
		}
	}
	t.Bank = g.bank(f, laid)
	return t, whole, nil
}

// sentence returns only what an address says about a form: its key, amounts within what there is, and seats (all of
// them if it names none).
func sentence(f domain.Form, q url.Values) url.Values {
	out := url.Values{"form": {f.Key}}
	for _, field := range f.Fields {
		for i, w := range field.Words {
			if n, err := strconv.Atoi(q.Get(field.Name + "." + w)); err == nil && n > 0 {
				if field.Have != nil {
					n = min(n, field.Have[i])
				}
				if n = min(n, max(field.Max, 1)); n > 0 {
					out.Set(field.Name+"."+w, strconv.Itoa(n))
				}
			}
		}
		for _, seat := range field.Seats {
			if q[field.Name] == nil || slices.Contains(q[field.Name], seat.Letter()) {
				out.Add(field.Name, seat.Letter())
			}
		}
	}
	return out
}

// with returns a sentence with one thing changed.
func with(q url.Values, name string, values ...string) url.Values {
	out := maps.Clone(q)
	if out[name] = values; len(values) == 0 || values[0] == "0" {
		delete(out, name)
	}
	return out
}

func (g *gamePage) tradeSide(f domain.Form, field domain.Field, laid url.Values) (side tradeSide, all int, err error) {
	side.Label = g.M.Say(field.Label)
	for i, w := range field.Words {
		name := field.Name + "." + w
		n, _ := strconv.Atoi(laid.Get(name)) // made by this package
		all += n
		c := tradeCard{Word: door.WordOf(g.M, field, i), Left: -1, Spot: name}
		if c.HTML, err = small(g.M.Pictured(w)); err != nil {
			return side, 0, err
		}
		more := c
		if field.Have != nil {
			more.Left = field.Have[i] - n
			for _, r := range f.Rates {
				if r.Word == w {
					more.Rate = r.N
				}
			}
		}
		if n < max(field.Max, 1) && more.Left != 0 && !(f.Apiece && elsewhere(f, field, w, laid)) {
			more.Href = tradeAddress(g.Self, with(laid, name, strconv.Itoa(n+1)))
		}
		side.Cards = append(side.Cards, more)
		c.Href = tradeAddress(g.Self, with(laid, name, strconv.Itoa(n-1)))
		side.Laid = append(side.Laid, slices.Repeat([]tradeCard{c}, n)...)
	}
	return side, all, nil
}

// elsewhere reports whether a word stands in another field of a sentence.
func elsewhere(f domain.Form, field domain.Field, word string, laid url.Values) bool {
	return slices.ContainsFunc(f.Fields, func(o domain.Field) bool {
		return o.Name != field.Name && laid.Has(o.Name+"."+word)
	})
}

// seats lists the seats that may be asked; the last one cannot be removed.
func (t *trade) seats(g *gamePage, field domain.Field, laid url.Values) {
	asked := laid[field.Name]
	for _, seat := range field.Seats {
		s := tradeSeat{Seat: seat, Name: g.M.Players[seat].Name, On: slices.Contains(asked, seat.Letter())}
		others := slices.DeleteFunc(slices.Clone(asked), func(l string) bool { return l == seat.Letter() })
		switch {
		case !s.On:
			s.Href = tradeAddress(g.Self, with(laid, field.Name, append(others, seat.Letter())...))
		case len(others) > 0:
			s.Href = tradeAddress(g.Self, with(laid, field.Name, others...))
		}
		t.Seats = append(t.Seats, s)
	}
}

// bank returns the move by which the bank accepts the sentence; nil if it does not.
func (g *gamePage) bank(f domain.Form, laid url.Values) *tradeKind {
	var sides []map[string]int
	for _, field := range f.Fields {
		if field.Kind != domain.FieldAmounts {
			continue
		}
		side := map[string]int{}
		for _, w := range field.Words {
			if n, _ := strconv.Atoi(laid.Get(field.Name + "." + w)); n > 0 {
				side[w] = n
			}
		}
		sides = append(sides, side)
	}
	if len(sides) != 2 || len(sides[0]) != 1 || len(sides[1]) != 1 {
		return nil
	}
	for _, r := range f.Rates {
		for want, n := range sides[1] {
			if sides[0][r.Word] != r.N || n != 1 {
				continue
			}
			move, err := g.M.Parse(strings.ReplaceAll(r.Pattern, "{word}", want))
			if err != nil {
				return nil
			}
			if keys, ok := g.M.KeysOf(move); ok {
				return &tradeKind{Label: g.M.Text("page.trade.bank"), Href: g.with(keys)}
			}
		}
	}
	return nil
}
