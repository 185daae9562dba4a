package rivals

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rivals/table"
	"posthorn/domain/script"
)

// Each reading of the rulebook is shown by its scripts, whose comments are those of the scenarios.
func TestEachReadingHolds(t *testing.T) {
	for _, r := range table.Guide.Readings {
		for _, text := range r.Scripts {
			title, _, _ := strings.Cut(text, "\n")
			t.Run(r.Key+" "+title, func(t *testing.T) { runScript(t, text) })
		}
	}
}

func runScript(t *testing.T, text string) {
	lines := strings.Split(text, "\n")
	s, err := script.Parse([]byte(text), rivalsOnly)
	require.NoError(t, err)
	moves := 0
	for r, err := range s.Play(domain.NewThrowaway(1)) {
		require.NoError(t, err)
		moves++
		_, comment, _ := strings.Cut(lines[r.Line-1], " #")
		checkMove(t, &r, comment)
	}
	require.NotZero(t, moves, "a script without a move")
}
