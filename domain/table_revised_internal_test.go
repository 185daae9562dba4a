package domain

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// said1 is what table.said.v1 holds, and felt how a later program may have it: with a member whose absence would say
// nothing.
type (
	said1 struct {
		Person PersonID `json:"person"`
		Text   []byte   `json:"text"`
	}
	felt struct {
		Said
		Mood string `json:"mood"`
	}
)

// revises has a table's events as a later program may have them, until the test ends.
func revises(t *testing.T) {
	before := tableEvents
	t.Cleanup(func() { tableEvents = before })
	tableEvents = slices.Clone(before)
	tableEvents[slices.IndexFunc(tableEvents, func(e tableEvent) bool { return e.name == "table.said.v1" })] =
		revised("table.said.v1", func(e *said1) TableEvent { return &felt{Said{e.Person, e.Text}, "calm"} })
	tableEvents = append(tableEvents, of("table.said.v2", func(*Judge, *felt) (TableEvent, error) { return nil, nil }))
}

func TestATablesRevisedEventIsUpcastWhenItIsRead(t *testing.T) {
	revises(t)
	e, err := ReadTableEvent("table.said.v1", []byte(`{"person":"Ana","text":"aGk="}`))
	require.NoError(t, err)
	require.Equal(t, &felt{Said{"Ana", []byte("hi")}, "calm"}, e)
	require.Equal(t, "table.said.v2", TableEventType(e))
	e, err = ReadTableEvent("table.said.v2", []byte(`{"person":"Bo","text":"aGk=","mood":"merry"}`))
	require.NoError(t, err)
	require.Equal(t, &felt{Said{"Bo", []byte("hi")}, "merry"}, e)
	for _, name := range []string{"table.said.v1", "table.said.v2"} {
		require.True(t, IsTableEvent[*felt](name))
		require.Contains(t, TableEventTypes(), name)
	}
	var table Table
	table.Apply(e)
	require.Equal(t, uint64(1), table.Version)
}

// Whoever verifies decides an event again, as this program would, and has the old bytes before them.
func TestARevisedEventIsComparedInItsOwnForm(t *testing.T) {
	revises(t)
	again := &felt{Said{"Ana", []byte("hi")}, "calm"}
	old := `{"person":"Ana","text":"aGk="}`
	text, err := WriteTableEvent(again, "table.said.v1", []byte(old))
	require.NoError(t, err)
	require.JSONEq(t, old, string(text))
	text, err = WriteTableEvent(again, "table.said.v1", []byte(`{"person":"Ana","text":"aGk=","more":1}`))
	require.NoError(t, err)
	require.JSONEq(t, old, string(text), "its own form has no other member")
	for what, fails := range map[string]struct{ name, data string }{
		"other words":    {"table.said.v1", `{"person":"Ana","text":"eW8="}`},
		"another type":   {"table.declined.v1", `{"seat":0,"person":"Ana"}`},
		"no such type":   {"table.sung.v1", old},
		"what is no one": {"table.said.v1", `{"person":7}`},
	} {
		_, err := WriteTableEvent(again, fails.name, []byte(fails.data))
		require.Error(t, err, what)
	}
	_, err = WriteTableEvent(&felt{Said{"Ana", []byte("hi")}, "merry"}, "table.said.v1", []byte(old))
	require.Error(t, err, "what the old one could not say")
}
