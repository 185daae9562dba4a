package main

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// widest is how many columns a line of code has at most; a tab counts as four.
const widest = 120

// Code is read side by side with something else. Data in raw strings stays as it is: positions, statements, scripts.
func TestNoLineOfCodeIsTooWide(t *testing.T) {
	require.Equal(t, []int{6}, wide([]byte("package x\n\n//"+strings.Repeat("é", 118)+"\nvar x = `"+
		"\n"+strings.Repeat("x", 121)+"`\n//"+strings.Repeat(" ab", 40)+"\n")), "as a check of the check")
	var found []string
	eachSource(t, func(path string, src []byte) {
		for _, n := range wide(src) {
			found = append(found, fmt.Sprintf("%s:%d", path, n))
		}
	})
	require.Empty(t, found)
}

// longest is how many characters the name of a test has at most: what it says is read in a list of them.
const longest = 49

func TestNoNameOfATestIsTooLong(t *testing.T) {
	just, long := "Test"+strings.Repeat("é", 45), "Fuzz"+strings.Repeat("x", 46)
	require.Equal(t, []string{long}, longNames([]byte("func "+just+"(t *testing.T) {}\n\nfunc "+long+
		"(f *testing.F) {}\n\nfunc t"+long+"() {}\n")), "as a check of the check")
	var found []string
	eachSource(t, func(path string, src []byte) {
		if strings.HasSuffix(path, "_test.go") {
			for _, name := range longNames(src) {
				found = append(found, path+" "+name)
			}
		}
	})
	require.Empty(t, found)
}

var tests = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark|Example)[^(]*)\(`)

// longNames returns the names of a file's tests that are too long.
func longNames(src []byte) (names []string) {
	for _, m := range tests.FindAllSubmatch(src, -1) {
		if utf8.RuneCount(m[1]) > longest {
			names = append(names, string(m[1]))
		}
	}
	return names
}

// eachSource goes through the files of Go in the tree.
func eachSource(t *testing.T, f func(path string, src []byte)) {
	t.Helper()
	require.NoError(t, filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		src, err := os.ReadFile(path)
		f(strings.TrimPrefix(path, "../../"), src)
		return err
	}))
}

// wide returns the numbers of the lines of a program that are too wide.
func wide(src []byte) (lines []int) {
	file := token.NewFileSet().AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, scanner.ScanComments)
	raw := map[int]bool{}
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.STRING && text[0] == '`' {
			for line := file.Line(pos); line <= file.Line(pos)+strings.Count(text, "\n"); line++ {
				raw[line] = true
			}
		}
	}
	for i, line := range strings.Split(string(src), "\n") {
		if utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")) > widest && !raw[i+1] {
			lines = append(lines, i+1)
		}
	}
	return lines
}
