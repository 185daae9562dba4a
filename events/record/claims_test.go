package record_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/record"
)

// Given a record without its last event that claims to be a handover, then it lacks the event that closed the table. Of
// those of older programs nobody asks for it; there the receipt of the end still shows that it was cut off. Writing
// such a record needs nobody's key.
func TestARecordCannotHideItsEndByClaimingAHandover(t *testing.T) {
	for n, of := range []func(testing.TB) []byte{finished, story, olderStory} {
		g := forgers(t, of(t), desktest.Keys(t))
		receipts := slices.Clone(g.Header.Heads)
		end := g.find(t, "table.ended.v3", 0)
		g.cut(end.Stream, 1)
		g.Header.Handover, g.Header.Viewer = true, "another server"
		f, err := record.Read(bytes.NewReader(g.lines(t)))
		require.NoError(t, err)
		_, err = record.Verify(f, desktest.Named, receipts...)
		require.ErrorContains(t, err, "this is no handover")

		for i := range g.Events { // with something in place of each sealed part
			for n := range g.Events[i].Parts {
				p := &g.Events[i].Parts[n]
				p.Text, p.Salt, p.Sealed = nil, nil, []byte("something")
			}
		}
		f, err = record.Read(bytes.NewReader(g.lines(t)))
		require.NoError(t, err)
		r, err := record.Verify(f, desktest.Named, receipts...)
		if n < 2 {
			require.ErrorContains(t, err, "the event that closed the table elsewhere cannot be read: it is missing")
			continue
		}
		require.NoError(t, err)
		require.False(t, r.Judged)
		require.Contains(t, strings.Join(r.Skipped, "\n"), "that event is not handed over")
	}
}

