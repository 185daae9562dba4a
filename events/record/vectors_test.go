package record_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/tlog"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/checkpoint"
	"posthorn/events/desktest"
	"posthorn/events/programtest"
	"posthorn/events/record"
)

// vector is one case of docs/vectors: the input, and the expected result.
type vector map[string]any

// vectors returns the files of docs/vectors, as the program makes them: POSTHORN_GOLDEN=write writes them.
func vectors(t *testing.T) map[string][]vector {
	return map[string][]vector{
		"chain": chainVectors(), "parts": partVectors(), "receipts": receiptVectors(t), "luck": luckVectors(),
		"shuffles": shuffleVectors(),
		"lines":    lineVectors(t), "said-twice": saidTwiceVectors(t), "checkpoints": checkpointVectors(t),
		"graces": graceVectors(t), "metas": metaVectors(t),
	}
}

func hexed(b []byte) string { return hex.EncodeToString(b) }

func chainVectors() (out []vector) {
	before := events.Hash(sha256.Sum256([]byte("before")))
	digest := events.Hash(sha256.Sum256([]byte("digest")))
	for _, c := range []struct {
		name   string
		before events.Hash
		r      events.Record
	}{
		{"the first event of a stream", events.Hash{},
			events.Record{Version: 1, Type: "table.opened.v1", Codec: "json", At: time.UnixMilli(1767323165000),
				Meta: []byte(`{"by":"Ana","door":"page"}`), Data: []byte(`{"opener":"Ana"}`),
				Parts: []events.Part{{To: 0, Digest: digest}}}},
		{"after another event", before,
			events.Record{Version: 2, Type: "line.forked.v1", Codec: "json", At: time.UnixMilli(1767323165001),
				Meta: []byte(`{"door":"runner"}`), Data: []byte(`{}`)}},
		{"parts for some and for nobody", before,
			events.Record{Version: 300, Type: "catan.dealt.v1", Codec: "json", At: time.UnixMilli(1),
				Meta: []byte(`{}`), Data: []byte(`{"seat":-1}`),
				Parts: []events.Part{{To: 1, Digest: digest}, {To: 1<<7 | 1, Digest: before},
					{To: 0, Digest: digest}}}},
		{"text beyond ASCII, hashed as it stands", before,
			events.Record{Version: 1 << 40, Type: "catan.played.v1", Codec: "json", At: time.UnixMilli(0),
				Meta: []byte(`{"by":"Zoë"}`), Data: []byte(`{"move":"\u2028 ą \" \\ 木"}`)}},
		{"a time before 1970", before,
			events.Record{Version: 3, Type: "x", Codec: "", At: time.UnixMilli(-1), Meta: []byte(`{}`),
				Data: []byte(`{}`)}},
	} {
		c.r.Stream, c.r.Command = events.Name{0x5e, 15: 1}, events.CommandID{0xc0, 15: 2}
		parts := []vector{}
		for _, p := range c.r.Parts {
			parts = append(parts, vector{"to": p.To, "digest": p.Digest})
		}
		out = append(out, vector{"name": c.name, "before": c.before, "stream": c.r.Stream, "version": c.r.Version,
			"type": c.r.Type, "codec": c.r.Codec, "at": c.r.At.UnixMilli(),
			"command": c.r.Command, "meta": string(c.r.Meta), "data": string(c.r.Data), "parts": parts,
			"hash": events.ChainHash(c.before, &c.r)})
	}
	return out
}

func partVectors() (out []vector) {
	salt := sha256.Sum256([]byte("salt"))
	for _, text := range []string{"", `{"took":[0,0,1,0,0]}`,
		"b3ee34c6e400bb4b628299fea0125e100db2769a24965eb4a5e30037890f4119", `{"ops":[["draw",0,"Żuraw"]]}`} {
		for _, to := range []domain.Audience{0, 1, 3, 5, 0xff} {
			out = append(out, vector{"name": fmt.Sprintf("%d bytes to %s", len(text), to), "to": to,
				"audience": uint64(to), "salt": base64.StdEncoding.EncodeToString(salt[:]),
				"text": text, "digest": events.PartDigest(salt, []byte(text))})
		}
		salt = sha256.Sum256(salt[:])
	}
	return out
}

