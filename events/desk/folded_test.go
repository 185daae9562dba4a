package desk

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
)

func TestTheTableNotLookedAtLongestIsForgottenFirst(t *testing.T) {
	d := NewDesk(nil, nil, nil, nil)
	name := func(i int) events.Name { return events.Name{byte(i), byte(i >> 8), 1} }
	kept := map[events.Name]*folded{}
	for i := range maxFolded {
		kept[name(i)] = d.folded(name(i))
	}
	require.Same(t, kept[name(0)], d.folded(name(0)), "all are kept; the first was looked at again just now")
	d.folded(name(maxFolded)) // one too many
	require.Equal(t, maxFolded, d.tables.Len())
	require.Same(t, kept[name(0)], d.folded(name(0)))
	require.Same(t, kept[name(2)], d.folded(name(2)))
	require.NotSame(t, kept[name(1)], d.folded(name(1)), "nobody had looked at it for longest")
	require.Equal(t, maxFolded, d.tables.Len())
}
