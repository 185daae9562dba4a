package main

import (
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/pythontest"
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
	fails(t, 1, "it is signed with another key: that of "+table+" is "+key+", and not the one in "+known, "verify",
		"--known", known, file)
	fails(t, 1, "and not the one in --key", "verify", "--known", known, "--key", other, file)
	done(t, "verify", "--known", known, "--key", other, "--key", key, file)
	done(t, "verify", "--known", known, file) // from then on that one is known

	// So is the key of a proof without a record.
	const proof = "../../docs/example.proof.json"
	fails(t, 1, "signed with another key: that of the proof is "+key, "verify", "--key", other, "--proof", proof)
	done(t, "verify", "--key", key, "--proof", proof)

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
	require.NoError(t, os.WriteFile(altered, []byte(strings.Replace(string(text), `"door":"page"`, `"door":"mail"`, 1)),
		0o600))
	fails(t, 1, "is not as it should be", "verify", "--against", altered, file)
	fails(t, 2, "", "verify", "--against", altered+"x", file)
	other := "tests/released/testdata/released/catan.handover.record"
	require.Contains(t, done(t, "verify", "--against", other, file), "they are of other tables")
	form := filepath.Join(t.TempDir(), "proof.json")
	require.NoError(t, os.WriteFile(form, []byte(`{"format":"posthorn-proof-1"}`), 0o600))
	fails(t, 1, "not a proof of this form", "verify", "--proof", form)
}

// A server that is asked for a table may not answer with another one's record.
func TestAServerAnswersForTheTableItIsAskedFor(t *testing.T) {
	t.Parallel()
	record, err := os.ReadFile("../../docs/example.jsonl")
	require.NoError(t, err)
	server := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		if !strings.HasSuffix(r.URL.Path, "/record") {
			w.WriteHeader(nethttp.StatusNotFound)
		}
		_, _ = w.Write(record)
	}))
	defer server.Close()
	const asked = "00000000000000000000000000000001"
	fails(t, 1, "the server answers with the record of another table", "verify", "--server", server.URL, asked)
	python := pythontest.Find(t)
	run := exec.CommandContext(t.Context(), python, "-I", "-S", "../../docs/verify.py", "--server", server.URL, asked)
	text, _ := run.CombinedOutput()
	require.Equal(t, 1, run.ProcessState.ExitCode(), string(text))
	require.Contains(t, string(text), "other-table - 0: the server answers with the record of another table")
}
