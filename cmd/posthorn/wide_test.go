package main

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
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
	require.NoError(t, filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		src, err := os.ReadFile(path)
		for _, n := range wide(src) {
			found = append(found, fmt.Sprintf("%s:%d", strings.TrimPrefix(path, "../../"), n))
		}
		return err
	}))
	require.Empty(t, found)
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
