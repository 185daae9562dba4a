package pages

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is hidden from those whose browser runs scripts has a name of its own: a style that takes another part's name hides that, too.
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
	hidden := regexp.MustCompile(`@media \(scripting:enabled\)\{\.([a-z-]+)\{display:none\}`).FindAllStringSubmatch(sources, -1)
	require.NotEmpty(t, hidden)
	for _, name := range hidden {
		used := regexp.MustCompile(`class="[^"]*\b`+name[1]+`\b`).FindAllString(sources, -1)
		require.Len(t, used, 1, "%s", strings.Join(used, "\n"))
		require.NotContains(t, sources, "ul."+name[1], "another part has its name")
	}
}
