package logtest

import (
	"cmp"
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"posthorn/events"
)

// model is the contract again, in its simplest form: every stream has a copy of its whole history.
type model struct {
	log     []events.Record
	streams map[events.Name]*history
	order   []events.Name
	done    map[events.Name]map[events.CommandID]events.Record
	drafts  []events.Draft // everything tried, to be tried again
}

type history struct {
	events.Stream
	records []events.Record
}

func testModel(t *testing.T, o Opener) {
	rapid.Check(t, func(rt *rapid.T) {
		m := &model{streams: map[events.Name]*history{}, done: map[events.Name]map[events.CommandID]events.Record{}}
		l := o.Open(t)
		defer func() { require.NoError(rt, l.Close()) }()
		rt.Repeat(map[string]func(*rapid.T){
			"open":   func(rt *rapid.T) { m.try(rt, l, m.opening(rt)) },
			"append": func(rt *rapid.T) { m.try(rt, l, m.following(rt)) },
			"repeat": func(rt *rapid.T) { m.repeat(rt, l) },
			"load":   func(rt *rapid.T) { m.load(rt, l) },
			"reopen": func(rt *rapid.T) {
				if o.Reopen != nil {
					l = o.Reopen(t, l)
				}
			},
			"": func(rt *rapid.T) { m.check(rt, l) },
		})
	})
}

// opening draws a draft that opens a stream, sensibly or not.
func (m *model) opening(rt *rapid.T) events.Draft {
	s := events.Stream{Name: name(rt, "name"), Kind: events.KindTable, Rulebook: "suite"}
	s.Table = s.Name
	if len(m.order) > 0 && rapid.IntRange(0, 3).Draw(rt, "of a table") > 0 {
		s.Kind, s.Table = events.KindLine, m.some(rt).Table
		s.Origin = events.Hash{rapid.Byte().Draw(rt, "origin")}
		if parent := m.some(rt); parent.Name != s.Name && rapid.Bool().Draw(rt, "forks") {
			s.Parent, s.Fork = parent.Name, uint64(rapid.IntRange(1, len(parent.records)+1).Draw(rt, "fork"))
		}
	}
	d := Opening(s)
	d.Command = events.CommandID(name(rt, "command"))
	return d
}

// following draws a draft that continues a stream, sensibly or not.
func (m *model) following(rt *rapid.T) events.Draft {
	if len(m.order) == 0 {
		return Following(name(rt, "name"), 0)
	}
	h := m.some(rt)
	d := Following(h.Name, uint64(max(0, len(h.records)+rapid.SampledFrom([]int{0, 0, 0, 0, 1, -1}).
		Draw(rt, "off by"))))
	d.Command = events.CommandID(name(rt, "command"))
	d.Data = rapid.SliceOfN(rapid.Byte(), 0, 8).Draw(rt, "data")
	d.Parts = SomeParts()[:rapid.IntRange(0, 2).Draw(rt, "parts")]
	if rapid.Bool().Draw(rt, "guarded") {
		g := m.some(rt)
		d.Guards = []events.Guard{{Stream: g.Name,
			Version: uint64(max(0, len(g.records)-rapid.IntRange(0, 1).Draw(rt, "guard off by")))}}
	}
	return d
}

// name draws a name; shrunk cases have short ones, and names sometimes repeat.
func name(rt *rapid.T, label string) (n events.Name) {
	n[0], n[15] = rapid.Byte().Draw(rt, label), rapid.Byte().Draw(rt, label)
	if n.IsZero() {
		n[7] = 1
	}
	return n
}

func (m *model) some(rt *rapid.T) *history {
	return m.streams[rapid.SampledFrom(m.order).Draw(rt, "stream")]
}

// repeat tries an earlier draft again, unchanged or as another event under the same command.
func (m *model) repeat(rt *rapid.T, l events.Log) {
	if len(m.drafts) == 0 {
		return
	}
	d := rapid.SampledFrom(m.drafts).Draw(rt, "draft")
	if len(m.order) > 0 && rapid.Bool().Draw(rt, "as another event") {
		id := d.Command
		d = m.following(rt)
		d.Command = id
	}
	m.try(rt, l, d)
}

