package checkpoint_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/checkpoint"
	"posthorn/events/desktest"
)

// held is a log that holds only some records.
type held struct {
	events.Log
	records []events.Record
}

func (k held) Read(_ context.Context, after uint64, limit int) ([]events.Record, error) {
	rest := k.records[min(after, uint64(len(k.records))):]
	return rest[:min(limit, len(rest))], nil
}

// exampleLog returns a log of exactly the events in the page's example, in the order of the file.
func exampleLog(t *testing.T) (out held) {
	t.Helper()
	text, err := os.ReadFile("../../docs/example.jsonl")
	require.NoError(t, err)
	for _, line := range strings.Split(string(text), "\n") {
		var e struct {
			Stream  events.Name
			Version uint64
			Hash    events.Hash
		}
		if strings.HasPrefix(line, `{"stream":`) {
			require.NoError(t, json.Unmarshal([]byte(line), &e))
			out.records = append(out.records,
				events.Record{Pos: uint64(len(out.records)) + 1, Stream: e.Stream, Version: e.Version, Hash: e.Hash})
		}
	}
	return out
}

// exampleProof returns the proof that goes with the page's example: a checkpoint of its first eight events, one of
// all, and the ends of its streams.
func exampleProof(t *testing.T) []byte {
	t.Helper()
	all := exampleLog(t)
	log := &held{records: all.records[:8]}
	house := &checkpoint.Keeper{Log: log, Keys: desktest.Keys(t), Path: filepath.Join(t.TempDir(), "notes"),
		Alarm: func(err error) { t.Error(err) }}
	var err error
	house.Tree, err = checkpoint.Open(filepath.Join(t.TempDir(), "tree"))
	require.NoError(t, err)
	defer func() { require.NoError(t, house.Tree.Close()) }()
	first := signed(t, house)
	log.records = all.records
	signed(t, house)
	var ends []events.Record
	for i, r := range all.records {
		if i+1 == len(all.records) || all.records[i+1].Stream != r.Stream {
			ends = append(ends, r)
		}
	}
	p, err := house.Prove([]string{first}, ends)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, p.Write(&b))
	return b.Bytes()
}

func TestTheProofOfThePageIsChecked(t *testing.T) {
	file := "../../docs/example.proof.json"
	if os.Getenv("POSTHORN_GOLDEN") == "write" {
		require.NoError(t, os.WriteFile(file, exampleProof(t), 0o600))
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(exampleProof(t)), string(text))
	p, err := checkpoint.ReadProof(bytes.NewReader(text))
	require.NoError(t, err)
	proved, err := p.Check()
	require.NoError(t, err)
	require.Len(t, proved.Before, 1)
	said := independent(t, "../../docs/example.jsonl", "--proof", file)
	require.Zero(t, said.Status, said)
	require.Equal(t, len(p.Inclusion), said.Checked["events in the log"])

	// What the page says of it, to the byte.
	raw, err := os.ReadFile("../../docs/format.md")
	require.NoError(t, err)
	_, page, ok := strings.Cut(string(raw), "\n## 16. Checkpoints")
	require.True(t, ok)
	page, _, _ = strings.Cut(page, "\n## ")
	require.Contains(t, page, "```\n"+p.Checkpoints[0]+"```")
	require.Contains(t, page, "`"+base64.StdEncoding.EncodeToString(p.Key)+"`")
	text0, signature, _ := strings.Cut(p.Checkpoints[0], "\n\n")
	sig, err := base64.StdEncoding.DecodeString(strings.TrimSpace(signature[strings.LastIndexByte(signature, ' ')+1:]))
	require.NoError(t, err)
	require.Len(t, sig, 68)
	require.Contains(t, page, fmt.Sprintf("`%x`", text0+"\n"), "the bytes that are signed")
	require.Contains(t, page, fmt.Sprintf("`%x`", sig[:4]), "the key's hash")
	require.Contains(t, page, fmt.Sprintf("`%x`", sig[4:]), "the signature")
	leaf := checkpoint.Leaf(p.Inclusion[0].Hash)
	require.Contains(t, page, fmt.Sprintf("`%x`", leaf[:]))
	for _, of := range []any{p, checkpoint.Growth{}, checkpoint.Held{}} {
		said, err := json.Marshal(of)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`"([a-z]+)":`).FindAllStringSubmatch(string(said), -1) {
			require.Contains(t, page, "`"+m[1]+"`")
		}
	}
}
