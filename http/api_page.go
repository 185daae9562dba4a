package http

import (
	"errors"
	nethttp "net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
)

// tokensPage is where somebody makes and revokes tokens.
type tokensPage struct {
	Made   string // the text of the one just made, shown this once
	Tokens []tokenRow
	Scopes []choice
	Days   []choice
}

type tokenRow struct {
	Ref, Label, Scope string
	Table             string // the address of the one table it is good for
	Since, Expires    time.Time
}

// tokens shows the reader's tokens.
func (s *Server) tokens(v *visit) error { return v.showTokens(nethttp.StatusOK, "", nil) }

func (v *visit) showTokens(status int, made string, refused *domain.Refusal) error {
	if !v.SignedIn() {
		return errSignIn
	}
	list, err := v.s.People.Tokens(v.ctx(), v.Me)
	if err != nil {
		return err
	}
	page := tokensPage{Made: made, Scopes: []choice{
		{Value: string(people.ScopeRead), Label: v.T("page.tokens.scope.read"), Selected: v.Kept("scope") != string(people.ScopePlay)},
		{Value: string(people.ScopePlay), Label: v.T("page.tokens.scope.play"), Selected: v.Kept("scope") == string(people.ScopePlay)}}}
	for _, n := range []int{7, 30, tokenDays, people.MaxTokenDays} {
		page.Days = append(page.Days, choice{Value: strconv.Itoa(n), Label: v.T("page.tokens.days", "n", n), Selected: n == tokenDays})
	}
	for _, t := range list {
		row := tokenRow{Ref: t.Ref, Label: t.Label, Scope: v.T("page.tokens.scope." + string(t.Scope)), Since: t.Created, Expires: t.Expires}
		if !t.Table.IsZero() {
			row.Table = tablePath(t.Table)
		}
		page.Tokens = append(page.Tokens, row)
	}
	sh := sheet{Title: v.T("page.tokens.title"), Body: page}
	if refused != nil {
		sh.Error = v.print.Say(refused.Say())
	}
	if done := v.c.QueryParam("done"); done != "" && refused == nil {
		sh.Notice = v.done(done)
	}
	return v.render(status, "tokens", sh)
}

// makeToken makes a token and shows it; nothing of it can be shown again.
func (s *Server) makeToken(v *visit) error {
	if !v.SignedIn() {
		return errSignIn
	}
	days, err := strconv.Atoi(v.c.FormValue("days"))
	if err != nil {
		return errMalformed
	}
	n := people.NewToken{Label: v.c.FormValue("label"), Scope: people.Scope(v.c.FormValue("scope")), Days: days}
	if text := strings.TrimSpace(v.c.FormValue("table")); text != "" {
		if n.Table, err = events.ParseName(path.Base(text)); err != nil {
			return events.ErrNoStream
		}
		if _, err := s.Desk.Look(v.ctx(), n.Table); err != nil {
			return err
		}
	}
	text, _, err := s.People.MakeToken(v.ctx(), v.Me, n)
	if r, ok := domain.AsRefusal(err); ok {
		return v.showTokens(nethttp.StatusUnprocessableEntity, "", r)
	}
	if err != nil {
		return err
	}
	return v.showTokens(nethttp.StatusOK, text, nil)
}

// revokeToken ends one of the reader's tokens.
func (s *Server) revokeToken(v *visit) error {
	if !v.SignedIn() {
		return errSignIn
	}
	if err := s.People.RevokeToken(v.ctx(), v.Me, v.c.FormValue("token")); err != nil && !errors.Is(err, people.ErrToken) {
		return err
	}
	return v.see("/settings/tokens", "saved")
}
