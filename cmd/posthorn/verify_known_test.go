package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A record only claims its key. The first one is printed and remembered, as that of its table; another one is noticed.
func TestVerifyKnowsTheKeyOfATable(t *testing.T) {
	t.Parallel()
	const file, key = "../../docs/example.jsonl", "NGOBPsbR+prebbXh/KTFdfQMh5WRBbJQX+uWva6WEcg="
	const table, other = "table 2e986182660481a4925191fe38d8ed00", "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
	known := filepath.Join(t.TempDir(), "new", "known-keys")
	first := done(t, "verify", "--known", known, file)
	require.Contains(t, first, "First seen: the key of "+table+" is "+key)
	require.NotContains(t, done(t, "verify", "--known", known, file), "First seen")
	text, err := os.ReadFile(known)
	require.NoError(t, err)
	require.Equal(t, table+" "+key+"\n", string(text))

	require.NoError(t, os.WriteFile(known, []byte(table+" "+other+"\n"), 0o600))
	fails(t, 1, "it is signed with another key: that of "+table+" is "+key+", and not the one in "+known, "verify", "--known", known, file)
	fails(t, 1, "and not the one in --key", "verify", "--known", known, "--key", other, file)
	done(t, "verify", "--known", known, "--key", other, "--key", key, file)
	done(t, "verify", "--known", known, file) // from then on that one is known

	weak := "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
	for _, bad := range []string{"what", "AAAA", weak} {
		fails(t, 2, "--key", "verify", "--known", known, "--key", bad, file)
	}
}

// Whoever kept another record of the table holds it against this one, as the independent verifier does.
func TestVerifyHoldsRecordsAgainstEachOther(t *testing.T) {
	t.Parallel()
	const file = "../../docs/example.jsonl"
	require.Contains(t, done(t, "verify", "--against", file, file), "events are the same in the other records")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	altered := filepath.Join(t.TempDir(), "altered.jsonl")
	require.NoError(t, os.WriteFile(altered, []byte(strings.Replace(string(text), `"door":"page"`, `"door":"mail"`, 1)), 0o600))
	fails(t, 1, "is not as it should be", "verify", "--against", altered, file)
	fails(t, 2, "", "verify", "--against", altered+"x", file)
}
