package walk

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/events/record"
)

// exported is the record of a table as everybody may have it, and the receipts that mails brought for it.
type exported struct {
	path, mails string
	receipts    []string
}

// exports writes the records of all tables into a folder.
func (w *walk) exports(dir string) (out []exported) {
	receipts := map[string][]string{}
	for _, p := range w.folk {
		for _, l := range w.house.box(p.address) {
			for _, f := range strings.Fields(l.Text) {
				if strings.HasPrefix(f, "posthorn-receipt-1:") {
					table := strings.Split(f, ":")[1]
					receipts[table] = append(receipts[table], f)
				}
			}
		}
	}
	for name := range w.known {
		var b bytes.Buffer
		look, err := w.house.Desk.Look(w.house.ctx, name)
		require.NoError(w.t, err)
		viewer := domain.Spectator
		if look.Table.Open() { // as the door decides
			viewer = domain.Referee
		}
		if err := w.house.Export(w.house.ctx, name, viewer, &b); err != nil {
			w.wrong("no record", err.Error(), "the record of a table cannot be written: %v", err)
			continue
		}
		e := exported{path: filepath.Join(dir, name.String()+".jsonl"),
			mails: filepath.Join(dir, name.String()+".mail"), receipts: receipts[name.String()]}
		require.NoError(w.t, os.WriteFile(e.path, b.Bytes(), 0o600))
		require.NoError(w.t, os.WriteFile(e.mails, []byte(strings.Join(e.receipts, "\n")+"\n"), 0o600))
		out = append(out, e)
	}
	return out
}

// verifies has both verifiers check a record: they find nothing wrong, and agree about what they could not check.
func verifies(t *testing.T, interpreter string, e exported) (fault string) {
	t.Helper()
	text, err := os.ReadFile(e.path)
	require.NoError(t, err)
	f, err := record.Read(bytes.NewReader(text))
	if err != nil {
		return "verify cannot read it: " + err.Error()
	}
	ours, err := record.Verify(f, rulebooks.Named, e.receipts...)
	if err != nil {
		return "verify: " + err.Error()
	}
	var said, errs bytes.Buffer
	args := []string{"-I", "-S", "../../../../docs/verify.py", e.path, "--json"}
	if len(e.receipts) > 0 { // it takes no file that holds none
		args = append(args, "--receipts", e.mails)
	}
	run := exec.CommandContext(t.Context(), interpreter, args...)
	run.Stdout, run.Stderr = &said, &errs
	if err := run.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		return "verify.py: " + err.Error()
	}
	var theirs struct {
		Status    int
		Checked   map[string]int
		Unchecked []string
		Fault     json.RawMessage
	}
	if err := json.Unmarshal(said.Bytes(), &theirs); err != nil {
		return "verify.py: " + said.String() + errs.String()
	}
	switch {
	case len(theirs.Fault) > 0 && string(theirs.Fault) != "null":
		return "verify.py: " + string(theirs.Fault)
	case (len(ours.Skipped) > 0) != (theirs.Status == 3):
		return "they differ about what was not checked: " + strings.Join(ours.Skipped, "; ") + " | " +
			strings.Join(theirs.Unchecked, "; ")
	case ours.Events != theirs.Checked["hashes of the chain"] ||
		ours.Secrets != theirs.Checked["digests of secret parts"]:
		return "they differ about what was checked"
	}
	return ""
}
