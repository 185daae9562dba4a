package house_test

import (
	"math/rand/v2"
	nethttp "net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
)

func TestAHouseAtRestShowsAndPlaysWhatItDid(t *testing.T) {
	l := posthorntest.Lives(t, posthorntest.Settings(t.TempDir()))
	desk, ana := l.Seated(), l.Guest("ana@example.org")
	var tables []events.Name
	for i := range 70 { // more than the desk keeps at rest
		who := domain.PersonID("p" + strconv.Itoa(i/5))
		tables = append(tables, desk.StartsBy(who, "carcassonne", nil, desktest.Player(who), desktest.Player("bo")))
	}
	l.CaughtUp()
	page := func(table events.Name) string {
		code, body := l.Get("/t/"+table.String(), ana, "en")
		require.Equal(t, nethttp.StatusOK, code)
		return body
	}
	require.Contains(t, page(tables[0]), tables[0].String())
	for range 2 {
		l.Rest(l.Ctx)
		for _, table := range []events.Name{tables[0], tables[69]} {
			require.Contains(t, page(table), table.String())
			desk.Random(table, rand.New(rand.NewPCG(1, 2)), 1)
		}
		l.CaughtUp()
	}
	require.NotContains(t, l.Log.String(), "memory is kept")
}
