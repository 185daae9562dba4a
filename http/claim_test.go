package http_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/pass"
)

// A table that came from another server: the people who held its seats there are nobody here.
func TestASeatOfATableFromElsewhereIsTakenUpAgain(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	require.NoError(t, h.people.Forget(context.Background(), bo.id))
	name, err := events.ParseName(table)
	require.NoError(t, err)
	token, err := h.passes.Make(pass.Facts{Purpose: pass.Join, Stream: name, Seat: 1, Kind: pass.KindClaim})
	require.NoError(t, err)
	link := "/p/" + token.Text()

	stranger := h.browser().get(link)
	require.Equal(t, 200, stranger.status)
	require.Contains(t, stranger.body, "Sign in first")
	cy := h.signedIn("Cy")
	page := cy.get(link)
	require.Equal(t, []domain.PersonID{bo.id}, h.look(table).Table.Places[1].Holders,
		"opening the link changes nothing")
	page = cy.send(link+"/claim", page.form(link+"/claim"))
	require.Equal(t, "/t/"+table, page.path, page.body)
	require.Equal(t, []domain.PersonID{cy.id}, h.look(table).Table.Places[1].Holders)

	dora := h.signedIn("Dora")
	require.Equal(t, "/t/"+table, dora.get(link).path, "the seat is taken")
	require.Equal(t, []domain.PersonID{cy.id}, h.look(table).Table.Places[1].Holders)
}
