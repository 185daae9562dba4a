package posthorntest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
)

// Poisons are events that no version of this program wrote.
var Poisons = []struct {
	Name  string
	Table bool // append to the table's stream rather than to its line
	Draft events.Draft
}{
	{"an unknown event of a table", true, events.Draft{Type: "table.unheard.v9", Data: []byte(`{}`)}},
	{"a table's event that does not decode", true, events.Draft{Type: "table.said.v1", Data: []byte(`{"person":7`)}},
	{"a table's event of other types", true, events.Draft{Type: "table.invited.v1", Data: []byte(`{"seat":"one"}`)}},
	{"an unknown move", false, events.Draft{Type: "carcassonne.unheard.v9", Data: []byte(`{}`)}},
	{"another game's move", false, events.Draft{Type: "catan.played.v1", Data: []byte(`{}`)}},
	{"a move that does not decode", false, events.Draft{Type: "carcassonne.placed.v1", Data: []byte(`{"seat":`)}},
	{"a move that cannot be applied", false, events.Draft{Type: "carcassonne.placed.v1",
		Data: []byte(`{"seat":99,"move":"1,0 0","tile":"V","x":1,"y":0,"turn":0,"draws":[]}`)}},
	{"what stands beside it does not decode", false,
		events.Draft{Type: "carcassonne.placed.v1", Meta: []byte(`{"by":[]}`), Data: []byte(`{}`)}},
	{"a secret part that does not open", false, events.Draft{Type: "carcassonne.placed.v1", Data: []byte(`{}`),
		Parts: []events.Part{{To: domain.To(0), Digest: events.Hash{1},
			Sealed: []byte("nothing that was sealed here, and long enough")}}}},
}

// Poison appends an event that does not belong there, as if another program had done so.
func (l *Living) Poison(table events.Name, to bool, d events.Draft) {
	l.T.Helper()
	look, err := l.Desk.Look(l.Ctx, table)
	require.NoError(l.T, err)
	d.Stream, d.Expect = look.LineName, look.LineHead.Version
	if to {
		d.Stream, d.Expect = look.Name, look.TableHead.Version
	}
	d.Command, d.Codec, d.At = events.NewCommandID(), "json", time.Now()
	if d.Meta == nil {
		d.Meta = []byte(`{"door":"page"}`)
	}
	_, err = l.House.Log.Append(l.Ctx, d)
	require.NoError(l.T, err)
}

// LegalOf returns a legal move of seat A.
func LegalOf(t *testing.T, l *Living, table events.Name) string {
	t.Helper()
	look, err := l.Desk.Look(l.Ctx, table)
	require.NoError(t, err)
	for m := range look.Rulebook.Legal(look.Line.State, 0) {
		return look.Rulebook.FormatMove(m, nil)
	}
	t.Fatal("seat A has no move")
	return ""
}
