package pages

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/projections/turn"
)

// past is where a moment of a line stands among the others.
type past struct {
	Version, First, Last   uint64
	Line                   string
	FirstHref, PrevHref    string
	NextHref, LastHref     string
	Jump                   string
	Lines                  []branchLine
	Story                  []happening
	MayRewind, MayBranch   bool
	RewindHref, BranchHref string
	Branches               []choice
}

// branchLine is a line of the table's tree.
type branchLine struct {
	Label  string
	Href   string
	Depth  int
	Here   bool
	Closed bool
	Fork   uint64
}

// moment shows a version of a line, for ever under the same address.
func (v *visit) moment() error {
	m, err := v.Moment(v.Param("line"), v.Param("version")) // history is looked at; moves are made on the table's own page
	if err != nil {
		return err
	}
	g := &gamePage{M: m, Self: tablePath(v.Table), Act: tablePath(v.Table)}
	if _, err := v.game(g, trying{aids: true}); err != nil {
		return err
	}
	if g.Past, err = v.past(m); err != nil {
		return err
	}
	g.Past.MayRewind = g.Member && m.Main && m.Status == domain.TableStarted && m.Version < m.Last
	g.Past.MayBranch = v.SignedIn()
	return v.render("moment", sheet{Title: m.Title, Wide: true, Body: g})
}

func (v *visit) past(m *turn.Model) (*past, error) {
	at := func(n uint64) string { return momentPath(m.Table, m.Line, n) }
	p := &past{Version: m.Version, First: 1, Last: m.Last, Line: m.Line.String(), Jump: tablePath(m.Table) + "/jump",
		RewindHref: fmt.Sprintf("%s/rewind?to=%d", tablePath(m.Table), m.Version),
		BranchHref: fmt.Sprintf("%s/branch?line=%s&version=%d", tablePath(m.Table), m.Line, m.Version)}
	if m.Version > 1 {
		p.FirstHref, p.PrevHref = at(1), at(m.Version-1)
	}
	if m.Version < m.Last {
		p.NextHref, p.LastHref = at(m.Version+1), at(m.Last)
	}
	p.Lines = v.tree(m)
	story, err := v.Maker.Timeline(v.Ctx(), m.Table, m.Line, v.Asker(), 0, 0)
	if err != nil {
		return nil, err
	}
	p.Story = happenings(m.Table, m.Line, story)
	slices.SortStableFunc(p.Story, func(a, b happening) int { return cmp.Compare(b.Version, a.Version) })
	list, err := v.Views.Branches(v.Ctx(), m.Table, v.Me)
	if err != nil {
		return nil, err
	}
	for _, it := range list {
		p.Branches = append(p.Branches, choice{Value: tablePath(it.Table), Label: v.T("page.past.branched", "n", int(it.Version))})
	}
	return p, nil
}

// tree lists the table's lines, each under the one it forked from.
func (v *visit) tree(m *turn.Model) []branchLine {
	if len(m.Lineage) < 2 {
		return nil
	}
	depth := map[string]int{}
	var out []branchLine
	for _, l := range m.Lineage {
		d := 0
		if parent, ok := depth[l.Parent]; ok {
			d = min(parent+1, 6)
		}
		depth[l.Name.String()] = d
		b := branchLine{Depth: d, Here: l.Name == m.Line, Closed: l.Closed, Fork: l.Fork}
		key := "page.tree.main"
		if l.Closed {
			key = "page.tree.closed"
		}
		b.Label = v.T(key, "n", l.Index+1)
		if l.Last > 0 {
			b.Href = momentPath(m.Table, l.Name, l.Last)
		}
		out = append(out, b)
	}
	return out
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
