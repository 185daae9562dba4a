package secrets

import (
	"bytes"
	"context"
	"crypto/ecdh"
	"crypto/hpke"
	"crypto/sha256"
	"encoding/base64"
	big "encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	nethttp "net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/record"
)

// forger writes handovers of a table as a dishonest server could. Whatever it changes, it recomputes hashes, receipts
// and seals, so that only the record's content is left to judge.
type forger struct {
	sign   *events.Keys
	to     hpke.PublicKey
	header record.Header
	events []record.Event // with their secret parts open
}

// newForger plays a table of a game, with a rewind, and takes its history.
func newForger(t testing.TB, game string, to *events.Keys) *forger {
	t.Helper()
	h := desktest.New(t)
	rnd := rand.New(rand.NewPCG(7, 7))
	table := h.Starts(game, nil, desktest.Player(anaID), desktest.Player(boID))
	h.Random(table, rnd, 8)
	h.Rewinds(table, h.Sees(table).LineHead.Version-2)
	h.Random(table, rnd, 3)
	text, err := record.PublicKey(to)
	require.NoError(t, err)
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(text, "posthorn-key-"))
	require.NoError(t, err)
	f := &forger{sign: h.Keys()}
	f.to, err = hpke.DHKEM(ecdh.X25519()).NewPublicKey(raw[:32]) // the other half is the key of its receipts
	require.NoError(t, err)

	var file bytes.Buffer
	require.NoError(t, record.Handover(h.Ctx, h.Desk, table, text, time.Now(), &file))
	read, err := record.Read(&file)
	require.NoError(t, err)
	f.header, f.events = read.Header, read.Events
	for i := range f.events {
		e := &f.events[i]
		recs, err := h.Log().Load(h.Ctx, e.Stream, e.Version-1, e.Version)
		require.NoError(t, err)
		for n := range e.Parts {
			_, plain, err := h.Keys().Unseal(&recs[0], n)
			require.NoError(t, err)
			said := string(plain)
			e.Parts[n].Sealed, e.Parts[n].Text = nil, &said
		}
	}
	return f
}

// copied returns a copy of the history that may be changed.
func (f *forger) copied() *forger {
	c := *f
	c.header.Streams = slices.Clone(f.header.Streams)
	c.events = slices.Clone(f.events)
	for i := range c.events {
		c.events[i].Parts = slices.Clone(c.events[i].Parts)
	}
	return &c
}

// chained recomputes every hash, and what depends on hashes.
func (f *forger) chained() {
	streams := map[events.Name]*events.Stream{}
	for i := range f.header.Streams {
		streams[f.header.Streams[i].Name] = &f.header.Streams[i]
	}
	at := map[string]events.Hash{}
	place := func(s events.Name, v uint64) string { return fmt.Sprint(s, v) }
	opened := map[string]events.Hash{} // lines by the events that opened them
	for i := range f.events {
		e := &f.events[i]
		s, ok := streams[e.Stream]
		if !ok {
			continue
		}
		origin, isLine := opened[e.Stream.String()]
		if isLine && e.Version == s.Fork+1 {
			if s.Parent.IsZero() {
				s.Origin = origin
			}
			var meta map[string]any
			if json.Unmarshal(e.Meta, &meta) == nil && meta["opened"] != nil {
				meta["opened"] = origin.String()
				e.Meta, _ = json.Marshal(meta)
			}
		}
		prev, ok := at[place(e.Stream, e.Version-1)]
		if e.Version == s.Fork+1 {
			if prev = s.Origin; !s.Parent.IsZero() {
				prev = f.ancestor(at, place, streams, s)
			}
		} else if !ok {
			continue
		}
		e.Hash = f.hash(prev, e)
		at[place(e.Stream, e.Version)] = e.Hash
		var names struct {
			Line    string
			Rewound struct{ Line string }
		}
		if e.Stream == f.header.Table && json.Unmarshal(e.Data, &names) == nil {
			opened[names.Line], opened[names.Rewound.Line] = e.Hash, e.Hash
		}
	}
}

func (f *forger) ancestor(at map[string]events.Hash, place func(events.Name, uint64) string,
	streams map[events.Name]*events.Stream, s *events.Stream) events.Hash {
	for p, n := s.Parent, 0; n < len(streams); n++ {
		if h, ok := at[place(p, s.Fork)]; ok {
			return h
		}
		if streams[p] == nil {
			break
		}
		p = streams[p].Parent
	}
	return events.Hash{}
}

