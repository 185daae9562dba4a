package relay

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/memory"
	"posthorn/events/porttest"
)

// asNewer returns a log as a newer program would have written it: the same, except that some types have names unknown
// to this program.
func asNewer(t *testing.T, from events.Log, unknown func(typ string) bool) *memory.Log {
	t.Helper()
	ctx := context.Background()
	recs, err := from.Read(ctx, 0, 1<<20)
	require.NoError(t, err)
	to := memory.New()
	t.Cleanup(func() { require.NoError(t, to.Close()) })
	now := map[events.Hash]events.Hash{{}: {}} // by the old hash
	for i := range recs {
		r := recs[i]
		s, err := from.Stream(ctx, r.Stream)
		require.NoError(t, err)
		before := s.Origin
		if r.Version > 1 {
			there, err := from.Load(ctx, r.Stream, r.Version-2, r.Version-1)
			require.NoError(t, err)
			before = there[0].Hash
		}
		for was, is := range now {
			r.Meta = bytes.ReplaceAll(r.Meta, []byte(was.String()), []byte(is.String()))
		}
		if unknown(r.Type) {
			r.Type += "9"
		}
		s.Origin = now[s.Origin]
		was := r.Hash
		r.Hash = events.ChainHash(now[before], &r)
		now[was] = r.Hash
		require.NoError(t, to.Adopt(ctx, []events.Stream{s}, []events.Record{r}))
	}
	return to
}

// Given a stream into which a newer program writes events that this one does not know, when a mirror reads along, at
// once or in steps with a new mirror each time, then its log is the same, including which stream each event belongs
// to.
func TestAMirrorKeepsWhatItDoesNotKnow(t *testing.T) {
	h := lived(t)
	cases := map[string]func(string) bool{
		"everything": func(string) bool { return true },
		"what opens lines": func(typ string) bool {
			return typ == domain.TableEventType(&domain.Started{}) || typ == domain.TableEventType(&domain.Agreed{})
		},
		"what happens before a start": func(typ string) bool {
			return typ == domain.TableEventType(&domain.Contributed{}) || typ == domain.TableEventType(&domain.Joined{})
		},
		"what is nobody's in the house": func(typ string) bool {
			return typ == events.TypeBanned || typ == events.TypeForgotten
		},
	}
	for seed := range uint64(16) {
		// with 6, 9 and 11 the event that closed a proposal is known, but the proposal is not
		rnd := rand.New(rand.NewPCG(seed, 2))
		cases[fmt.Sprintf("something now and then, %d", seed)] = func(string) bool { return rnd.IntN(4) == 0 }
	}
	for what, unknown := range cases {
		t.Run(what, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(1, 2))
			newer := asNewer(t, h.Log(), unknown)
			last, err := newer.Last(t.Context())
			require.NoError(t, err)
			_, url := external(t, porttest.Take(t), t.TempDir())
			growing := memory.New() // what the newer program has written so far
			t.Cleanup(func() { require.NoError(t, growing.Close()) })
			r := start(t, growing, Options{Keys: own(t), URL: url})
			along := memory.New()
			t.Cleanup(func() { require.NoError(t, along.Close()) })
			for at := uint64(0); at < last; {
				recs, err := newer.Read(t.Context(), at, 1+rnd.IntN(9))
				require.NoError(t, err)
				for i := range recs {
					s, err := newer.Stream(t.Context(), recs[i].Stream)
					require.NoError(t, err)
					require.NoError(t, growing.Adopt(t.Context(), []events.Stream{s}, recs[i:i+1]))
				}
				at = recs[len(recs)-1].Pos
				synced(t, r, at)
				m, err := OpenMirror(Options{Keys: own(t), URL: url}, along)
				require.NoError(t, err)
				_, err = m.CatchUp(t.Context())
				m.Close()
				require.NoError(t, err)
			}
			sameLogs(t, newer, along)
			atOnce := memory.New()
			t.Cleanup(func() { require.NoError(t, atOnce.Close()) })
			m, err := OpenMirror(Options{Keys: own(t), URL: url}, atOnce)
			require.NoError(t, err)
			defer m.Close()
			_, err = m.CatchUp(t.Context())
			require.NoError(t, err)
			sameLogs(t, newer, atOnce)
		})
	}
}
