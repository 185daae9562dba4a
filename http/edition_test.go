package http_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/http"
	"posthorn/projections/turn"
)

// corrected is a game whose rules got a new edition.
type corrected struct{ domain.Rulebook }

func (corrected) Edition() string { return "99" }

func TestAGameOfAnEarlierEditionSaysWhatBecomesOfIt(t *testing.T) {
	var cfg http.Config
	h := open(t, func(c *http.Config) { cfg = *c })
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	at := h.table("carcassonne", ana, bo)
	require.NotContains(t, ana.get("/t/"+at).body, "began under edition")

	book, err := theBook()
	require.NoError(t, err)
	cfg.Desk = desk.NewDesk(h.desk.Log(), h.desk.Keys(), func(name string) (domain.Rulebook, bool) {
		rb, ok := named(name)
		return corrected{rb}, ok
	}, time.Now)
	cfg.Maker = turn.NewMaker(cfg.Desk, book, names{h.people})
	h.server, err = http.New(cfg)
	require.NoError(t, err)
	body := ana.get("/t/" + at).body
	require.Contains(t, body, "This game began under edition 1 of the rules.")
	require.Contains(t, body, "played on by edition 99")
}
