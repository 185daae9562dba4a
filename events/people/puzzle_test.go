package people_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/people"
)

func TestAPuzzleIsSealedAndGoesWithItsMaker(t *testing.T) {
	h := open(t)
	ana, bo := h.confirmed("ana@example.org"), h.confirmed("bo@example.org")
	p := people.Puzzle{Table: events.NewName().String(), Line: events.NewName().String(), Version: 7, Luck: 1 << 63,
		Title: "The corner", Solutions: []string{"1,0 a"}}
	name, err := h.AddPuzzle(ctx, ana.ID, p)
	require.NoError(t, err)
	got, maker, err := h.Puzzle(ctx, name)
	require.NoError(t, err)
	require.Equal(t, p, got)
	require.Equal(t, ana.ID, maker)
	require.NotContains(t, string(h.files()), "corner", "it is sealed")
	all, err := h.Puzzles(ctx, ana.ID)
	require.NoError(t, err)
	require.Equal(t, map[events.Name]people.Puzzle{name: p}, all)

	for code, change := range map[string]func(*people.Puzzle){
		"puzzle-title":    func(p *people.Puzzle) { p.Title = " " },
		"puzzle-text":     func(p *people.Puzzle) { p.Question = strings.Repeat("x", people.MaxPuzzleText+1) },
		"puzzle-solution": func(p *people.Puzzle) { p.Solutions = nil },
	} {
		q := p
		change(&q)
		_, err := h.AddPuzzle(ctx, ana.ID, q)
		refused(t, err, code)
	}
	require.ErrorIs(t, h.DropPuzzle(ctx, bo.ID, name), people.ErrNoPuzzle, "it is Ana's")
	require.NoError(t, h.DropPuzzle(ctx, ana.ID, name))
	_, _, err = h.Puzzle(ctx, name)
	require.ErrorIs(t, err, people.ErrNoPuzzle)

	name, err = h.AddPuzzle(ctx, ana.ID, p)
	require.NoError(t, err)
	require.NoError(t, h.Forget(ctx, ana.ID))
	_, _, err = h.Puzzle(ctx, name)
	require.ErrorIs(t, err, people.ErrNoPuzzle)
}
