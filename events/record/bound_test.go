package record_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/record"
)

// A branch has the options of the game that it goes on from: nobody who has the server's key can say that it was played
// by others.
func TestABranchHasTheOptionsOfItsGame(t *testing.T) {
	for game, other := range map[string][2]string{"carcassonne": {"farmers", "off"}, "catan": {"friendly-robber", "on"},
		"rivals": {"removals", "one"}} {
		h := newHouse(t, 1)
		places := []domain.TablePlace{desktest.Player(ana), desktest.Player(bo)}
		table := h.StartsBy(ana, game, nil, places...)
		h.play(table, 6)
		branch := h.StartsBy(ana, game, h.BranchOf(table, 4, "game"), places...)
		h.play(branch, 1)
		for _, name := range []events.Name{table, branch} {
			h.Ends(name)
			h.Follows(name)
		}
		for _, name := range []struct{ kind, option, value string }{
			{"", "", ""}, {"branch-options", other[0], other[1]}} {
			g := forgers(t, h.export(branch, domain.Referee), h.Keys())
			if name.option != "" {
				edit(&g.Events[0], sub("options", set(name.option, name.value)))
			}
			if game == "rivals" && name.kind != "" { // which words of its set-up say it, the page does not tell
				f, err := record.Read(bytes.NewReader(g.written(t)))
				require.NoError(t, err)
				_, err = record.Verify(f, desktest.Named)
				require.ErrorContains(t, err, "the options are others than those of the game that it goes on from")
				continue
			}
			kind, err := both(t, g.written(t))
			require.Equal(t, name.kind, kind, "%s: %v", game, err)
		}
	}
}

// Alone there are no farmers, whatever the option says: the set-up says so, and the opening need not.
func TestABranchOfASoloGameHasItsOptions(t *testing.T) {
	h := &exhibition{House: desktest.New(t), rnd: rand.New(rand.NewPCG(7, 1)), game: exhibitedGames[0]}
	solo := variant{seats: 1, choices: domain.Choices{"solo": "on"}}
	table := h.starts(solo, nil)
	h.Random(table, h.rnd, 5)
	branch := h.starts(solo, h.BranchOf(table, 3, "game"))
	h.Random(branch, h.rnd, 2)
	for _, name := range []events.Name{table, branch} {
		if h.Sees(name).Table.Status == domain.TableStarted {
			h.Ends(name)
			h.Follows(name)
		}
	}
	kind, err := both(t, exportOf(t, h.House, branch))
	require.NoError(t, err, kind)
}

// For whom a record was written is what is open in it, no more and no less.
func TestARecordIsOpenForItsReader(t *testing.T) {
	h := newHouse(t, 1)
	table := h.catan(desk.NewTable{})
	h.builds(table, "buy")
	of := func(viewer domain.Viewer, says string) []byte {
		g := forgers(t, h.export(table, viewer), h.Keys())
		if says != "" {
			g.Header.Viewer = says
		}
		return g.written(t)
	}
	for _, x := range []struct {
		viewer domain.Viewer
		says   string
		kind   string
	}{
		{domain.Referee, "", ""}, {domain.Spectator, "", ""}, {0, "", ""}, {2, "", ""},
		{domain.Referee, "spectator", "viewer"}, {domain.Spectator, "everything", "viewer"}, {0, "B", "viewer"},
		{0, "spectator", "viewer"},
		{1, "A", "viewer"}, {0, "D", "viewer"}, {0, "somebody", "viewer"},
		{domain.Spectator, "another server", "viewer"}, {0, "", ""},
	} {
		kind, err := both(t, of(x.viewer, x.says))
		require.Equal(t, x.kind, kind, "%v as %q: %v", x.viewer, x.says, err)
	}
}