func receiptVectors(t *testing.T) (out []vector) {
	keys := desktest.Keys(t)
	key := base64.StdEncoding.EncodeToString(keys.PublicKey())
	lines := []string{}
	for i, version := range []uint64{1, 9, 1<<63 + 5} {
		r := events.Receipt{Table: events.Name{1}, Stream: events.Name{1 + byte(i)}, Version: version,
			Hash: sha256.Sum256([]byte{byte(i)})}
		lines = append(lines, keys.Sign(r))
	}
	cut, last := lines[0][:len(lines[0])-1], "A"
	if strings.HasSuffix(lines[0], last) {
		last = "Q"
	}
	spare := string(letters64[strings.IndexByte(letters64, lines[0][len(lines[0])-1])|3])
	for _, c := range []struct{ name, line string }{
		{"version 1", lines[0]}, {"version 9", lines[1]}, {"a version beyond 2^63", lines[2]},
		{"another version", strings.Replace(lines[1], ":9:", ":8:", 1)}, {"another signature", cut + last},
		{"spare bits in the signature", cut + spare}, {"cut short", cut},
		{"capital digits", strings.Replace(lines[0], ":01000", ":0100A", 1)},
		{"a version with a zero in front", strings.Replace(lines[1], ":9:", ":09:", 1)},
	} {
		_, err := events.ReadReceipt(keys.PublicKey(), c.line)
		out = append(out, vector{"name": c.name, "key": key, "receipt": c.line, "valid": err == nil})
	}
	in64 := base64.StdEncoding.EncodeToString([]byte("Your turn, Zoë.\n" + lines[2] + "\n"))
	wrapped := ""
	for ; len(in64) > 76; in64 = in64[76:] {
		wrapped += in64[:76] + "\r\n"
	}
	for _, c := range []struct{ name, text string }{
		{"as it is", "Your turn.\n\n" + lines[0] + "\n"},
		{"quoted and wrapped", "On Monday Ana wrote:\n> > " + lines[0][:60] + "\n> > " + lines[0][60:130] + "\n> > " +
			lines[0][130:] + "\n"},
		{"quoted-printable", "<p>" + lines[1][:70] + "=\r\n" + lines[1][70:] + "<br>\r\n</p>\r\n"},
		{"a body of base64", wrapped + in64 + "\r\n"},
		{"with invisible characters", lines[0][:40] + "\u200b\u00ad" + lines[0][40:] + "\n"},
		{"cut by a tag", lines[1][:50] + "<wbr>" + lines[1][50:] + "\n"},
		{"two, and one of them twice", lines[0] + "\n" + lines[1] + "\n" + lines[0] + "\n"},
		{"one that is broken", lines[0] + "\n" + lines[1][:100] + "\n"},
		{"none", "posthorn-receipt"},
	} {
		found, broken := events.FindReceipts(c.text)
		out = append(out, vector{"name": c.name, "mail": c.text, "found": append([]string{}, found...),
			"broken": broken})
	}
	return out
}

func luckVectors() (out []vector) {
	seed := domain.Key(sha256.Sum256([]byte("seed")))
	contributions := [][]byte{[]byte("Ana has thrown 4 2 6 1"), {}, {0, 255, 128}}
	for _, c := range []struct {
		line    int
		bring   [][]byte
		purpose string
		k       uint64
		size    int
	}{
		{0, nil, "dice", 0, 36}, {0, contributions, "dice", 0, 36}, {1, contributions, "dice", 0, 36},
		{300, contributions, "dice", 0, 36}, {0, contributions, "dice", 1, 36},
		{0, contributions, "tile", 0, 71}, {0, contributions, "tile", 1 << 33, 1},
		{2, contributions, "first-seat", 0, 2}, {0, contributions[:1], "żeton", 7, 6},
		{0, contributions, "wide", 0, 1<<62 + 1}, {0, contributions, "wide", 1, 6148914691236517206},
		{0, contributions, "wide", 2, 6148914691236517206}, {0, contributions, "wide", 3, 6148914691236517206},
		{0, contributions, "wide", 4, 6148914691236517206}, {0, contributions, "wide", 5, 1<<63 - 1},
	} {
		key := domain.LineKey(seed, c.line, c.bring)
		src := domain.NewSource(key)
		if c.k > 0 {
			src.Count([]domain.Draw{{Purpose: c.purpose, K: c.k - 1}})
		}
		bring := []string{}
		for _, b := range c.bring {
			bring = append(bring, hexed(b))
		}
		out = append(out, vector{"name": fmt.Sprintf("line %d, %d contributions, %s %d of %d", c.line, len(c.bring),
			c.purpose, c.k, c.size), "seed": seed, "line": c.line, "contributions": bring,
			"key": key, "purpose": c.purpose, "k": c.k, "size": c.size, "draw": src.Begin().Draw(c.purpose, c.size)})
	}
	return out
}

