package domain_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"posthorn/domain"
	"posthorn/domain/rulebooktest/tiny"
)

// everyTableEvent is one of each type, with something in every field.
var everyTableEvent = []domain.TableEvent{
	&domain.Opened{Opener: ana, Rulebook: "tiny", Edition: "1", Choices: domain.Choices{"low": "on"}, Pace: "daily",
		Given:  []byte(`{}`),
		Places: []domain.TablePlace{player(ana), computer},
		Branch: &domain.Branch{Table: "T", Line: "L", Version: 3, Kind: "study"}},
	&domain.Opened{Opener: ana, Rulebook: "tiny", Edition: "1", Pace: "daily", Places: []domain.TablePlace{player(ana)},
		KeepsLuck: true},
	&domain.Contributed{Contribution: domain.Contribution{Person: ana, Bytes: chance}},
	&domain.Invited{Seat: 1, Person: bo, By: ana},
	&domain.Joined{Seat: 1, Contribution: domain.Contribution{Person: bo, Bytes: chance}},
	&domain.Declined{Seat: 1, Person: bo},
	&domain.Placed{Seat: 1, Place: computer},
	&domain.Started{Line: "L0"},
	&domain.Proposed{Proposal: domain.Proposal{Kind: domain.ProposeRewind, By: ana, Line: 5, To: 2, Fresh: true,
		Reason: []byte("r"),
		Seen:   []domain.SeenDraws{{Seat: 1, Draws: 2}}}, Rewound: rewoundExample, End: domain.EndAgreed},
	&domain.Agreed{Person: bo, Rewound: rewoundExample, End: domain.EndAgreed},
	&domain.Dismissed{Person: bo},
	&domain.Resigned{Seat: 1, Person: bo, StandIn: "steady", End: domain.EndResigned},
	&domain.Ended{Reason: domain.EndFinished, Line: "L0", Version: 9, Ranks: []int{1, 2}, Seed: seed},
	&domain.EndedSealed{Reason: domain.EndFinished, Line: "L0", Version: 9, Ranks: []int{1, 2}},
	&domain.Unsealed{Seed: seed},
	&domain.EndedElsewhere{Reason: domain.EndFinished, Line: "L0", Version: 9, Ranks: []int{1, 2}, Seed: seed},
	&domain.Said{Person: ana, Text: []byte("sealed")},
	&domain.Claimed{Seat: 1, Was: bo, Person: cid},
	&domain.HandedOver{To: "key"},
	&domain.Arrived{Key: []byte("key"), Receipts: []string{"signed"}},
	&domain.Arrived{Key: []byte("key"), Receipts: []string{"signed"},
		Closing: &domain.Closing{At: 1, Command: "0a", Meta: "{}", Data: "{}"}},
	&domain.Deferred{Why: domain.DeferAway, Person: bo, Until: noon,
		Due: []domain.Deadline{{Line: "L0", Seat: 1, Since: 3, At: noon}}},
	&domain.Deferred{Why: domain.DeferSpare, Due: []domain.Deadline{{Line: "L0", Seat: 1, Since: 3, At: noon}}},
	&domain.TimedOut{Due: domain.Deadline{Line: "L0", Seat: 1, Since: 3, At: noon}, Does: domain.TimeOutLost,
		StandIn: "steady", End: domain.EndResigned},
	&domain.Carried{Since: 4, Silent: []domain.PersonID{bo}, Rewound: rewoundExample, End: domain.EndAgreed,
		Paused: &domain.Paused{Until: noon}},
	&domain.Unanswered{Since: 4, Silent: []domain.PersonID{bo}},
	&domain.Nudged{Seat: 1, Line: "L0", Since: 3, By: ana, At: noon},
	&domain.Lent{Seat: 1, Person: bo, StandIn: "steady"},
	&domain.Offered{Seat: 1, Person: cid, By: bo},
	&domain.Withdrawn{Seat: 1, Person: cid},
	&domain.Substituted{Seat: 1, Person: cid, Due: []domain.Deadline{{Line: "L0", Seat: 1, Since: 3, At: noon}}},
	&domain.Returned{Seat: 1, Person: bo, Due: []domain.Deadline{{Line: "L0", Seat: 1, Since: 3, At: noon}}},
}

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

