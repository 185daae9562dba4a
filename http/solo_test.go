package http_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

func TestAGameForOneIsOpenedByItsOption(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	page := ana.get("/new/carcassonne")
	form := page.form("/new/carcassonne")
	form.Set("pace", "weekly")
	form.Set("seat.0", "me")
	form.Set("seat.1", "friend")
	form.Set("option.solo", "on")
	form.Set("timeout", "turn")
	page = ana.send("/new/carcassonne", form)
	require.Equal(t, 200, page.status, page.body)
	table := page.path[len("/t/"):]
	require.Len(t, h.look(table).Table.Places, 1, "the seats that the form offers besides are left out")
	join := page.form("/t/" + table + "/join")
	join.Set("chance", someChance)
	join.Set("seat", "0")
	require.Equal(t, 200, ana.send("/t/"+table+"/join", join).status)
	h.settle(table)
	require.Equal(t, domain.TableStarted, h.look(table).Table.Status)
	page = ana.get("/t/" + table)
	require.Contains(t, page.body, "hint=1")
	require.Contains(t, page.body, "<b>A good move?</b></a>")
	require.NotContains(t, page.body, "Play by", "nobody waits")
	require.Empty(t, h.look(table).Table.Clock)
	require.Contains(t, ana.get("/t/"+table+"?hint=1").body, `class="turn confirm"`)
}

// Somebody who leaves all other seats empty plays alone, without having to find the variant for that first.
func TestATableForOneIsASoloGame(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	require.Contains(t, ana.get("/new").body, "1 to 5 players")
	form := ana.get("/new/carcassonne").form("/new/carcassonne")
	form.Set("pace", "weekly")
	form.Set("seat.0", "me")
	for _, n := range []string{"1", "2", "3", "4"} {
		form.Set("seat."+n, "")
	}
	p := ana.send("/new/carcassonne", form)
	require.Equal(t, 200, p.status, p.body)
	require.Equal(t, "on", h.look(p.path[3:]).Table.Choices["solo"])

	form.Set("seat.1", "friend") // without an address
	require.NotEqual(t, 200, ana.send("/new/carcassonne", form).status,
		"who forgets a friend's address does not play alone")
}
