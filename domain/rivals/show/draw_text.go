package show

import (
	"fmt"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Panels in characters, for mails without pictures: lines of at most 72 columns.
const (
	textCell = 9 // the width of a column
	textW    = 72
)

// realmText is a principality: from above the outer sites, places by name, what lies there, the centre
// line, and the same below in reverse.
func realmText(v *state.View, seat domain.Seat) string {
	r := &v.Realms[seat]
	var rows [7][]string
	for i := range rows {
		rows[i] = make([]string, 2*(r.Right-r.Left+1)+1)
	}
	gap := func(gap int) int { return 2 * (gap - int(r.Left)) }
	put := func(row, col int, text string) {
		if col >= 0 && col < len(rows[row]) {
			rows[row][col] = text
		}
	}
	for p := range table.Place(table.RegionsN) {
		if q := r.Regions[p]; q.Number != 0 {
			put(1+4*p.Side(), gap(p.Gap()), p.Name())
			put(2+2*p.Side(), gap(p.Gap()), strings.ToUpper(q.Terrain.Terrain()[:2])+strconv.Itoa(int(q.Number))+" "+storedText(q.Stored))
		}
	}
	if p := r.Cache; p != table.NoPlace {
		put(6*p.Side(), gap(p.Gap()), "GOLD "+storedText(r.CacheGold))
	}
	for at := range table.Columns {
		if r.Roads&(1<<at) != 0 {
			put(3, gap(at+1), strings.Repeat("-", textCell-1))
		}
	}
	for t, town := range r.EachTown() {
		put(3, gap(t)+1, strings.ToUpper(town.Level.String()[:1])+strconv.Itoa(t-table.Origin))
		for side := range 2 {
			put(1+4*side, gap(t)+1, table.SiteAt(t, side, 0).Name())
			for slot, c := range town.Sites[side][:town.Slots()] {
				text := "( )"
				if c != table.NoCard {
					text = short(c)
				}
				put([2][2]int{{2, 0}, {4, 6}}[side][slot], gap(t)+1, text)
			}
		}
	}
	var out strings.Builder
	band, _ := bandOf(r)
	for from := 0; from < len(rows[0]); from += band {
		for _, row := range rows {
			line := ""
			for _, text := range row[from:min(from+band, len(row))] {
				line += fmt.Sprintf("%-*s", textCell, text)
			}
			if line = strings.TrimRight(line, " "); line != "" {
				out.WriteString(line + "\n")
			}
		}
	}
	return out.String()
}

func storedText(n uint8) string {
	return strings.Repeat("o", int(n)) + strings.Repeat(".", table.Capacity-int(n))
}

// short is a card's name in eight characters.
func short(c table.Card) string {
	name := strings.ReplaceAll(c.Name(), "_", "")
	return name[:min(textCell-1, len(name))]
}

// middleText lists the stacks with their backs and sizes, and what lies open.
func middleText(v *state.View) string {
	var items []string
	for i := range v.Decks[:v.DecksN] {
		items = append(items, fmt.Sprintf("%d %s x%d", i+1, v.Decks[i].Set, v.Decks[i].N))
	}
	if v.OpenN > 0 {
		items = append(items, fmt.Sprintf("%s x%d", v.Open.Name(), v.OpenN))
	}
	if v.DiscardN > 0 {
		items = append(items, fmt.Sprintf("(%s x%d)", v.DiscardTop().Name(), v.DiscardN))
	}
	switch {
	case v.Event != table.NoCard:
		items = append(items, v.Event.Name())
	case v.Die > 0:
		items = append(items, strings.TrimSpace(strconv.Itoa(int(v.Die))+" "+v.Face.String()))
	}
	return wrapped(items)
}

// wrapped lists items in lines.
func wrapped(items []string) string {
	out, width := "", 0
	for i, item := range items {
		switch {
		case i == 0:
		case width+2+len(item)+1 > textW: // a comma may follow
			out, width = out+",\n", 0
		default:
			out, width = out+", ", width+2
		}
		out, width = out+item, width+len(item)
	}
	return out
}
