package pages

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The style names each drawn colour's dark twin by the colour itself: both must agree.
func TestEveryDrawnColourHasItsDusk(t *testing.T) {
	names, err := os.ReadFile("../../domain/rivals/show/drawn/colours.txt")
	require.NoError(t, err)
	style, err := staticFiles.ReadFile("static/cards.css")
	require.NoError(t, err)
	dark := 0
	for line := range strings.Lines(string(names)) {
		f := strings.Fields(line)
		if strings.HasPrefix(line, "#") || len(f) != 3 {
			continue
		}
		day := strings.ToLower(f[1])
		require.Contains(t, string(style), `[fill="#`+day+`"]{fill:#`+f[2]+`}[stroke="#`+day+`"]{stroke:#`+f[2]+`}`,
			f[0])
		dark++
	}
	require.Equal(t, dark, strings.Count(string(style), "[fill="), "and the style says nothing else")
}
