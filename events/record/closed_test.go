package record_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/programtest"
	"posthorn/events/record"
)

// robbed returns the record of a game of Catan that was broken off after the robber had stolen a card.
func robbed(t testing.TB) []byte {
	t.Helper()
	h := desktest.New(t)
	people := []domain.PersonID{desktest.Ana, desktest.Bo, desktest.Cid}
	table := h.Starts("catan", nil, desktest.Player(people[0]), desktest.Player(people[1]), desktest.Player(people[2]))
	rnd := rand.New(rand.NewPCG(7, 1))
	for whole := false; !whole; { // until a card was bought, another stolen, and dice were thrown after it
		require.False(t, h.Random(table, rnd, 40))
		file := exportOf(t, h, table)
		stolen := bytes.Index(file, []byte(`"from":`))
		whole = stolen >= 0 && bytes.LastIndex(file, []byte(`"dice":[`)) > stolen &&
			bytes.Contains(file, []byte(`"bought":true`))
	}
	for i, who := range people[:2] {
		h.Resigns(who, table, domain.Seat(i))
	}
	h.Follows(table)
	return exportOf(t, h, table)
}

func theft(e *record.Event) bool {
	return len(e.Parts) > 0 && bytes.Contains(e.Data, []byte(`"from":`))
}

func thrown(e *record.Event) bool { return bytes.Contains(e.Data, []byte(`"dice":[`)) }

// otherDice changes what dice showed.
func otherDice(m map[string]any) {
	dice := m["body"].(map[string]any)["dice"].([]any)
	dice[0] = map[bool]json.Number{true: "5", false: "6"}[dice[0] == json.Number("6")]
}

// shut takes what a secret part says out of the record: its digest stays.
func shut(e *record.Event) *record.Event {
	for n := range e.Parts {
		e.Parts[n].Salt, e.Parts[n].Text = nil, nil
	}
	return e
}

// Once a table has ended, everything in its record is open: a part that is left closed would keep whoever checks it
// from what came after it.
var closedChanges = []change{
	{"a theft left closed after the end", robbed, func(t testing.TB, g *forgery) *record.Event {
		return shut(g.move(t, 0, theft))
	}},
	{"a theft left closed, and other dice after it", robbed, func(t testing.TB, g *forgery) *record.Event {
		stolen := g.move(t, 0, theft)
		edit(g.move(t, -1, thrown), otherDice)
		require.Less(t, stolen.Version, g.move(t, -1, thrown).Version)
		return shut(stolen)
	}},
	{"a card left closed after the end", robbed, func(t testing.TB, g *forgery) *record.Event {
		return shut(g.move(t, 0, func(e *record.Event) bool { return bytes.Contains(e.Data, []byte(`"bought":true`)) }))
	}},
}

// What a secret part says beyond what the page lists is found by both verifiers.
func TestAMemberMoreInASecretPart(t *testing.T) {
	python, path := programtest.Python(t), filepath.Join(t.TempDir(), "record")
	g := forgers(t, robbed(t), desktest.Keys(t))
	e := g.move(t, 0, theft)
	e.Parts[0].Text = new(string(edited([]byte(*e.Parts[0].Text), set("more", 1))))
	require.NoError(t, os.WriteFile(path, g.written(t), 0o600))
	f, err := record.Read(bytes.NewReader(g.written(t)))
	require.NoError(t, err)
	_, err = record.Verify(f, desktest.Named)
	var fault *record.Fault
	require.ErrorAs(t, err, &fault)
	kind, _ := kindOf(faultKinds(t), fault.What)
	require.Equal(t, "luck", kind.kind, fault.What)
	theirs := independent(t, python, path)
	require.NotNil(t, theirs.Fault)
	require.Equal(t, []any{"luck", fault.Version}, []any{theirs.Fault.Kind, theirs.Fault.Version})
}

func TestAPartLeftClosedAfterTheEndIsAFault(t *testing.T) {
	file := robbed(t)
	for _, c := range closedChanges {
		g := forgers(t, file, desktest.Keys(t))
		event := c.do(t, g)
		f, err := record.Read(bytes.NewReader(g.written(t)))
		require.NoError(t, err)
		r, err := record.Verify(f, desktest.Named)
		var fault *record.Fault
		require.ErrorAs(t, err, &fault, "%s: %v", c.name, r.Skipped)
		require.Equal(t, event.Version, fault.Version, c.name)
		kind, _ := kindOf(faultKinds(t), fault.What)
		require.Equal(t, "part-closed", kind.kind, c.name)
	}
}

