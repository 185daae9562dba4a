package pages

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/events"
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
func (v settingsPages) tokens() error { return v.showTokens("") }

func (v settingsPages) showTokens(made string) error {
	list, err := v.People.Tokens(v.Ctx(), v.Me)
	if err != nil {
		return err
	}
	scope := people.Scope(v.Kept("scope"))
	if !slices.Contains(people.Scopes, scope) {
		scope = people.ScopeRead
	}
	page := tokensPage{Made: made, Tokens: list,
		Scopes: door.Words(door.TokenScopes(), string(scope), v.Worded("page.tokens.scope."))}
	for _, n := range []int{7, 30, door.TokenDays, people.MaxTokenDays} {
		page.Days = append(page.Days, choice{Value: strconv.Itoa(n), Label: v.T("page.tokens.days", "n", n),
			Selected: n == door.TokenDays})
	}
	return v.render("tokens", sheet{Title: v.T("page.tokens.title"), Body: page, Beside: "token-table"})
}

// tableIn returns the name of the table in an address, or the text itself if there is none.
func tableIn(address string) string {
	for _, part := range strings.FieldsFunc(address, func(r rune) bool { return strings.ContainsRune("/?#", r) }) {
		if _, err := events.ParseName(part); err == nil {
			return part
		}
	}
	return address
}

// makeToken makes a token and shows it; it cannot be shown again.
func (v settingsPages) makeToken() error {
	days, err := strconv.Atoi(v.FormValue("days"))
	if err != nil {
		return door.ErrMalformed
	}
	n := people.NewToken{Label: v.FormValue("label"), Scope: people.Scope(v.FormValue("scope")), Days: days}
	text, _, err := v.Settings().MakeToken(n, tableIn(strings.TrimSpace(v.FormValue("table"))))
	if errors.Is(err, events.ErrNoStream) {
		return domain.Refuse("token-table")
	}
	if err != nil {
		return err
	}
	return v.showTokens(text)
}

// revokeToken revokes one of the reader's tokens.
func (v settingsPages) revokeToken() error {
	if err := v.People.RevokeToken(v.Ctx(), v.Me, v.FormValue("token")); err != nil &&
		!errors.Is(err, people.ErrToken) {
		return err
	}
	return v.see("/settings/tokens", "saved")
}
