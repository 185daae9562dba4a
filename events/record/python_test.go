package record_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desktest"
	"posthorn/events/programtest"
	"posthorn/events/record"
)

// told is the output of the independent verifier: docs/verify.py, written from docs/format.md alone.
type told struct {
	Status    int            `json:"status"`
	Checked   map[string]int `json:"checked"`
	Unchecked []string       `json:"unchecked"`
	Notes     []string       `json:"notes"`
	Never     []string       `json:"never_checked"`
	Open      []record.Open  `json:"open"`
	Fault     *struct {
		Kind    string `json:"kind"`
		Stream  string `json:"stream"`
		Version uint64 `json:"version"`
		Line    int    `json:"line"`
		Text    string `json:"text"`
	} `json:"fault"`
}

// asked reads the independent verifier once, and then runs it with the arguments that each line has, as often as it is
// asked: reading the program takes longer than verifying most records.
const asked = `import contextlib, io, json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, "../../docs")
import verify
for line in sys.stdin:
    sys.argv, said = ["verify.py"] + json.loads(line), io.StringIO()
    with contextlib.redirect_stdout(said):
        status = verify.main()
    print(json.dumps({"status": status, "said": said.getvalue()}), flush=True)
`

// verifier is that program, which ends with the tests: its input is closed.
var verifier struct {
	sync.Mutex
	in  *json.Encoder
	out *json.Decoder
}

// independent verifies a file with code that shares nothing with this one, using only Python's own library: other
// installed packages, which take longer to load than a record to verify, are left out.
func independent(t *testing.T, python string, args ...string) (out told) {
	t.Helper()
	verifier.Lock()
	defer verifier.Unlock()
	if verifier.in == nil {
		run := exec.Command(python, "-I", "-S", "-c", asked)
		run.Stderr = os.Stderr
		in, err := run.StdinPipe()
		require.NoError(t, err)
		answers, err := run.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, run.Start())
		verifier.in, verifier.out = json.NewEncoder(in), json.NewDecoder(answers)
	}
	require.NoError(t, verifier.in.Encode(append(args, "--json")))
	var answer struct {
		Status int
		Said   string
	}
	require.NoError(t, verifier.out.Decode(&answer), "%v", args)
	require.NoError(t, json.Unmarshal([]byte(answer.Said), &out), "%v: %s", args, answer.Said)
	require.Equal(t, out.Status, answer.Status)
	return out
}

func TestAnIndependentVerifierAgreesOnEveryRecord(t *testing.T) {
	python, dir := programtest.Python(t), t.TempDir()
	all := makeRecords(t, dir)
	require.GreaterOrEqual(t, len(all), 30)
	for _, e := range all {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			f, err := record.Read(bytes.NewReader(e.file))
			require.NoError(t, err)
			ours, err := record.Verify(f, desktest.Named, e.receipts...)
			require.NoError(t, err)
			args := []string{filepath.Join(dir, e.name+".jsonl")}
			if len(e.receipts) > 0 {
				args = append(args, "--receipts", filepath.Join(dir, e.name+".mail"))
			}
			theirs := independent(t, python, args...)
			require.Nil(t, theirs.Fault)
			require.Contains(t, strings.Join(theirs.Never, ""), "whether each move was legal")
			require.Equal(t, len(ours.Skipped) > 0, theirs.Status == 3, "%v, and %v", ours.Skipped, theirs.Unchecked)
			require.ElementsMatch(t, ours.Open, theirs.Open, "%v, and %v", ours.Skipped, theirs.Unchecked)
			require.Equal(t, ours.Events, theirs.Checked["hashes of the chain"])
			require.Equal(t, ours.Secrets, theirs.Checked["digests of secret parts"])
			if e.sealed {
				require.NotEmpty(t, theirs.Unchecked)
				return
			}
			require.Positive(t, theirs.Checked["draws"])
		})
	}
}

// Nor does it find fault with what a clock, stand-ins and offers of seats do at a table.
func TestAnIndependentVerifierAgreesOnATableWithAClock(t *testing.T) {
	python, dir := programtest.Python(t), t.TempDir()
	for i, text := range [][]byte{slow(t), steppedBack(t)} {
		path := filepath.Join(dir, fmt.Sprint(i, ".jsonl"))
		require.NoError(t, os.WriteFile(path, text, 0o600))
		require.Nil(t, independent(t, python, path).Fault)
	}
}

// toldOtherwise are changes with more than one thing wrong, or with one that two kinds describe: the page leaves open
// which is reported.
var toldOtherwise = map[string]string{
	"a-proposal-that-nobody-answered--carried":     "table-refused",
	"joined-by-another":                            "table-differs",
	"a-false-reason-of-the-end":                    "table-refused",
	"the-last-move-a-year-later":                   "time-back",
	"fresh-luck-in-the-rewind-alone":               "table-differs", // of a game whose luck it does not know
	"the-whole-table-a-year-earlier--its-play-not": "time-back",     // at another event
}

func TestAnIndependentVerifierNamesWhatWasTamperedWith(t *testing.T) {
	python, dir := programtest.Python(t), t.TempDir()
	kinds := map[string]int{}
	for _, x := range makeTampered(t, dir) {
		if x.ours {
			continue // only somebody who knows the game's rules, or who may move, can tell
		}
		if kinds[x.kind.kind]++; kinds[x.kind.kind] > 1 && os.Getenv("POSTHORN_LONG") == "" {
			continue
		}
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			said := independent(t, python, filepath.Join(dir, x.name+".jsonl"))
			require.NotNil(t, said.Fault, "%s: %v", x.says, said)
			if kind, ok := toldOtherwise[x.name]; ok {
				require.Equal(t, kind, said.Fault.Kind, "%s, and not: %s", x.says, said.Fault.Text)
				return
			}
			require.Equal(t, x.kind.kind, said.Fault.Kind, "%s, and not: %s", x.says, said.Fault.Text)
			if !x.stream.IsZero() {
				require.Equal(t, x.stream.String(), said.Fault.Stream, "%s: %s", x.says, said.Fault.Text)
				require.Equal(t, x.version, said.Fault.Version, "%s: %s", x.says, said.Fault.Text)
			}
		})
	}
	require.Greater(t, len(kinds), 20)
}

// As the program: who brings receipts that cannot be read would think that they were held against the record.
func TestReceiptsThatAreNotWholeMakeNoSense(t *testing.T) {
	python, path := programtest.Python(t), filepath.Join(t.TempDir(), "mail")
	_, f := pageRecord(t)
	for text, status := range map[string]int{
		"": 2, "Your turn at the table": 2, "posthorn-receipt-1:x": 2,
		f.Header.Heads[0] + "\nposthorn-receipt-1:x\n": 2, f.Header.Heads[0]: 3,
	} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		run := exec.CommandContext(t.Context(), python, "-I", "-S", "../../docs/verify.py", "../../docs/example.jsonl",
			"--receipts", path)
		_ = run.Run()
		require.Equal(t, status, run.ProcessState.ExitCode(), text)
	}
}
