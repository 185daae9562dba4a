package pages

import (
	"net/url"
	"strconv"

	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/http/guard"
	"posthorn/projections/turn"
)

// puzzlePage is a puzzle to solve: a game's page whose one move is compared with the maker's.
type puzzlePage struct {
	*gamePage
	P         people.Puzzle
	Path      string
	Maker     string
	Tried     *turn.Happening // the reader's answer
	Right     bool
	Shown     bool             // the solution is shown
	Solutions []turn.Happening // only once they are shown
	Mine      bool             // the reader made it
	Link      string           // to send to others
	Moment    string           // address of the moment in the game, once the solution is shown
}

// countedPuzzle shows a puzzle, to strangers only so often: each look replays a game's moves.
func (v puzzlePages) countedPuzzle() error {
	if !v.SignedIn() {
		if wait, ok := v.site.puzzles.Allow(v.Network()); !ok {
			return guard.Busy{Wait: wait}
		}
	}
	return v.puzzle()
}

// puzzle shows a puzzle, and the result of the reader's answer.
func (v puzzlePages) puzzle() error {
	p, maker, look, err := v.puzzleOf(v.Param("puzzle"))
	if err != nil {
		return err
	}
	s, err := v.Maker.Sketch(v.Ctx(), look, puzzleLine(look.Rulebook, p, ""), 0, p.Seat, v.Asker())
	if err != nil {
		return err
	}
	path := "/puzzle/" + v.Param("puzzle")
	page := &puzzlePage{gamePage: &gamePage{M: s.Model, Sketch: true, Self: path, Act: path}, P: p, Path: path,
		Mine: maker == v.Me && v.SignedIn(), Shown: v.QueryParam("solution") == "1",
		Link: v.Public.JoinPath(path).String()}
	if page.Maker, err = v.Called(maker); err != nil {
		return err
	}
	page.Of = s.Players[p.Seat].Name
	asks := v.T("page.puzzle.for", "who", page.Of, "what", s.What())
	if err := v.attempt(page, look); err != nil {
		return err
	}
	if page.Right { // the board shows the answer; no question remains, and pressing the board plays nothing
		l := puzzleLine(look.Rulebook, p, page.Tried.Move)
		if s, err = v.Maker.Sketch(v.Ctx(), look, l, len(l.Plies), p.Seat, v.Asker()); err != nil {
			return err
		}
		page.M, s.Decision = s.Model, nil
	}
	s.Sentence = asks
	if err := v.play().trying(page.gamePage); err != nil {
		return err
	}
	return v.render("puzzle", sheet{Title: p.Title, Wide: true, Body: page, say: s.Say, Summary: p.Question})
}

// attempt judges the answer in the address, and shows the solution when it is due.
func (v puzzlePages) attempt(page *puzzlePage, look desk.Look) error {
	if text := v.QueryParam("tried"); text != "" {
		move, err := v.puzzleMove(page.P, look, text)
		if err != nil {
			return err
		}
		h, err := v.answered(page.P, look, move)
		if err != nil {
			return err
		}
		page.Tried, page.Right = &h, solves(page.P, move)
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

// answered returns a press that answers a puzzle, in words as far as nothing else is asked in between.
func (v puzzlePages) answered(p people.Puzzle, look desk.Look, move string) (turn.Happening, error) {
	l := puzzleLine(look.Rulebook, p, move)
	s, err := v.Maker.Sketch(v.Ctx(), look, l, len(l.Plies), p.Seat, v.Asker())
	if err != nil || len(s.Plies) == 0 {
		return turn.Happening{Move: move, Seat: p.Seat}, err
	}
	h := s.Plies[0].Happening
	for _, ply := range s.Plies[1:] {
		h.Sentences = append(h.Sentences, ply.Sentences...)
	}
	h.Move = move
	return h, nil
}

// tryPuzzle reads an answer and redirects to its result. It stores nothing.
func (v puzzlePages) tryPuzzle() error {
	p, _, look, err := v.puzzleOf(v.Param("puzzle"))
	if err != nil {
		return err
	}
	move, err := v.puzzleMove(p, look, v.FormValue("move"))
	if err != nil {
		return err
	}
	return v.see("/puzzle/"+v.Param("puzzle")+"?tried="+url.QueryEscape(move), "")
}

// dropPuzzle deletes the reader's puzzle.
func (v puzzlePages) dropPuzzle() error {
	p, maker, _, err := v.puzzleOf(v.Param("puzzle"))
	if err != nil {
		return err
	}
	name, err := events.ParseName(v.Param("puzzle"))
	if err != nil || maker != v.Me {
		return events.ErrNoStream
	}
	return v.after(v.People.DropPuzzle(v.Ctx(), v.Me, name),
		"/t/"+p.Table+"/line/"+p.Line+"/"+strconv.FormatUint(p.Version, 10), "")
}
