package record_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// graceVectors returns openings with a grace, and moves that were taken back within it or too late.
func graceVectors(t *testing.T) (out []vector) {
	for _, e := range []domain.Opened{{}, {Grace: 1}, {Grace: 60}, {Grace: 61}, {Grace: -1}, {Grace: 5, NoUndo: true},
		{NoUndo: true}} {
		out = append(out, vector{"name": fmt.Sprintf("opened with %d minutes, no undo %t", e.Grace, e.NoUndo),
			"opened": graceOf(t, e), "valid": domain.CheckGrace(e.Grace, e.NoUndo) == nil})
	}
	const move = 1767323165000
	for _, c := range []struct {
		name  string
		grace int
		after time.Duration
		by    domain.PersonID
		meta  events.Meta
	}{
		{"at once", 2, 0, "Ana", events.Meta{By: "Ana", Door: domain.DoorPage}},
		{"by an answer to a mail", 2, time.Minute, "Ana", events.Meta{By: "Ana", Door: domain.DoorReply}},
		{"in its last moment", 2, 2*time.Minute - time.Millisecond, "Ana",
			events.Meta{By: "Ana", Door: domain.DoorPage}},
		{"written just after it", 2, 2*time.Minute + desk.GraceSlack - time.Millisecond, "Ana",
			events.Meta{By: "Ana", Door: domain.DoorPage}},
		{"too late by a moment", 2, 2*time.Minute + desk.GraceSlack, "Ana",
			events.Meta{By: "Ana", Door: domain.DoorPage}},
		{"an hour's grace", 60, time.Hour, "Ana", events.Meta{By: "Ana", Door: domain.DoorPage}},
		{"an hour's grace, too late", 60, time.Hour + desk.GraceSlack, "Ana",
			events.Meta{By: "Ana", Door: domain.DoorPage}},
		{"without a grace", 0, 10 * time.Second, "Ana", events.Meta{By: "Ana", Door: domain.DoorPage}},
		{"what an order did", 2, 0, "Ana", events.Meta{By: "Ana", Door: domain.DoorOrder}},
		{"another's move", 2, 0, "Ana", events.Meta{By: "Bo", Door: domain.DoorPage}},
		{"the house's move", 2, 0, "Ana", events.Meta{Door: domain.DoorForced}},
	} {
		out = append(out, vector{"name": c.name, "opened": graceOf(t, domain.Opened{Grace: c.grace}), "meta": c.meta,
			"move": move, "by": c.by, "undone": move + c.after.Milliseconds(),
			"may": takenBack(t, c.grace, c.by, c.meta, time.UnixMilli(move), time.UnixMilli(move).Add(c.after))})
	}
	return out
}

// graceOf returns what an opening says of its grace.
func graceOf(t *testing.T, e domain.Opened) json.RawMessage {
	text, err := json.Marshal(e)
	require.NoError(t, err)
	says := map[string]any{}
	require.NoError(t, json.Unmarshal(text, &says))
	for member := range says {
		if member != "grace" && member != "no_undo" {
			delete(says, member)
		}
	}
	text, err = json.Marshal(says)
	require.NoError(t, err)
	return text
}

// takenBack asks a table whether a move that asked somebody else may be taken back, as a verifier asks.
func takenBack(t *testing.T, grace int, by domain.PersonID, meta events.Meta, move, undone time.Time) bool {
	place := func(id domain.PersonID) domain.TablePlace {
		return domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{id},
			Holders: []domain.PersonID{id}}
	}
	table := domain.Table{Status: domain.TableStarted, Grace: grace,
		Places: []domain.TablePlace{place("Ana"), place("Bo")}, Lines: []domain.TableLine{{}}}
	main := domain.Played{Version: 9, First: 1, Moves: []domain.Seat{0}, Awaits: []domain.Seat{1}, By: meta.Hand(),
		At: move}
	e, err := table.Undo(by, 8, main, "", undone.Add(-desk.GraceSlack))
	if err == nil {
		require.True(t, e.(*domain.Undone).Grace)
	}
	return err == nil
}
