package checkpoint_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/checkpoint"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/programtest"
)

// told is the independent verifier's output about proofs: docs/verify.py, written from docs/format.md.
type told struct {
	Status    int            `json:"status"`
	Checked   map[string]int `json:"checked"`
	Unchecked []string       `json:"unchecked"`
	Fault     *struct {
		Kind string `json:"kind"`
		Text string `json:"text"`
	} `json:"fault"`
}

// independent checks a proof with code that shares nothing with this one, using only Python's own library.
func independent(t *testing.T, args ...string) (out told) {
	t.Helper()
	var said, errs bytes.Buffer
	run := exec.CommandContext(t.Context(), programtest.Python(t),
		append([]string{"-I", "-S", "../../docs/verify.py", "--json"}, args...)...)
	run.Stdout, run.Stderr = &said, &errs
	err := run.Run()
	require.True(t, err == nil || errors.As(err, new(*exec.ExitError)), "%v", err)
	require.NoError(t, json.Unmarshal(said.Bytes(), &out), "%v: %s%s", args, said.String(), errs.String())
	require.Equal(t, out.Status, run.ProcessState.ExitCode())
	return out
}

// busy is a house's log with a number of the house's events, the last tenth of them a week after the others.
type busy struct {
	events.Log
	stream  events.Name
	now     time.Time
	version uint64
}

func newBusy() *busy {
	return &busy{Log: memory.New(), stream: events.Name{1}, now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)}
}

func (b *busy) writes(t testing.TB, n int) {
	t.Helper()
	for range n {
		d := events.Draft{Stream: b.stream, Expect: b.version, Type: "person.withdrawn.v1", Codec: "json", At: b.now,
			Meta: []byte(`{"door":"host"}`), Data: []byte(`{"epoch":1}`)}
		if b.version == 0 {
			d.Open = &events.Stream{Name: b.stream, Kind: events.KindHouse, Table: b.stream}
		}
		b.version++
		binary.BigEndian.PutUint64(d.Command[:], b.version)
		_, err := b.Append(t.Context(), d)
		require.NoError(t, err)
	}
}

// altered is a log in which one old event is another; everything else is unchanged.
type altered struct {
	events.Log
	pos uint64
}

func (a altered) Read(ctx context.Context, after uint64, limit int) ([]events.Record, error) {
	records, err := a.Log.Read(ctx, after, limit)
	out := append([]events.Record{}, records...)
	for i := range out {
		if out[i].Pos == a.pos {
			out[i].Data = []byte(`{"epoch":2}`)
			out[i].Hash = events.ChainHash(events.Hash{}, &out[i])
		}
	}
	return out, err
}

// signs returns a keeper that signs the log's state.
func signs(t *testing.T, log events.Log, alarm func(error)) *checkpoint.Keeper {
	t.Helper()
	tree, err := checkpoint.Open(filepath.Join(t.TempDir(), "tree"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = tree.Close() })
	return &checkpoint.Keeper{Tree: tree, Log: log, Keys: desktest.Keys(t), Path: filepath.Join(t.TempDir(), "notes"),
		Alarm: alarm}
}

func signed(t *testing.T, k *checkpoint.Keeper) string {
	t.Helper()
	note, err := k.Sign(t.Context())
	require.NoError(t, err)
	return note
}

// files writes a proof and the kept checkpoints.
func files(t *testing.T, p checkpoint.Proof, kept ...string) (args []string) {
	t.Helper()
	dir := t.TempDir()
	var b bytes.Buffer
	require.NoError(t, p.Write(&b))
	read, err := checkpoint.ReadProof(bytes.NewReader(b.Bytes()))
	require.NoError(t, err)
	require.Equal(t, len(p.Inclusion), len(read.Inclusion))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "proof"), b.Bytes(), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "kept"), []byte(strings.Join(kept, "\n")), 0o600))
	return []string{"--proof", filepath.Join(dir, "proof"), "--checkpoint", filepath.Join(dir, "kept")}
}

