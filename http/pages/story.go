package pages

import (
	"cmp"
	"html/template"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/http/door"
	"posthorn/projections/turn"
)

// storyPage is how a game went, on one page that can be sent to anybody who may see its table.
type storyPage struct {
	told
	Luck    []luckPlot
	Goods   []turn.Good // the kinds in the ledger
	Ledger  []ledgerRow
	Stocks  []stockPlot // all kinds together first
	Open    bool        // nothing is hidden any more
	Moving  bool        // there is an animation
	Large   []great     // the moves that changed the points most, in order of play
	Moves   int         // how many were made
	Ending  []string    // who broke it off, and why
	Began   time.Time
	Over    time.Time
	Pace    string
	Picture string
	Second  string // the picture of the other of two boards that lie face to face, or ""
	Link    string // to send to others
	Card    *sharedCard
	Rematch bool
	Others  []door.Word // the other games that the same people can play
}

// ranked is an entry of the standing, best first, with every point it has.
type ranked struct {
	score
	Moves []moveOf
	Sum   int // of the moves; not including what it had before the first
}

// moveOf is a move that changed somebody's points.
type moveOf struct {
	turn.Gain
	Who  string
	Seat int // -1 if the entry is not a seat
	Path string
}

// size returns by how many points the move changed the score, up or down.
func (m moveOf) size() int { return max(m.Points, -m.Points) }

// mostSaid is how many sentences of a move are shown.
const mostSaid = 5

// clipped returns the first sentences of a move, with a sign if there are more.
func clipped(said []string) []string {
	if len(said) <= mostSaid {
		return said
	}
	return append(slices.Clip(said[:mostSaid]), "…")
}

// mostLarge is how many great moves a story has.
const mostLarge = 6

// mostDeciding is how many of them the end of a game has.
const mostDeciding = 3

// fewLarge is how many moves of more than one point are enough to leave out those of one point.
const fewLarge = 3

// told is how the game of a table went, as its story and its print tell it.
type told struct {
	M      *turn.Model
	Ranked []ranked
	Kinds  []turn.Source // what the points come from
	Plot   template.HTML
}

// went returns that, with what it is made from.
func (v pastPages) went() (look desk.Look, course turn.Course, entries []score, t told, err error) {
	if look, err = v.Look(); err == nil && look.Line == nil {
		err = events.ErrNoStream
	}
	if err == nil {
		t.M, err = v.Model()
	}
	if err == nil {
		course, err = v.course(look, t.M)
	}
	if err == nil {
		entries, err = v.play().scores(t.M)
	}
	t.Kinds = course.Sources
	bars(t.Kinds, entries)
	var names []string
	for i, e := range entries {
		names = append(names, e.Label)
		t.Ranked = append(t.Ranked, v.ranked(e, i, t.M, course.Gains))
	}
	slices.SortStableFunc(t.Ranked, func(a, b ranked) int { return byRank(a.score, b.score) })
	if len(course.Points) > 1 && len(entries) == len(course.Points[0].Scores) {
		t.Plot = plot(course.Points, names, v.plotLabel(t.Ranked))
	}
	return look, course, entries, t, err
}

// story tells how the game of a table went.
func (v pastPages) story() error {
	look, course, entries, told, err := v.went()
	if err != nil {
		return err
	}
	m := told.M
	page := &storyPage{told: told, Moves: course.Moves, Began: course.Began, Over: course.Last,
		Pace:    v.T("page.pace." + look.Table.Pace),
		Picture: pictureOf(door.InboxRow{Table: look.Name, Game: look.Table.Rulebook, Version: m.Version}),
		Link:    v.Links.Story(look.Name), Rematch: v.mayRematch(look), Others: v.NewTables().Others(look),
		Open: look.Table.Open(), Moving: look.Table.IsOver()}
	mains := slices.DeleteFunc(m.Panels(turn.Choice{}), func(p turn.Panel) bool {
		return p.Weight != domain.PanelMain
	})
	if len(mains) == 2 {
		page.Second = page.Picture + "&board=2"
	}
	if page.Ending, err = v.Maker.Ending(v.Ctx(), look, v.Lang); err != nil {
		return err
	}
	if page.Plot != "" {
		page.Large = large(page.Ranked)
	}
	page.Luck, page.Goods = v.luckOf(course, entries), course.Goods
	if len(page.Goods) > 0 {
		page.Ledger, page.Stocks = ledgerOf(course, entries), v.stocksOf(course, entries)
	}
	if page.Card, err = v.shared(look, m); err != nil {
		return err
	}
	return v.render("story", sheet{Title: m.Title, Wide: true, Styles: frontStyles, Body: page, say: m.Say,
		Summary: outcome(m), Card: page.Card, Lasting: v.Me == ""})
}

