package turn_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/record"
	"posthorn/projections/picture"
	"posthorn/projections/turn"
)

// said returns everything that the house tells somebody about a table.
func (h *house) said(table events.Name, who turn.Asker) map[string]string {
	h.T.Helper()
	m := h.turn(table, who)
	out := map[string]string{}
	put := func(what string, v any) {
		text, err := json.Marshal(v)
		require.NoError(h.T, err)
		out[what] = constant(string(text))
	}
	put("model", m)
	put("view", m.View())
	put("groups", m.Groups())
	put("choice", m.Choose(nil))
	for _, p := range m.Panels(m.Choose(nil)) {
		var svg bytes.Buffer
		require.NoError(h.T, picture.SVG(&svg, p.Scene, picture.SVGOptions{}))
		out["svg "+p.Key] = svg.String()
		p.Scene = domain.Scene{}
		put("panel "+p.Key, p)
	}
	for _, p := range m.Panels(m.Choose(nil)) {
		png, err := picture.PNG(p.Scene, picture.PNGOptions{Width: picture.Widths[0], Scale: 1})
		require.NoError(h.T, err)
		out["png "+p.Key] = string(png)
	}
	for _, l := range m.Lineage {
		told, err := h.maker.Timeline(h.Ctx, table, l.Name, who, 0, 0)
		require.NoError(h.T, err)
		put("timeline "+l.Name.String(), told)
		for v := uint64(1); v <= l.Last; v++ {
			put(fmt.Sprint(l.Name, " at ", v), h.at(table, l.Name, v, who))
		}
	}
	told, err := h.maker.TableTimeline(h.Ctx, table, who, 0, 1000, func(domain.PersonID, []byte) string { return "" })
	require.NoError(h.T, err)
	put("table", told)
	var file bytes.Buffer
	require.NoError(h.T, record.Export(h.Ctx, h.Desk, table, m.Viewer, time.Unix(0, 0), &file))
	out["record"] = constant(file.String())
	return out
}

var (
	hashes   = regexp.MustCompile(`[0-9a-f]{64}`)
	listed   = regexp.MustCompile(`\[(\d{1,3},){31}\d{1,3}\]`)
	salts    = regexp.MustCompile(`"salt":"[^"]{44}"`)
	receipts = regexp.MustCompile(`"posthorn-receipt-1:[^"]*"`)
)

// constant replaces everything that is purely random: hashes, digests, salts and signatures.
func constant(s string) string {
	s = hashes.ReplaceAllString(s, "HASH")
	s = listed.ReplaceAllString(s, `"HASH"`)
	s = salts.ReplaceAllString(s, `"salt":"SALT"`)
	return receipts.ReplaceAllStringFunc(s, func(r string) string { return fmt.Sprintf("RECEIPT of %d", len(r)) })
}

// twin returns a house whose log is the same up to a position, except for what a viewer may not know: change gets every
// secret part that is not theirs.
func twin(t testing.TB, log events.Log, viewer domain.Viewer, change func(text []byte) []byte) *house {
	t.Helper()
	h := over(t, desktest.Over(t, memory.New(), desktest.Clock()))
	recs, err := log.Read(h.Ctx, 0, 1<<20)
	require.NoError(t, err)
	renamed := map[string]string{}
	seen := map[events.Name]bool{}
	for i := range recs {
		r := &recs[i]
		d := events.Draft{Stream: r.Stream, Expect: r.Version - 1, Command: r.Command, Type: r.Type, Codec: r.Codec,
			At: r.At, Data: r.Data,
			Meta: hashes.ReplaceAllFunc(r.Meta, func(b []byte) []byte { return []byte(renamed[string(b)]) })}
		if !seen[r.Stream] {
			seen[r.Stream] = true
			s, err := log.Stream(h.Ctx, r.Stream)
			require.NoError(t, err)
			if s.Origin != (events.Hash{}) {
				require.NoError(t, s.Origin.UnmarshalText([]byte(renamed[s.Origin.String()])))
			}
			d.Open = &s
		}
		for n, p := range r.Parts {
			_, text, err := h.Keys().Unseal(r, n)
			require.NoError(t, err)
			if !p.To.Admits(viewer) {
				text = change(text)
			}
			d.Parts = append(d.Parts, h.Keys().Seal(r.Stream, r.Version, n, p.To, text))
		}
		made, err := h.Log().Append(h.Ctx, d)
		require.NoError(t, err)
		renamed[r.Hash.String()] = made.Hash.String()
	}
	return h
}

