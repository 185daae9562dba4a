package pages

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
	"posthorn/http/door"
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
func (v *visit) tokens() error { return v.showTokens(nethttp.StatusOK, "", nil) }

func (v *visit) showTokens(status int, made string, refused *domain.Refusal) error {
	if !v.SignedIn() {
		return door.ErrSignIn
	}
	list, err := v.People.Tokens(v.Ctx(), v.Me)
	if err != nil {
		return err
	}
	page := tokensPage{Made: made, Scopes: []choice{
		{Value: string(people.ScopeRead), Label: v.T("page.tokens.scope.read"), Selected: v.Kept("scope") != string(people.ScopePlay)},
		{Value: string(people.ScopePlay), Label: v.T("page.tokens.scope.play"), Selected: v.Kept("scope") == string(people.ScopePlay)}}}
	for _, n := range []int{7, 30, door.TokenDays, people.MaxTokenDays} {
		page.Days = append(page.Days, choice{Value: strconv.Itoa(n), Label: v.T("page.tokens.days", "n", n), Selected: n == door.TokenDays})
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
		sh.Error = v.Print.Say(refused.Say())
	}
	if done := v.QueryParam("done"); done != "" && refused == nil {
		sh.Notice = v.done(done)
	}
	return v.render(status, "tokens", sh)
}

// makeToken makes a token and shows it; nothing of it can be shown again.
func (v *visit) makeToken() error {
	if !v.SignedIn() {
		return door.ErrSignIn
	}
	days, err := strconv.Atoi(v.FormValue("days"))
	if err != nil {
		return door.ErrMalformed
	}
	n := people.NewToken{Label: v.FormValue("label"), Scope: people.Scope(v.FormValue("scope")), Days: days}
	if text := strings.TrimSpace(v.FormValue("table")); text != "" {
		if n.Table, err = events.ParseName(path.Base(text)); err != nil {
			return events.ErrNoStream
		}
		if _, err := v.Desk.Look(v.Ctx(), n.Table); err != nil {
			return err
		}
	}
	text, _, err := v.People.MakeToken(v.Ctx(), v.Me, n)
	if r, ok := domain.AsRefusal(err); ok {
		return v.showTokens(nethttp.StatusUnprocessableEntity, "", r)
	}
	if err != nil {
		return err
	}
	return v.showTokens(nethttp.StatusOK, text, nil)
}

// revokeToken ends one of the reader's tokens.
func (v *visit) revokeToken() error {
	if !v.SignedIn() {
		return door.ErrSignIn
	}
	if err := v.People.RevokeToken(v.Ctx(), v.Me, v.FormValue("token")); err != nil && !errors.Is(err, people.ErrToken) {
		return err
	}
	return v.see("/settings/tokens", "saved")
}
