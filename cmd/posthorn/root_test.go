package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mayStand lists what may stand at the root of the repository. What packaging needs there is added by its name.
var mayStand = []string{
	".ci", ".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "SECURITY.md",
	"cmd", "docs", "domain", "events", "go.mod", "go.sum", "http", "mail", "migrations", "projections",
}

// Whoever opens the repository finds at its root what belongs there, and nothing that somebody left behind.
func TestWhatStandsAtTheRoot(t *testing.T) {
	require.Equal(t, mayStand, atRoot(t, "../.."))
}

// Without a checkout (an unpacked archive of the source), what is built and what a trial run leaves do not count.
func TestWhatIsIgnoredAtTheRootDoesNotCount(t *testing.T) {
	root := t.TempDir()
	text, err := os.ReadFile("../../.gitignore")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(root, ".gitignore"), text, 0o600))
	for _, name := range []string{"bin", "posthorn-data", "docs"} {
		require.NoError(t, os.Mkdir(filepath.Join(root, name), 0o700))
	}
	for _, name := range []string{"cpu.out", "http.test", "posthorn", "deps.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), nil, 0o600))
	}
	require.Equal(t, []string{".gitignore", "deps.txt", "docs"}, atRoot(t, root))
}

// atRoot returns the sorted names at the root: of a checkout those that git tracks, otherwise those of the folder that
// git would not ignore.
func atRoot(t *testing.T, root string) []string {
	t.Helper()
	names := []string{}
	if _, err := os.Lstat(filepath.Join(root, ".git")); err == nil {
		out, err := exec.CommandContext(t.Context(), "git", "-C", root, "-c", "safe.directory=*", "ls-files", "-z").
			Output()
		if !errors.Is(err, exec.ErrNotFound) {
			require.NoError(t, err)
			for path := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
				name, _, _ := strings.Cut(path, "/")
				names = append(names, name)
			}
			slices.Sort(names)
			return slices.Compact(names)
		}
	}
	text, err := os.ReadFile(filepath.Join(root, ".gitignore"))
	require.NoError(t, err)
	ignored := append(strings.Fields(string(text)), ".git")
	list, err := os.ReadDir(root)
	require.NoError(t, err)
	for _, e := range list {
		if !slices.ContainsFunc(ignored, func(pattern string) bool { return matches(t, pattern, e) }) {
			names = append(names, e.Name())
		}
	}
	return names
}

// matches says whether a pattern of .gitignore is about an entry of the root.
func matches(t *testing.T, pattern string, e fs.DirEntry) bool {
	t.Helper()
	fits, err := filepath.Match(strings.Trim(pattern, "/"), e.Name())
	require.NoError(t, err)
	return fits && (e.IsDir() || !strings.HasSuffix(pattern, "/"))
}
