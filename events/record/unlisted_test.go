package record_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desktest"
	"posthorn/events/programtest"
)

// What no luck and no rules judge yet, because the game runs, may still say nothing that the page does not list.
func TestAMoveOfARunningGameSaysNothingMore(t *testing.T) {
	python, path := programtest.Python(t), filepath.Join(t.TempDir(), "running.jsonl")
	kinds, file := faultKinds(t), running(t)
	for name, change := range map[string]func(*forgery){
		"": func(*forgery) {},
		"in a body": func(g *forgery) {
			edit(g.find(t, "carcassonne.played.v2", 1), sub("body", set("more", 1)))
		},
		"in a tile": func(g *forgery) {
			edit(g.find(t, "carcassonne.set-up.v2", 0), sub("body", sub("view", func(m map[string]any) {
				m["tiles"].([]any)[0].(map[string]any)["more"] = 1
			})))
		},
		"in what was placed": func(g *forgery) {
			edit(g.find(t, "carcassonne.set-up.v2", 0), sub("body", sub("view", set("more", 1))))
		},
	} {
		g, want := forgers(t, file, desktest.Keys(t)), ""
		if change(g); name != "" {
			want = "luck"
		}
		forged := g.written(t)
		require.NoError(t, os.WriteFile(path, forged, 0o600))
		theirs := ""
		if said := independent(t, python, path); said.Fault != nil {
			theirs = said.Fault.Kind
		}
		require.Equal(t, []string{want, want}, []string{kindSaid(t, kinds, forged), theirs}, name)
	}
}
