package desk_test

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/events"
	"posthorn/events/desktest"
)

func TestASealedPartIsAsLongWhateverIsInIt(t *testing.T) {
	keys := desktest.Keys(t)
	rapid.Check(t, func(rt *rapid.T) {
		room := rapid.SampledFrom([]int{64, 256, 1024, 4096}).Draw(rt, "room")
		text := func(name string) []byte {
			return rapid.SliceOfN(rapid.Byte(), 0, room-4).Draw(rt, name)
		}
		a, b := text("a"), text("b")
		stream := events.NewName()
		one, other := keys.SealIn(room, stream, 3, 0, domain.To(1), a), keys.SealIn(room, stream, 3, 1, domain.To(1), b)
		require.Len(rt, one.Sealed, len(other.Sealed))
		r := &events.Record{Stream: stream, Version: 3, Parts: []events.Part{one, other}}
		salt, back, err := keys.Unseal(r, 0)
		require.NoError(rt, err)
		require.True(rt, string(a) == string(back))
		require.Equal(rt, events.PartDigest(salt, a), one.Digest, "the digest is of the text alone")

		r.Parts[0], r.Parts[1] = r.Parts[1], r.Parts[0]
		_, _, err = keys.Unseal(r, 0)
		require.ErrorIs(rt, err, events.ErrSealed, "it opens where it stands alone")
	})
}

func TestWhatIsLongerThanItsRoomTakesSeveral(t *testing.T) {
	keys := desktest.Keys(t)
	stream, text := events.NewName(), make([]byte, 3000)
	p := keys.SealIn(1024, stream, 1, 0, 0, text)
	_, back, err := keys.Unseal(&events.Record{Stream: stream, Version: 1, Parts: []events.Part{p}}, 0)
	require.NoError(t, err)
	require.Equal(t, text, back)
}

// Given a part that was sealed before there was padding, it opens, even if its first random byte looks like the mark
// of a padded one.
func TestAPartThatWasSealedUnpaddedStillOpens(t *testing.T) {
	keys := desktest.Keys(t)
	block, err := aes.NewCipher(keys.For("seal"))
	require.NoError(t, err)
	box, err := cipher.NewGCM(block)
	require.NoError(t, err)
	stream, salt, text := events.NewName(), [32]byte{7}, []byte(`{"card":12}`)
	place := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(append([]byte(nil), stream[:]...), 9), 0)
	for first := range 256 {
		nonce := make([]byte, box.NonceSize())
		nonce[0] = byte(first)
		sealed := box.Seal(nonce, nonce, append(append([]byte(nil), salt[:]...), text...), place)
		got, back, err := keys.Unseal(&events.Record{Stream: stream, Version: 9,
			Parts: []events.Part{{Digest: events.PartDigest(salt, text), Sealed: sealed}}}, 0)
		require.NoError(t, err, "first byte %d", first)
		require.Equal(t, text, back)
		require.Equal(t, salt, got)
	}
}

func TestWhatIsNoSealedPartDoesNotOpen(t *testing.T) {
	keys := desktest.Keys(t)
	rapid.Check(t, func(rt *rapid.T) {
		sealed := rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(rt, "bytes")
		_, _, err := keys.Unseal(&events.Record{Parts: []events.Part{{Sealed: sealed}}}, 0)
		require.ErrorIs(rt, err, events.ErrSealed)
		text, ok := events.Unpad(sealed)
		require.True(rt, !ok || len(text) <= len(sealed)-4)
	})
}

// Given random games of every rulebook, a part's sealed length follows from its event's type.
func TestTheLengthsOfSealedPartsTellNothingWithinAGame(t *testing.T) {
	keys := desktest.Keys(t)
	for _, rb := range append(rulebooks.All(), domain.Rulebook(tiny.Rulebook)) {
		t.Run(rb.Name(), func(t *testing.T) {
			parts := 0
			for seed := range uint64(24) {
				sizes := map[string]int{}
				seen := func(e *domain.Event) {
					_, secrets, err := rb.Codec().Encode(e)
					require.NoError(t, err)
					for n, s := range secrets {
						parts++
						size := len(keys.SealIn(s.PadTo, events.Name{1}, 1, n, s.To, s.Data).Sealed)
						if was, ok := sizes[e.Type]; ok {
							require.Equal(t, was, size, "game %d, %s, part %d of %d bytes", seed, e.Type, n,
								len(s.Data))
						}
						sizes[e.Type] = size
						require.Equal(t, events.PadOf(rb, events.PlayType(rb, e)), max(s.PadTo, events.DefaultPad))
					}
				}
				wander(t, rb, seed, seen)
			}
			require.True(t, parts > 0 || rb.Name() == "carcassonne", "only Carcassonne hides nothing")
		})
	}
}

// wander plays a random game with random options and hands out its events, and sometimes the deals of branches from
// it.
func wander(t *testing.T, rb domain.Rulebook, seed uint64, seen func(*domain.Event)) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 4))
	choices := domain.Choices{}
	for _, o := range rb.Options() {
		choices[o.Key] = o.Values[rnd.IntN(len(o.Values))]
	}
	choices, err := domain.Complete(rb, choices)
	if err != nil {
		choices, err = domain.Complete(rb, nil)
	}
	require.NoError(t, err)
	least, most := rb.Seats(choices)
	line := domain.NewLine(rb, domain.NewThrowaway(seed))
	e, _, err := line.Setup(domain.Game{Choices: choices, Seats: least + rnd.IntN(most-least+1), First: domain.Nobody})
	require.NoError(t, err)
	seen(&e)
	line.Apply(&e)
	for n := range 200 {
		open := line.Awaited()
		if len(open) == 0 {
			return
		}
		o := open[rnd.IntN(len(open))]
		var move domain.Move
		tried := 0
		for m := range rb.Legal(line.State, o.Seat) {
			if tried++; rnd.IntN(tried) == 0 {
				move = m
			}
			if tried > 200 {
				break
			}
		}
		if e, _, err = line.Decide(o.Seat, move); err != nil {
			require.NoError(t, err)
		}
		seen(&e)
		line.Apply(&e)
		if n%40 == 0 {
			deal := rb.Blind(line.State, domain.Viewer(rnd.IntN(least+2)-2), line.Luck.Begin())
			seen(&deal)
		}
	}
}
