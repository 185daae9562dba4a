package house_test

import (
	"html"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events/desktest"
	"posthorn/http/pagetest"
)

// A study is for whoever makes it: the opponent of a running game is neither seated nor written to.
func TestAStudySeatsItsMakerEverywhere(t *testing.T) {
	t.Parallel()
	l := posthorntest.Lives(t, posthorntest.Settings(t.TempDir()))
	ana, bo := l.Guest("ana@example.org"), l.Guest("bob@example.org")
	table := l.Seated().Starts("catan", nil, desktest.Player(ana.ID), desktest.Player(bo.ID))
	home := "/t/" + table.String()
	_, body := l.Get(home, ana, "en")
	link := regexp.MustCompile(`href="(` + home + `/branch[^"]*)"`).FindStringSubmatch(body)
	require.NotNil(t, link, body)
	_, body = l.Get(html.UnescapeString(link[1]), ana, "en")
	form := pagetest.Of(t, body, home+"/branch")
	require.Equal(t, "me same", form.Fields.Get("seat.0")+" "+form.Fields.Get("seat.1"),
		"a game goes on among the same people")
	link = regexp.MustCompile(`href="(` + home + `/branch[^"]*kind=study[^"]*)"`).FindStringSubmatch(body)
	require.NotNil(t, link, body)
	_, body = l.Get(html.UnescapeString(link[1]), ana, "en")
	require.Contains(t, body, "as before", "it can be chosen")
	form = pagetest.Of(t, body, home+"/branch")
	status, body := l.Post(form.Action, ana, form.Press(form.Buttons[len(form.Buttons)-1]))
	require.Equal(t, 303, status, body)
	l.CaughtUp()

	tables, err := folder.TablesOf(l.Ctx, l.House.Log)
	require.NoError(t, err)
	require.Len(t, tables, 2)
	look, err := l.Desk.Look(l.Ctx, tables[1])
	require.NoError(t, err)
	require.Equal(t, "study", look.Table.Branch.Kind)
	letters, err := l.Outbox.Letters(l.Ctx, tables[1])
	require.NoError(t, err)
	for _, letter := range letters {
		require.Equal(t, ana.ID, letter.Person, "nobody else is written to")
	}
	for seat, place := range look.Table.Places {
		require.Equal(t, []domain.PersonID{ana.ID}, place.Invited, "seat %d", seat)
	}
}