// The independent verifier proves two checkpoints a week apart consistent, but not after one old event is changed.
// With POSTHORN_LONG=1 the log has a million events.
func TestAWeekOfTheLogIsProvedToAStranger(t *testing.T) {
	n := 4_000
	if os.Getenv("POSTHORN_LONG") == "1" {
		n = 1_000_000
	}
	log := newBusy()
	log.writes(t, n-n/10)
	house := signs(t, log, func(err error) { t.Error(err) })
	kept := signed(t, house)
	log.now = log.now.AddDate(0, 0, 7)
	log.writes(t, n/10)
	now := signed(t, house)
	records, err := log.Read(t.Context(), uint64(n/3), 3)
	require.NoError(t, err)
	proof, err := house.Prove([]string{kept}, records)
	require.NoError(t, err)
	proof.Checkpoints = []string{now} // the stranger has the other one

	began := time.Now()
	said := independent(t, files(t, proof, kept)...)
	t.Logf("%d events: the independent verifier took %v, its proof %d hashes", n, time.Since(began),
		len(proof.Consistency[0].Hashes))
	require.Nil(t, said.Fault)
	require.Zero(t, said.Status, said.Unchecked)
	require.Equal(t, map[string]int{"checkpoints": 2, "logs that go on": 1, "events in the log": 3}, said.Checked)
	ours, err := proof.Check(kept)
	require.NoError(t, err)
	require.EqualValues(t, n, ours.Latest.Size)
	require.Len(t, ours.Before, 1)

	// Somebody changes one old event and signs the log again, with the house's own key.
	var alarms []error
	forger := signs(t, altered{log, uint64(n / 2)}, func(err error) { alarms = append(alarms, err) })
	signed(t, forger)
	forged, err := forger.Prove([]string{kept}, nil)
	require.NoError(t, err)
	_, err = forged.Check()
	require.ErrorIs(t, err, checkpoint.ErrRewritten)
	said = independent(t, files(t, forged, kept)...)
	require.NotNil(t, said.Fault)
	require.Equal(t, "log-rewritten", said.Fault.Kind, said.Fault.Text)

	// A proof without the kept checkpoints proves nothing about them, and both verifiers say so.
	forged.Consistency = nil
	loose, err := forged.Check(kept)
	require.NoError(t, err)
	require.Len(t, loose.Loose, 1)
	said = independent(t, files(t, forged, kept)...)
	require.Nil(t, said.Fault)
	require.Equal(t, 3, said.Status)
}

// Every change to a proof is named, by both verifiers and for the same reason.
func TestAForgedProofIsNamed(t *testing.T) {
	log := newBusy()
	house := signs(t, log, func(err error) { t.Error(err) })
	var kept []string
	for _, n := range []int{5, 3, 8, 21, 1} {
		log.writes(t, n)
		kept = append(kept, signed(t, house))
	}
	kept = kept[:4]
	records, err := log.Read(t.Context(), 0, 38)
	require.NoError(t, err)
	fresh := func() checkpoint.Proof {
		p, err := house.Prove(kept, records)
		require.NoError(t, err)
		return p
	}
	said := independent(t, files(t, fresh())...)
	require.Zero(t, said.Status, said)
	require.Equal(t, 38, said.Checked["events in the log"])
	proved, err := fresh().Check(kept...)
	require.NoError(t, err)
	require.Len(t, proved.Before, 4)
	require.Empty(t, proved.Loose)

	forged := map[string]int{}
	for i, c := range []struct {
		kind string
		why  error
		does func(*checkpoint.Proof)
	}{
		{"checkpoint-signature", checkpoint.ErrNote, func(p *checkpoint.Proof) {
			p.Checkpoints[1] = strings.Replace(p.Checkpoints[1], "\n8\n", "\n9\n", 1)
		}},
		{"checkpoint-signature", checkpoint.ErrNote, func(p *checkpoint.Proof) {
			p.Key = append([]byte{p.Key[0] ^ 1}, p.Key[1:]...)
		}},
		{"checkpoint-signature", checkpoint.ErrNote, func(p *checkpoint.Proof) {
			p.Checkpoints[2] = strings.Replace(p.Checkpoints[2], "posthorn/", "nobody/", 1)
		}},
		{"checkpoint-missing", checkpoint.ErrNote, func(p *checkpoint.Proof) { p.Consistency[1].To = 6 }},
		{"checkpoint-missing", checkpoint.ErrNote, func(p *checkpoint.Proof) { p.Consistency[0].From = 6 }},
		{"checkpoint-missing", checkpoint.ErrNote, func(p *checkpoint.Proof) { p.Inclusion[3].Size = 6 }},
		{"log-rewritten", checkpoint.ErrRewritten, func(p *checkpoint.Proof) {
			p.Consistency[0].From, p.Consistency[1].From = 8, 5
		}},
		{"log-rewritten", checkpoint.ErrRewritten, func(p *checkpoint.Proof) { p.Consistency[2].Hashes[0][7] ^= 1 }},
		{"log-rewritten", checkpoint.ErrRewritten, func(p *checkpoint.Proof) {
			p.Consistency[2].Hashes = p.Consistency[2].Hashes[1:]
		}},
		{"log-rewritten", checkpoint.ErrRewritten, func(p *checkpoint.Proof) {
			p.Consistency[2].Hashes = append(p.Consistency[2].Hashes, events.Hash{})
		}},
		{"log-rewritten", checkpoint.ErrRewritten, func(p *checkpoint.Proof) {
			p.Consistency[1].From, p.Consistency[1].To = 38, 8
		}},
		{"not-in-log", checkpoint.ErrAbsent, func(p *checkpoint.Proof) { p.Inclusion[20].Position++ }},
		{"not-in-log", checkpoint.ErrAbsent, func(p *checkpoint.Proof) { p.Inclusion[20].Position = 39 }},
		{"not-in-log", checkpoint.ErrAbsent, func(p *checkpoint.Proof) { p.Inclusion[20].Position = 0 }},
		{"not-in-log", checkpoint.ErrAbsent, func(p *checkpoint.Proof) { p.Inclusion[37].Hash[0] ^= 1 }},
		{"not-in-log", checkpoint.ErrAbsent, func(p *checkpoint.Proof) {
			p.Inclusion[0].Hashes = append(p.Inclusion[0].Hashes, events.Hash{})
		}},
	} {
		forged[c.kind]++
		t.Run(fmt.Sprint(i, c.kind), func(t *testing.T) {
			t.Parallel()
			p := fresh()
			c.does(&p)
			_, err := p.Check()
			require.ErrorIs(t, err, c.why)
			if i%3 > 0 && os.Getenv("POSTHORN_LONG") == "" {
				return // starting Python is slow
			}
			said := independent(t, files(t, p)...)
			require.NotNil(t, said.Fault)
			require.Equal(t, c.kind, said.Fault.Kind, said.Fault.Text)
		})
	}
	var whole bytes.Buffer
	proof := fresh()
	require.NoError(t, proof.Write(&whole))
	capital := strings.Replace(whole.String(), `"from"`, `"FROM"`, 1)
	nothing := strings.Replace(whole.String(), `"size"`, `"size":null,"sized"`, 1)
	for i, text := range []string{capital, nothing, `{"format":"posthorn-proof-1"}`,
		`{"format":"posthorn-proof-1","key":"AAAA","checkpoints":["x"],"consistency":[],"inclusion":[]}`, "", "{}"} {
		_, err := checkpoint.ReadProof(strings.NewReader(text))
		require.ErrorIs(t, err, checkpoint.ErrProof)
		forged["proof-form"]++
		if i > 2 && os.Getenv("POSTHORN_LONG") == "" {
			continue
		}
		file := filepath.Join(t.TempDir(), "proof")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		said := independent(t, "--proof", file)
		require.NotNil(t, said.Fault)
		require.Equal(t, "proof-form", said.Fault.Kind)
	}
	eachIsForged(t, forged)
}