func (f *forger) hash(prev events.Hash, e *record.Event) events.Hash {
	r := events.Record{Stream: e.Stream, Version: e.Version, Type: e.Type, Codec: e.Codec,
		At:      time.UnixMilli(e.At).UTC(),
		Command: e.Command, Meta: e.Meta, Data: e.Data}
	for n := range e.Parts {
		e.Parts[n].Digest = events.PartDigest([32]byte{1}, []byte(*e.Parts[n].Text))
		r.Parts = append(r.Parts, events.Part{To: e.Parts[n].To, Digest: e.Parts[n].Digest})
	}
	return events.ChainHash(prev, &r)
}

// file returns the handover as it is sent.
func (f *forger) file(t testing.TB) []byte {
	t.Helper()
	f.chained()
	heads := map[events.Name]events.Receipt{}
	for _, e := range f.events {
		heads[e.Stream] = events.Receipt{Table: f.header.Table, Stream: e.Stream, Version: e.Version, Hash: e.Hash}
	}
	f.header.Heads, f.header.Key = nil, f.sign.PublicKey()
	for _, s := range f.header.Streams {
		f.header.Heads = append(f.header.Heads, f.sign.Sign(heads[s.Name]))
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	require.NoError(t, enc.Encode(f.header))
	for _, e := range f.events {
		e.Parts = slices.Clone(e.Parts)
		for n := range e.Parts {
			info := big.BigEndian.AppendUint64(append([]byte("posthorn handover "), e.Stream[:]...), e.Version)
			salt := [32]byte{1}
			sealed, err := hpke.Seal(f.to, hpke.HKDFSHA256(), hpke.AES256GCM(),
				big.BigEndian.AppendUint64(info, uint64(n)),
				append(salt[:], *e.Parts[n].Text...))
			require.NoError(t, err)
			e.Parts[n].Sealed, e.Parts[n].Text = sealed, nil
		}
		require.NoError(t, enc.Encode(e))
	}
	fmt.Fprintf(&out, "{\"sum\":\"%x\"}\n", sha256.Sum256(out.Bytes()))
	return out.Bytes()
}

// values are what a field may be changed to.
var values = []any{nil, -1, 0, 1, 2, 99, int64(1) << 62, 0.5, true, "", "A", "0,0", "\u202e\x00", []any{}, []any{nil},
	map[string]any{}, strings.Repeat("x", 300)}

// leaf changes one value of a JSON text: the nth, counted depth first.
func leaf(text []byte, nth, to int) []byte {
	var v any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return text
	}
	count := 0
	var walk func(any) any
	walk = func(v any) any {
		here := count
		count++
		if here == nth {
			return values[to%len(values)]
		}
		switch v := v.(type) {
		case map[string]any:
			keys := make([]string, 0, len(v))
			for k := range v {
				keys = append(keys, k)
			}
			slices.Sort(keys)
			for _, k := range keys {
				v[k] = walk(v[k])
			}
		case []any:
			for i := range v {
				v[i] = walk(v[i])
			}
		}
		return v
	}
	walk(v) // counts
	if count > 0 {
		nth, count = nth%count, 0
	}
	d = json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return text
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if enc.Encode(walk(v)) != nil {
		return text
	}
	return bytes.TrimSpace(out.Bytes())
}

// change makes one change to a history: what, where, and two more numbers.
func (f *forger) change(what, where, a, b byte) {
	if len(f.events) == 0 {
		return
	}
	i := int(where) % len(f.events)
	e := &f.events[i]
	j := int(a) % len(f.events)
	switch what % 14 {
	case 0, 1, 2:
		e.Data = leaf(e.Data, int(a), int(b))
	case 3:
		e.Meta = leaf(e.Meta, int(a), int(b))
	case 4, 5:
		if len(e.Parts) > 0 {
			p := &e.Parts[int(a)%len(e.Parts)]
			text := string(leaf([]byte(*p.Text), int(a), int(b)))
			p.Text = &text
		}
	case 6:
		f.events = slices.Delete(f.events, i, i+1)
	case 7:
		e.Type, e.Data = f.events[j].Type, f.events[j].Data
	case 8:
		e.Type += fmt.Sprint(b)
	case 9:
		f.events = f.events[:i]
	case 10:
		if len(e.Parts) > 0 {
			e.Parts = e.Parts[:int(b)%len(e.Parts)]
		} else {
			e.Parts = slices.Clone(f.events[j].Parts)
		}
	case 11:
		if len(e.Parts) > 0 {
			e.Parts[int(a)%len(e.Parts)].To = domain.Audience(b)
		}
	case 12:
		s := &f.header.Streams[i%len(f.header.Streams)]
		switch a % 5 {
		case 0:
			s.Kind = []events.Kind{events.KindTable, events.KindLine, events.KindSeat, events.KindHouse, "other"}[b%5]
		case 1:
			s.Fork = uint64(b)
		case 2:
			s.Parent = f.header.Streams[int(b)%len(f.header.Streams)].Name
		case 3:
			s.Table = events.Name{b}
		case 4:
			s.Rulebook = []string{"", "catan", "rivals", "chess"}[b%4]
		}
	case 13:
		e.Data = f.events[j].Data
		e.At += int64(b)
	}
	f.renumbered()
}

