// Package recipes tests that CONTRIBUTING.md is true: each of its recipes has a patch beside it, in docs/recipes, which
// does what the recipe says and nothing else, and works.
package recipes

import (
	"encoding/json"
	"errors"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/programtest"
)

// root is the project's folder, seen from this one.
const root = "../../../.."

// recipe is a section of CONTRIBUTING.md that has a patch.
type recipe struct {
	name  string
	steps [][]string // the patterns of the files that each step is about
}

var (
	patched = regexp.MustCompile(`\(docs/recipes/([a-z]+)\.patch\)`)
	step    = regexp.MustCompile("(?m)^\\d+\\. ((?:`[^`]+`(?:, )?)+):")
	pattern = regexp.MustCompile("`([^`]+)`")
	change  = regexp.MustCompile(`(?m)^diff --git a/\S+ b/(\S+)\n(new file)?`)
	ownTest = regexp.MustCompile(`(?m)^func (Test\w+)\(t `)
)

// also lists, beside the tests that a patch brings, those that are there and hold it to all that it must have.
var also = map[string][]run{
	"game": {{"cmd/posthorn/internal/house", "EveryGame/sticks"}},
	"card": {{"domain/rivals", "Scenarios/watermill"},
		{"domain/rivals", "EveryCard|TheThoughtful|GoldenGames|TheSuite"}, {"events/record", "ThePageHas"}},
	"language": {{"domain/languages", "."}, {"projections/words", "."}, {"mail/reply", "."},
		{"http", "TheLanguagesOffered"}, {"domain/rivals", "OnePress|StandingOrders"}},
	"mail":  {{"mail", "MailsSayNoKey|EveryKind"}},
	"page":  {{"http", "TheCatalogueHas"}},
	"field": {{"domain", "EveryTableEvent"}, {"projections/turn", "EveryEvent"}},
	"command": {{"http", "TheDescription|TheCatalogueHas"}, {"projections/turn", "EveryEvent"},
		{"events/desk", "TheWishes"}},
}

// lists are the tests that write what docs list of all games and events, with POSTHORN_GOLDEN=write, and compare it.
var lists = run{"domain/rulebooks", "WrittenDown|IsDescribed|IsWritten"}

// run is some tests of a package, by a pattern.
type run struct{ folder, tests string }

// recipes reads CONTRIBUTING.md.
func recipes(t *testing.T) (all []recipe) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	require.NoError(t, err)
	for _, section := range regexp.MustCompile(`(?m)^##+ `).Split(string(text), -1) {
		patch := patched.FindStringSubmatch(section)
		if patch == nil {
			continue
		}
		r := recipe{name: patch[1]}
		for _, s := range step.FindAllStringSubmatch(section, -1) {
			var patterns []string
			for _, p := range pattern.FindAllStringSubmatch(s[1], -1) {
				patterns = append(patterns, p[1])
			}
			r.steps = append(r.steps, patterns)
		}
		all = append(all, r)
	}
	return all
}

// patch returns the path of a recipe's patch, and the files that it changes, with whether each is new.
func (r recipe) patch(t *testing.T) (path string, files map[string]bool) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(root, "docs/recipes", r.name+".patch"))
	require.NoError(t, err)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	files = map[string]bool{}
	for _, f := range change.FindAllStringSubmatch(string(text), -1) {
		files[f[1]] = f[2] != ""
	}
	require.NotEmpty(t, files)
	return path, files
}

// most is how many steps a recipe may take.
var most = map[string]int{"game": 2, "card": 6, "language": 2, "mail": 4, "page": 5, "field": 5, "command": 6}

// The patch of a recipe changes just the files that the steps of its text name, each step at least one. What a new
// file tests is the patch's own; no test that is there is touched.
func TestARecipesTextNamesTheFilesOfItsPatch(t *testing.T) {
	var patches []string
	for _, r := range recipes(t) {
		patches = append(patches, r.name+".patch")
		_, files := r.patch(t)
		require.LessOrEqual(t, len(r.steps), most[r.name], "%s has become longer", r.name)
		var named []string
		for _, patterns := range r.steps {
			for _, p := range patterns {
				meant := matching(t, files, p)
				require.NotEmpty(t, meant, "%s: its patch changes no %s", r.name, p)
				named = append(named, meant...)
			}
		}
		for f, isNew := range files {
			if strings.HasSuffix(f, "_test.go") && !slices.Contains(named, f) {
				require.True(t, isNew, "%s: a test had to be changed: %s", r.name, f)
				continue
			}
			require.Contains(t, named, f, "%s: no step names a file of its patch", r.name)
		}
	}
	entries, err := os.ReadDir(filepath.Join(root, "docs/recipes"))
	require.NoError(t, err)
	var have []string
	for _, e := range entries {
		have = append(have, e.Name())
	}
	require.ElementsMatch(t, have, patches, "a patch for each recipe, and a recipe for each patch")
	require.Len(t, patches, len(most))
}

// matching lists the files that a pattern means; one that ends with "/" means all in that folder.
func matching(t *testing.T, files map[string]bool, p string) (meant []string) {
	t.Helper()
	for f := range files {
		fits, err := filepath.Match(p, f)
		require.NoError(t, err)
		if fits || strings.HasSuffix(p, "/") && strings.HasPrefix(f, p) {
			meant = append(meant, f)
		}
	}
	return meant
}

