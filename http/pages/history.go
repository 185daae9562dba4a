package pages

import (
	"cmp"
	"slices"
	"strconv"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/http/door"
	"posthorn/projections/turn"
)

// past shows where a moment of a line stands among the others.
type past struct {
	Lines                []branchLine
	Undone               []branchLine     // left behind by steps taken back, shown collapsed; the latest of them
	Steps                int              // how many there are
	Story                []turn.Happening // the events around this version
	Earlier, Later       uint64           // versions in the parts of the story before and after; 0 if there is none
	MayRewind, MayBranch bool
	MayPuzzle            bool // the moment can be made a puzzle
	Branches             []door.Branched
	Knew                 []choice // whose knowledge of the moment can be shown, once everything is open
	As                   string   // suffix for the addresses of other moments, to keep the same viewer
	Audit                string   // address of this version in the audit, with its hash
}

// branchLine is a line in the table's tree.
type branchLine struct {
	turn.Line
	Depth int
	Here  bool
}

// moment shows a version of a line, permanently at the same address.
func (v pastPages) moment() error {
	// history is only for looking; moves are made on the table's own page
	m, err := v.History().Moment(v.Param("line"), v.Param("version"))
	if err != nil {
		return err
	}
	g := &gamePage{M: m, Self: v.Home(), Act: v.Home(), Then: !m.Main || m.Version >= m.Branch.First() &&
		m.Version < m.Last}
	if _, err := v.play().game(g, trying{aids: true}); err != nil {
		return err
	}
	from, to := m.Version-min(m.Version, storyAround), min(m.Version+storyAround, m.Last)
	look, err := v.Look()
	if err != nil {
		return err
	}
	story, err := v.Maker.TimelineWhole(v.Ctx(), m.Table, m.Line, v.History().Then(look), from, to)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(story, func(h turn.Happening) bool { return h.Version == m.Version }); i >= 0 {
		m.Since = []turn.Happening{story[i]} // even for the latest version: the table's own page tells more
	}
	slices.SortStableFunc(story, func(a, b turn.Happening) int { return cmp.Compare(b.Version, a.Version) })
	branches, err := v.History().Branches(m.Table)
	if err != nil {
		return err
	}
	lines, undone := tree(m)
	mayRewind := v.SignedIn() && g.Member && m.Main && m.Version < m.Last
	if mayRewind {
		if mayRewind, err = v.Commands().May(m.Table, v.Me,
			desk.ProposeRewind{To: m.Version, Fresh: true}); err != nil {
			return err
		}
	}
	_, _, noPuzzle := v.puzzles().puzzleFrom(m.Line.String(), m.Version, domain.Nobody)
	g.Past = &past{Lines: around(lines), Undone: undone[max(0, len(undone)-undoneShown):], Steps: len(undone),
		Story: story, Branches: branches, Audit: auditOf(m.Table, m.Lineage, m.Line.String(), m.Version),
		MayBranch: v.SignedIn(),
		MayRewind: mayRewind, MayPuzzle: v.SignedIn() && noPuzzle == nil}
	if from > 0 {
		g.Past.Earlier = from
	}
	if to < m.Last {
		g.Past.Later = to + 1
	}
	g.Past.knew(v.visit, m)
	return v.render("moment", sheet{Title: m.Title, Wide: true, Scripts: historyScripts, Body: g})
}

// knew offers the moment as others knew it then, if everything is open now and something was hidden.
func (p *past) knew(v *visit, m *turn.Model) {
	if !m.Hid || m.Branch != nil && m.Version <= m.Branch.Version {
		return // before a fork it belongs to another table, where people sat differently
	}
	add := func(as domain.Viewer, label string) {
		p.Knew = append(p.Knew, choice{Value: asQuery(as), Label: label, Selected: m.Viewer == as})
	}
	add(domain.Referee, v.T("page.past.knew.all"))
	for _, one := range m.Players {
		add(domain.ViewOf(one.Seat), one.Name)
	}
	add(domain.Spectator, v.T("page.past.knew.stranger"))
	p.As = asQuery(m.Viewer)
}

// asQuery returns the part of a moment's address that says whose knowledge is shown; to show everything it is empty.
func asQuery(as domain.Viewer) string {
	if as == domain.Referee {
		return ""
	}
	return "?as=" + strconv.Itoa(int(as))
}

// storyAround is how many events before and after a version its page shows.
const storyAround = 15

// historyScripts are the extra scripts of a page about the past.
var historyScripts = []string{"history.js"}

// tree lists the table's lines, each under the one it forked from. It lists separately those that end with a step taken
// back, since play continues on the line that forks from them.
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

// linesAround is how many lines before and after the current one a page about the past lists.
const linesAround = 12

// around returns the lines near the one shown, and the one in play; the tree has all of them.
func around(lines []branchLine) []branchLine {
	here := slices.IndexFunc(lines, func(l branchLine) bool { return l.Here })
	if here < 0 || len(lines) <= 2*linesAround {
		return lines
	}
	out := slices.Clone(lines[max(0, here-linesAround):min(len(lines), here+linesAround+1)])
	main := slices.IndexFunc(lines, func(l branchLine) bool { return !l.Closed })
	switch {
	case main >= 0 && main < here-linesAround:
		out = slices.Insert(out, 0, lines[main])
	case main > here+linesAround:
		out = append(out, lines[main])
	}
	return out
}

// jump redirects from a form to a moment's own address. It changes nothing.
func (v pastPages) jump() error {
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
	path := momentPath(v.Table, line, min(n, head.Version))
	if as, err := strconv.Atoi(v.QueryParam("as")); err == nil {
		path += asQuery(domain.Viewer(max(as, int(domain.Spectator))))
	}
	return v.see(path, "")
}