// renumbered gives the events of each stream consecutive versions.
func (f *forger) renumbered() {
	next := map[events.Name]uint64{}
	for _, s := range f.header.Streams {
		next[s.Name] = s.Fork
	}
	for i := range f.events {
		next[f.events[i].Stream]++
		f.events[i].Version = next[f.events[i].Stream]
	}
}

// FuzzHandover checks that a handover, however forged, is either refused with nothing adopted, or readable by the
// house, with every page of it answering.
func FuzzHandover(f *testing.F) {
	c := newCast(f)
	var forgers []*forger
	for _, game := range []string{"carcassonne", "rivals", "catan"} {
		forgers = append(forgers, newForger(f, game, c.keys))
	}
	f.Add(byte(0), []byte{})
	for game := range forgers {
		for what := range byte(14) {
			f.Add(byte(game), []byte{what, 3, 4, 5})
			f.Add(byte(game), []byte{what, 6, 1, 0})
		}
	}
	f.Fuzz(func(t *testing.T, game byte, changes []byte) {
		forged := forgers[int(game)%len(forgers)].copied()
		for ; len(changes) >= 4; changes = changes[4:] {
			forged.change(changes[0], changes[1], changes[2], changes[3])
		}
		imported(t, c, forged)
	})
}

// imported imports a handover, checks the outcome, and reports whether it was adopted.
func imported(t *testing.T, c *cast, forged *forger) bool {
	t.Helper()
	ctx := context.Background()
	file, err := record.Read(bytes.NewReader(forged.file(t)))
	if err != nil {
		return false
	}
	log := memory.New()
	_, err = record.Import(ctx, log, c.keys, file, rulebooks.Named)
	last, lerr := log.Last(ctx)
	require.NoError(t, lerr)
	if err != nil {
		require.Zero(t, last, "refused, and adopted all the same: %v", err)
		require.NoError(t, log.Close())
		return false
	}
	require.EqualValues(t, len(file.Events)+1, last, "and that it came here")
	require.NoError(t, log.Close())
	h := c.houseOf(t, rulebooks.All())
	_, err = record.Import(ctx, h.log.Log, c.keys, file, rulebooks.Named)
	require.NoError(t, err)
	h.answers(t, c, file.Header.Table)
	return true
}

// answers requests every page of a table, as everybody.
func (h *twinHouse) answers(t *testing.T, c *cast, table events.Name) {
	t.Helper()
	require.NoError(t, h.lists.Rebuild(h.ctx, nil))
	_, err := h.notifier.Wanted(h.ctx, table)
	require.NoError(t, err)
	_, err = h.desk.Advance(h.ctx, table)
	require.NoError(t, err)
	base := "/t/" + table.String()
	api := "/api/v1/tables/" + table.String()
	for _, path := range []string{"/", base, base + "/audit", base + "/record", base + "/rewind", api, api + "/moves",
		api + "/timeline", api + "/lines", api + "/audit", api + "/picture.png", api + "/chat"} {
		for _, who := range []somebody{c.players()[0], {}} {
			r := httptest.NewRequest(nethttp.MethodGet, path, nil)
			r.Host = strings.TrimPrefix(twinURL, "http://")
			if who.token != "" && strings.HasPrefix(path, "/api/") {
				r.Header.Set("Authorization", "Bearer "+who.token)
			} else if who.session != "" {
				r.AddCookie(&nethttp.Cookie{Name: "posthorn", Value: who.session})
			}
			w := httptest.NewRecorder()
			h.server.ServeHTTP(w, r)
			require.Less(t, w.Code, 500, "%s: %s", path, w.Body)
		}
	}
}
