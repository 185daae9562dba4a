package pages

import (
	nethttp "net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
	"posthorn/http/door"
	"posthorn/http/guard"
	"posthorn/projections/turn"
)

// puzzleForm is the page on which a puzzle is made of a moment.
type puzzleForm struct {
	Line      string
	Version   uint64
	Seat      domain.Seat
	Who       string
	Back      string
	Solutions string // what was played there, to begin with
	Own       []choice
}

// puzzleMoment reads which moment a page or form is about.
func (v *visit) puzzleMoment() (people.Puzzle, events.Look, error) {
	in, posted := v.QueryParam, v.Request().Method == nethttp.MethodPost
	if posted {
		in = v.FormValue
	}
	if !posted && in("line") == "" && in("version") == "" { // an address without a moment means the last one
		look, err := v.Look()
		if err != nil {
			return people.Puzzle{}, look, err
		}
		return v.PuzzleFrom(look.LineName.String(), look.LineHead.Version, domain.Nobody)
	}
	version, err := strconv.ParseUint(in("version"), 10, 63)
	if err != nil {
		return people.Puzzle{}, events.Look{}, door.ErrMalformed
	}
	seat := domain.Nobody
	if n, err := strconv.Atoi(in("seat")); err == nil && n >= 0 && n < domain.MaxSeats {
		seat = domain.Seat(n)
	}
	return v.PuzzleFrom(in("line"), version, seat)
}

// newPuzzle asks for the words of a puzzle.
func (v *visit) newPuzzle() error {
	p, look, err := v.puzzleMoment()
	if err != nil {
		return err
	}
	printer, _, err := v.Maker.Printer(v.Ctx(), look, v.Lang)
	if err != nil {
		return err
	}
	f := &puzzleForm{Line: p.Line, Version: p.Version, Seat: p.Seat, Who: printer.Name(p.Seat)}
	line, err := events.ParseName(p.Line)
	if err != nil {
		return err
	}
	f.Back = momentPath(look.Name, line, p.Version)
	next, err := v.Desk.History(v.Ctx(), look, line, domain.ViewOf(p.Seat), p.Version, p.Version+1)
	if err != nil {
		return err
	}
	if len(next) == 1 && next[0].Event.Seat == p.Seat {
		if move, err := v.PuzzleMove(p, look, next[0].Event.Move); err == nil {
			f.Solutions = move
		}
	}
	own, err := v.People.Puzzles(v.Ctx(), v.Me)
	if err != nil {
		return err
	}
	for name, p := range own {
		if p.Table == look.Name.String() {
			f.Own = append(f.Own, choice{Value: "/puzzle/" + name.String(), Label: p.Title})
		}
	}
	slices.SortFunc(f.Own, func(a, b choice) int { return strings.Compare(a.Label+a.Value, b.Label+b.Value) })
	return v.render("puzzleform", sheet{Title: v.T("page.puzzle.make"), Body: f, say: printer.Say})
}

// makePuzzle keeps a puzzle, and leads to its page.
func (v *visit) makePuzzle() error {
	p, look, err := v.puzzleMoment()
	if err != nil {
		return err
	}
	p.Title, p.Question, p.Answer = strings.TrimSpace(v.FormValue("title")), strings.TrimSpace(v.FormValue("question")), strings.TrimSpace(v.FormValue("answer"))
	name, err := v.KeepPuzzle(p, look, strings.Split(v.FormValue("solutions"), "\n"))
	return v.after(err, "/puzzle/"+name.String(), "")
}

// puzzlePage is a puzzle to be solved: a game's page whose one move is held against the maker's.
type puzzlePage struct {
	*gamePage
	P         people.Puzzle
	Path      string
	Maker     string
	Tried     *turn.Happening // what the reader answered
	Right     bool
	Shown     bool             // the solution is
	Solutions []turn.Happening // once they are shown
	Mine      bool             // the reader made it
	Link      string           // to be sent
	Moment    string           // in the game, once the solution is shown
}

