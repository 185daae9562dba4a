package people_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
)

func TestATokenIsGoodForItsScopeAndTableUntilItIsOver(t *testing.T) {
	h := open(t)
	ana, bo := h.confirmed("ana@example.org"), h.confirmed("bo@example.org")
	table := events.NewName()
	text, made, err := h.MakeToken(ctx, ana.ID,
		people.NewToken{Label: "my bot", Scope: people.ScopePlay, Table: table, Days: 2})
	require.NoError(t, err)
	h.pass(time.Minute)
	other, _, err := h.MakeToken(ctx, ana.ID, people.NewToken{Label: "a reader", Scope: people.ScopeRead, Days: 1})
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(text, people.TokenPrefix))
	require.NotEqual(t, text, other)
	require.NotContains(t, string(h.files()), strings.TrimPrefix(text, people.TokenPrefix), "only a hash is kept")

	h.restart()
	got, err := h.Token(ctx, text)
	require.NoError(t, err)
	require.Equal(t, made, got)
	require.Equal(t, ana.ID, got.Person)
	require.Equal(t, "my bot", got.Label)
	require.Equal(t, people.ScopePlay, got.Scope)
	require.Equal(t, table, got.Table)
	for _, wrong := range []string{"", "x", text + "x", got.Ref, strings.TrimPrefix(text, people.TokenPrefix)} {
		_, err = h.Token(ctx, wrong)
		require.ErrorIs(t, err, people.ErrToken, wrong)
	}
	list, err := h.Tokens(ctx, ana.ID)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, got, list[1])
	require.True(t, list[0].Table.IsZero())
	list, err = h.Tokens(ctx, bo.ID)
	require.NoError(t, err)
	require.Empty(t, list)

	require.ErrorIs(t, h.RevokeToken(ctx, bo.ID, got.Ref), people.ErrToken, "another's token")
	require.NoError(t, h.RevokeToken(ctx, ana.ID, got.Ref))
	_, err = h.Token(ctx, text)
	require.ErrorIs(t, err, people.ErrToken)
	h.pass(24 * time.Hour)
	_, err = h.Token(ctx, other)
	require.ErrorIs(t, err, people.ErrToken, "it is over")
}

func TestATokenIsRefusedThatIsTooMuch(t *testing.T) {
	h := open(t)
	ana := h.confirmed("ana@example.org")
	good := people.NewToken{Label: "bot", Scope: people.ScopeRead, Days: 1}
	for code, change := range map[string]func(*people.NewToken){
		"token-scope": func(n *people.NewToken) { n.Scope = "everything" },
		"token-days":  func(n *people.NewToken) { n.Days = people.MaxTokenDays + 1 },
		"name-empty":  func(n *people.NewToken) { n.Label = " " },
	} {
		n := good
		change(&n)
		_, _, err := h.MakeToken(ctx, ana.ID, n)
		r, ok := domain.AsRefusal(err)
		require.True(t, ok, "%v", err)
		require.Equal(t, code, r.Code)
	}
	for range people.MaxTokens {
		_, _, err := h.MakeToken(ctx, ana.ID, good)
		require.NoError(t, err)
	}
	_, _, err := h.MakeToken(ctx, ana.ID, good)
	r, ok := domain.AsRefusal(err)
	require.True(t, ok, "%v", err)
	require.Equal(t, "tokens-many", r.Code)
	h.pass(24 * time.Hour)
	_, _, err = h.MakeToken(ctx, ana.ID, good)
	require.NoError(t, err, "those that are over do not count")
}

func TestTokensGoWithTheirPerson(t *testing.T) {
	h := open(t)
	ana := h.confirmed("ana@example.org")
	text, _, err := h.MakeToken(ctx, ana.ID, people.NewToken{Label: "bot", Scope: people.ScopeRead, Days: 1})
	require.NoError(t, err)
	require.NoError(t, h.Forget(ctx, ana.ID))
	_, err = h.Token(ctx, text)
	require.ErrorIs(t, err, people.ErrToken)
	_, _, err = h.MakeToken(ctx, ana.ID, people.NewToken{Label: "bot", Scope: people.ScopeRead, Days: 1})
	require.ErrorIs(t, err, people.ErrNobody)
}
