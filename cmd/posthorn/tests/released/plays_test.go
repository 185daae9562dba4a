package released

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/record"
	"posthorn/projections/words"
)

// recordGame plays tables of a game with every kind of ask, and writes a file with the result.
func recordGame(t *testing.T, book *words.Book, game, file string) {
	t.Helper()
	h := newReleasedHouse(t, book)
	h.plays(game)
	r := &releasedTable{Records: h.records(0), Done: h.done}
	for _, rec := range r.Records {
		s, err := h.desk.Log().Stream(h.ctx, rec.Stream)
		require.NoError(t, err)
		if !slices.ContainsFunc(r.Streams, func(x events.Stream) bool { return x.Name == s.Name }) {
			r.Streams = append(r.Streams, s)
		}
	}
	r.Letters = lettersOf(t, book, r)
	out, err := json.MarshalIndent(r, "", " ")
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, append(out, '\n'), 0o644))
	base := strings.TrimSuffix(file, "json")
	h.writes(base+"ended.record", func(b *bytes.Buffer) error {
		return record.Export(h.ctx, h.desk, h.ended, domain.Referee, time.Now(), b)
	})
	h.writes(base+"seat.record", func(b *bytes.Buffer) error {
		return record.Export(h.ctx, h.desk, h.running, domain.ViewOf(1), time.Now(), b)
	})
	h.writes(base+"handover.record", func(b *bytes.Buffer) error {
		to, err := record.PublicKey(releasedKeys(t, 2))
		require.NoError(t, err)
		return record.Handover(h.ctx, h.desk, h.running, to, time.Now(), b)
	})
}

func (h *releasedHouse) writes(file string, write func(*bytes.Buffer) error) {
	h.t.Helper()
	var b bytes.Buffer
	require.NoError(h.t, write(&b))
	require.NoError(h.t, os.WriteFile(file, b.Bytes(), 0o644))
}

// gave gives a command, keeps it, and lets the house do what follows.
func (h *releasedHouse) gave(by domain.PersonID, door string, table events.Name, kind string, with any) events.Name {
	h.t.Helper()
	text, err := json.Marshal(with)
	require.NoError(h.t, err)
	c := releasedCommand{After: h.last(), By: events.Actor{Person: by, Door: door},
		ID: events.Derive("released", fmt.Append(nil, len(h.done))), Table: table, Kind: kind, With: text}
	ans, err := h.gives(c)
	require.NoError(h.t, err, "%s at %d", kind, c.After)
	h.done = append(h.done, c)
	turns, err := h.desk.Advance(h.ctx, ans.Table)
	for ; err == nil && len(turns) > 0; turns, err = h.desk.Advance(h.ctx, ans.Table) {
		turns[0].Text = moveOf(h.t, h, turns[0])
		_, err := h.desk.Play(h.ctx, events.House, turns[0])
		require.NoError(h.t, err)
	}
	require.NoError(h.t, err)
	return ans.Table
}

func (h *releasedHouse) looks(table events.Name) desk.Look {
	h.t.Helper()
	look, err := h.desk.Look(h.ctx, table)
	require.NoError(h.t, err)
	return look
}

// moves makes moves for everybody whose decision is awaited, through every door in turn.
func (h *releasedHouse) moves(table events.Name, n int) {
	h.t.Helper()
	for i := range n {
		look := h.looks(table)
		if look.Table.Status != domain.TableStarted {
			return
		}
		o := look.Line.Awaited()[0]
		var all []domain.Move
		for m := range look.Rulebook.Legal(look.Line.State, o.Seat) {
			if all = append(all, m); len(all) == 500 {
				break
			}
		}
		holders := look.Table.Places[o.Seat].Holders
		h.gave(holders[i%len(holders)], []string{domain.DoorPage, domain.DoorAPI}[i%2], table, "move",
			releasedMove{look.LineName, o, look.Rulebook.FormatMove(all[i*7919%len(all)], nil)})
	}
}

// agrees makes everybody but the proposer consent to the proposal.
func (h *releasedHouse) agrees(table events.Name) {
	h.t.Helper()
	p := h.looks(table).Table.Proposal
	for _, id := range h.looks(table).Table.People() {
		if !p.Agreed[id] {
			h.gave(id, domain.DoorPage, table, "agree", desk.Agree{Since: p.Since})
		}
	}
}

func releasedSeat(ids ...domain.PersonID) domain.TablePlace {
	if len(ids) == 1 {
		return domain.TablePlace{Kind: domain.SeatPlayer, Invited: ids}
	}
	return domain.TablePlace{Kind: domain.SeatTeam, Invited: ids}
}