var rewoundExample = &domain.Rewound{Closed: "L0", Version: 5, Line: "L1", Index: 1, Fork: 2, Fresh: true,
	Taken: []domain.Taken{{Purpose: "die", K: 3, Line: 1}}}

func TestEveryTableEventIsReadBackAsItWasWritten(t *testing.T) {
	for _, e := range everyTableEvent {
		t.Run(domain.TableEventType(e), func(t *testing.T) {
			text, err := json.Marshal(e)
			require.NoError(t, err)
			read, ok := domain.NewTableEvent(domain.TableEventType(e))
			require.True(t, ok)
			require.NoError(t, json.Unmarshal(text, read))
			require.Equal(t, e, read)
			(&domain.Table{Lines: make([]domain.TableLine, 1)}).Apply(read) // folding never fails
		})
	}
	_, ok := domain.NewTableEvent("table.unheard-of.v1")
	require.False(t, ok)
}

func TestTheSeedIsNotInThePublicPartOfTheOpening(t *testing.T) {
	e, err := openTable(player(ana), player(bo))
	require.NoError(t, err)
	text, err := json.Marshal(e)
	require.NoError(t, err)
	hexed, err := seed.MarshalText()
	require.NoError(t, err)
	require.False(t, bytes.Contains(text, hexed))
}

// wild gives a table commands, most of them senseless, and checks after each that the invariants of all tables still
// hold.
type wild struct {
	*rapid.T
	table    *domain.Table
	stream   []domain.TableEvent
	head     uint64 // of the main line
	past     []domain.PastDraw
	finished bool
}

var people = []domain.PersonID{ana, bo, cid, eva}

func (w *wild) person() domain.PersonID { return rapid.SampledFrom(people).Draw(w.T, "person") }
func (w *wild) seat() domain.Seat {
	return domain.Seat(rapid.IntRange(-1, len(w.table.Places)).Draw(w.T, "seat"))
}

func (w *wild) played() domain.Played {
	return domain.Played{Version: w.head, First: 1, Ended: w.finished, Draws: w.past}
}

func (w *wild) since() uint64 {
	if w.table.Proposal == nil {
		return 1
	}
	return w.table.Proposal.Since
}

func (w *wild) line() string { return fmt.Sprintf("L%d", len(w.table.Lines)) }

func (w *wild) command() (domain.TableEvent, error) {
	t := w.table
	switch rapid.IntRange(0, 15).Draw(w.T, "command") {
	case 0, 1, 2:
		return t.Join(w.person(), w.seat(), chance)
	case 3:
		return t.Decline(w.person(), w.seat(), w.person())
	case 4:
		return t.Invite(w.person(), w.seat(), w.person())
	case 5:
		return t.Fill(w.person(), w.seat(), rapid.SampledFrom([]domain.TablePlace{computer, free}).Draw(w.T, "place"))
	case 6, 7:
		return t.Start(w.line())
	case 8:
		return t.ProposeRewind(w.person(), uint64(rapid.IntRange(0, 9).Draw(w.T, "to")),
			rapid.Bool().Draw(w.T, "fresh"), nil, w.played(), w.line())
	case 9:
		return t.ProposeEnd(w.person(), nil, w.played())
	case 10, 11:
		return t.Agree(w.person(), w.since(), w.played(), w.line())
	case 12:
		return t.Dismiss(w.person(), w.since())
	case 13:
		return t.Chat(w.person(), []byte("x"))
	case 14:
		return rapid.SampledFrom([]func() (domain.TableEvent, error){
			func() (domain.TableEvent, error) { return t.Resign(w.person(), w.seat()) },
			func() (domain.TableEvent, error) { return t.Claim(w.person(), w.seat(), w.person()) },
			func() (domain.TableEvent, error) { return t.Abandon(w.person()) },
			func() (domain.TableEvent, error) { return t.HandOver("key") },
			func() (domain.TableEvent, error) { return t.Lapse(w.since()) },
			func() (domain.TableEvent, error) {
				return t.Conclude(domain.Ended{Reason: domain.EndFinished, Seed: seed})
			},
			func() (domain.TableEvent, error) { return t.Unseal() },
		}).Draw(w.T, "rare")()
	default:
		return t.Finish(w.played(), domain.Standing{Ranks: make([]int, len(t.Places))})
	}
}