// eachIsForged requires three forgeries of each kind of fault that the page names of proofs. Those that a record shows
// are forged where the command compares it with a proof.
func eachIsForged(t *testing.T, forged map[string]int) {
	t.Helper()
	page, err := os.ReadFile("../../docs/format.md")
	require.NoError(t, err)
	command, err := os.ReadFile("../../cmd/posthorn/verify_known_test.go")
	require.NoError(t, err)
	_, checks, _ := strings.Cut(string(page), "| `proof-form` |")
	checks, _, _ = strings.Cut("\n| `proof-form` |"+checks, "\n\n")
	kinds := regexp.MustCompile("\n\\| `([a-z-]+)` \\|").FindAllStringSubmatch(checks, -1)
	require.GreaterOrEqual(t, len(kinds), 8)
	for _, kind := range kinds {
		if kind[1] == "proof-key" || kind[1] == "other-event" {
			require.Contains(t, string(command), `"`+kind[1]+`"`)
			continue
		}
		require.GreaterOrEqual(t, forged[kind[1]], 3, kind[1])
	}
}

// Each misshapen member of a proof is no proof for both.
func TestBothRefuseTheSameFormsOfAProof(t *testing.T) {
	text, err := os.ReadFile("../../docs/example.proof.json")
	require.NoError(t, err)
	for name, change := range map[string]func(p, grown, held map[string]any){
		"a checkpoint of null": func(p, _, _ map[string]any) {
			p["checkpoints"] = append(p["checkpoints"].([]any), nil)
		},
		"a key in numbers": func(p, _, _ map[string]any) { p["key"] = make([]int, 32) },
		"a hash of null":   func(_, _, held map[string]any) { held["hashes"].([]any)[0] = nil },
		"a growth's hash in capitals": func(_, grown, _ map[string]any) {
			grown["hashes"].([]any)[0] = strings.Repeat("AB", 32)
		},
		"a version of 0":       func(_, _, held map[string]any) { held["version"] = 0 },
		"a stream in capitals": func(_, _, held map[string]any) { held["stream"] = strings.Repeat("AB", 16) },
		"an event in capitals": func(_, _, held map[string]any) { held["hash"] = strings.Repeat("AB", 32) },
		"a size of 64 bits":    func(_, _, held map[string]any) { held["size"] = uint64(1) << 63 },
		"a growth of 64 bits":  func(_, grown, _ map[string]any) { grown["to"] = uint64(1) << 63 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var p map[string]any
			numbers := json.NewDecoder(bytes.NewReader(text))
			numbers.UseNumber()
			require.NoError(t, numbers.Decode(&p))
			change(p, p["consistency"].([]any)[0].(map[string]any), p["inclusion"].([]any)[0].(map[string]any))
			other, err := json.Marshal(p)
			require.NoError(t, err)
			file := filepath.Join(t.TempDir(), "proof")
			require.NoError(t, os.WriteFile(file, other, 0o600))
			_, err = checkpoint.ReadProof(bytes.NewReader(other))
			assert.ErrorIs(t, err, checkpoint.ErrProof)
			said := independent(t, "--proof", file)
			require.NotNil(t, said.Fault)
			assert.Equal(t, "proof-form", said.Fault.Kind, said.Fault.Text)
		})
	}
}
