package domain_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The domain has no door to the world: no files, no network, no log, no chance of its own. What tests are made of is
// no part of it.
func TestTheDomainImportsNothingOfTheWorld(t *testing.T) {
	world := regexp.MustCompile(`^"(os|net|log|testing|io/fs|database|math/rand|crypto/rand|syscall)(/|"|$)`)
	here, files := os.DirFS("."), 0
	require.NoError(t, fs.WalkDir(here, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.HasPrefix(path, "rulebooktest/") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		files++
		for _, imported := range file.Imports {
			if world.MatchString(imported.Path.Value) {
				t.Errorf("%s imports %s", path, imported.Path.Value)
			}
		}
		return nil
	}))
	require.Greater(t, files, 100)
}

// The games' tests run without the race detector, which has nothing to detect while this holds.
func TestNothingInTheDomainStartsAGoroutine(t *testing.T) {
	files := 0
	here := os.DirFS(".")
	require.NoError(t, fs.WalkDir(here, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(here, path)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files++
		ast.Inspect(file, func(n ast.Node) bool {
			if g, ok := n.(*ast.GoStmt); ok {
				t.Errorf("%s: a goroutine", set.Position(g.Pos()))
			}
			return true
		})
		return nil
	}))
	require.Greater(t, files, 100)
}
