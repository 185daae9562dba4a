package main

import (
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/posthorntest"
)

// docs/hosting.md names every setting of a house with its variable, and no others, and only figures that exist.
func TestHostingIsWrittenDownAsItIs(t *testing.T) {
	text, err := os.ReadFile("../../docs/hosting.md")
	require.NoError(t, err)
	doc := string(text)
	var cfg settings
	k, err := kong.New(&cfg, kong.Name("posthorn"), kong.DefaultEnvars("POSTHORN"), kong.Bind(console.Console{}))
	require.NoError(t, err)
	known := map[string]bool{}
	for _, c := range k.Model.Children {
		for _, f := range c.Flags {
			known[f.Name] = true
			for _, e := range f.Envs {
				known[e] = true
			}
			if c.Name != "serve" || f.Name == "help" {
				continue
			}
			name := "--" + f.Name
			if f.Name == "dkim" {
				name = "--no-dkim"
			}
			require.Regexp(t, "`"+name+"[ `|\\\\]", doc, "docs/hosting.md does not name %s", name)
			require.NotEmpty(t, f.Help, name)
		}
		for _, sub := range c.Children {
			for _, f := range sub.Flags {
				known[f.Name] = true
			}
		}
	}
	for _, v := range regexp.MustCompile(`POSTHORN_[A-Z_]+[A-Z]`).FindAllString(doc, -1) {
		require.True(t, known[v], "docs/hosting.md names %s, which nothing reads", v)
	}

	l := posthorntest.Lives(t, posthorntest.Settings(t.TempDir()))
	web := httptest.NewServer(l.Watched.Handler())
	t.Cleanup(web.Close)
	l.Logger.Error("so that it is counted")
	_, figures := posthorntest.Fetched(t, web.Client(), web.URL+"/metrics")
	_, watching, ok := strings.Cut(doc, "### Watching a house")
	require.True(t, ok)
	watching, _, _ = strings.Cut(watching, "\n### ")
	named := regexp.MustCompile(`posthorn_[a-z_]+(\{[^}]*\})?`).FindAllString(watching, -1)
	require.NotEmpty(t, named)
	for _, f := range named {
		require.Contains(t, figures, f, "docs/hosting.md names a figure that there is not")
	}
	for _, line := range strings.Split(figures, "\n") {
		require.NotContains(t, line, "@", "no address")
	}
}
