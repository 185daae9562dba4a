package rulebooktest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// judged checks Legal against Decide: listed moves are accepted, others refused.
func (g *game) judged(seat domain.Seat) {
	all := legal(g.rb, g.line.State, seat)
	require.Equal(g.t, all, legal(g.rb, g.line.State, seat), "%s: legal moves are listed in one order", g.where)
	is := make(map[domain.Move]bool, len(all))
	for _, m := range all {
		require.False(g.t, is[m], "%s: %s is listed twice", g.where, g.rb.FormatMove(m, nil))
		is[m] = true
	}
	for range g.rb.Legal(g.line.State, seat) {
		break // a caller may stop early
	}
	g.picked(seat, all)
	notations := map[string]domain.Move{}
	for _, m := range g.sample(all) {
		g.accepted(seat, m)
		g.written(m, notations)
		g.ordered(seat, m)
	}
	others := g.sample(g.pool)
	if g.cfg.Conceivable != nil {
		others = slices.AppendSeq(others, g.cfg.Conceivable(g.line.State, seat))
	}
	for _, m := range append(others, g.mistyped(all)...) {
		if !is[m] {
			g.refusedOrAlike(seat, m, all)
		}
	}
}

// ordered checks that an order for a move can be given, is in canonical form, and can be told in words.
func (g *game) ordered(seat domain.Seat, m domain.Move) {
	orders := g.rb.Extras().Orders
	if orders == nil {
		return
	}
	for _, o := range g.line.Awaited() {
		if o.Seat != seat {
			continue
		}
		order := orders.OrderFor(m, o.Decision, g.rb.View(g.line.State, domain.ViewOf(seat)))
		if order == "" {
			continue
		}
		kept, err := orders.ReadOrder(order, nil)
		require.NoError(g.t, err, "%s: the order for %s", g.where, g.rb.FormatMove(m, nil))
		require.Equal(g.t, kept, order, g.where)
		require.NotEmpty(g.t, orders.TellOrder(order, g.rb.View(g.line.State, domain.ViewOf(seat))), "%s: %s", g.where,
			order)
	}
}

// picked checks that a rulebook that picks one legal move by its number picks that of its list.
func (g *game) picked(seat domain.Seat, all []domain.Move) {
	pick := g.rb.Extras().PickLegal
	if pick == nil {
		return
	}
	for i, m := range all {
		got, n := pick(g.line.State, seat, func(int) int { return i })
		require.Equal(g.t, len(all), n, "%s: as many legal moves are counted as listed", g.where)
		require.Equal(g.t, m, got, "%s: the legal move number %d", g.where, i)
	}
	if len(all) == 0 {
		got, n := pick(g.line.State, seat, func(int) int { panic("asked for one of none") })
		require.Nil(g.t, got, g.where)
		require.Zero(g.t, n, g.where)
	}
}

// sample takes some of many.
func (g *game) sample(all []domain.Move) []domain.Move {
	if len(all) <= g.cfg.Tries {
		return slices.Clone(all)
	}
	some := slices.Clone(all)
	for i := range g.cfg.Tries {
		j := i + g.dice.below(len(some)-i)
		some[i], some[j] = some[j], some[i]
	}
	return some[:g.cfg.Tries]
}

// decide judges a move as the line would, always with the same luck.
func (g *game) decide(s domain.State, seat domain.Seat, m domain.Move) (domain.Event, error) {
	luck := domain.NewThrowaway(7).Begin()
	e, err := g.rb.Decide(s, seat, m, luck)
	if err != nil {
		return e, err
	}
	e.Seat, e.Draws = seat, luck.Used()
	if e.Move == "" {
		e.Move = g.rb.FormatMove(m, nil)
	}
	return e, nil
}

// after returns the referee's view after a move, with the event.
func (g *game) after(s domain.State, seat domain.Seat, m domain.Move) (string, error) {
	e, err := g.decide(s, seat, m)
	if err != nil {
		return "", err
	}
	c := g.rb.Clone(s)
	g.rb.Evolve(c, &e)
	return g.truth(c), nil
}

func (g *game) accepted(seat domain.Seat, m domain.Move) {
	first, err := g.decide(g.line.State, seat, m)
	require.NoError(g.t, err, "%s: %s is listed as legal, but refused", g.where, g.rb.FormatMove(m, nil))
	second, err := g.decide(g.line.State, seat, m)
	require.NoError(g.t, err)
	a, _, err := g.codec.Encode(&first)
	require.NoError(g.t, err)
	b, _, err := g.codec.Encode(&second)
	require.NoError(g.t, err)
	require.Equal(g.t, string(a), string(b), "%s: the same move with the same luck makes the same event", g.where)
}