// coursesBytes is how many bytes of courses are kept.
const coursesBytes = 4 << 20

// course returns how a table's points developed. That takes folding the whole game, so it is kept for as long as table,
// line and names stay the same.
func (v pastPages) course(look desk.Look, m *turn.Model) (turn.Course, error) {
	key := look.TableHead.Hash.String() + look.LineHead.Hash.String() + v.Lang + m.Title
	if c, ok := v.site.courses.Get(key); ok {
		return c, nil
	}
	c, err := v.Maker.Course(v.Ctx(), look.Name, v.Lang)
	if err == nil {
		v.site.courses.Put(key, c)
	}
	return c, err
}

// byRank sorts the best entry first. Without ranks, as in a game that was broken off, it sorts by points.
func byRank(a, b score) int {
	const none = 1 << 10
	return cmp.Or(cmp.Compare(cmp.Or(a.Rank, none), cmp.Or(b.Rank, none)), cmp.Compare(b.Final, a.Final))
}

// ranked returns an entry with its moves.
func (v pastPages) ranked(e score, i int, m *turn.Model, gains []turn.Gain) ranked {
	out := ranked{score: e}
	for _, g := range gains {
		if g.Entry != i {
			continue
		}
		move := moveOf{Gain: g, Who: e.Label, Seat: e.Seat}
		move.Sentences = clipped(g.Sentences) // the last move would tell the whole end
		if g.Version > 0 {
			move.Path = momentPath(m.Table, m.Line, g.Version)
		}
		out.Moves, out.Sum = append(out.Moves, move), out.Sum+g.Points
	}
	return out
}

// great is a move that changed the points a lot, with everybody whose points it changed.
type great struct {
	moveOf
	Of []moveOf
}

// size returns the largest change.
func (g great) size() (n int) {
	for _, m := range g.Of {
		n = max(n, m.size())
	}
	return n
}

// large returns the moves of a story.
func large(all []ranked) []great { return largest(all, mostLarge) }

// largest returns so many moves that changed the points most, in order of play. It includes those of a single point
// only if the game has hardly any others.
func largest(all []ranked, most int) (out []great) {
	at := map[uint64]int{}
	for _, r := range all {
		for _, move := range r.Moves {
			if move.Version == 0 || move.First {
				continue
			}
			i, ok := at[move.Version]
			if !ok {
				i = len(out)
				at[move.Version], out = i, append(out, great{moveOf: move})
			}
			out[i].Of = append(out[i].Of, move)
		}
	}
	slices.SortStableFunc(out, func(a, b great) int {
		return cmp.Or(cmp.Compare(b.size(), a.size()), cmp.Compare(a.Version, b.Version))
	})
	many := 0
	for _, g := range out {
		if g.size() > 1 {
			many++
		}
	}
	if many >= fewLarge {
		out = out[:many]
	}
	out = out[:min(len(out), most)]
	slices.SortStableFunc(out, func(a, b great) int { return cmp.Compare(a.Version, b.Version) })
	return out
}

// plotLabel describes the plot's result in words.
func (v pastPages) plotLabel(all []ranked) string {
	text := v.T("page.story.plot")
	for _, r := range all {
		text += " " + r.Label + ": " + domain.Number(r.Final) + "."
	}
	return text
}

// Day returns the day of a time in the reader's calendar.
func (v *visit) Day(t time.Time) string {
	if v.Zone != nil {
		return v.Print.Day(t.In(v.Zone))
	}
	return v.Print.Day(t.UTC())
}

// mayRematch reports whether the reader may invite everybody to another game.
func (v pastPages) mayRematch(look desk.Look) bool {
	return v.SignedIn() && v.NewTables().MayAgain(look)
}

// Unnamed reports whether the reader, who is signed in, has no name yet: a table that they open asks for one.
func (v *visit) Unnamed() bool {
	none, err := v.Nameless(v.Me)
	return err == nil && none
}

// rematch leads to the table at which the game, or another one, is played by the same people.
func (v pastPages) rematch() error {
	look, err := v.Look()
	if err != nil {
		return err
	}
	if !v.mayRematch(look) {
		return door.ErrSignIn
	}
	again, err := v.NewTables().Again(look, v.FormValue("game"), v.FormValue("name"))
	return v.after(err, tablePath(again), "")
}
