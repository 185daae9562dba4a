package record_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/record"
)

// forgery is a record in the hands of somebody who has the server's key: after any change they recompute sums,
// digests, hashes and signatures.
type forgery struct {
	*record.File
	keys *events.Keys
}

// forgers puts a true record into a forger's hands.
func forgers(t testing.TB, file []byte, keys *events.Keys) *forgery {
	t.Helper()
	f, err := record.Read(bytes.NewReader(file))
	require.NoError(t, err)
	g := &forgery{File: f, keys: keys}
	return g
}

// written returns the record as the forger writes it, with all hashes, sums and signatures recomputed.
func (g *forgery) written(t testing.TB) []byte {
	t.Helper()
	g.hash(t)
	g.sign()
	return g.lines(t)
}

// sign signs all receipts anew.
func (g *forgery) sign() {
	g.Header.Key, g.Header.Heads = g.keys.PublicKey(), nil
	for _, s := range g.Header.Streams {
		if s.Table != g.Header.Table {
			continue
		}
		head := events.Receipt{Table: s.Table, Stream: s.Name}
		for _, e := range g.Events {
			if e.Stream == s.Name {
				head.Version, head.Hash = e.Version, e.Hash
			}
		}
		if c := g.Header.Closing; c != nil && s.Name == s.Table {
			rec := events.Record{Stream: c.Stream, Version: head.Version + 1, Type: c.Type, Codec: c.Codec,
				At:      time.UnixMilli(c.At),
				Command: c.Command, Meta: c.Meta, Data: c.Data}
			c.Version, c.Hash = rec.Version, events.ChainHash(head.Hash, &rec)
			head.Version, head.Hash = c.Version, c.Hash
		}
		g.Header.Heads = append(g.Header.Heads, g.keys.Sign(head))
	}
}

// lines returns the record with only its sum recomputed.
func (g *forgery) lines(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	require.NoError(t, out.Encode(g.Header))
	for i := range g.Events {
		require.NoError(t, out.Encode(g.Events[i]))
	}
	return summed(b.Bytes())
}

// summed returns a record with its sum appended.
func summed(lines []byte) []byte {
	return fmt.Appendf(bytes.Clone(lines), "{\"sum\":\"%x\"}\n", sha256.Sum256(lines))
}

// hash recomputes digests and hashes, in the order of the file: the table comes first.
func (g *forgery) hash(t testing.TB) {
	t.Helper()
	head := map[events.Name]map[uint64]events.Hash{}
	now := map[events.Hash]events.Hash{}
	for n := range g.Header.Streams {
		s := &g.Header.Streams[n]
		head[s.Name] = map[uint64]events.Hash{}
		if h, ok := now[s.Origin]; ok {
			s.Origin = h
		}
		for i := range g.Events {
			e := &g.Events[i]
			if e.Stream != s.Name {
				continue
			}
			for p := range e.Parts {
				if part := &e.Parts[p]; part.Text != nil && len(part.Salt) == 32 {
					part.Digest = events.PartDigest([32]byte(part.Salt), []byte(*part.Text))
				}
			}
			var meta map[string]any
			if json.Unmarshal(e.Meta, &meta) == nil && meta["opened"] != nil {
				for before, after := range now {
					e.Meta = bytes.Replace(e.Meta, []byte(before.String()), []byte(after.String()), 1)
				}
			}
			before := s.Origin
			if h, ok := head[s.Name][e.Version-1]; ok {
				before = h
			} else if !s.Parent.IsZero() {
				before = g.at(head, s.Parent, e.Version-1)
			}
			old := e.Hash
			e.Hash = events.ChainHash(before,
				&events.Record{Stream: e.Stream, Version: e.Version, Type: e.Type, Codec: e.Codec,
					At: time.UnixMilli(e.At), Command: e.Command, Meta: e.Meta, Data: e.Data, Parts: bare(e.Parts)})
			head[s.Name][e.Version], now[old] = e.Hash, e.Hash
		}
	}
}

func (g *forgery) at(head map[events.Name]map[uint64]events.Hash, stream events.Name, version uint64) events.Hash {
	for range g.Header.Streams {
		if h, ok := head[stream][version]; ok {
			return h
		}
		for _, s := range g.Header.Streams {
			if s.Name == stream {
				stream = s.Parent
				break
			}
		}
	}
	return events.Hash{}
}

func bare(parts []record.Part) (out []events.Part) {
	for _, p := range parts {
		out = append(out, events.Part{To: p.To, Digest: p.Digest})
	}
	return out
}

// find returns event number n (from the end: -1) of a type.
func (g *forgery) find(t testing.TB, typ string, n int) *record.Event {
	t.Helper()
	var found []*record.Event
	for i := range g.Events {
		if g.Events[i].Type == typ {
			found = append(found, &g.Events[i])
		}
	}
	if n < 0 {
		n += len(found)
	}
	require.Less(t, n, len(found), "there are %d of %s", len(found), typ)
	return found[n]
}

// provenGames returns records of unfinished games, secrets open, with a rewind in each.
func provenGames(t testing.TB, moves int) (files [][]byte, keys *events.Keys) {
	t.Helper()
	h := desktest.New(t)
	for n, game := range []string{"carcassonne", "catan", "rivals"} {
		rnd := rand.New(rand.NewPCG(7, uint64(n)))
		players := []domain.TablePlace{desktest.Player(desktest.Ana), desktest.Player(desktest.Bo)}
		if game == "catan" {
			players = append(players, desktest.Player(desktest.Cid))
		}
		table := h.Starts(game, nil, players...)
		h.Random(table, rnd, moves/2)
		if h.Sees(table).Table.Status != domain.TableEnded {
			h.Rewinds(table, uint64(moves/4+1))
		}
		h.Random(table, rnd, moves/2)
		for i := range players {
			if h.Sees(table).Table.Status == domain.TableStarted && h.Sees(table).Table.Due == "" {
				h.Resigns(players[i].Invited[0], table, domain.Seat(i))
			}
		}
		h.Follows(table)
		var b bytes.Buffer
		require.NoError(t, record.Export(h.Ctx, h.Desk, table, domain.Referee, time.Now(), &b))
		files = append(files, b.Bytes())
	}
	return files, desktest.Keys(t)
}
