package events_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
)

// The chain's format is forever: these hashes must never change.
func TestChainHashIsForEver(t *testing.T) {
	bare := events.Record{}
	full := events.Record{
		Pos: 77, Stream: events.Name{1, 2}, Version: 1 << 40, Command: events.CommandID{3, 4}, Type: "played.v1",
		Codec: "json",
		At:    time.UnixMilli(1763726400123).UTC(), Meta: []byte(`{"seat":1}`), Data: make([]byte, 5000),
		Parts: []events.Part{
			{To: domain.To(0, 2), Digest: events.Hash{5}, Sealed: []byte("not in the chain")},
			{Digest: events.Hash{6}},
		},
	}
	many := full
	many.Parts = make([]events.Part, 100)
	require.Equal(t, "f69368ef3743ee1ad664f5832b6a22f0f411e9c1e485195aa825693fe53623e3",
		events.ChainHash(events.Hash{}, &bare).String())
	require.Equal(t, "da03e772aeb9b7e1fee32a4a7476dd9faefdeba85d369f705f2b643640ed9abb",
		events.ChainHash(events.Hash{9}, &full).String())
	require.Equal(t, "053c3fcc6bee685bd3606821436e0c12a1ae079e62122865698ec368460ca875",
		events.ChainHash(events.Hash{9}, &many).String())

	elsewhere := full
	elsewhere.Pos = 1
	elsewhere.At = full.At.In(time.FixedZone("elsewhere", 3600)).Add(999 * time.Microsecond)
	require.Equal(t, events.ChainHash(events.Hash{9}, &full), events.ChainHash(events.Hash{9}, &elsewhere),
		"position, zone and less than a millisecond are not in it")
}
