package relay

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"posthorn/domain"
	"posthorn/events"
)

func TestAPayloadKeepsTheRecordByteForByte(t *testing.T) {
	text := rapid.OneOf(
		rapid.SampledFrom([]string{"", "{}", "null", " {} ", `{"a": [1, 2.50, "<&>\u2028"]}`, "{\"a\":\"\xff\"}", `"x"`,
			"plain", "\x00\x01"}),
		rapid.String(),
	)
	hash := rapid.SliceOfN(rapid.Byte(), 32, 32)
	rapid.Check(t, func(t *rapid.T) {
		want := events.Record{
			Pos:     rapid.Uint64Min(1).Draw(t, "pos"),
			Stream:  events.Name(rapid.SliceOfN(rapid.ByteMin(1), 16, 16).Draw(t, "stream")),
			Version: rapid.Uint64Min(1).Draw(t, "version"),
			Command: events.CommandID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "command")),
			Type:    rapid.SampledFrom([]string{"played.v1", "<\"é\\&>\n"}).Draw(t, "type"),
			Codec:   rapid.SampledFrom([]string{"json", "x"}).Draw(t, "codec"),
			At:      time.UnixMilli(rapid.Int64Range(-1e12, 4e12).Draw(t, "at")).UTC(),
			Meta:    []byte(text.Draw(t, "meta")), Data: []byte(text.Draw(t, "data")),
			Hash: events.Hash(hash.Draw(t, "hash")),
		}
		for range rapid.IntRange(0, 2).Draw(t, "parts") {
			want.Parts = append(want.Parts, events.Part{
				To: domain.Audience(rapid.Uint8().Draw(t, "to")), Digest: events.Hash(hash.Draw(t, "digest")),
				Sealed: []byte("sealed" + text.Draw(t, "sealed")),
			})
		}
		data, err := Encode(&want)
		require.NoError(t, err)
		require.Equal(t, encodedByTheBook(t, &want), string(data))
		got, err := Decode(data)
		require.NoError(t, err)
		require.Equal(t, string(want.Meta), string(got.Meta))
		require.Equal(t, string(want.Data), string(got.Data))
		require.Equal(t, events.ChainHash(events.Hash{}, &want), events.ChainHash(events.Hash{}, &got))
		want.Meta, want.Data, got.Meta, got.Data = nil, nil, nil, nil
		require.Equal(t, want, got)
	})
}

// encodedByTheBook returns the payload as the library writes it.
func encodedByTheBook(t *rapid.T, r *events.Record) string {
	p := payload{Pos: r.Pos, Stream: r.Stream, Version: r.Version, Command: r.Command, Type: r.Type, Codec: r.Codec,
		At: r.At.UnixMilli(), Parts: r.Parts, Hash: r.Hash}
	plain := func(text []byte) (asIs json.RawMessage, otherwise []byte) {
		var b bytes.Buffer
		if json.Compact(&b, text) == nil && bytes.Equal(b.Bytes(), text) && string(text) != "null" {
			return text, nil
		}
		return nil, text
	}
	p.Meta, p.Meta64 = plain(r.Meta)
	p.Data, p.Data64 = plain(r.Data)
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	require.NoError(t, out.Encode(p))
	require.True(t, json.Valid(b.Bytes()))
	return strings.TrimSuffix(b.String(), "\n")
}

func TestSubjectsNameRulebookAndTable(t *testing.T) {
	table := events.Name{0xab}
	require.Equal(t, "posthorn.ev.carcassonne."+table.String(),
		subject(events.Stream{Kind: events.KindLine, Rulebook: "carcassonne", Table: table}))
	require.Equal(t, "posthorn.ev.house", subject(events.Stream{Kind: events.KindHouse}))
	require.Equal(t, "posthorn.ev.a_b__."+table.String(),
		subject(events.Stream{Kind: events.KindTable, Rulebook: "a.b*>", Table: table}))
	require.Equal(t, "posthorn.ev.unknown."+table.String(),
		subject(events.Stream{Kind: events.KindTable, Table: table}))
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"pos":1,"stream":"000102030405060708090a0b0c0d0e0f","version":1,"command":"000102030405060708090a0b0c0d0e0f","type":"x","codec":"json","at":0,"data":{},"hash":"0000000000000000000000000000000000000000000000000000000000000000"}`))
	f.Add([]byte(`{"pos":-1}`))
	f.Add([]byte(``))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := Decode(b)
		if err != nil {
			require.ErrorIs(t, err, ErrMessage)
			return
		}
		again, err := Encode(&r)
		require.NoError(t, err)
		back, err := Decode(again)
		require.NoError(t, err)
		require.Equal(t, events.ChainHash(events.Hash{}, &r), events.ChainHash(events.Hash{}, &back))
	})
}
