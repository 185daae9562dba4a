package pages

import (
	"html/template"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/projections/picture"
	"posthorn/projections/turn"
)

// printPage is a game's story on paper: the ranking, boards at chosen moments, and every move in words, as the reader
// may know it.
type printPage struct {
	told
	Boards []printBoard
	Moves  []turn.Happening
	Left   int // how many earlier moves are left out
}

// printBoard is the board at a moment.
type printBoard struct {
	Version uint64
	Says    []string
	SVG     template.HTML
}

// Only the last moves of a very long game are printed: some fifty pages.
const (
	mostPrinted = 1500
	mostBoards  = 6
)

// print shows how a table's game went, for printing.
func (v pastPages) print() error {
	_, _, _, told, err := v.went()
	if err != nil {
		return err
	}
	m := told.M
	v.draws(m.Rulebook)
	page := &printPage{told: told}
	after := m.Version - min(m.Version, mostPrinted)
	if page.Moves, err = v.Maker.TimelineWhole(v.Ctx(), m.Table, m.Line, v.Asker(), after, m.Version); err != nil {
		return err
	}
	page.Left = int(after)
	if page.Boards, err = v.printed(m, page.Ranked, page.Moves); err != nil {
		return err
	}
	return v.render("print", sheet{Title: m.Title, Wide: true, Styles: frontStyles, Body: page})
}

// printed returns the boards at the moments that changed points the most, and the latest.
func (v pastPages) printed(m *turn.Model, all []ranked, told []turn.Happening) (out []printBoard, err error) {
	var versions []uint64
	for _, move := range large(all) {
		versions = append(versions, move.Version)
	}
	for n := uint64(1); len(versions) < mostBoards-1 && n < mostBoards; n++ { // and some in between, if few stand out
		versions = append(versions, max(1, m.Version*n/mostBoards))
	}
	slices.Sort(versions)
	versions = slices.DeleteFunc(slices.Compact(versions), func(n uint64) bool { return n >= m.Version })
	versions = append(versions[:min(len(versions), mostBoards-1)], m.Version)
	for i, version := range versions {
		at, err := v.History().Moment(m.Line.String(), strconv.FormatUint(version, 10))
		if err != nil {
			return nil, err
		}
		b := printBoard{Version: version}
		if j := slices.IndexFunc(told, func(h turn.Happening) bool { return h.Version == version }); j >= 0 {
			b.Says = clipped(told[j].Sentences)
		}
		var svg strings.Builder
		for j, p := range at.Panels(turn.Choice{}) {
			if j > 0 && p.Weight != domain.PanelMain {
				continue
			}
			prefix := "p" + strconv.Itoa(i) + "-" + strconv.Itoa(j) + "-"
			if err := picture.SVG(&svg, p.Scene,
				picture.SVGOptions{Prefix: prefix, Class: "board", Label: p.Alt}); err != nil {
				return nil, err
			}
		}
		b.SVG = template.HTML(svg.String()) // #nosec: written by picture.SVG, which escapes all text
		out = append(out, b)
	}
	return out, nil
}
