package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
)

// At a table branched from another one, what a seat is asked may have come up before they parted.
func TestWhatWasAskedBeforeABranchIsAnsweredThere(t *testing.T) {
	h := newHouse(t)
	first := h.started(desk.NewTable{Rulebook: "tiny", Given: []byte(`{"roller":"A","hands":[17,23]}`)},
		h.person("Ana", "en"), h.person("Bo", "en"))
	h.play(first, 0, "keep")
	look := h.Sees(first)
	cid, dora := h.person("Cid", "en"), h.person("Dora", "en")
	branch := &domain.Branch{Table: first.String(), Line: look.LineName.String(), Version: look.Line.Version,
		Kind: "game"}
	table := h.started(desk.NewTable{Rulebook: "tiny", Branch: branch}, cid, dora)
	require.Less(t, h.open(table, 1).Since, h.Sees(table).Line.Version)
	at := h.last()
	require.Equal(t, "outcome: played", h.write(h.address(table, 1), "dora@example.org", "1", "keep"))
	require.Equal(t, []string{"reply: move B keep"}, h.story(table, at), "and not at the table that it came from")
}
