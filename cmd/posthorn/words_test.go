package main

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/domain/languages"
)

func TestEveryTextIsPrintedBesideItsTranslations(t *testing.T) {
	said := func(args ...string) (int, string) {
		var out strings.Builder
		status := run(context.Background(), append([]string{"words"}, args...), console.Console{Out: &out, Err: &out})
		return status, out.String()
	}
	status, all := said()
	require.Zero(t, status, all)
	for _, key := range []string{"page.nav.inbox\n", "catan.", "rivals.", "carcassonne.", "refuse.not-awaited\n"} {
		require.Contains(t, all, key)
	}
	status, some := said("page.ago.days", "--in", "pl")
	require.Zero(t, status, some)
	require.Equal(t, "page.ago.days\n  pl    one   {n} dzień temu\n  pl    few   {n} dni temu\n  pl    many  {n} "+
		"dni temu\n  pl    other {n} dnia temu\n", some)
	for _, wrong := range [][]string{{"no.such.key"}, {"--in", "tlh"}, {"--missing", "tlh"},
		{"--missing", "pl", "no-such-room"}} {
		status, why := said(wrong...)
		require.Equal(t, 2, status, why)
	}
}

func TestWhatALanguageLacksIsPrintedAsItsFile(t *testing.T) {
	said := func(args ...string) (out, percent string) {
		var o, e strings.Builder
		status := run(context.Background(), append([]string{"words"}, args...), console.Console{Out: &o, Err: &e})
		require.Zero(t, status, e.String())
		return o.String(), e.String()
	}
	for _, tag := range languages.Complete() {
		out, percent := said("--missing", tag)
		require.Empty(t, out, "nothing")
		for _, room := range []string{"house", "rules", "pages", "mail", "kit", "carcassonne", "catan", "rivals"} {
			require.Regexp(t, "(?m)^domain/languages/"+tag+"/"+room+`.json: (\d+) of (\d+) texts, 100%$`, percent)
		}
	}
}
