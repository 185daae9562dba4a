package mail_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/mail"
)

func TestAnOfferStandsInTheFirstLineOfItsMail(t *testing.T) {
	h := newHouse(t)
	ana, bo, cid := h.person("Ana", "en"), h.person("Bo", "en"), h.person("Cid", "en")
	table := h.started("catan", `{"phase":"main","first":"A","active":"A","players":[{"settlements":[30],"roads":[35],"hand":{"wool":2}},{"hand":{"ore":1}},{}]}`, ana, bo, cid)
	h.play(table, 0, "offer 2 wool for ore")
	h.notify()
	require.Subset(t, h.letters(table), []string{"turn Bo", "turn Cid"}, "whoever is offered something is mailed, whatever they hold")
	first, _, _ := strings.Cut(flat(parts(t, h.compose(table, mail.KindTurn, bo)).Text), " What happened")
	require.Equal(t, "Your turn: answer an offer. Will you take 2 wool from Ana for 1 ore?", first)
	// an answer to one's own offer is in the next mail
	h.play(table, 1, "decline")
	h.play(table, 2, "decline")
	require.Contains(t, flat(parts(t, h.compose(table, mail.KindTurn, ana)).Text), "declines")
}
