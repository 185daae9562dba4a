package pages

import (
	"slices"
	"strconv"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/http/door"
	"posthorn/projections/turn"
)

// treePage shows a table's lines as a tree, each with how it came about and how far it has come, and the tables
// branched from them.
type treePage struct {
	Lines  []treeLine
	Undone []treeLine // left behind by steps taken back, the latest of them
	Steps  int        // how many there are
	A, B   []choice   // the lines that can be compared
	Single bool       // there is nothing to compare

	From, To, All  int // which of how many lines these are, if not all
	Earlier, Later string
}

// treeLine is a line in the tree.
type treeLine struct {
	branchLine
	Main     bool
	From     int // the line it forked from, counted from 1; 0 for another table's
	Why      []string
	At       string // when, as in the record
	Branches []door.Branched
	Of       *domain.Branch // for a branch's first line: where it forked off
	// how many were made on it, not counting the game's beginning or the rewind that opened a line
	Moves  int
	since  uint64 // the version of the table's stream that opened it
	silent bool   // its first event is not part of play
}

// linesOf lists a table's lines, each under the one it forked from.
func linesOf(m *turn.Model, look desk.Look) []treeLine {
	parents := map[string][]turn.Line{}
	names := map[string]int{}
	for _, l := range m.Lineage {
		names[l.Name.String()] = l.Index
	}
	opened := map[int]domain.TableLine{}
	for _, l := range look.Table.Lines {
		opened[l.Index] = l
	}
	for _, l := range m.Lineage {
		parent := l.Parent
		if _, here := names[parent]; !here {
			parent = ""
		}
		parents[parent] = append(parents[parent], l)
	}
	var out []treeLine
	var add func(parent string, depth int)
	add = func(parent string, depth int) {
		for _, l := range parents[parent] {
			t := treeLine{branchLine: branchLine{Line: l, Depth: min(depth, 6)}, Main: l.Name == look.LineName,
				since:  opened[l.Index].Since,
				silent: l.Index > 0 && !opened[l.Index].Deal}
			if from, ok := names[l.Parent]; ok {
				t.From = from + 1
			}
			out = append(out, t)
			if l.Undone {
				add(l.Name.String(), depth) // play continues on the line that forks from it
			} else {
				add(l.Name.String(), depth+1)
			}
		}
	}
	add("", 0)
	return out
}

// told fills in how lines came about, at some cost for each.
func (v pastPages) told(look desk.Look, lines []treeLine) error {
	var opened []uint64
	for _, l := range lines {
		if l.Fork > 0 {
			opened = append(opened, l.since)
		}
	}
	list, err := v.History().AuditVersions(look, opened)
	if err != nil {
		return err
	}
	told := map[uint64]door.AuditEvent{}
	for _, e := range list {
		told[e.Version] = e
	}
	for i, l := range lines {
		if e, ok := told[l.since]; ok && l.Fork > 0 {
			lines[i].Why, lines[i].At = e.Text, v.Ago(e.At.Time())
		}
	}
	return nil
}

// tree shows the table's lines, and the tables branched from each.
func (v pastPages) tree() error {
	look, err := v.Look()
	if err != nil {
		return err
	}
	m, err := v.Model()
	if err != nil {
		return err
	}
	var page treePage
	all := linesOf(m, look)
	page.A, page.B = v.comparable(all)
	page.Single = len(all) < 2
	of, err := v.History().Origin(look.Table.Branch)
	if err != nil {
		return err
	}
	for _, l := range all {
		if l.Fork > 0 && l.From == 0 {
			l.Of = of
		}
		if l.Undone && !l.Main {
			page.Undone = append(page.Undone, l)
		} else {
			page.Lines = append(page.Lines, l)
		}
	}
	page.Steps = len(page.Undone)
	page.Undone = page.Undone[max(0, page.Steps-undoneShown):]
	v.part(&page)
	named := byName(all)
	for _, part := range [][]treeLine{page.Lines, page.Undone} {
		for i, l := range part {
			part[i].Moves = playedOn(named, l, begun).moves()
		}
	}
	if err := v.told(look, page.Lines); err != nil {
		return err
	}
	if err := v.told(look, page.Undone); err != nil {
		return err
	}
	branches, err := v.History().Branches(m.Table)
	if err != nil {
		return err
	}
	for _, b := range branches {
		for i, l := range page.Lines {
			if l.Name.String() == b.From.Line {
				page.Lines[i].Branches = append(page.Lines[i].Branches, b)
			}
		}
	}
	return v.render("tree", sheet{Title: m.Title, Wide: true, Body: page})
}

// treePart is how many lines a page shows.
const treePart = 60

// part keeps the lines from the one asked for; by default those around the main line.
func (v pastPages) part(page *treePage) {
	all := page.Lines
	if len(all) <= treePart {
		return
	}
	from, err := strconv.Atoi(v.QueryParam("from"))
	if err != nil || from < 0 || from >= len(all) {
		main := slices.IndexFunc(all, func(l treeLine) bool { return l.Main })
		from = max(0, min(main-treePart/2, len(all)-treePart))
	}
	to := min(len(all), from+treePart)
	if from > 0 {
		page.Earlier = "?from=" + strconv.Itoa(max(0, from-treePart))
	}
	if to < len(all) {
		page.Later = "?from=" + strconv.Itoa(to)
	}
	page.Lines, page.From, page.To, page.All = all[from:to], from+1, to, len(all)
}

// undoneShown is how many steps taken back a tree shows, and how many of them it offers for comparison.
const undoneShown = 30