// tinyCards finds which cards of a tiny game somebody knows. It returns a change that swaps the others among
// themselves, consistently everywhere, and any seed for another.
func tinyCards(t testing.TB, h *house, viewer domain.Viewer, rnd *rand.Rand) (change func([]byte) []byte, hidden int) {
	t.Helper()
	known := map[int]bool{}
	recs, err := h.Log().Read(h.Ctx, 0, 1<<20)
	require.NoError(t, err)
	for i := range recs {
		if len(recs[i].Type) < 5 || recs[i].Type[:5] != "tiny." {
			continue
		}
		var public struct {
			Body struct {
				Laid  json.RawMessage `json:"laid"`
				Hands []int           `json:"hands"`
			} `json:"body"`
		}
		require.NoError(t, json.Unmarshal(recs[i].Data, &public))
		var laid int
		if json.Unmarshal(public.Body.Laid, &laid) == nil {
			known[laid] = true
		}
		for _, c := range public.Body.Hands {
			known[c] = true
		}
		for n, p := range recs[i].Parts {
			if !p.To.Admits(viewer) {
				continue
			}
			_, text, err := h.Keys().Unseal(&recs[i], n)
			require.NoError(t, err)
			var s struct{ Card int }
			require.NoError(t, json.Unmarshal(text, &s))
			known[s.Card] = true
		}
	}
	var free []int
	for c := 1; c <= 24; c++ {
		if !known[c] {
			free = append(free, c)
		}
	}
	becomes := map[int]int{}
	if len(free) > 1 {
		by := 1 + rnd.IntN(len(free)-1)
		for i, c := range free {
			becomes[c] = free[(i+by)%len(free)]
		}
	}
	other := func(c int) int {
		if to, ok := becomes[c]; ok {
			return to
		}
		return c
	}
	return func(text []byte) []byte {
		var s struct {
			Seat  int   `json:"seat"`
			Card  int   `json:"card,omitempty"`
			Stack []int `json:"stack,omitempty"`
		}
		if json.Unmarshal(text, &s) != nil { // the seed
			return bytes.Repeat([]byte("5a"), 32)
		}
		s.Card = other(s.Card)
		for i := range s.Stack {
			s.Stack[i] = other(s.Stack[i])
		}
		out, err := json.Marshal(s)
		require.NoError(t, err)
		return out
	}, len(free)
}

func games(t testing.TB, few, many int) int {
	t.Helper()
	if os.Getenv("POSTHORN_LONG") == "1" {
		return many
	}
	return few
}

func TestWhatOneMayNotKnowChangesNothingOneIsShown(t *testing.T) {
	compared := 0
	for n := range games(t, 4, 1000) {
		rnd := rand.New(rand.NewPCG(uint64(n), 21))
		h := newHouse(t)
		table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo), desktest.Player(cid))
		over := h.Random(table, rnd, rnd.IntN(9))
		if v := h.Sees(table); !over && v.Line.Version > 2 && rnd.IntN(2) == 0 {
			h.Rewinds(table, 1+rnd.Uint64N(v.Line.Version-1))
			over = h.Random(table, rnd, rnd.IntN(3))
		}
		if over {
			continue
		}
		for i, id := range []domain.PersonID{ana, bo, cid, ""} {
			who := asks(id)
			viewer := domain.Spectator
			if id != "" {
				viewer = domain.Viewer(i)
			}
			change, hidden := tinyCards(t, h, viewer, rnd)
			if hidden < 2 {
				continue
			}
			other := twin(t, h.Log(), viewer, change)
			require.NotEqual(t, refereed(h, table), refereed(other, table), "the histories do differ")
			mine, theirs := h.said(table, who), other.said(table, who)
			require.Equal(t, len(mine), len(theirs))
			for what, text := range mine {
				require.Equal(t, text, theirs[what], "game %d, %s as %q", n, what, id)
			}
			compared++
		}
	}
	require.Greater(t, compared, games(t, 4, 1000), "most games were compared for several viewers")
}