// Given a move before a branch's fork that somebody with the server's key changed, then the branch's record says that
// those moves were not judged: the table that wrote them has the seed and the people.
func TestWhatAnotherTableWroteIsSaidNotToBeJudged(t *testing.T) {
	h := desktest.New(t)
	rnd := rand.New(rand.NewPCG(3, 3))
	game := h.Starts("carcassonne", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	require.False(t, h.Random(game, rnd, 9))
	line := h.Sees(game).LineName
	branch := h.Starts("carcassonne", h.BranchOf(game, 7, "game"), desktest.Player(desktest.Bo),
		desktest.Player(desktest.Ana))
	require.False(t, h.Random(branch, rnd, 4))
	for _, table := range []events.Name{game, branch} {
		h.Ends(table)
		h.Follows(table)
	}
	h.Follows(branch)
	g := forgers(t, exportOf(t, h, branch), desktest.Keys(t))
	for i := range g.Events {
		if e := &g.Events[i]; e.Stream == line && e.Version == 3 {
			meant(e, set("by", "Eva"))
		}
	}
	f, err := record.Read(bytes.NewReader(g.written(t)))
	require.NoError(t, err)
	r, err := record.Verify(f, desktest.Named)
	require.NoError(t, err)
	require.True(t, r.Judged)
	require.Equal(t, []string{fmt.Sprintf(
		"versions 1 to 7 of stream %s were written by table %s: only its own record shows that they were legal, "+
			"whose they were and what was drawn", line, game)}, r.Skipped)
}

// Of two members with one name some readers take the first and some the last: somebody with the server's key could
// show one game to people and another to verify.
func TestNothingIsSaidTwice(t *testing.T) {
	for what, say := range map[string]func(*record.Event){
		"a move":               func(e *record.Event) { e.Data = append([]byte(`{"move":"A1",`), e.Data[1:]...) },
		"a mover":              func(e *record.Event) { e.Meta = append([]byte(`{"by":"Ana",`), e.Meta[1:]...) },
		"a mover, in capitals": func(e *record.Event) { e.Meta = append([]byte(`{"BY":"Ana",`), e.Meta[1:]...) },
		"a seat, in capitals":  func(e *record.Event) { e.Data = append([]byte(`{"SEAT":0,`), e.Data[1:]...) },
		"a coordinate, deeper in": func(e *record.Event) {
			e.Data = bytes.Replace(e.Data, []byte(`"x":`), []byte(`"x":99,"x":`), 1)
		},
	} {
		t.Run(what, func(t *testing.T) {
			g := forgers(t, story(t), desktest.Keys(t))
			e := g.move(t, 1, byWho("Bo"))
			say(e)
			f, err := record.Read(bytes.NewReader(g.written(t)))
			require.NoError(t, err)
			_, err = record.Verify(f, desktest.Named)
			var fault *record.Fault
			require.ErrorAs(t, err, &fault)
			require.ErrorContains(t, err, "something is said twice in it")
			require.Equal(t, fmt.Sprint(e.Stream, e.Version), fmt.Sprint(fault.Stream, fault.Version))
		})
	}
	secret, keys := provenGames(t, 8)
	g := forgers(t, secret[2], keys)
	for i := range g.Events {
		if e := &g.Events[i]; e.Stream != g.Header.Table && len(e.Parts) > 0 &&
			strings.HasPrefix(*e.Parts[0].Text, "{") {
			e.Parts[0].Text = new(`{"x":1,"x":2,` + (*e.Parts[0].Text)[1:])
			break
		}
	}
	f, err := record.Read(bytes.NewReader(g.written(t)))
	require.NoError(t, err)
	_, err = record.Verify(f, desktest.Named)
	require.ErrorContains(t, err, "something is said twice in secret part 0")
}

// The river with gardens counts tiles by names of which two, Rg and RG, differ only in case.
func TestTileNamesThatDifferInCaseAreNotSaidTwice(t *testing.T) {
	h := desktest.New(t)
	var file []byte
	for !bytes.Contains(file, []byte(`"RG":1`)) { // one table in ten has drawn it for the first turn
		ans, err := h.Open(h.Ctx, desktest.By(desktest.Ana), events.NewCommandID(),
			desk.NewTable{Rulebook: "carcassonne", Pace: "weekly",
				Choices: domain.Choices{"river": "on", "abbot": "on"},
				Places:  []domain.TablePlace{desktest.Player(desktest.Ana), desktest.StandIn()}})
		require.NoError(t, err)
		h.Joins(desktest.Ana, ans.Table, 0)
		h.Follows(ans.Table)
		file = exportOf(t, h, ans.Table)
		require.Contains(t, string(file), `"Rg":1`)
	}
	f, err := record.Read(bytes.NewReader(file))
	require.NoError(t, err)
	_, err = record.Verify(f, desktest.Named)
	require.NoError(t, err)
}

// A record says that its table came from another server, whose key would then sign its receipts, but has no receipt
// from that server.
func TestAFormerServerThatNothingProvesIsSaid(t *testing.T) {
	g := forgers(t, olderStory(t), desktest.Keys(t))
	said := g.find(t, "table.said.v1", 0)
	at := slices.IndexFunc(g.Events, func(e record.Event) bool { return e.Hash == said.Hash })
	key, err := json.Marshal(g.keys.PublicKey())
	require.NoError(t, err)
	came := record.Event{Stream: said.Stream, Version: said.Version + 1, Type: domain.TableEventType(&domain.Arrived{}),
		Codec: "json", At: said.At,
		Command: events.NewCommandID(), Hash: events.Hash{1}, Meta: []byte(`{"door":"host"}`),
		Data: fmt.Appendf(nil, `{"key":%s,"receipts":[]}`, key)}
	g.Events = slices.Insert(g.Events, at+1, came)
	for i := range g.Events[at+2:] {
		if e := &g.Events[at+2+i]; e.Stream == said.Stream {
			e.Version++
		}
	}
	f, err := record.Read(bytes.NewReader(g.written(t)))
	require.NoError(t, err)
	r, err := record.Verify(f, desktest.Named)
	require.NoError(t, err)
	require.Contains(t, strings.Join(r.Skipped, "\n"), "no receipt of it says so")
}

// Given a game shuffled anew by fresh luck, when a proposal to go back before the shuffle is changed to keep the same
// luck, which no table accepts, then its record is not in order.
func TestTheSameLuckIsNotProposedBehindAShuffle(t *testing.T) {
	h := newHouse(t, 1)
	table := h.open(nil)
	h.play(table, 4)
	h.Does(ana, table, desk.ProposeRewind{To: 3, Fresh: true})
	h.Does(bo, table, desk.Agree{Since: h.Sees(table).Table.Proposal.Since})
	h.Follows(table)
	h.play(table, 2)
	h.Does(ana, table, desk.ProposeRewind{To: 3, Fresh: true})
	h.Does(bo, table, desk.Refuse{Since: h.Sees(table).Table.Proposal.Since})
	require.True(t, h.play(table, 40))
	file := h.export(table, domain.Referee)
	r, err := verify(file)
	require.NoError(t, err)
	require.Empty(t, r.Skipped)

	g := forgers(t, file, h.Keys())
	edit(g.find(t, "table.proposed.v1", 1), sub("proposal", set("fresh", false)))
	_, err = verify(g.written(t))
	require.ErrorContains(t, err, "rewind-dealt")
}

// Given a house that shuffles what lies hidden once more in the middle of a line, without anybody's agreement, then
// its record is not in order, although the luck is the line's.
func TestNothingIsShuffledAnewInTheMiddleOfALine(t *testing.T) {
	h := newHouse(t, 1)
	table := h.open(nil)
	h.play(table, 4)
	h.Does(ana, table, desk.ProposeRewind{To: 3, Fresh: true})
	h.Does(bo, table, desk.Agree{Since: h.Sees(table).Table.Proposal.Since})
	h.Follows(table)
	h.play(table, 1)
	look := h.Sees(table)
	line, err := h.LineAt(h.Ctx, look, look.LineName, 0)
	require.NoError(t, err)
	e, ok := line.Reshuffle()
	require.True(t, ok)
	data, secrets, err := tiny.Rulebook.Codec().Encode(&e)
	require.NoError(t, err)
	next := look.LineHead.Version + 1
	var parts []events.Part
	for n, s := range secrets {
		parts = append(parts, h.Keys().Seal(look.LineName, next, n, s.To, s.Data))
	}
	_, err = h.Log().Append(h.Ctx,
		events.Draft{Stream: look.LineName, Expect: next - 1, Type: events.PlayType(tiny.Rulebook, &e), Codec: "json",
			At: time.Now().UTC().Truncate(time.Millisecond), Command: events.NewCommandID(),
			Meta: []byte(`{"door":"runner"}`), Data: data, Parts: parts})
	require.NoError(t, err)
	require.True(t, h.play(table, 40))
	_, err = verify(h.export(table, domain.Referee))
	require.ErrorContains(t, err, fmt.Sprintf(
		"version %d: the rules do not allow this: it is neither a move nor a deal", next))
}

// onlyElsewhere checks that a branch's record, with nothing hidden, leaves out only what other tables wrote.
func onlyElsewhere(t testing.TB, r *record.Report) {
	t.Helper()
	require.NotEmpty(t, r.Skipped)
	for _, s := range r.Skipped {
		require.Contains(t, s, "only its own record shows")
	}
}
