package outages

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
)

// The program of a next version, made from this one's source. Each database has one more migration, which only adds
// something; an event has a new revision, with its upcaster; and a word and an asset have changed. As a release should,
// it can read the new revision from the beginning, and writes it once it is told to.
const (
	nextMigration = "-- +goose Up\n-- expands: programs that do not know it go on without it.\nCREATE TABLE " +
		"next_version (x INTEGER NOT NULL DEFAULT 0) STRICT;\n"
	nextWord   = "All my games"
	nextStyle  = ".of-the-next-version{color:red}"
	nextWrites = "POSTHORN_WRITES_NEXT" // set if it writes the new revision
	nextType   = "carcassonne.played.v4"
	nextEvents = `package state

import (
	"os"

	"posthorn/domain"
	"posthorn/domain/kit"
)

// WritesNext reports whether the new revision is written.
var WritesNext = os.Getenv("` + nextWrites + `") != ""

// EventPlayed is what is written.
var EventPlayed = map[bool]string{false: "played.v1", true: "played.v3"}[WritesNext]

func playedBefore() domain.EventType {
	before := kit.Type[Played]("played.v1").Counted("played.v2")
	before.Upcast = func(e domain.Event) domain.Event {
		e.Type = "played.v3"
		e.Body.(*Played).Weather = "fair"
		return e
	}
	return before
}
`
)

// nextChanges are replacements of text in this source, file by file. Each text occurs there once.
var nextChanges = map[string][][2]string{
	"domain/carcassonne/state/codec.go": {
		{`kit.Type[Played](EventPlayed).Counted("played.v2")`,
			`playedBefore(), kit.Type[Played]("played.v3").Counted("played.v4")`},
		{"\tEventPlayed = \"played.v1\" // a move", "\t// a move"},
		{"`json:\"stopped,omitempty\"`\n",
			"`json:\"stopped,omitempty\"`\n\tWeather string `json:\"weather,omitempty\"`\n"},
	},
	"domain/carcassonne/rules/decide.go": {
		{"\treturn domain.Event{Type: state.EventPlayed, Body: b}, nil",
			"\tif state.WritesNext {\n\t\tb.Weather = \"fair\"\n\t}\n\treturn domain.Event{Type: " +
				"state.EventPlayed, Body: b}, nil"}},
	"domain/languages/en/pages.json": {{`"page.nav.inbox": "My games"`, `"page.nav.inbox": "` + nextWord + `"`}},
}

// nextProgram builds the program as it is released, and as it is once it writes what is new.
func nextProgram(t *testing.T) (reads, writes string) {
	t.Helper()
	root, err := filepath.Abs("../../../..")
	require.NoError(t, err)
	dir := t.TempDir()
	replace := map[string]string{}
	put := func(path, text string) {
		file := filepath.Join(dir, strings.ReplaceAll(path, "/", "_"))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		replace[filepath.Join(root, path)] = file
	}
	source := func(path string) string {
		b, err := os.ReadFile(filepath.Join(root, path))
		require.NoError(t, err)
		return string(b)
	}
	for path, changes := range nextChanges {
		text := source(path)
		for _, c := range changes {
			require.Equal(t, 1, strings.Count(text, c[0]), "%s: %s", path, c[0])
			text = strings.Replace(text, c[0], c[1], 1)
		}
		put(path, text)
	}
	put("domain/carcassonne/state/next_version.go", nextEvents)
	put("http/pages/static/posthorn.css", source("http/pages/static/posthorn.css")+nextStyle)
	for _, database := range []string{"events", "people", "mail", "views"} {
		put("migrations/"+database+"/90001_next_version.sql", nextMigration)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	list := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(list, overlay, 0o600))
	reads, writes = filepath.Join(dir, "posthorn-next"), filepath.Join(dir, "posthorn-next-writes")
	out, err := exec.Command("go", "build", "-overlay", list, "-ldflags", "-s -w", "-o", reads, posthorntest.Program).
		CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.NoError(t, os.WriteFile(writes, fmt.Appendf(nil, "#!/bin/sh\n%s=1 exec %s \"$@\"\n", nextWrites, reads),
		0o700))
	return reads, writes
}
