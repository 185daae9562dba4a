package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

// TestMain lets a test run the program itself.
func TestMain(m *testing.M) {
	if url := os.Getenv("POSTHORN_CONSUMER"); url != "" {
		os.Args = []string{"consumer", url}
		main()
	}
	os.Exit(m.Run())
}

// Given games of all rulebooks with rewinds of both kinds, a branch of each and a study that ends sealed, then a
// consumer that was there from the start and one that comes late keep the same points: those of the games.
func TestTheConsumerKeepsThePointsOfEveryGame(t *testing.T) {
	h := newHouse(t)
	most := 150
	if os.Getenv("POSTHORN_LONG") == "1" {
		most = 20_000
	}
	var early *follower
	var tables []events.Name
	short := 0 // games that were over so early
	for n, rb := range rulebooks.All() {
		rnd := rand.New(rand.NewPCG(11, uint64(n)))
		table := h.Starts(rb.Name(), nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
		if early == nil {
			early = h.follow(t)
		}
		if h.Random(table, rnd, 30) {
			h.Follows(table)
			short++
			continue // nothing to go back in
		}
		h.Rewinds(table, 20)
		h.Random(table, rnd, 10)
		h.Does(desktest.Ana, table, desk.ProposeRewind{To: 15, Fresh: true})
		h.Agrees(desktest.Bo, table)
		h.Follows(table)
		h.Random(table, rnd, 5)
		h.holds(early.reached(h.last()), table)

		game := h.Starts(rb.Name(), h.BranchOf(table, 12, "game"), desktest.Player(desktest.Ana),
			desktest.Player(desktest.Bo))
		h.Random(game, rnd, 8)
		study := h.Starts(rb.Name(), h.BranchOf(table, 17, domain.BranchStudy), desktest.Player(desktest.Ana),
			desktest.StandIn())
		h.Ends(study)
		h.Follows(study)
		if !h.Random(table, rnd, most) {
			h.Ends(table)
			h.Follows(table)
		}
		tables = append(tables, table, game, study)
	}
	kept := early.reached(h.last())
	require.Equal(t, kept, h.follow(t).reached(h.last()), "who comes late keeps the same")
	for _, table := range tables {
		h.holds(kept, table)
	}
	require.NotEmpty(t, tables)
	require.Len(t, kept.main, len(tables)+short)
	require.Len(t, kept.ended, 2*len(tables)/3+short, "a branch goes on")
}

// recorded is a golden game.
type recorded struct {
	name string
	rows []recordedEvent
	end  struct {
		Scores, Final []int
		Ended         bool
	}
}

type recordedEvent struct {
	Type    string
	Public  json.RawMessage
	Secrets []struct {
		To   domain.Audience
		Data json.RawMessage
	}
}

func goldens(t *testing.T, rb domain.Rulebook) (all []recorded) {
	t.Helper()
	files, err := filepath.Glob("../../domain/" + rb.Name() + "/testdata/golden/*.jsonl")
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
		g := recorded{name: file, rows: make([]recordedEvent, len(lines)-1)}
		for i := range g.rows {
			require.NoError(t, json.Unmarshal(lines[i], &g.rows[i]))
		}
		require.NoError(t, json.Unmarshal(lines[len(lines)-1], &g.end))
		all = append(all, g)
	}
	return all
}

