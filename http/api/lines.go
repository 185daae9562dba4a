package api

import (
	"posthorn/domain"
	"posthorn/events"
	"posthorn/http/door"
	"posthorn/projections/turn"
)

// linesJSON is a table's lines as a tree, where the table itself forked off, and what was branched from it.
type linesJSON struct {
	Branch   *originJSON    `json:"branch,omitempty"`
	Lines    []lineJSON     `json:"lines"`
	Branches []branchedJSON `json:"branches"`
}

// originJSON is where a branch forked off; table and line are left out if the caller may not see them.
type originJSON struct {
	Table   string `json:"table,omitempty"`
	Line    string `json:"line,omitempty"`
	Version uint64 `json:"version"`
	Kind    string `json:"kind"`
}

func (c *call) origin(b *domain.Branch) (*originJSON, error) {
	of, err := c.History().Origin(b)
	return (*originJSON)(of), err
}

type lineJSON struct {
	turn.Line
	Main  bool   `json:"main"`
	Since uint64 `json:"since"` // the version of the table's stream that opened it
}

type branchedJSON struct {
	Table events.Name   `json:"table"`
	Title string        `json:"title"`
	Name  string        `json:"name"` // of the fork, in words
	Fork  domain.Branch `json:"fork"`
	By    string        `json:"by"`
	Moves int           `json:"moves"`
	Over  bool          `json:"over"`
}

// lines answers with the tree: each line with its parent and fork, and each branch with the line and version that it
// goes on from.
func lines(c *call, m *turn.Model) (any, error) {
	look, err := c.Look()
	if err != nil {
		return nil, err
	}
	opened := map[int]uint64{}
	for _, l := range look.Table.Lines {
		opened[l.Index] = l.Since
	}
	of, err := c.origin(look.Table.Branch)
	if err != nil {
		return nil, err
	}
	out := linesJSON{Branch: of, Branches: []branchedJSON{}, Lines: each(m.Lineage, func(l turn.Line) lineJSON {
		return lineJSON{l, l.Name == look.LineName, opened[l.Index]}
	})}
	branches, err := c.History().Branches(m.Table)
	if err != nil {
		return nil, err
	}
	for _, b := range branches {
		listed, err := c.Lists().Listed(b.Item.Table)
		if err != nil {
			return nil, err
		}
		if listed != nil {
			out.Branches = append(out.Branches, branchJSON(c.Visit, b, listed.Title))
		}
	}
	return out, nil
}

func branchJSON(v *door.Visit, b door.Branched, title string) branchedJSON {
	return branchedJSON{Table: b.Table, Title: title,
		Name: v.T("page.past.branched."+b.From.Kind, "who", b.Who, "n", int(b.From.Version)), Fork: *b.From, By: b.Who,
		Moves: b.Moves, Over: b.Over}
}
