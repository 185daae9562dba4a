package house

import (
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOnlyTheLastLinesAreKept(t *testing.T) {
	w := newWatched(&House{})
	log := slog.New(counted{Handler: slog.NewTextHandler(io.Discard, nil), lines: w.says, told: w.Told})
	for i := range mostTold + 5 {
		log.Warn("line", "n", i)
	}
	kept := w.Told.List()
	require.Len(t, kept, mostTold)
	require.Equal(t, "line, n: 44", kept[0].Text)
	require.Equal(t, "line, n: 5", kept[mostTold-1].Text)
	require.Less(t, len(unsecret(strings.Repeat("long ", 999))), mostWords+4)
}