// plays writes a golden game at a table of the house as its desk would. What was recorded without points has them
// counted, if it is to be as it would be played today.
func (h *house) plays(rb domain.Rulebook, g recorded, today bool) (table events.Name) {
	h.T.Helper()
	people, choices := []domain.PersonID{desktest.Ana, desktest.Bo, desktest.Cid, "Dawa"}[:len(g.end.Scores)],
		domain.Choices{}
	if bytes.Contains(g.rows[0].Public, []byte(`"solo":"on"`)) {
		people, choices = people[:1], domain.Choices{"solo": "on"}
	}
	var places []domain.TablePlace
	for _, id := range people {
		places = append(places, desktest.Player(id))
	}
	ans, err := h.Desk.Open(h.Ctx, desktest.By(desktest.Ana), events.NewCommandID(),
		desk.NewTable{Rulebook: rb.Name(), Places: places, Pace: "weekly", Choices: choices})
	require.NoError(h.T, err)
	table = ans.Table
	for i, id := range people {
		h.Joins(id, table, domain.Seat(i))
	}
	start, err := h.Do(h.Ctx, events.House, table, events.NewCommandID(), desktest.Start{})
	require.NoError(h.T, err)
	name := h.Sees(table).LineName
	line := domain.NewLine(rb, domain.NewThrowaway(0))
	for i, row := range g.rows {
		var parts []domain.SecretBytes
		for _, s := range row.Secrets {
			parts = append(parts, domain.SecretBytes{To: s.To, Data: s.Data})
		}
		e, err := rb.Codec().Decode(row.Type, row.Public, parts)
		require.NoError(h.T, err)
		d := events.Draft{Stream: name, Expect: uint64(i), Command: events.NewCommandID(),
			Type: rb.Name() + "." + row.Type, Codec: "json",
			At: start.Record.At, Meta: []byte(`{"door":"runner"}`), Data: row.Public}
		if e.Points == nil && today {
			line.CountPoints(&e)
			d.Type = events.PlayType(rb, &e)
			d.Data, parts, err = rb.Codec().Encode(&e)
			require.NoError(h.T, err)
		}
		if i == 0 {
			d.Open = &events.Stream{Name: name, Kind: events.KindLine, Rulebook: rb.Name(), Table: table,
				Origin: start.Record.Hash}
			d.Meta = fmt.Appendf(nil, `{"door":"runner","opened":"%s"}`, start.Record.Hash)
		}
		for n, p := range parts {
			d.Parts = append(d.Parts, h.Keys().SealIn(events.PadOf(rb, d.Type), name, uint64(i+1), n, p.To, p.Data))
		}
		line.Apply(&e)
		_, err = h.Log().Append(h.Ctx, d)
		require.NoError(h.T, err)
	}
	h.Follows(table)
	if !g.end.Ended {
		h.Ends(table)
		h.Follows(table)
	}
	return table
}

// Given every golden game, those recorded with points as they are and the older ones as they would be played today,
// then the consumer gives their official points: those that were recorded beside them.
func TestTheConsumerGivesThePointsOfEveryGoldenGame(t *testing.T) {
	h := newHouse(t)
	official, counted := map[events.Name][]int{}, 0
	for _, rb := range rulebooks.All() {
		for _, g := range goldens(t, rb) { // a game that was never released has none
			table := h.plays(rb, g, true)
			if official[table] = g.end.Scores; g.end.Ended {
				official[table] = g.end.Final
			}
			if strings.HasPrefix(filepath.Base(g.name), "counted-") {
				require.Contains(t, string(g.rows[0].Public), `"points":[`)
				counted++
			}
		}
	}
	kept := h.follow(t).reached(h.last())
	for table, points := range official {
		require.Equal(t, points, kept.ended[table.String()])
		h.holds(kept, table)
	}
	require.GreaterOrEqual(t, counted, 6)
}

// Given a game that an older program wrote, without points, then it is followed all the same, and a program of today
// that ends it says the official ones.
func TestAnOlderGameHasItsPointsAtTheEnd(t *testing.T) {
	h := newHouse(t)
	rb := rulebooks.All()[0]
	g := goldens(t, rb)[0]
	require.True(t, g.end.Ended)
	require.NotContains(t, string(g.rows[0].Public), `"points":[`)
	table := h.plays(rb, g, false).String()
	kept := h.follow(t).reached(h.last())
	require.Equal(t, g.end.Final, kept.ended[table])
	require.Len(t, kept.lines[kept.main[table]], len(g.rows))
	require.Nil(t, kept.lines[kept.main[table]][uint64(len(g.rows))])
}

func TestTheProgramPrintsPointsAsTheyCome(t *testing.T) {
	h := newHouse(t)
	table := h.Starts("carcassonne", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	h.last()
	self, err := os.Executable()
	require.NoError(t, err)
	run := exec.CommandContext(t.Context(), self)
	run.Env = append(os.Environ(), "POSTHORN_CONSUMER="+h.guest)
	out, err := run.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, run.Start())
	require.True(t, h.Random(table, rand.New(rand.NewPCG(1, 2)), 200))
	final := fmt.Sprint(h.follow(t).reached(h.last()).ended[table.String()])
	for lines := bufio.NewScanner(out); ; {
		require.True(t, lines.Scan(), "the end is printed")
		if lines.Text() == table.String()+" "+final {
			break
		}
	}
	require.NoError(t, run.Process.Kill())
	require.Error(t, run.Wait(), "it was ended")
}
