package main

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/events/desktest"
	"posthorn/events/programtest"
)

func TestARunningServerProvesItsLogByACheckpoint(t *testing.T) {
	t.Parallel()
	l := posthorntest.Lives(t, posthorntest.Settings(t.TempDir()))
	ana, bo := l.Guest("ana@example.org"), l.Guest("bolek@example.org")
	h := l.Seated()
	table := h.Starts("carcassonne", nil, desktest.Player(ana.ID), desktest.Player(bo.ID))
	_, err := l.Checkpoints.Sign(t.Context())
	require.NoError(t, err)
	said := done(t, "verify", "--server", l.Config.PublicURL)
	require.Contains(t, said, "Keep this")
	kept := filepath.Join(t.TempDir(), "kept")
	_, note, _ := strings.Cut(said, "\n\n")
	require.NoError(t, os.WriteFile(kept, []byte("no checkpoint"), 0o600))
	none, status := says("", "verify", "--server", l.Config.PublicURL, "--checkpoint", kept)
	require.Equal(t, 2, status)
	require.Contains(t, none, "there is no checkpoint in it")
	require.NoError(t, os.WriteFile(kept, []byte(said), 0o600)) // as it was printed, "> kept"

	// A week later.
	h.Random(table, rand.New(rand.NewPCG(1, 1)), 5)
	_, err = l.Checkpoints.Sign(t.Context())
	require.NoError(t, err)
	status, body := l.Get("/api/v1/tables/"+table.String()+"/record", ana, "en")
	require.Equal(t, 200, status)
	file := filepath.Join(t.TempDir(), "record.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(body), 0o600))
	said, status = says("", "verify", "--server", l.Config.PublicURL, "--checkpoint", kept, file)
	require.Equal(t, 3, status, said) // the game is not over: its luck is still sealed
	require.Contains(t, said, "It goes on from the one of")
	require.Contains(t, said, "The record's 2 streams are in it, to their ends.")

	// A record that was altered is at fault, and not the server.
	lines := strings.SplitAfter(body, "\n")
	last := len(lines) - 3 // behind it the sum, and nothing
	at := strings.LastIndex(lines[last], `"hash":"`) + len(`"hash":"`)
	lines[last] = lines[last][:at] + strings.Repeat("0", 64) + lines[last][at+64:]
	all := strings.Join(lines[:last+1], "")
	altered := filepath.Join(t.TempDir(), "altered.jsonl")
	require.NoError(t, os.WriteFile(altered, fmt.Appendf(nil, "%s{\"sum\":\"%x\"}\n", all, sha256.Sum256([]byte(all))),
		0o600))
	said, status = says("", "verify", "--server", l.Config.PublicURL, altered)
	require.Equal(t, 1, status, said)
	require.Contains(t, said, "the record is not as it should be: the server's log, as it signed it, "+
		"has another event there")
	require.NotContains(t, said, "the server's log is not what it signed")
	fails(t, 1, "signed with another key", "verify", "--server", l.Config.PublicURL, "--key",
		"NGOBPsbR+prebbXh/KTFdfQMh5WRBbJQX+uWva6WEcg=")

	// The server is asked for the record itself, and its proof is written to a file for others.
	proof := filepath.Join(t.TempDir(), "proof.json")
	said, status = says("", "verify", "--server", l.Config.PublicURL, "--checkpoint", kept, "--write-proof", proof,
		table.String())
	require.Equal(t, 3, status, said)
	require.Contains(t, said, "The record's 2 streams are in it, to their ends.")
	said, status = says("", "verify", "--proof", proof, "--checkpoint", kept, file)
	require.Equal(t, 3, status, said)
	require.Contains(t, said, "It goes on from the one of")
	require.Contains(t, said, "The record's streams are in it, to their ends.")
	require.Contains(t, done(t, "verify", "--proof", proof), "signed.")

	// A program that shares no line with this one agrees.
	t.Run("independent", func(t *testing.T) {
		python := programtest.Python(t)
		asks := func(status int, says string, args ...string) {
			run := exec.CommandContext(t.Context(), python,
				append([]string{"-I", "-S", "../../docs/verify.py", "--server", l.Config.PublicURL}, args...)...)
			text, _ := run.CombinedOutput()
			require.Equal(t, status, run.ProcessState.ExitCode(), string(text))
			require.Contains(t, string(text), says)
		}
		asks(3, "checked: 1 logs that go on\nchecked: 2 events in the log", "--checkpoint", kept, table.String())
		asks(1, "proof-key", "../../docs/example.jsonl")
		asks(2, "does not show it to everybody", strings.Repeat("0", 31)+"1")
		forged := filepath.Join(t.TempDir(), "forged")
		require.NoError(t, os.WriteFile(forged, []byte(strings.Replace(note, "\n", "\n1", 1)), 0o600))
		asks(1, "checkpoint-signature", "--checkpoint", forged)
	})

	// Later moves are not signed yet, and the proof says so.
	h.Random(table, rand.New(rand.NewPCG(2, 2)), 2)
	said, status = says("", "verify", "--server", l.Config.PublicURL, table.String())
	require.Equal(t, 3, status, said)
	require.Regexp(t, `not checked: versions \d+ to \d+ of stream [0-9a-f]{32}: the server has not signed them yet`,
		said)
	fails(t, 2, "does not show it to everybody", "verify", "--server", l.Config.PublicURL, strings.Repeat("0", 31)+"1")

	// The house writes the same proof with a record.
	written := filepath.Join(t.TempDir(), "written.json")
	done(t, "export", "--data", l.Config.Data, "--proof", written, "-o", file, table.String())
	said, status = says("", "verify", "--proof", written, file)
	require.Equal(t, 3, status, said)
	require.Regexp(t, `not checked: versions \d+ to \d+ of stream [0-9a-f]{32}: nothing proves that they are in the log`, said)
	const stranger = "NGOBPsbR+prebbXh/KTFdfQMh5WRBbJQX+uWva6WEcg="
	// whatever is left open
	fails(t, 1, "signed with another key", "verify", "--key", stranger, "--proof", written, file)
	require.Contains(t, said, "left open: events for which there is no receipt")
	earlier := filepath.Join(t.TempDir(), "receipts")
	require.NoError(t, os.WriteFile(earlier, []byte(body), 0o600))
	said, status = says("", "verify", "--data", l.Config.Data, "--receipt", earlier)
	require.Equal(t, 3, status, said)
	require.Contains(t, said, "left open: events for which there is no receipt")
	said, status = says("", "verify", "--proof", written, "../../docs/example.jsonl")
	require.Equal(t, 1, status, said)
	require.Contains(t, said, "the record is of another server")
	done(t, "verify", "--proof", "../../docs/example.proof.json", "../../docs/example.jsonl")

	// A record can also become a script.
	text := filepath.Join(t.TempDir(), "game.script")
	done(t, "script", "../../docs/example.jsonl", "-o", text)
	require.NotEmpty(t, done(t, "play", "--strict", text))
	fails(t, 2, "once the table has ended", "script", file)

	// Another house does not match that checkpoint or that record.
	other := posthorntest.Lives(t, posthorntest.Settings(t.TempDir()))
	other.Seated().Starts("carcassonne", nil, desktest.Player(other.Guest("eva@example.org").ID),
		desktest.Player(other.Guest("ida@example.org").ID))
	_, err = other.Checkpoints.Sign(t.Context())
	require.NoError(t, err)
	fails(t, 1, "not a checkpoint of this server", "verify", "--server", other.Config.PublicURL, "--checkpoint", kept)
	fails(t, 1, "not a receipt of this server", "verify", "--server", other.Config.PublicURL, file)
	fails(t, 2, "https://games.example.org", "verify", "--server", "nowhere")
}
