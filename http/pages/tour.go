package pages

import (
	"time"
)

// tour is a bubble over the board that leads newcomers through their first turn, step by step. It covers nothing that
// can be pressed: what lies below it is pressed through it.
type tour struct {
	Step        int // 1 to tourSteps
	Title, Text string
	Hint, Skip  string // addresses
}

const (
	tourSteps  = 4
	tourCookie = "tour"
	tourLasts  = 365 * 24 * time.Hour
	newcomer   = 14 * 24 * time.Hour // since they came
)

// tour adds one to the page of a table, for people who are new here and play against computers alone, until they
// have made a move and seen what came of it, or have left it.
func (v tablePages) tour(g *gamePage) error {
	if v.QueryParam("tour") == "off" {
		v.Keep(tourCookie, "off", tourLasts)
		return nil
	}
	if left, err := v.Cookie(tourCookie); err == nil && left.Value == "off" ||
		g.M.Decision == nil || !v.SignedIn() || !g.M.MayHint() || g.M.Made > 1 || g.As != "" || g.Trade != nil {
		return nil
	}
	p, err := v.People.Person(v.Ctx(), v.Me)
	if err != nil || v.Now().Sub(p.Created) > newcomer {
		return err
	}
	step := &tour{Step: 1, Skip: g.at(nil, "tour", "off")}
	switch chosen := len(v.QueryParams()["c"]) > 0 || g.Ready != nil; {
	case g.M.Made == 1 && (chosen || len(g.M.Players) == 1):
		return nil
	case g.M.Made == 1:
		step.Step = tourSteps
	case g.Ready != nil:
		step.Step = 3
	case chosen:
		step.Step = 2
	default:
		step.Hint = g.at(nil, "hint", "1")
	}
	key := map[int]string{1: "tap", 2: "on", 3: "play", tourSteps: "so"}[step.Step]
	step.Title, step.Text = v.T("page.tour."+key), v.T("page.tour."+key+".text")
	g.Tour = step
	return nil
}
