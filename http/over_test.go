package http_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// lastMove plays a table up to its last move, which a page, a link and a program hold ready, and plays that. Nothing
// has noted the end yet.
func (h *house) lastMove(table string, before func(o domain.Open)) {
	h.t.Helper()
	for {
		look := h.look(table)
		o := look.Line.Awaited()[0]
		for m := range look.Rulebook.Legal(look.Line.State, o.Seat) {
			after := look.Line.Clone()
			e, _, err := after.Decide(o.Seat, m)
			require.NoError(h.t, err)
			after.Apply(&e)
			if len(after.Awaited()) == 0 {
				before(o)
			}
			_, err = h.desk.Play(h.t.Context(),
				events.Actor{Person: look.Table.Places[o.Seat].Holders[0], Door: domain.DoorPage},
				desk.Move{ID: events.NewCommandID(), Table: look.Name, Line: look.LineName, Seat: o.Seat, Decision: o,
					Move: m})
			require.NoError(h.t, err)
			if len(after.Awaited()) == 0 {
				return
			}
			break
		}
	}
}

// Given the last move of a game, ready on a page, behind a link and in a program, when the game has ended before it is
// sent, then all say that the game is over, whether or not the house has noted the end.
func TestAMoveAfterTheEndIsToldThatTheGameIsOver(t *testing.T) {
	for what, noted := range map[string]bool{"before the end is noted": false, "once it is noted": true} {
		t.Run(what, func(t *testing.T) {
			h := open(t)
			s := h.spec()
			ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
			table := h.table("tiny", ana, bo)
			who, program := ana, (*bot)(nil)
			var form, linked map[string][]string
			var link string
			var asked m
			h.lastMove(table, func(o domain.Open) {
				who = []*browser{ana, bo}[o.Seat]
				move := map[string]string{"choose": "keep", "roll": "roll"}[o.Kind]
				program, link = who.bot(s, "play", ""), "/p/"+h.play(who, table)
				asked = program.turn(table, move)
				form = who.get("/t/" + table + "?m=" + move).form("/t/" + table + "/move")
				linked = h.browser().get(link + "?m=" + move).form(link + "/move")
			})
			if noted {
				h.settle(table)
			}
			require.Equal(t, noted, h.look(table).Table.Status == domain.TableEnded)
			p := who.send("/t/"+table+"/move", form)
			require.Equal(t, 409, p.status)
			require.Contains(t, p.body, "This game is over")
			p = h.browser().send(link+"/move", linked)
			require.Equal(t, 409, p.status)
			require.Contains(t, p.body, "This game is over")
			for _, move := range []m{asked, {"line": asked["line"], "move": asked["move"]}} {
				p = program.call("POST", "/tables/"+table+"/moves", move)
				require.Equal(t, "table-ended", p.code(), p.body)
			}
		})
	}
}
