package http

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/languages"
)

func TestTheCatalogueHasExactlyTheTextsOfThePages(t *testing.T) {
	said := map[string]bool{}
	var prefixes []string
	read := func(text string) {
		for _, m := range regexp.MustCompile(`"(page\.[a-z0-9.-]*)"`).FindAllStringSubmatch(text, -1) {
			if strings.HasSuffix(m[1], ".") {
				prefixes = append(prefixes, m[1])
			}
			said[m[1]] = true
		}
	}
	pages, err := fs.Glob(os.DirFS("."), "pages/*.html")
	require.NoError(t, err)
	for _, p := range pages {
		b, err := os.ReadFile(p)
		require.NoError(t, err)
		read(string(b))
	}
	sources, err := fs.Glob(os.DirFS("."), "*/*.go")
	require.NoError(t, err)
	for _, name := range sources {
		if !strings.HasSuffix(name, "_test.go") {
			b, err := os.ReadFile(name)
			require.NoError(t, err)
			read(string(b))
		}
	}
	for _, key := range []string{"signin", "forbidden", "missing", "gone", "busy", "large", "misdirected", "malformed",
		"broken"} {
		said["page.error."+key+".text"] = true
	}
	english, _ := languages.Of("en")
	catalogue := english.Texts["pages"]
	for key := range said {
		if !strings.HasSuffix(key, ".") {
			require.Contains(t, catalogue, key)
		}
	}
	for key := range catalogue {
		made := said[key] || !strings.HasPrefix(key, "page.")
		for _, p := range prefixes {
			made = made || strings.HasPrefix(key, p)
		}
		require.True(t, made, "nothing says %s", key)
	}
}