// brokenOffBranch returns the record of a game of Catan or the Rivals that was branched from another one and broken
// off.
func brokenOffBranch(t *testing.T, game string, moves int) []byte {
	t.Helper()
	h := desktest.New(t)
	rnd := rand.New(rand.NewPCG(7, 1))
	players := []domain.TablePlace{desktest.Player(desktest.Ana), desktest.Player(desktest.Bo),
		desktest.Player(desktest.Cid)}
	if game == "rivals" {
		players = players[:2]
	}
	source := h.Starts(game, nil, players...)
	h.Random(source, rnd, moves)
	branch := h.Starts(game, h.BranchOf(source, h.Sees(source).LineHead.Version, "game"), players...)
	h.Random(branch, rnd, 60)
	for _, table := range []events.Name{source, branch} {
		for i := range players[1:] {
			if h.Sees(table).Table.Status == domain.TableEnded { // by chance, in so many moves
				break
			}
			h.Resigns(players[i].Invited[0], table, domain.Seat(i))
		}
		h.Follows(table)
		h.Follows(branch)
	}
	return exportOf(t, h, branch)
}

// Given a branch whose source is not open in its record, the draws of its own play that need no secret are checked all
// the same.
func TestDiceAreCheckedBehindAPartThatIsClosed(t *testing.T) {
	python, dir := programtest.Python(t), t.TempDir()
	for _, game := range []string{"catan", "rivals"} {
		file := brokenOffBranch(t, game, 80)
		dice := map[string]func(map[string]any){"catan": otherDice, "rivals": func(m map[string]any) {
			for _, op := range m["body"].(map[string]any)["ops"].([]any) {
				if op := op.([]any); op[0] == "dice" {
					op[2] = map[bool]json.Number{true: "5", false: "6"}[op[2] == json.Number("6")]
				}
			}
		}}[game]
		throw := func(t testing.TB, g *forgery) *record.Event {
			return g.move(t, -1, func(e *record.Event) bool {
				return bytes.Contains(e.Data, []byte(`["dice",`)) && bytes.Contains(e.Data, []byte(`,36]`))
			})
		}
		for _, c := range []struct {
			name, kind string
			do         func(testing.TB, *forgery)
		}{
			{"closed", "", func(testing.TB, *forgery) {}},
			{"other dice", "luck", func(t testing.TB, g *forgery) { edit(throw(t, g), dice) }},
			{"another number", "luck", func(t testing.TB, g *forgery) {
				edit(throw(t, g), func(m map[string]any) { m["draws"].([]any)[0].([]any)[1] = 900 })
			}},
		} {
			g := forgers(t, file, desktest.Keys(t))
			for i := range g.Events {
				if e := &g.Events[i]; e.Stream == g.Header.Streams[len(g.Header.Streams)-2].Name {
					shut(e)
				}
			}
			c.do(t, g)
			path := filepath.Join(dir, game+" "+c.name)
			require.NoError(t, os.WriteFile(path, g.written(t), 0o600))
			f, err := record.Read(bytes.NewReader(g.written(t)))
			require.NoError(t, err)
			r, err := record.Verify(f, desktest.Named)
			theirs := independent(t, python, path)
			if c.kind == "" {
				require.NoError(t, err)
				require.Positive(t, r.Hidden)
				require.Equal(t, 3, theirs.Status, theirs)
				continue
			}
			var fault *record.Fault
			require.ErrorAs(t, err, &fault, "%s, %s: %v", game, c.name, r.Skipped)
			kind, _ := kindOf(faultKinds(t), fault.What)
			require.Equal(t, c.kind, kind.kind, fault)
			require.Equal(t, throw(t, g).Version, fault.Version)
			require.NotNil(t, theirs.Fault, "%s, %s", game, c.name)
			require.Equal(t, c.kind, theirs.Fault.Kind, theirs.Fault.Text)
			require.Equal(t, fault.Version, theirs.Fault.Version)
		}
	}
}
