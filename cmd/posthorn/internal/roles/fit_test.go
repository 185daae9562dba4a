package roles

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/sqlite"
)

// grows appends a house event to a log, with a type that its writer may have used.
func grows(t *testing.T, log *sqlite.Log, keys *events.Keys, typ string) {
	t.Helper()
	stream, rec, err := events.TookOver(t.Context(), log, keys, 1, time.Now())
	require.NoError(t, err)
	head, _ := log.Head(t.Context(), stream.Name)
	rec.Type = typ
	rec.Hash = events.ChainHash(head.Hash, &rec)
	require.NoError(t, log.Adopt(t.Context(), []events.Stream{stream}, []events.Record{rec}))
}

// Given a log with events of a newer program, then a server that stands by says what it does not know, even after a
// restart with its file of what it has seen, and ignores a file about another log.
func TestWhatALogHasIsSeenOnce(t *testing.T) {
	keys, err := events.NewKeys([32]byte{1})
	require.NoError(t, err)
	open := func() (*sqlite.Log, string) {
		data := t.TempDir()
		log, err := sqlite.Open(t.Context(), filepath.Join(data, "events.db"))
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, log.Close()) })
		return log, data
	}
	log, data := open()
	var seen seenSorts
	looks := func(s *seenSorts) []string {
		t.Helper()
		require.NoError(t, s.catchUp(t.Context(), data, log))
		last, err := log.Last(t.Context())
		require.NoError(t, err)
		require.Equal(t, last, s.At)
		return s.unknown()
	}
	require.Empty(t, looks(&seen))
	grows(t, log, keys, events.TypeTookOver)
	require.Empty(t, looks(&seen))
	grows(t, log, keys, "person.praised.v1")
	grows(t, log, keys, events.TypeTookOver)
	require.Equal(t, []string{"person.praised.v1"}, looks(&seen))
	require.NoError(t, seen.note(data))
	grows(t, log, keys, "house.painted.v1")
	again := seenSorts{}
	require.Equal(t, []string{"house.painted.v1", "person.praised.v1"}, looks(&again))
	require.NoError(t, again.note(data))
	noted, err := os.ReadFile(filepath.Join(data, seenFile))
	require.NoError(t, err)
	var on seenSorts
	require.NoError(t, json.Unmarshal(noted, &on))
	require.EqualValues(t, 4, on.At)

	was := data
	log, data = open()
	require.Empty(t, looks(&again), "another log in the same place")
	grows(t, log, keys, "person.praised.v1")
	require.NoError(t, folder.CopyFile(t.Context(), filepath.Join(was, seenFile), filepath.Join(data, seenFile)))
	begins := seenSorts{}
	require.Equal(t, []string{"person.praised.v1"}, looks(&begins), "a note that goes further than the log")
	for range 4 {
		grows(t, log, keys, events.TypeTookOver)
	}
	begins = seenSorts{}
	require.Equal(t, []string{"person.praised.v1"}, looks(&begins), "a note of another event at that place")
	require.NoError(t, os.WriteFile(filepath.Join(data, seenFile), []byte(`{"at":`), 0o600))
	begins = seenSorts{}
	require.Equal(t, []string{"person.praised.v1"}, looks(&begins), "a note that is damaged")
}

// Given every existing type of event, then it is known at the tables it belongs to, and no other type is.
func TestWhatThisProgramKnows(t *testing.T) {
	knows := func(rulebook, typ string) bool {
		return events.Known(events.Sort{Rulebook: rulebook, Type: typ}, rulebooks.Named)
	}
	for _, typ := range events.HouseTypes {
		require.True(t, knows("", typ), typ)
		require.False(t, knows("", typ+"9"), typ)
	}
	for _, rb := range rulebooks.All() {
		for _, typ := range rb.Codec().Types {
			for _, name := range []string{typ.Name, typ.CountedAs} {
				if name != "" {
					require.True(t, knows(rb.Name(), rb.Name()+"."+name), name)
				}
				require.False(t, knows(rb.Name(), rb.Name()+"."+name+"9"))
			}
		}
		for _, typ := range []string{"table.opened.v1", "table.ended.v3", "table.ended.v4", events.TypeForked,
			events.TypeOrdered, events.TypeObeyed} {
			require.True(t, knows(rb.Name(), typ), typ)
			require.False(t, knows("another-game", typ), typ)
			require.False(t, knows(rb.Name(), typ+"9"), typ)
		}
	}
}
