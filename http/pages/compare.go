package pages

import (
	"html/template"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/projections/picture"
	"posthorn/projections/turn"
)

// comparable offers the lines to compare; by default the main line and its parent.
func (v pastPages) comparable(lines []treeLine) (a, b []choice) {
	main := slices.IndexFunc(lines, func(l treeLine) bool { return l.Main })
	other := slices.IndexFunc(lines, func(l treeLine) bool {
		return main >= 0 && l.Name.String() == lines[main].Parent
	})
	near := func(i int) bool { return i >= main-treePart/2 && i <= main+treePart/2 }
	list := func(asked string, chosen int) (out []choice) {
		undone := 0
		for _, l := range lines {
			if l.Undone {
				undone++
			}
		}
		for i, l := range lines {
			far := len(lines) > treePart && !near(i) && i > 0
			if l.Undone {
				undone--
				far = undone >= undoneShown
			}
			if far && v.QueryParam(asked) != strconv.Itoa(l.Index) && i != chosen {
				continue
			}
			c := choice{Value: strconv.Itoa(l.Index), Label: v.T("page.tree.line", "n", l.Index+1)}
			c.Selected = v.QueryParam(asked) == c.Value || v.QueryParam(asked) == "" && i == chosen
			out = append(out, c)
		}
		return out
	}
	return list("a", max(0, other)), list("b", max(0, main))
}

// comparison shows two lines side by side from where they part.
type comparison struct {
	Lines  [2]treeLine
	A, B   []choice
	Common int   // how many moves they share
	Parted *pair // the first pair that differs; nil if none does
	Rows   []pair
	Boards [2]template.HTML
	// the boards are alike although the lines have parted: the draw that differed shows on neither
	Alike          bool
	Apart          [2][]string // what the first differing move says on one line only
	Earlier, Later string
}

// pair is a move on each line; nil on a line that has not come so far.
type pair struct {
	Sides   [2]*turn.Happening
	Differs bool
}

// compareRows is how many moves the page shows at once.
const compareRows = 40

// compare shows two lines side by side: up to the first difference and beyond.
func (v pastPages) compare() error {
	look, err := v.Look()
	if err != nil {
		return err
	}
	m, err := v.Model()
	if err != nil {
		return err
	}
	lines := linesOf(m, look)
	var page comparison
	page.A, page.B = v.comparable(lines)
	for i, list := range [][]choice{page.A, page.B} {
		chosen := slices.IndexFunc(list, func(c choice) bool { return c.Selected })
		if chosen < 0 {
			return domain.Refuse("no-line")
		}
		page.Lines[i] = lines[slices.IndexFunc(lines, func(l treeLine) bool {
			return strconv.Itoa(l.Index) == list[chosen].Value
		})]
	}
	if err := v.pairs(&page, m, lines, common(lines, page.Lines[0], page.Lines[1])); err != nil {
		return err
	}
	var scenes [2]domain.Scene
	for i, l := range page.Lines {
		at := l.Last
		if p := page.Parted; p != nil && p.Sides[i] != nil {
			at = p.Sides[i].Version
		}
		if page.Boards[i], scenes[i], err = v.boardAt(l, at, i); err != nil {
			return err
		}
	}
	if page.Parted != nil {
		page.Alike, page.Apart = reflect.DeepEqual(scenes[0], scenes[1]), page.Parted.apart()
	}
	return v.render("compare", sheet{Title: m.Title, Wide: true, Body: page})
}

// common returns the last version that two lines share: where the first of them left the line both come from.
func common(lines []treeLine, a, b treeLine) uint64 {
	left := map[string]uint64{} // how far the first line follows each of its ancestors
	named := byName(lines)
	for l, upTo := a, a.Last; ; {
		left[l.Name.String()] = upTo
		parent, ok := named[l.Parent]
		if !ok {
			left[l.Parent] = min(upTo, l.Fork) // of another table, or none
			break
		}
		l, upTo = parent, min(upTo, l.Fork)
	}
	for l, upTo := b, b.Last; ; {
		if to, ok := left[l.Name.String()]; ok {
			return min(to, upTo)
		}
		parent, ok := named[l.Parent]
		if !ok {
			return min(left[l.Parent], l.Fork)
		}
		l, upTo = parent, min(upTo, l.Fork)
	}
}

