package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/programtest"
	"posthorn/events/record"
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
	fails(t, 1, "the other record is at fault: "+altered, "verify", "--against", altered, file)
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
	server := answering(t, record)
	const asked = "00000000000000000000000000000001"
	fails(t, 1, "the server answers with the record of another table", "verify", "--server", server, asked)
	python := programtest.Python(t)
	run := exec.CommandContext(t.Context(), python, "-I", "-S", "../../docs/verify.py", "--server", server, asked)
	text, _ := run.CombinedOutput()
	require.Equal(t, 1, run.ProcessState.ExitCode(), string(text))
	require.Contains(t, string(text), "other-table - 0: the server answers with the record of another table")
}

// answering is the address of a server that answers with a record, whatever table it is asked for.
func answering(t *testing.T, file []byte) string {
	t.Helper()
	server := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		if !strings.HasSuffix(r.URL.Path, "/record") {
			w.WriteHeader(nethttp.StatusNotFound)
		}
		_, _ = w.Write(file)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// The seeds of the key that signed the example, and of a forger's own.
const (
	genuineKey = 1
	anotherKey = 99
)

// claimed is the example with another last event, under a key: only its sum is computed anew, or all hashes as well,
// or all receipts are signed anew, too.
func claimed(t *testing.T, seed byte, who int) []byte {
	t.Helper()
	keys, err := events.NewKeys([32]byte{seed})
	require.NoError(t, err)
	text, err := os.ReadFile("../../docs/example.jsonl")
	require.NoError(t, err)
	f, err := record.Read(bytes.NewReader(text))
	require.NoError(t, err)
	f.Header.Key = keys.PublicKey()
	before, last := f.Events[len(f.Events)-2], &f.Events[len(f.Events)-1]
	last.Command[3] ^= 1
	if who > 0 {
		last.Hash = events.ChainHash(before.Hash, &events.Record{Stream: last.Stream, Version: last.Version,
			Type: last.Type, Codec: last.Codec, At: time.UnixMilli(last.At), Command: last.Command, Meta: last.Meta,
			Data: last.Data})
	}
	for i := range f.Header.Heads {
		r, err := events.ParseReceipt(f.Header.Heads[i])
		require.NoError(t, err)
		if r.Stream == last.Stream {
			r.Hash = last.Hash
		}
		if who > 1 {
			f.Header.Heads[i] = keys.Sign(r)
		}
	}
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	require.NoError(t, out.Encode(f.Header))
	for i := range f.Events {
		require.NoError(t, out.Encode(f.Events[i]))
	}
	return fmt.Appendf(b.Bytes(), "{\"sum\":\"%x\"}\n", sha256.Sum256(b.Bytes()))
}

// What only the key that somebody knows tells, or the table that they asked for, or a proof of the server's log, both
// verifiers say of what each of three forgers writes. Who does not sign anew is found by the record itself first.
func TestOtherKeysAndTablesByThreeForgers(t *testing.T) {
	t.Parallel()
	const key, asked = "NGOBPsbR+prebbXh/KTFdfQMh5WRBbJQX+uWva6WEcg=", "00000000000000000000000000000001"
	const proof = "../../docs/example.proof.json"
	says := map[string]string{
		"altered":           "its hash does not fit",
		"receipt-signature": "receipt ",
		"receipt-history":   "there is a receipt of another history",
		"other-key":         "it is signed with another key",
		"other-table":       "the server answers with the record of another table",
		"proof-key":         "the record is of another server",
		"other-event":       "has another event there",
	}
	python, known := programtest.Python(t), filepath.Join(t.TempDir(), "known-keys")
	for who, kinds := range [][]string{
		{"altered", "other-table", "altered", "altered"},
		{"receipt-signature", "other-table", "receipt-signature", "receipt-history"},
		{"other-key", "other-table", "proof-key", "other-event"},
	} {
		path, signed := filepath.Join(t.TempDir(), "claimed.jsonl"), filepath.Join(t.TempDir(), "signed.jsonl")
		text := claimed(t, anotherKey, who)
		require.NoError(t, os.WriteFile(path, text, 0o600))
		require.NoError(t, os.WriteFile(signed, claimed(t, genuineKey, who), 0o600))
		for n, args := range [][]string{{"--key", key, path}, {"--server", answering(t, text), asked},
			{"--proof", proof, path}, {"--proof", proof, signed}} {
			known := fmt.Sprint(known, who, n)
			fails(t, 1, says[kinds[n]], append([]string{"verify", "--known", known}, args...)...)
			run := exec.CommandContext(t.Context(), python,
				append([]string{"-I", "-S", "../../docs/verify.py"}, args...)...)
			said, _ := run.CombinedOutput()
			require.Equal(t, 1, run.ProcessState.ExitCode(), string(said))
			require.Contains(t, string(said), kinds[n]+" ")
		}
	}
}
