package pages

import (
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"posthorn/events/people"
	"posthorn/http/door"
)

// tokensPage is where people make and revoke tokens.
type tokensPage struct {
	Made   string // the text of the token just made, shown only this once
	Tokens []people.Token
	Scopes []choice
	Days   []choice
}

// tokens shows the reader's tokens.
func (v *visit) tokens() error { return v.showTokens("") }

func (v *visit) showTokens(made string) error {
	list, err := v.People.Tokens(v.Ctx(), v.Me)
	if err != nil {
		return err
	}
	scope := people.Scope(v.Kept("scope"))
	if !slices.Contains(people.Scopes, scope) {
		scope = people.ScopeRead
	}
	page := tokensPage{Made: made, Tokens: list, Scopes: door.Words(door.TokenScopes(), string(scope), v.Worded("page.tokens.scope."))}
	for _, n := range []int{7, 30, door.TokenDays, people.MaxTokenDays} {
		page.Days = append(page.Days, choice{Value: strconv.Itoa(n), Label: v.T("page.tokens.days", "n", n), Selected: n == door.TokenDays})
	}
	return v.render("tokens", sheet{Title: v.T("page.tokens.title"), Body: page})
}

// makeToken makes a token and shows it; it cannot be shown again.
func (v *visit) makeToken() error {
	days, err := strconv.Atoi(v.FormValue("days"))
	if err != nil {
		return door.ErrMalformed
	}
	table := strings.TrimSpace(v.FormValue("table"))
	if table != "" {
		table = path.Base(table)
	}
	text, _, err := v.MakeToken(people.NewToken{Label: v.FormValue("label"), Scope: people.Scope(v.FormValue("scope")), Days: days}, table)
	if err != nil {
		return err
	}
	return v.showTokens(text)
}

// revokeToken revokes one of the reader's tokens.
func (v *visit) revokeToken() error {
	if err := v.People.RevokeToken(v.Ctx(), v.Me, v.FormValue("token")); err != nil && !errors.Is(err, people.ErrToken) {
		return err
	}
	return v.see("/settings/tokens", "saved")
}
