package mail_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/record"
	"posthorn/mail"
)

// The mail about a game's end is a witness of all of it: with the receipts in it nothing in the record is left without.
func TestTheEndsMailProvesTheWholeGame(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "pl")
	table := h.started("carcassonne", "", ana, bo)
	h.playRandom(table, h.awaited(table), 1)
	h.proposeEnd(ana, table)
	h.agree(bo, table)
	h.Follows(table)
	for _, who := range []domain.PersonID{ana, bo} {
		p := parts(t, h.compose(table, mail.KindOver, who))
		var file bytes.Buffer
		require.NoError(t, record.Export(t.Context(), h.Desk, table, domain.Referee, noon.AddDate(0, 1, 0), &file))
		f, err := record.Read(&file)
		require.NoError(t, err)
		for _, text := range []string{p.Text, p.HTML} {
			receipts, broken := events.FindReceipts(text)
			require.Zero(t, broken)
			r, err := record.Verify(f, rulebooks.Named, receipts...)
			require.NoError(t, err)
			require.True(t, r.Witnessed)
			require.Empty(t, r.Skipped)
		}
	}
}