func refereed(h *house, table events.Name) domain.View {
	look := h.Sees(table)
	return look.Rulebook.View(look.Line.State, domain.Referee)
}

// Two studies of the same moment by one person, each with its own deal: whatever they know is the same, whatever they
// do not know differs.
func TestTwoDealsOfOneMomentLookTheSameInEveryGame(t *testing.T) {
	names := []string{"tiny"}
	for _, rb := range rulebooks.All() {
		names = append(names, rb.Name())
	}
	for _, game := range names {
		t.Run(game, func(t *testing.T) {
			differ := 0
			for n := range games(t, 1, 100) {
				rnd := rand.New(rand.NewPCG(uint64(n), 22))
				h := newHouse(t)
				table := h.Starts(game, nil, desktest.Player(ana), desktest.Player(bo))
				moves := 5 + rnd.IntN(40)
				if game == "tiny" {
					moves = 1 + rnd.IntN(6)
				}
				h.Random(table, rnd, moves)
				moment := h.BranchOf(table, h.Sees(table).Line.Version, "study")
				if h.Sees(table).Table.Status == domain.TableEnded {
					continue // everything is visible
				}
				a := h.Starts(game, moment, desktest.Player(ana), desktest.Player(ana))
				b := h.Starts(game, moment, desktest.Player(ana), desktest.Player(ana))
				viewer := h.Sees(table).Table.ViewerOf(ana, domain.Nobody)
				show := func(name events.Name) string {
					look := h.Sees(name)
					v := look.Rulebook.View(look.Line.State, viewer)
					text, err := json.Marshal([]any{v, look.Rulebook.Describe(v),
						look.Rulebook.Standing(look.Line.State, viewer)})
					require.NoError(t, err)
					for _, p := range look.Rulebook.Draw(v, domain.Sketch{}) {
						var svg bytes.Buffer
						require.NoError(t, picture.SVG(&svg, p.Scene, picture.SVGOptions{}))
						text = append(text, p.Text+svg.String()...)
					}
					for m := range look.Rulebook.Legal(look.Line.State, viewer.Seat()) {
						text = fmt.Appendln(text, look.Rulebook.FormatMove(m, nil))
					}
					return string(text)
				}
				require.Equal(t, show(a), show(b), "game %d", n)
				require.Equal(t, publicSizes(h, a), publicSizes(h, b), "game %d", n)
				if one, err := json.Marshal(refereed(h, a)); err == nil {
					two, err := json.Marshal(refereed(h, b))
					require.NoError(t, err)
					if !bytes.Equal(one, two) {
						differ++
					}
				}
			}
			if game == "tiny" {
				require.Positive(t, differ, "the deals do differ")
			}
		})
	}
}

// publicSizes returns the sizes of what is unencrypted in a branch's first event, and of its sealed parts' texts, which
// a backup or a subscriber sees.
func publicSizes(h *house, table events.Name) []string {
	look := h.Sees(table)
	recs, err := h.Log().Load(h.Ctx, look.LineName, look.Line.Version-1, 0)
	require.NoError(h.T, err)
	out := []string{string(recs[0].Data)}
	for _, p := range recs[0].Parts {
		out = append(out, fmt.Sprint(p.To, " "))
	}
	return out
}
