package pages

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// An element hidden from readers whose browsers run scripts has a name of its own: a style that reused another part's
// name would hide that, too.
func TestWhatScriptsHideHasANameOfItsOwn(t *testing.T) {
	sources := ""
	for _, pattern := range []string{"*.html", "static/*.css"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			sources += string(text)
		}
	}
	hidden := regexp.MustCompile(`@media \(scripting:enabled\)\{\.([a-z-]+)\{display:none\}`).
		FindAllStringSubmatch(sources, -1)
	require.NotEmpty(t, hidden)
	for _, name := range hidden {
		used := regexp.MustCompile(`class="[^"]*\b`+name[1]+`\b`).FindAllString(sources, -1)
		require.Len(t, used, 1, "%s", strings.Join(used, "\n"))
		require.NotContains(t, sources, "ul."+name[1], "another part has its name")
	}
}