func shuffleVectors() (out []vector) {
	seed := domain.Key(sha256.Sum256([]byte("shuffled")))
	for _, n := range []int{0, 1, 2, 3, 12, 60} {
		luck := domain.NewSource(domain.LineKey(seed, 0, nil)).Begin()
		order := luck.Shuffle("stacks", n)
		draws := []any{}
		for _, d := range luck.Used() {
			draws = append(draws, d)
		}
		out = append(out, vector{"name": fmt.Sprintf("%d things", n), "seed": seed, "line": 0, "purpose": "stacks",
			"n": n, "order": order, "draws": draws})
	}
	return out
}

func checkpointVectors(t *testing.T) (out []vector) {
	keys := desktest.Keys(t)
	hashes := []string{}
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(at []int64) (list []tlog.Hash, err error) {
		for _, i := range at {
			list = append(list, stored[i])
		}
		return list, nil
	})
	at := func(list []tlog.Hash) []string {
		texts := []string{}
		for _, h := range list {
			texts = append(texts, hexed(h[:]))
		}
		return texts
	}
	var notes []string
	for n := range int64(12) {
		h := events.Hash(sha256.Sum256(binary.BigEndian.AppendUint64(nil, uint64(n))))
		more, err := tlog.StoredHashesForRecordHash(n, checkpoint.Leaf(h), reader)
		require.NoError(t, err)
		stored, hashes = append(stored, more...), append(hashes, h.String())
		root, err := tlog.TreeHash(n+1, reader)
		require.NoError(t, err)
		note, err := checkpoint.Sign(keys, checkpoint.Checkpoint{Size: n + 1, Root: root})
		require.NoError(t, err)
		notes = append(notes, note)
		out = append(out, vector{"name": fmt.Sprintf("the log of %d", n+1),
			"key": base64.StdEncoding.EncodeToString(keys.PublicKey()), "hashes": append([]string{}, hashes...),
			"root": hexed(root[:]), "note": note})
	}
	for _, c := range [][2]int64{{1, 2}, {1, 12}, {2, 7}, {3, 4}, {4, 8}, {6, 8}, {7, 12}, {8, 11}, {11, 12},
		{12, 12}} {
		var proof tlog.TreeProof
		var err error
		if c[0] < c[1] {
			proof, err = tlog.ProveTree(c[1], c[0], reader)
		}
		require.NoError(t, err)
		out = append(out, vector{"name": fmt.Sprintf("%d goes on in %d", c[0], c[1]), "from": notes[c[0]-1],
			"to": notes[c[1]-1], "hashes": at(proof)})
	}
	for _, c := range [][2]int64{{1, 1}, {1, 2}, {2, 2}, {3, 3}, {5, 7}, {7, 7}, {8, 8}, {9, 11}, {12, 12}} {
		proof, err := tlog.ProveRecord(c[1], c[0]-1, reader)
		require.NoError(t, err)
		out = append(out, vector{"name": fmt.Sprintf("position %d in %d", c[0], c[1]), "in": notes[c[1]-1],
			"position": c[0], "hash": hashes[c[0]-1], "hashes": at(proof)})
	}
	return out
}