// starts opens a table for Ana and seats everybody.
func (h *releasedHouse) starts(game string, branch *domain.Branch, places ...domain.TablePlace) events.Name {
	h.t.Helper()
	table := h.gave(releasedAna, domain.DoorPage, events.Name{}, "open",
		desk.NewTable{Rulebook: game, Places: places, Pace: "weekly", Branch: branch})
	for i, p := range places {
		for _, id := range p.Invited {
			h.gave(id, domain.DoorPage, table, "join",
				desk.Join{Seat: domain.Seat(i), Chance: []byte("a chance of " + id)})
		}
	}
	return table
}

func (h *releasedHouse) branchOf(table events.Name, version uint64, kind string) *domain.Branch {
	return &domain.Branch{Table: table.String(), Line: h.looks(table).LineName.String(), Version: version, Kind: kind}
}

// releasedOrder is a standing order for each game that has them.
var releasedOrder = map[string]string{"tiny": "keep", "catan": "roll"}

// orders gives a standing order for Ana, while her seat's stream has none.
func (h *releasedHouse) orders(table events.Name, game string) {
	h.t.Helper()
	h.gave(releasedAna, domain.DoorPage, table, "orders", releasedOrders{Seat: 0, Texts: []string{releasedOrder[game]}})
}

// plays causes every kind of ask, and gives every command of the doors.
func (h *releasedHouse) plays(game string) {
	h.t.Helper()
	rb, _ := releasedNamed(game)
	places := []domain.TablePlace{releasedSeat(releasedAna), releasedSeat(releasedBo, releasedCida)}
	if game != "rivals" {
		places = append(places, domain.TablePlace{Kind: domain.SeatStandIn, StandIn: "random"})
	}
	whole := h.starts(game, nil, places...)
	h.ended = whole
	h.moves(whole, 5)
	h.gave(releasedBo, domain.DoorPage, whole, "rewind",
		desk.ProposeRewind{To: 3, Written: desk.Written{Text: []byte("cipher")}})
	h.agrees(whole)
	h.moves(whole, 3)
	h.gave(releasedAna, domain.DoorAPI, whole, "rewind", desk.ProposeRewind{To: 4})
	h.gave(releasedCida, domain.DoorPage, whole, "refuse", desk.Refuse{Since: h.looks(whole).Table.Proposal.Since})
	h.gave(releasedAna, domain.DoorPage, whole, "rewind", desk.ProposeRewind{To: 4, Fresh: true})
	h.agrees(whole)
	if _, ok := rb.(domain.StandingOrders); ok {
		h.orders(whole, game)
	}
	h.moves(whole, 2)
	h.gave(releasedAna, domain.DoorPage, whole, "rewind", desk.ProposeRewind{To: 4, Fresh: true})
	h.moves(whole, 2) // which overtakes the proposal

	h.running = h.starts(game, nil, releasedSeat(releasedBo), releasedSeat(releasedDawa))
	h.moves(h.running, 4)
	sealed := h.starts(game, h.branchOf(h.running, 2, "game"), releasedSeat(releasedBo), releasedSeat(releasedDawa))
	h.moves(sealed, 2)
	h.gave(releasedDawa, domain.DoorPage, sealed, "end", desk.ProposeEnd{})
	h.agrees(sealed)
	var alone []domain.TablePlace
	for range places {
		alone = append(alone, releasedSeat(releasedAna))
	}
	study := h.starts(game, h.branchOf(whole, 2, domain.BranchStudy), alone...)
	h.moves(study, 2)

	open := h.gave(releasedAna, domain.DoorPage, events.Name{}, "open", desk.NewTable{Rulebook: game, Pace: "daily",
		Places: []domain.TablePlace{{Kind: domain.SeatOpen}, {Kind: domain.SeatOpen}}})
	h.gave(releasedAna, domain.DoorPage, open, "invite", desk.Invite{Seat: 1, Person: releasedDawa})
	h.gave(releasedDawa, domain.DoorPage, open, "decline", desk.Decline{Seat: 1, Person: releasedDawa})
	h.gave(releasedAna, domain.DoorPage, open, "invite", desk.Invite{Seat: 1, Person: releasedDawa})
	h.gave(releasedAna, domain.DoorPage, open, "fill", desk.Fill{Seat: 0, StandIn: "steady"})
	h.gave(releasedAna, domain.DoorPage, open, "say", desk.Say{Written: desk.Written{Text: []byte("cipher")}})
	h.gave(releasedAna, domain.DoorPage, open, "abandon", desk.Abandon{})

	resigned := h.starts(game, nil, releasedSeat(releasedAna), releasedSeat(releasedCida))
	h.moves(resigned, 1)
	h.gave(releasedCida, domain.DoorPage, resigned, "resign", desk.Resign{Seat: 1})

	h.gave(releasedAna, domain.DoorPage, whole, "end",
		desk.ProposeEnd{Written: desk.Written{Text: []byte("cipher")}})
	h.agrees(whole)
	require.Equal(h.t, domain.TableEnded, h.looks(whole).Table.Status)
}