// countedPuzzle shows a puzzle, to strangers not without end: each look plays a game's moves again.
func (v *visit) countedPuzzle() error {
	if !v.SignedIn() {
		if wait, ok := v.site.puzzles.Allow(v.Network()); !ok {
			return guard.Busy{Wait: wait}
		}
	}
	return v.puzzle()
}

// puzzle shows a puzzle, and what the reader's answer comes to.
func (v *visit) puzzle() error {
	p, maker, look, err := v.PuzzleOf(v.Param("puzzle"))
	if err != nil {
		return err
	}
	s, err := v.Maker.Sketch(v.Ctx(), look, door.PuzzleLine(p), 0, p.Seat, v.Asker())
	if err != nil {
		return err
	}
	path := "/puzzle/" + v.Param("puzzle")
	page := &puzzlePage{gamePage: &gamePage{M: s.Model, Sketch: true, Self: path, Act: path}, P: p, Path: path, Mine: maker == v.Me && v.SignedIn(), Shown: v.QueryParam("solution") == "1",
		Link: v.Public.JoinPath(path).String()}
	if page.Maker, err = v.Called(maker); err != nil {
		return err
	}
	page.Of = s.Players[p.Seat].Name
	s.Sentence = v.T("page.puzzle.for", "who", page.Of, "what", s.What())
	if err := v.attempt(page, look); err != nil {
		return err
	}
	if err := v.trying(page.gamePage); err != nil {
		return err
	}
	return v.render("puzzle", sheet{Title: p.Title, Wide: true, Body: page, say: s.Say, Summary: p.Question})
}

// attempt judges the answer of the address, and shows the solution where that is due.
func (v *visit) attempt(page *puzzlePage, look events.Look) error {
	if text := v.QueryParam("tried"); text != "" {
		move, err := v.PuzzleMove(page.P, look, text)
		if err != nil {
			return err
		}
		h, err := v.answered(page.P, look, move)
		if err != nil {
			return err
		}
		page.Tried, page.Right = &h, slices.Contains(page.P.Solutions, move)
		page.Shown = page.Shown || page.Right
	}
	if !page.Shown {
		return nil
	}
	page.Moment = tablePath(look.Name) + "/line/" + page.P.Line + "/" + strconv.FormatUint(page.P.Version, 10)
	for _, move := range page.P.Solutions {
		h, err := v.answered(page.P, look, move)
		if err != nil {
			return err
		}
		page.Solutions = append(page.Solutions, h)
	}
	return nil
}

// answered is a move that answers a puzzle, in words.
func (v *visit) answered(p people.Puzzle, look events.Look, move string) (turn.Happening, error) {
	s, err := v.Maker.Sketch(v.Ctx(), look, door.PuzzleLine(p, move), 1, p.Seat, v.Asker())
	if err != nil || len(s.Plies) == 0 {
		return turn.Happening{Move: move, Seat: p.Seat}, err
	}
	return s.Plies[0].Happening, nil
}

// tryPuzzle reads an answer, and leads to what it comes to. It keeps nothing.
func (v *visit) tryPuzzle() error {
	p, _, look, err := v.PuzzleOf(v.Param("puzzle"))
	if err != nil {
		return err
	}
	move, err := v.PuzzleMove(p, look, v.FormValue("move"))
	if err != nil {
		return err
	}
	return v.see("/puzzle/"+v.Param("puzzle")+"?tried="+url.QueryEscape(move), "")
}

// dropPuzzle takes the reader's puzzle away.
func (v *visit) dropPuzzle() error {
	p, maker, _, err := v.PuzzleOf(v.Param("puzzle"))
	if err != nil {
		return err
	}
	name, err := events.ParseName(v.Param("puzzle"))
	if err != nil || maker != v.Me {
		return events.ErrNoStream
	}
	return v.after(v.People.DropPuzzle(v.Ctx(), v.Me, name), "/t/"+p.Table+"/line/"+p.Line+"/"+strconv.FormatUint(p.Version, 10), "")
}