func metaVectors(t *testing.T) (out []vector) {
	text, err := os.ReadFile("../../docs/example.jsonl")
	require.NoError(t, err)
	for _, c := range []struct{ name, meta string }{
		{"as it is", `{"by":"Ana","door":"page","wish":"ed3e8a2f420a5e48"}`},
		{"a wish of null", `{"by":"Ana","door":"page","wish":null}`},
		{"deadlines of null", `{"by":"Ana","door":"page","due":null}`},
		{"a door that is a number", `{"by":"Ana","door":1}`}, {"a name in capitals", `{"BY":"Ana","door":"page"}`},
		{"a name with another s", `{"by":"Ana","door":"page","wiſh":"a"}`},
		{"a member that is not listed", `{"by":"Ana","door":"page","more":{"a":null}}`},
		{"a hash in capitals", `{"door":"runner","opened":"` + strings.Repeat("A", 64) + `"}`},
		{"a deadline", `{"by":"Ana","door":"page","due":[{"seat":0,"at":"2026-02-01T00:00:00Z"}]}`},
		{"a deadline with a member that is not listed",
			`{"by":"Ana","door":"page","due":[{"seat":0,"at":"2026-02-01T00:00:00Z","more":1}]}`},
		{"a deadline in another zone",
			`{"by":"Ana","door":"page","due":[{"seat":0,"at":"2026-02-01T00:00:00+01:00"}]}`},
		{"a deadline of a seat of null",
			`{"by":"Ana","door":"page","due":[{"seat":null,"at":"2026-02-01T00:00:00Z"}]}`},
	} {
		g := forgers(t, text, desktest.Keys(t))
		g.find(t, "table.joined.v1", 0).Meta = json.RawMessage(c.meta)
		f, err := record.Read(bytes.NewReader(g.written(t)))
		require.NoError(t, err)
		_, err = record.Verify(f, desktest.Named)
		kind, fault := faultKind{}, (*record.Fault)(nil)
		if errors.As(err, &fault) {
			kind, _ = kindOf(faultKinds(t), fault.What)
		}
		out = append(out, vector{"name": c.name, "meta": c.meta, "valid": kind.kind != "meta"})
	}
	return out
}

// What a program does not know is no fault in meta, but is one in the public part: docs/format.md, section 1. The
// independent verifier agrees.
func TestAMemberThatNothingSays(t *testing.T) {
	python, dir := programtest.Python(t), t.TempDir()
	text, err := os.ReadFile("../../docs/example.jsonl")
	require.NoError(t, err)
	for _, c := range []struct{ in, kind string }{{"meta", ""}, {"data", "table-differs"}} {
		g := forgers(t, text, desktest.Keys(t))
		e := g.find(t, "table.joined.v1", 1)
		if c.in == "meta" {
			meant(e, set("more", 1))
		} else {
			edit(e, set("more", 1))
		}
		path := filepath.Join(dir, c.in+".jsonl")
		file := g.written(t)
		require.Contains(t, string(file), `"more":1`)
		require.NoError(t, os.WriteFile(path, file, 0o600))
		f, err := record.Read(bytes.NewReader(file))
		require.NoError(t, err)
		_, err = record.Verify(f, desktest.Named)
		said := independent(t, python, path)
		if c.kind == "" {
			require.NoError(t, err)
			require.Nil(t, said.Fault)
			continue
		}
		var fault *record.Fault
		require.ErrorAs(t, err, &fault)
		found, _ := kindOf(faultKinds(t), fault.What)
		require.Equal(t, c.kind, found.kind)
		require.NotNil(t, said.Fault)
		require.Equal(t, c.kind, said.Fault.Kind)
	}
}

const vectorFolder = "../../docs/vectors"

func TestTheVectorsAreWhatTheProgramComputes(t *testing.T) {
	for name, list := range vectors(t) {
		var b bytes.Buffer
		b.WriteString("[\n")
		for i, v := range list {
			var line bytes.Buffer
			e := json.NewEncoder(&line)
			e.SetEscapeHTML(false)
			require.NoError(t, e.Encode(v))
			b.Write(bytes.TrimSpace(line.Bytes()))
			if i < len(list)-1 {
				b.WriteByte(',')
			}
			b.WriteByte('\n')
		}
		b.WriteString("]\n")
		file := filepath.Join(vectorFolder, name+".json")
		if os.Getenv("POSTHORN_GOLDEN") == "write" {
			require.NoError(t, os.WriteFile(file, b.Bytes(), 0o600))
		}
		stands, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(stands), b.String(), name)
		require.True(t, strings.Contains(page(t), "`"+name+".json`"), "docs/format.md says nothing of %s.json", name)
	}
}

func TestAnIndependentVerifierComputesTheVectors(t *testing.T) {
	python := programtest.Python(t)
	said, err := exec.CommandContext(t.Context(), python, filepath.Join(vectorFolder, "check.py")).CombinedOutput()
	require.NoError(t, err, string(said))
	require.Regexp(t, `^[1-9]\d\d vectors: all as they stand here\n$`, string(said))

	// A changed one is named.
	dir := t.TempDir()
	text, err := os.ReadFile(filepath.Join(vectorFolder, "luck.json"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "luck.json"),
		bytes.Replace(text, []byte(`"draw":`), []byte(`"draw":1`), 1), 0o600))
	said, err = exec.CommandContext(t.Context(), python, filepath.Join(vectorFolder, "check.py"), dir).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(said), "luck.json: line 0, 0 contributions, dice 0 of 36")
}