// try appends to the log and to the model, and compares the answers.
func (m *model) try(rt *rapid.T, l events.Log, d events.Draft) {
	m.drafts = append(m.drafts, d)
	want, refusal := m.append(d)
	got, err := l.Append(context.Background(), d)
	if refusal == nil {
		require.NoError(rt, err)
		require.Equal(rt, want, got)
		return
	}
	if errors.As(refusal, new(*events.Conflict)) || errors.As(refusal, new(*events.Duplicate)) {
		require.Equal(rt, refusal, err)
		return
	}
	require.ErrorIs(rt, err, refusal)
}

func (m *model) append(d events.Draft) (events.Record, error) {
	h, known := m.streams[d.Stream]
	if !known && d.Open == nil {
		return events.Record{}, events.ErrNoStream
	}
	if !known {
		h = &history{Stream: *d.Open}
	}
	if first, ok := m.done[h.Table][d.Command]; ok {
		return events.Record{}, &events.Duplicate{Record: first}
	}
	if !known && !h.Parent.IsZero() {
		parent := m.streams[h.Parent]
		if int(h.Fork) > len(parent.records) {
			return events.Record{}, &events.Conflict{Stream: h.Parent, Expected: h.Fork,
				Actual: uint64(len(parent.records))}
		}
		h.records = append(h.records, parent.records[:h.Fork]...)
	}
	if at := uint64(len(h.records)); d.Expect != at || known && d.Open != nil {
		return events.Record{}, &events.Conflict{Stream: d.Stream, Expected: d.Expect, Actual: at}
	}
	for _, g := range d.Guards {
		if at := uint64(len(m.streams[g.Stream].records)); at != g.Version {
			return events.Record{}, &events.Conflict{Stream: g.Stream, Expected: g.Version, Actual: at}
		}
	}
	return m.write(h, d), nil
}

func (m *model) write(h *history, d events.Draft) events.Record {
	prev := h.Origin
	if n := len(h.records); n > 0 {
		prev = h.records[n-1].Hash
	}
	r := events.Record{
		Pos: uint64(len(m.log) + 1), Stream: d.Stream, Version: uint64(len(h.records) + 1), Command: d.Command,
		Type: d.Type, Codec: d.Codec, At: milliseconds(d.At), Meta: d.Meta,
	}
	if len(d.Data) > 0 {
		r.Data = d.Data
	}
	if len(d.Parts) > 0 {
		r.Parts = d.Parts
	}
	r.Hash = events.ChainHash(prev, &r)
	if _, known := m.streams[h.Name]; !known {
		m.streams[h.Name], m.order = h, append(m.order, h.Name)
	}
	if m.done[h.Table] == nil {
		m.done[h.Table] = map[events.CommandID]events.Record{}
	}
	m.done[h.Table][d.Command] = r
	h.records, m.log = append(h.records, r), append(m.log, r)
	return r
}

// load compares a part of a stream.
func (m *model) load(rt *rapid.T, l events.Log) {
	if len(m.order) == 0 {
		return
	}
	h := m.some(rt)
	n := len(h.records)
	after, upTo := rapid.IntRange(0, n+1).Draw(rt, "after"), rapid.IntRange(0, n+1).Draw(rt, "up to")
	end := min(cmp.Or(upTo, n), n)
	equalRecords(rt, h.records[min(after, end):end],
		sure(l.Load(context.Background(), h.Name, uint64(after), uint64(upTo)))(rt))
}

// check compares everything.
func (m *model) check(rt *rapid.T, l events.Log) {
	ctx := context.Background()
	equalRecords(rt, m.log, sure(l.Read(ctx, 0, 1<<20))(rt))
	require.EqualValues(rt, len(m.log), sure(l.Last(ctx))(rt))
	for _, n := range m.order {
		h := m.streams[n]
		newest := h.records[len(h.records)-1]
		require.Equal(rt, events.Head{Version: newest.Version, Hash: newest.Hash}, sure(l.Head(ctx, n))(rt))
		require.Equal(rt, h.Stream, sure(l.Stream(ctx, n))(rt))
	}
}

func equalRecords(t require.TestingT, want, got []events.Record) {
	require.Len(t, got, len(want))
	for i := range want {
		require.Equal(t, want[i], got[i])
	}
}
