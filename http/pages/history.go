package pages

import (
	"cmp"
	"slices"
	"strconv"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/projections/turn"
	"posthorn/projections/views"
)

// past is where a moment of a line stands among the others.
type past struct {
	Lines                []branchLine
	Undone               []branchLine // that a step taken back left behind, folded away
	Story                []turn.Happening
	MayRewind, MayBranch bool
	Branches             []views.Item
}

// branchLine is a line of the table's tree.
type branchLine struct {
	turn.Line
	Depth int
	Here  bool
}

// moment shows a version of a line, for ever under the same address.
func (v *visit) moment() error {
	m, err := v.Moment(v.Param("line"), v.Param("version")) // history is looked at; moves are made on the table's own page
	if err != nil {
		return err
	}
	g := &gamePage{M: m, Self: v.Home(), Act: v.Home()}
	if _, err := v.game(g, trying{aids: true}); err != nil {
		return err
	}
	story, err := v.Maker.Timeline(v.Ctx(), m.Table, m.Line, v.Asker(), 0, 0)
	if err != nil {
		return err
	}
	slices.SortStableFunc(story, func(a, b turn.Happening) int { return cmp.Compare(b.Version, a.Version) })
	branches, err := v.Views.Branches(v.Ctx(), m.Table, v.Me)
	if err != nil {
		return err
	}
	lines, undone := tree(m)
	g.Past = &past{Lines: lines, Undone: undone, Story: story, Branches: branches, MayBranch: v.SignedIn(),
		MayRewind: g.Member && m.Main && m.Status == domain.TableStarted && m.Version < m.Last}
	return v.render("moment", sheet{Title: m.Title, Wide: true, Body: g})
}

// tree lists the table's lines, each under the one it forked from; those apart that end with a step that
// was taken back, since what goes on is the line that goes on from them.
func tree(m *turn.Model) (lines, undone []branchLine) {
	if len(m.Lineage) < 2 {
		return nil, nil
	}
	depth, folded := map[string]int{}, map[string]bool{}
	for _, l := range m.Lineage {
		name := l.Name.String()
		if parent, ok := depth[l.Parent]; ok {
			if depth[name] = min(parent+1, 6); folded[l.Parent] {
				depth[name] = parent
			}
		} else {
			depth[name] = 0
		}
		b := branchLine{Line: l, Depth: depth[name], Here: l.Name == m.Line}
		if folded[name] = l.Undone; l.Undone && !b.Here {
			undone = append(undone, b)
		} else {
			lines = append(lines, b)
		}
	}
	return lines, undone
}

// jump leads from a form to a moment's own address. It changes nothing.
func (v *visit) jump() error {
	line, err := events.ParseName(v.QueryParam("line"))
	if err != nil {
		return events.ErrNoStream
	}
	n, err := strconv.ParseUint(v.QueryParam("version"), 10, 64)
	if err != nil || n == 0 {
		n = 1
	}
	head, err := v.Desk.Log().Head(v.Ctx(), line)
	if err != nil {
		return err
	}
	return v.see(momentPath(v.Table, line, min(n, head.Version)), "")
}