// pairs reads both lines from where they part and pairs up their moves, a page at a time. A line that a rewind opened
// begins with an event of its own, so versions do not tell which moves belong side by side.
func (v pastPages) pairs(page *comparison, m *turn.Model, lines []treeLine, both uint64) error {
	var sides [2]played
	named := byName(lines)
	for i, l := range page.Lines {
		sides[i] = playedOn(named, l, both)
	}
	rows := max(sides[0].moves(), sides[1].moves())
	from, err := strconv.Atoi(v.QueryParam("from"))
	if err != nil || from < 0 || from >= rows {
		from = 0
	}
	if page.Rows, err = v.pairsFrom(m, sides, from); err != nil {
		return err
	}
	at := func(n int) string {
		return "?a=" + strconv.Itoa(page.Lines[0].Index) + "&b=" + strconv.Itoa(page.Lines[1].Index) + "&from=" +
			strconv.Itoa(n)
	}
	if from > 0 {
		page.Earlier = at(max(0, from-compareRows))
	}
	if from+compareRows < rows {
		page.Later = at(from + compareRows)
	}
	alike := 0                                                     // moves repeated on both after a step was taken back
	for n := 0; n < rows && page.Parted == nil; n += compareRows { // usually in the first part
		part := page.Rows
		if n != from {
			if part, err = v.pairsFrom(m, sides, n); err != nil {
				return err
			}
		}
		if i := slices.IndexFunc(part, func(r pair) bool { return r.Differs }); i >= 0 {
			page.Parted = &part[i]
			part = part[:i]
		}
		alike += len(part)
	}
	shared := page.Lines[0]
	shared.Last = both
	page.Common = playedOn(named, shared, begun).moves() + alike
	return nil
}

// pairsFrom returns the pairs of one page.
func (v pastPages) pairsFrom(m *turn.Model, sides [2]played, from int) ([]pair, error) {
	var told [2][]turn.Happening
	for i, s := range sides {
		after, upTo := s.version(from), s.version(from+compareRows)
		if upTo == after {
			continue
		}
		var err error
		if told[i], err = v.Maker.Timeline(v.Ctx(), m.Table, s.line, v.Asker(), after, upTo); err != nil {
			return nil, err
		}
	}
	out := make([]pair, max(len(told[0]), len(told[1])))
	for n := range out {
		for side := range told {
			if n < len(told[side]) {
				out[n].Sides[side] = &told[side][n]
			}
		}
		out[n].Differs = !alike(out[n].Sides[0], out[n].Sides[1])
	}
	return out, nil
}

// played is the part of a line after a version, counted in moves.
type played struct {
	line        events.Name
	after, last uint64
	silent      []uint64 // versions that are not moves: the openings of lines, in order
}

// byName returns lines by their names.
func byName(lines []treeLine) map[string]treeLine {
	out := make(map[string]treeLine, len(lines))
	for _, l := range lines {
		out[l.Name.String()] = l
	}
	return out
}

// begun is the version with which the game on every line begins, before any move.
const begun = 1

// playedOn searches a line and its ancestors for what comes after a version.
func playedOn(named map[string]treeLine, l treeLine, after uint64) played {
	p := played{line: l.Name, after: after, last: max(l.Last, after)}
	for upTo, ok := l.Last, true; ok && upTo > after; l, ok = named[l.Parent] {
		if l.silent && l.Fork < upTo && l.Fork >= after {
			p.silent = append(p.silent, l.Fork+1)
		}
		upTo = min(upTo, l.Fork)
	}
	slices.Sort(p.silent)
	return p
}

// moves returns how many moves there are.
func (p played) moves() int { return int(p.last-p.after) - len(p.silent) }

// version returns the version after a number of moves.
func (p played) version(moves int) uint64 {
	at := p.after + uint64(moves)
	for _, s := range p.silent {
		if s <= at+1 && s <= p.last {
			at++
		}
	}
	return min(at, p.last)
}

// alike reports whether the same happened on both lines.
func alike(a, b *turn.Happening) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Seat == b.Seat && a.Move == b.Move && slices.Equal(a.Sentences, b.Sentences)
}

// apart returns what each side of a pair says that the other does not.
func (p pair) apart() (out [2][]string) {
	for i, h := range p.Sides {
		if h == nil {
			continue
		}
		for _, s := range h.Sentences {
			if other := p.Sides[1-i]; other == nil || !slices.Contains(other.Sentences, s) {
				out[i] = append(out[i], s)
			}
		}
	}
	return out
}

// boardAt draws the main panel at a version of a line, as the reader may know it.
func (v pastPages) boardAt(l treeLine, version uint64, side int) (template.HTML, domain.Scene, error) {
	m, err := v.History().Moment(l.Name.String(), strconv.FormatUint(version, 10))
	if err != nil {
		return "", domain.Scene{}, err
	}
	v.draws(m.Rulebook)
	panels := m.Panels(turn.Choice{})
	if len(panels) == 0 {
		return "", domain.Scene{}, nil
	}
	var b strings.Builder
	err = picture.SVG(&b, panels[0].Scene,
		picture.SVGOptions{Prefix: "abc"[side:side+1] + "-", Class: "board", Label: panels[0].Alt})
	return template.HTML(b.String()), panels[0].Scene, err // #nosec: written by picture.SVG, which escapes all text
}