// refusedOrAlike checks that a move that is not listed is refused with a reason, or is another way of writing a listed
// one, or fills in a form.
func (g *game) refusedOrAlike(seat domain.Seat, m domain.Move, all []domain.Move) {
	came, err := g.after(g.line.State, seat, m)
	if err != nil {
		refusal, ok := domain.AsRefusal(err)
		require.True(g.t, ok, "%s: %s: not a refusal: %v", g.where, g.rb.FormatMove(m, nil), err)
		g.words.holds(refusal.Say(), g.where)
		g.isTrue(g.line.State, seat, m, refusal)
		return
	}
	if len(g.rb.Forms(g.line.State, seat)) > 0 {
		return
	}
	for _, l := range all {
		if alike, err := g.after(g.line.State, seat, l); err == nil && alike == came {
			return
		}
	}
	require.Fail(g.t, "a move is accepted that is not listed as legal", "%s: %s", g.where, g.rb.FormatMove(m, nil))
}

// written checks that notation is read back as meant, by letters and by names, in any case and spacing.
func (g *game) written(m domain.Move, seen map[string]domain.Move) {
	letters, named := g.rb.FormatMove(m, nil), g.rb.FormatMove(m, g.names)
	require.NotEmpty(g.t, letters)
	if other, ok := seen[letters]; ok {
		require.Equal(g.t, other, m, "%s: two moves are written %q", g.where, letters)
	}
	seen[letters] = m
	for text, names := range map[string][]string{
		letters: nil, strings.ToUpper(letters): nil, strings.ToLower(letters): nil,
		"  " + strings.ReplaceAll(letters, " ", "   ") + "\t": nil,
	} {
		g.readAs(m, text, names)
	}
	g.readAs(m, named, g.names)
	g.readAs(m, strings.ToUpper(named), g.names)
	require.Equal(g.t, strings.TrimSpace(letters), letters)
	require.NotContains(g.t, letters, "\n")
}

func (g *game) readAs(m domain.Move, text string, names []string) {
	back, err := g.rb.ParseMove(text, names)
	require.NoError(g.t, err, "%s: %q cannot be read", g.where, text)
	require.Equal(g.t, m, back, "%s: %q was read as %q", g.where, text, g.rb.FormatMove(back, names))
}

// mistyped returns the moves that result from notation with a word or a sign changed, if it can still be read.
func (g *game) mistyped(all []domain.Move) []domain.Move {
	var out []domain.Move
	for _, m := range g.sample(all)[:min(len(all), g.cfg.Tries, 40)] {
		for _, text := range mutations(g.rb.FormatMove(m, nil), g.dice) {
			if back, err := g.rb.ParseMove(text, nil); err == nil {
				out = append(out, back)
			}
		}
	}
	return out
}

func mutations(text string, d *dice) []string {
	const signs = "0123456789-, NESWABCDnew?"
	at := d.below(len(text) + 1)
	sign := string(signs[d.below(len(signs))])
	out := []string{text[:at] + sign + text[at:]}
	if at < len(text) {
		out = append(out, text[:at]+text[at+1:], text[:at]+sign+text[at+1:])
	}
	words := strings.Fields(text)
	i, j := d.below(len(words)), d.below(len(words))
	words[i], words[j] = words[j], words[i]
	return append(out, strings.Join(words, " "), strings.Join(words[:len(words)-1], " "))
}

// notationHolds checks that any text is a move or a refusal, and that a move's notation reads back as the same move.
func notationHolds(t T, rb domain.Rulebook) {
	names := []string{"Ana", "Bo"}
	for _, text := range []string{"", " ", "?", "-", ",", "0", "Ana", "1,0", "1,0 90 road W",
		"9999999999999999999999,1 0", "-1,-1 -90",
		"\x00", "\xff\xfe", "é", "１,０ 90", strings.Repeat("9", 1000), strings.Repeat("road ", 500), "keep keep",
		"offer 1 for", "Ana: keep"} {
		readAgain(t, rb, text, names, names)
	}
}

// stepsLead checks that the keys a person chooses one after another lead to one move, that no move is finished halfway
// to another, and that the drawing has every spot that can be pressed.
func (g *game) stepsLead(seat domain.Seat) {
	all := legal(g.rb, g.line.State, seat)
	var (
		ends   = map[string]domain.Move{}
		inner  = map[string]bool{}
		labels = map[string]string{}
		called = map[string]string{}
		next   = map[string]map[string]domain.Step{}
	)
	for _, m := range all {
		steps := g.rb.Steps(g.line.State, m)
		require.NotEmpty(g.t, steps, "%s: %s has no steps", g.where, g.rb.FormatMove(m, nil))
		path := ""
		for i, s := range steps {
			require.Regexp(g.t, `^[A-Za-z0-9,.:;+*_~!'()@=-]+$`, s.Key, "%s: a key is fit for an address", g.where)
			g.words.holds(s.Label, g.where)
			if s.Where.Key != "" {
				g.words.holds(s.Where, g.where)
			}
			if next[path] == nil {
				next[path] = map[string]domain.Step{}
			}
			next[path][s.Key] = s
			g.placed(m, path, s, called)
			path += "/" + s.Key
			if known, ok := labels[path]; ok {
				require.Equal(g.t, known, asJSON(g.t, s.Label), "%s: the step %s has two labels", g.where, path)
			}
			labels[path] = asJSON(g.t, s.Label)
			if i < len(steps)-1 {
				inner[path] = true
			}
		}
		other, taken := ends[path]
		require.False(g.t, taken, "%s: %s leads to two moves: %s and %s", g.where, path, g.rb.FormatMove(m, nil),
			formatted(g.rb, other))
		ends[path] = m
	}
	for path, open := range next {
		g.few(path, open)
	}
	for path := range ends {
		require.False(g.t, inner[path], "%s: %s is a whole move, and the beginning of another", g.where, path)
	}
	g.spotsDrawn(seat, next)
}

