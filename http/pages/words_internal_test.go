package pages

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

func TestAFormBecomesNotation(t *testing.T) {
	offer := domain.Form{Pattern: "offer {give} for {want} to {seats}", Fields: []domain.Field{
		{Name: "give", Kind: domain.FieldAmounts, Words: []string{"brick", "wool"}, Max: 19},
		{Name: "want", Kind: domain.FieldAmounts, Words: []string{"brick", "wool"}, Max: 19},
		{Name: "seats", Kind: domain.FieldSeats, Seats: []domain.Seat{1, 2}},
	}}
	remove := domain.Form{Pattern: "remove {card}",
		Fields: []domain.Field{{Name: "card", Kind: domain.FieldChoice, Words: []string{"inn", "mill"}}}}
	for name, c := range map[string]struct {
		form domain.Form
		in   string
		want string
	}{
		"amounts and seats": {offer, "give.wool=2&want.brick=1&seats=B&seats=C",
			"offer 2 wool for 1 brick to B C"},
		"nothing of a word": {offer, "give.wool=0&give.brick=1&want.wool=1&seats=C",
			"offer 1 brick for 1 wool to C"},
		"more than there may be": {offer, "give.wool=99&want.brick=1&seats=B", "offer for 1 brick to B"},
		"what is no number":      {offer, "give.wool=x&want.brick=-1&seats=B", "offer for to B"},
		"seats that are not asked": {offer, "give.wool=1&want.brick=1&seats=A&seats=Z&seats=B",
			"offer 1 wool for 1 brick to B"},
		"one word of several":      {remove, "card=mill", "remove mill"},
		"a word that is not there": {remove, "card=keep+everything", "remove"},
	} {
		q, err := url.ParseQuery(c.in)
		require.NoError(t, err)
		require.Equal(t, c.want, filled(c.form, q), name)
	}
}

func TestOnlyPathsOfThisServerAreComeBackTo(t *testing.T) {
	for _, path := range []string{"/", "/t/00?x=1", "/new"} {
		require.Equal(t, path, local(path))
	}
	for _, path := range []string{"", "x", "//evil.example", "https://evil.example", `/\evil.example`,
		"/\r\nSet-Cookie: a", "/" + strings.Repeat("x", 300)} {
		require.Empty(t, local(path), path)
	}
}
