package pages

import (
	nethttp "net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/http/door"
	"posthorn/projections/turn"
)

// puzzleForm is the page for making a puzzle from a moment: a game's page whose moves are the right answers.
type puzzleForm struct {
	*gamePage
	P       people.Puzzle
	Who     string
	Moment  string
	Answers []puzzleAnswer // those chosen so far
	Own     []choice
}

// puzzleAnswer is a right answer, and the address without it.
type puzzleAnswer struct {
	turn.Happening
	Without string
}

// Written returns the right answers in notation, one per line.
func (f *puzzleForm) Written() string {
	var moves []string
	for _, a := range f.Answers {
		moves = append(moves, a.Move)
	}
	return strings.Join(moves, "\n")
}

// mostAnswers is the maximum number of right answers in an address.
const mostAnswers = 16

// puzzleMoment reads which moment a page or form is about.
func (v puzzlePages) puzzleMoment() (people.Puzzle, desk.Look, error) {
	in, posted := v.QueryParam, v.Request().Method == nethttp.MethodPost
	if posted {
		in = v.FormValue
	}
	if !posted && in("line") == "" && in("version") == "" { // an address without a moment means the last one
		look, err := v.Look()
		if err != nil {
			return people.Puzzle{}, look, err
		}
		return v.puzzleFrom(look.LineName.String(), look.LineHead.Version, domain.Nobody)
	}
	version, err := strconv.ParseUint(in("version"), 10, 63)
	if err != nil {
		return people.Puzzle{}, desk.Look{}, door.ErrMalformed
	}
	seat := domain.Nobody
	if n, err := strconv.Atoi(in("seat")); err == nil && n >= 0 && n < domain.MaxSeats {
		seat = domain.Seat(n)
	}
	p, look, err := v.puzzleFrom(in("line"), version, seat)
	if luck, wrong := strconv.ParseUint(in("luck"), 16, 64); wrong == nil {
		p.Luck = luck // all steps of making one puzzle deal afresh in the same way
	}
	return p, look, err
}

// puzzleAt returns the address of the page that makes a puzzle, with the right answers chosen so far.
func puzzleAt(p people.Puzzle, answers []string) string {
	q := url.Values{"line": {p.Line}, "version": {strconv.FormatUint(p.Version, 10)},
		"seat": {strconv.Itoa(int(p.Seat))}, "luck": {strconv.FormatUint(p.Luck, 16)}, "s": answers}
	if len(answers) == 0 {
		q.Set("s", "") // none are left: do not default to what was played
	}
	return "/t/" + p.Table + "/puzzle?" + q.Encode()
}

// newPuzzle shows a moment and asks for a puzzle's right answers, which the reader plays, and its words.
func (v puzzlePages) newPuzzle() error {
	p, look, err := v.puzzleMoment()
	if err != nil {
		return err
	}
	answers, err := v.chosenAnswers(p, look)
	if err != nil {
		return err
	}
	s, err := v.Maker.Sketch(v.Ctx(), look, puzzleLine(look.Rulebook, p, ""), 0, p.Seat, v.Asker())
	if err != nil {
		return err
	}
	line, err := events.ParseName(p.Line)
	if err != nil {
		return err
	}
	f := &puzzleForm{gamePage: &gamePage{M: s.Model, Sketch: true, Self: v.Home() + "/puzzle",
		Act: v.Home() + "/puzzle"}, P: p,
		Who: s.Players[p.Seat].Name, Moment: momentPath(look.Name, line, p.Version)}
	f.Of, s.Line = f.Who, line // its decision is asked there
	s.Sentence = v.T("page.puzzle.for", "who", f.Who, "what", s.What())
	for _, k := range []kept{{"line", p.Line}, {"version", strconv.FormatUint(p.Version, 10)},
		{"seat", strconv.Itoa(int(p.Seat))}, {"luck", strconv.FormatUint(p.Luck, 16)}} {
		f.keep(k.Name, k.Value)
	}
	for i, move := range answers {
		f.keep("s", move)
		h, err := v.answered(p, look, move)
		if err != nil {
			return err
		}
		f.Answers = append(f.Answers, puzzleAnswer{h, puzzleAt(p, slices.Delete(slices.Clone(answers), i, i+1))})
	}
	if len(answers) == 0 {
		f.keep("s", "")
	}
	if f.Own, err = v.ownPuzzles(look.Name); err != nil {
		return err
	}
	if err := v.play().trying(f.gamePage); err != nil {
		return err
	}
	return v.render("puzzleform", sheet{Title: v.T("page.puzzle.make"), Wide: true, Body: f, say: s.Say})
}

// chosenAnswers returns the right answers in a page's address or in a form that was refused, as far as they are moves.
// If the address has none yet, it returns what was played there.
func (v puzzlePages) chosenAnswers(p people.Puzzle, look desk.Look) ([]string, error) {
	given, some := v.QueryParams()["s"]
	if v.Request().Method == nethttp.MethodPost {
		given, some = slices.Concat(v.Request().PostForm["s"], strings.Split(v.FormValue("solutions"), "\n")), true
	}
	if !some {
		line, err := events.ParseName(p.Line)
		if err != nil {
			return nil, err
		}
		next, err := v.Desk.History(v.Ctx(), look, line, domain.ViewOf(p.Seat), p.Version, p.Version+1)
		if err != nil {
			return nil, err
		}
		if len(next) == 1 && next[0].Event.Seat == p.Seat {
			given = []string{next[0].Event.Move}
		}
	}
	var out []string
	for _, text := range given[:min(len(given), mostAnswers)] {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if move, err := v.puzzleMove(p, look, text); err == nil && !slices.Contains(out, move) {
			out = append(out, move)
		}
	}
	return out, nil
}

// ownPuzzles returns the reader's puzzles from a table.
func (v puzzlePages) ownPuzzles(table events.Name) (out []choice, err error) {
	own, err := v.People.Puzzles(v.Ctx(), v.Me)
	for name, p := range own {
		if p.Table == table.String() {
			out = append(out, choice{Value: "/puzzle/" + name.String(), Label: p.Title})
		}
	}
	slices.SortFunc(out, func(a, b choice) int { return strings.Compare(a.Label+a.Value, b.Label+b.Value) })
	return out, err
}

// choosePuzzle adds a move played on the page to the right answers. It stores nothing.
func (v puzzlePages) choosePuzzle() error {
	p, look, err := v.puzzleMoment()
	if err != nil {
		return err
	}
	move, err := v.puzzleMove(p, look, v.FormValue("move"))
	if err != nil {
		return err
	}
	answers, err := v.chosenAnswers(p, look)
	if err != nil {
		return err
	}
	if slices.Contains(answers, move) {
		return v.see(puzzleAt(p, answers), "chosen")
	}
	return v.see(puzzleAt(p, append(answers, move)), "")
}

// makePuzzle stores a puzzle and redirects to its page.
func (v puzzlePages) makePuzzle() error {
	p, look, err := v.puzzleMoment()
	if err != nil {
		return err
	}
	p.Title, p.Question, p.Answer = strings.TrimSpace(v.FormValue("title")), strings.TrimSpace(v.FormValue("question")),
		strings.TrimSpace(v.FormValue("answer"))
	name, err := v.keepPuzzle(p, look, strings.Split(v.FormValue("solutions"), "\n"))
	return v.after(err, "/puzzle/"+name.String(), "")
}