// placed checks that a place's name is its words in the notation, and that no other choice beside it has the same name.
func (g *game) placed(m domain.Move, path string, s domain.Step, called map[string]string) {
	if s.Place == "" {
		return
	}
	at := path + " " + strings.ToLower(s.Place)
	key, taken := called[at]
	require.False(g.t, taken && key != s.Key, "%s: after %q %s and %s are both called %s", g.where, path, key, s.Key,
		s.Place)
	called[at] = s.Key
	require.True(g.t, g.reads(m, strings.Fields(s.Place)), "%s: the place %s is called otherwise in the notation, %s",
		g.where, s.Place, g.rb.FormatMove(m, nil))
}

// reads reports whether a move's notation contains a place's words in order, or reads as the same move with those words
// in place of its own.
func (g *game) reads(m domain.Move, place []string) bool {
	words, found := strings.Fields(g.rb.FormatMove(m, nil)), 0
	for _, w := range words {
		if found < len(place) && w == place[found] {
			found++
		}
	}
	for i := 0; found < len(place) && i < len(words); i++ {
		for j := i + 1; j <= len(words); j++ {
			got, err := g.rb.ParseMove(strings.Join(slices.Concat(words[:i], place, words[j:]), " "), nil)
			if err == nil && got == m {
				return true
			}
		}
	}
	return found == len(place)
}

func formatted(rb domain.Rulebook, m domain.Move) string {
	if m == nil {
		return "-"
	}
	return rb.FormatMove(m, nil)
}

// spotsDrawn offers the choices of some paths on the drawing, which must show them: on a page as places without names,
// in a mail, which asks for the first ones, each with its name.
func (g *game) spotsDrawn(seat domain.Seat, next map[string]map[string]domain.Step) {
	paths := []string{""}
	for p := range next {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	if len(paths) > 4 {
		i := 1 + g.dice.below(len(paths)-3)
		paths = append(paths[:1], paths[i:i+3]...)
	}
	view := g.rb.View(g.line.State, domain.ViewOf(seat))
	for _, p := range paths {
		var sketch domain.Sketch
		if p != "" {
			sketch.Chosen = strings.Split(p[1:], "/")
		}
		for _, s := range next[p] {
			if s.Spot != "" {
				sketch.Open = append(sketch.Open, domain.Spot{Key: s.Key, Spot: s.Spot, Name: cmp.Or(s.Place, "q")})
			}
		}
		slices.SortFunc(sketch.Open, func(a, b domain.Spot) int { return strings.Compare(a.Key, b.Key) })
		seen := g.drawn(view, sketch)
		for _, o := range sketch.Open {
			require.True(g.t, seen.spots[o.Spot], "%s: after %q the drawing has no spot %q", g.where, p, o.Spot)
		}
		if p == "" {
			g.namesDrawn(view, sketch)
		}
	}
}

func (g *game) namesDrawn(view domain.View, sketch domain.Sketch) {
	page := g.drawn(view, sketch)
	sketch.Narrow = true
	mail := g.drawn(view, sketch)
	for _, o := range sketch.Open {
		require.True(g.t, mail.texts[o.Name] || mail.texts[strings.ReplaceAll(o.Name, " ", "")],
			"%s: a mail's drawing does not call %q %q", g.where, o.Spot, o.Name)
	}
	sketch.Narrow, sketch.Open = false, slices.Clone(sketch.Open)
	for i := range sketch.Open {
		sketch.Open[i].Name = "another"
	}
	require.Equal(g.t, g.drawn(view, sketch).texts, page.texts, "%s: a page's drawing names places", g.where)
}

// formsHold checks that a form's pattern and its fields match.
func (g *game) formsHold(seat domain.Seat) {
	for _, f := range g.rb.Forms(g.line.State, seat) {
		g.words.holds(f.Label, g.where)
		for _, field := range f.Fields {
			require.Contains(g.t, f.Pattern, "{"+field.Name+"}", "form %s", f.Key)
			g.words.holds(field.Label, g.where)
			if field.Kind != domain.FieldSeats {
				require.Len(g.t, field.Labels, len(field.Words), "form %s, field %s", f.Key, field.Name)
			}
			g.words.hold(field.Labels, g.where)
		}
		require.Equal(g.t, len(f.Fields), strings.Count(f.Pattern, "{"), "form %s: a field for each blank", f.Key)
	}
}