// Each patch applies to the tree as it is, and what its recipe says shows that it works. All are applied to one copy,
// as compiling takes longer than all that is run; the long form has a copy for each, where it lacks all the others.
func TestEachRecipeWorks(t *testing.T) {
	programtest.Long(t)
	if _, err := exec.LookPath("git"); err != nil {
		programtest.Missing(t, "the recipes of CONTRIBUTING.md: git is not here")
	}
	all := recipes(t)
	if os.Getenv("POSTHORN_LONG") == "1" {
		for _, r := range all {
			t.Run(r.name, func(t *testing.T) { try(t, r) })
		}
		return
	}
	try(t, all...)
}

// try applies recipes to a copy of the tree, and runs their tests there. They are compiled in place of the tree's own
// files, so that nothing else need be compiled again, and started in the copy, where they read the files that they
// need.
func try(t *testing.T, some ...recipe) {
	t.Helper()
	tree, err := filepath.Abs(root)
	require.NoError(t, err)
	scratch, built := t.TempDir(), t.TempDir()
	copyTree(t, tree, scratch)
	for _, r := range some { // each by itself, before any
		apply(t, scratch, r, "--check")
	}
	replace, runs := map[string]string{}, map[string][]run{}
	for _, r := range some {
		apply(t, scratch, r)
		_, files := r.patch(t)
		for f := range files {
			replace[filepath.Join(tree, f)] = filepath.Join(scratch, f)
			formatted(t, filepath.Join(scratch, f))
		}
		runs[r.name] = append(ownTests(t, scratch, files), also[r.name]...)
	}
	build(t, tree, built, replace, runs)
	t.Setenv("POSTHORN_GOLDEN", "write")
	starts(t, built, scratch, lists)
	t.Setenv("POSTHORN_GOLDEN", "")
	for name, list := range runs {
		for _, r := range append(list, lists) {
			t.Run(name+" "+r.folder, func(t *testing.T) { starts(t, built, scratch, r) })
		}
	}
}

// ownTests lists the tests in the files that a patch brings.
func ownTests(t *testing.T, scratch string, files map[string]bool) (own []run) {
	t.Helper()
	for f := range files {
		if !strings.HasSuffix(f, "_test.go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(scratch, f))
		require.NoError(t, err)
		var names []string
		for _, m := range ownTest.FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
		own = append(own, run{filepath.Dir(f), "^(" + strings.Join(names, "|") + ")$"})
	}
	return own
}

// build compiles the tests of the packages that are run, with some files of the tree replaced.
func build(t *testing.T, tree, built string, replace map[string]string, runs map[string][]run) {
	t.Helper()
	text, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	overlay := filepath.Join(built, "overlay.json")
	require.NoError(t, os.WriteFile(overlay, text, 0o600))
	packages := []string{"./" + lists.folder}
	for _, list := range runs {
		for _, r := range list {
			packages = append(packages, "./"+r.folder)
		}
	}
	slices.Sort(packages)
	c := exec.CommandContext(t.Context(), "go", slices.Concat([]string{"test", "-c", "-vet=off"}, programtest.BuiltOnce,
		[]string{"-overlay", overlay, "-o", built + "/"}, slices.Compact(packages))...)
	c.Dir = tree
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// starts runs tests in a copy of their folder.
func starts(t *testing.T, built, scratch string, r run) {
	t.Helper()
	c := exec.CommandContext(t.Context(), filepath.Join(built, filepath.Base(r.folder)+".test"), "-test.v", "-test.run",
		r.tests)
	c.Dir = filepath.Join(scratch, r.folder)
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "--- PASS", "%s has no test %s", r.folder, r.tests)
}

// apply applies a recipe's patch to a folder.
func apply(t *testing.T, folder string, r recipe, options ...string) {
	t.Helper()
	path, _ := r.patch(t)
	git := exec.CommandContext(t.Context(), "git", slices.Concat([]string{"apply"}, options, []string{path})...)
	git.Dir = folder
	git.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(folder)) // the copy is no checkout
	out, err := git.CombinedOutput()
	require.NoError(t, err, "docs/recipes/%s.patch no longer applies (CONTRIBUTING.md, “Recipes”, says how to renew "+
		"it):\n%s", r.name, out)
}

// formatted checks that a file of Go is as gofmt would write it.
func formatted(t *testing.T, path string) {
	t.Helper()
	if filepath.Ext(path) != ".go" {
		return
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	same, err := format.Source(text)
	require.NoError(t, err)
	require.Equal(t, string(same), string(text), "gofmt would change %s", path)
}

// copyTree copies the files of a tree, but for what git keeps and what is built there.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		name, _ := filepath.Rel(from, path)
		if err == nil && slices.Contains([]string{".git", "bin", "posthorn-data"}, name) {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if err != nil || e.IsDir() {
			return errors.Join(err, os.MkdirAll(filepath.Join(to, name), 0o700))
		}
		text, err := os.ReadFile(path)
		return errors.Join(err, os.WriteFile(filepath.Join(to, name), text, 0o600))
	}))
}
