package http_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// wouldBe returns the ids that the house's next commands at a table had when an id was a public digest of what
// everybody knows.
func wouldBe(look desk.Look) (ids []events.CommandID) {
	for _, what := range []string{"start", "lapse", "finish"} {
		ids = append(ids, events.Derive(what, look.Name[:], look.TableHead.Hash[:]))
	}
	if main, ok := look.Table.Main(); ok {
		ids = append(ids, events.Derive("open-line", look.LineName[:], binary.BigEndian.AppendUint64(nil, main.Since)))
	}
	if look.Line != nil {
		for _, o := range look.Line.Awaited() {
			ids = append(ids, events.Derive("stand-in", look.LineName[:], []byte(fmt.Sprint(o)), look.LineHead.Hash[:]))
		}
	}
	return ids
}

// Given a member who says something, through a program or the page, under every id that the house would have needed
// next, when the house gets to it, then the game still goes on to its recorded end.
func TestNobodyStopsAGameByTakingTheHousesIds(t *testing.T) {
	for door, says := range map[string]func(b *browser, p *bot, table string, id events.CommandID){
		"by the API": func(_ *browser, p *bot, table string, id events.CommandID) {
			got := p.call("POST", "/tables/"+table+"/chat", m{"text": "hello"}, key(id.String()))
			require.Contains(p.t, []int{200, 409}, got.status, got.body) // 409: the house was faster
		},
		"by the page": func(b *browser, _ *bot, table string, id events.CommandID) {
			b.send("/t/"+table+"/say", url.Values{"id": {id.String()}, "text": {"hello"}})
		},
	} {
		t.Run(door, func(t *testing.T) {
			h := open(t)
			s := h.spec()
			ana := h.signedIn("Ana")
			program := ana.bot(s, "play", "")
			opened := program.post("/tables",
				m{"game": "tiny", "pace": "weekly",
					"seats": []m{{"kind": "me"}, {"kind": "stand-in", "stand_in": "random"}}})
			table := opened["table"].(string)
			all := func() {
				for _, id := range wouldBe(h.look(table)) {
					says(ana, program, table, id)
				}
			}
			program.post("/tables/"+table+"/join", m{"seat": 0, "chance": someChance})
			all()
			for range 60 {
				all()
				h.standsIn(table)
				look := h.look(table)
				if look.Table.Status == domain.TableEnded {
					require.Equal(t, domain.EndFinished, look.Table.End)
					return
				}
				if p := look.Line.Awaited(); len(p) > 0 && p[0].Seat == 0 {
					program.play(table, map[string]string{"choose": "keep", "roll": "roll"}[p[0].Kind])
				}
			}
			require.Equal(t, domain.TableEnded, h.look(table).Table.Status, "the game stands still")
		})
	}
}

// standsIn does what the house does at a table, including a stand-in's move.
func (h *house) standsIn(table string) {
	h.t.Helper()
	name, err := events.ParseName(table)
	require.NoError(h.t, err)
	turns, err := h.desk.Advance(context.Background(), name)
	require.NoError(h.t, err)
	if len(turns) == 0 {
		return
	}
	look := h.look(table)
	for mv := range look.Rulebook.Legal(look.Line.State, turns[0].Seat) {
		turns[0].Move = mv
		_, err = h.desk.Play(context.Background(), events.House, turns[0])
		require.NoError(h.t, err)
		return
	}
}

// A player from whom nothing is awaited may still send a move that names no decision.
func TestAMoveThatAnswersNothingIsRefusedForWhatItIs(t *testing.T) {
	h := open(t)
	s := h.spec()
	ana, bo, eva := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Eva")
	table := h.table("tiny", ana, bo)
	line, anas := h.look(table).LineName.String(), ana.bot(s, "play", "")
	anas.play(table, "keep")
	for who, c := range map[*bot]struct {
		status int
		code   string
	}{anas: {409, "not-awaited"}, bo.bot(s, "play", ""): {422, "no-move"},
		eva.bot(s, "play", ""): {403, "not-a-player"}} {
		for _, move := range []m{{"line": line, "move": "keep"}, {"line": line, "move": "keep", "decision": nil}} {
			p := who.call("POST", "/tables/"+table+"/moves", move)
			require.Equal(t, c.code, p.code(), p.body)
			require.Equal(t, c.status, p.status)
		}
	}
	require.EqualValues(t, 2, h.look(table).LineHead.Version)
}