// move advances the main line, as the desk would.
func (w *wild) move() {
	if w.table.Status == domain.TableStarted && w.table.Due == "" && !w.finished {
		w.head++
		main, _ := w.table.Main()
		w.past = append(w.past, drew(main.Name, 0, "die", w.head))
		w.finished = rapid.IntRange(0, 20).Draw(w.T, "over") == 0
	}
}

func TestNoCommandEverBreaksATable(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		places := rapid.SampledFrom([][]domain.TablePlace{
			{player(ana), player(bo)}, {player(ana), free, computer}, {team(ana, bo), team(cid), player(eva)},
			{player(ana), player(ana)}, {player(ana), computer},
		}).Draw(rt, "places")
		e, err := domain.OpenTable(tiny.Rulebook, ana, nil, places, "weekly", nil, nil, seed)
		require.NoError(rt, err)
		w := &wild{T: rt, table: &domain.Table{}, stream: []domain.TableEvent{e}}
		w.table.Apply(e)
		for range rapid.IntRange(1, 60).Draw(rt, "commands") {
			if rapid.Bool().Draw(rt, "move") {
				w.move()
			}
			before := w.table.Clone()
			e, err := w.command()
			require.Equal(rt, before, w.table, "deciding changes nothing")
			if err != nil {
				_, ok := domain.AsRefusal(err)
				require.True(rt, ok, "%v", err)
				require.Nil(rt, e)
				continue
			}
			w.stream = append(w.stream, e)
			w.table.Apply(e)
			if len(w.table.Lines) > len(before.Lines) {
				w.head, w.past = 10, nil
			}
			w.holds(before, e)
		}
		again := &domain.Table{}
		for _, e := range w.stream {
			again.Apply(e)
		}
		require.True(rt, reflect.DeepEqual(again, w.table), "folding the stream gives the table")
	})
}

func (w *wild) holds(before *domain.Table, e domain.TableEvent) {
	t := w.table
	require.Equal(w.T, before.Version+1, t.Version)
	if before.Status == domain.TableEnded {
		switch e.(type) {
		case *domain.Said:
		case *domain.Unsealed:
			require.True(w.T, before.Sealed())
		case *domain.EndedElsewhere:
			require.True(w.T, before.End == domain.EndHanded && !before.IsOver())
		default:
			w.Fatalf("after the end there is chat, and what was sealed opens, but no %T", e)
		}
	}
	require.False(w.T, t.Open() && !t.IsOver(), "nothing is open before the end")
	require.False(w.T, before.Open() && !t.Open(), "what is open stays open")
	if !t.IsOver() {
		for _, id := range people {
			require.NotEqual(w.T, domain.Referee, t.ViewerOf(id, 0))
		}
	}
	require.GreaterOrEqual(w.T, len(t.Lines), len(before.Lines), "lines only grow")
	for i, l := range t.Lines {
		require.Equal(w.T, i < len(t.Lines)-1, l.Closed, "the last line is the main one, every other is closed")
		require.Equal(w.T, i, l.Index)
		if i > 0 {
			require.Equal(w.T, t.Lines[i-1].Name, l.Parent)
		}
	}
	require.Equal(w.T, t.Status == domain.TableOpen, len(t.Lines) == 0 && t.Status != domain.TableEnded,
		"a line is there from the start on")
	if t.Proposal != nil {
		require.Equal(w.T, domain.TableStarted, t.Status)
		require.Empty(w.T, t.Due)
	}
	require.Len(w.T, t.Places, len(before.Places))
	for i, p := range t.Places {
		if p.Kind == domain.SeatOpen || p.Kind == domain.SeatStandIn {
			require.Empty(w.T, p.Holders, "seat %d", i)
		}
		if p.Kind == domain.SeatPlayer {
			require.Equal(w.T, 1, len(p.Holders)+len(p.Invited), "seat %d is one person's", i)
		}
	}
	if t.Status == domain.TableStarted {
		require.True(w.T, t.Full())
		require.Equal(w.T, t.Contributions, firstContributions(t.Contributions), "everybody contributes once")
		if before.Status == domain.TableStarted {
			require.Equal(w.T, before.Contributions, t.Contributions, "the start closes the list")
		}
	}
}

func firstContributions(all []domain.Contribution) (out []domain.Contribution) {
	seen := map[domain.PersonID]bool{}
	for _, c := range all {
		if !seen[c.Person] {
			seen[c.Person] = true
			out = append(out, c)
		}
	}
	return out
}
