package browser

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/domain"
	"posthorn/domain/standin"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
)

// stage is a house with tables at every stage of a game, for pictures of its pages and mails.
type stage struct {
	*house.House
	t      testing.TB
	who    []domain.PersonID
	tables map[string]events.Name // by what the pictures call them
}

// openStage opens the house in a folder without serving it.
func openStage(t testing.TB, data string) *stage {
	t.Helper()
	h, err := house.Open(context.Background(),
		house.Settings{Settings: folder.Settings{Data: data}, Listen: "127.0.0.1:0", From: "posthorn@localhost",
			Opening: "anyone", Inbound: "lmtp://127.0.0.1:0", Host: []string{friends[0].address}, Pause: 0,
			Patience: 1},
		slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})))
	require.NoError(t, err)
	return &stage{House: h, t: t, tables: map[string]events.Name{}}
}

// setting is one table of the stage: the game, its people, and how far it is played.
type setting struct {
	name, game string
	choices    domain.Choices
	seats      []int                        // who sits there, by number; -1 is an open seat, -2 a stand-in
	joined     int                          // how many have taken their seats; 0 for all
	until      func(*stage, desk.Look) bool // reports whether to stop; nil plays nothing
	whole      bool                         // until the game is over
	given      string                       // the position it begins with, if not the usual one
}

// awaits stops where a seat is asked for something of a kind ("" for any), not before a version.
func awaits(seat domain.Seat, kind string, version uint64) func(*stage, desk.Look) bool {
	return func(_ *stage, look desk.Look) bool {
		for _, o := range look.Line.Awaited() {
			if look.Line.Version >= version && o.Seat == seat && (kind == "" || o.Kind == kind) {
				return true
			}
		}
		return false
	}
}

// shows stops where a seat is asked for something and its own page has the named panel with that many items.
func shows(seat domain.Seat, panel string, items int) func(*stage, desk.Look) bool {
	asked := awaits(seat, "", 1)
	return func(s *stage, look desk.Look) bool {
		return asked(s, look) && slices.ContainsFunc(
			look.Rulebook.Draw(look.Rulebook.View(look.Line.State, domain.Viewer(seat)), domain.Sketch{}),
			func(p domain.Panel) bool { return p.Name == panel && len(p.Items) >= items })
	}
}

// sampleTables are the tables that get pictures. Ana, the first person, looks at them.
var sampleTables = []setting{
	{name: "carcassonne", game: "carcassonne", choices: domain.Choices{"river": "on", "abbot": "on"},
		seats: []int{0, 1, 2}, until: awaits(0, "", 40)},
	{name: "carcassonne-waiting", game: "carcassonne", seats: []int{0, 1}, until: awaits(1, "", 12)},
	{name: "carcassonne-alone", game: "carcassonne", choices: domain.Choices{"solo": "on"}, seats: []int{0},
		until: awaits(0, "", 20)},
	{name: "carcassonne-over", game: "carcassonne", seats: []int{0, 1, 2}, whole: true},
	{name: "catan-begin", game: "catan", seats: []int{0, 1, 2}, until: awaits(0, "found", 1)},
	{name: "catan", game: "catan", seats: []int{0, 1, 2, 3}, until: awaits(0, "turn", 90)},
	{name: "catan-over", game: "catan", seats: []int{0, 1, 2}, whole: true},
	{name: "rivals-begin", game: "rivals", choices: domain.Choices{"play": "gold"}, seats: []int{0, 1},
		until: awaits(0, "begin", 1)},
	{name: "rivals", game: "rivals", choices: domain.Choices{"play": "duel"}, seats: []int{0, 1},
		until: awaits(0, "turn", 60)},
	{name: "rivals-first", game: "rivals", choices: domain.Choices{"play": "duel"}, seats: []int{0, 1},
		until: shows(0, "found", 10)},
	{name: "rivals-looks", game: "rivals", seats: []int{0, 1}, until: shows(0, "found", 5)},
	{name: "rivals-pays", game: "rivals", seats: []int{0, -2}, until: awaits(0, "", 1), given: merchant},
	{name: "rivals-over", game: "rivals", seats: []int{0, 1}, whole: true},
	{name: "gathering", game: "catan", seats: []int{0, 1, -1}, joined: 1},
	{name: "alone", game: "carcassonne", seats: []int{3, -2}, joined: -1},
	{name: "invited", game: "rivals", seats: []int{1, 0}, joined: 1},
	{name: "consent", game: "carcassonne", seats: []int{0, 1}, until: awaits(0, "", 15)},
	{name: "lines", game: "carcassonne", seats: []int{0, 1}, until: awaits(0, "", 12)},
	{name: "refused", game: "carcassonne", seats: []int{0, 1}, until: awaits(0, "", 10)},
	{name: "stopped", game: "carcassonne", seats: []int{0, 1}, until: awaits(0, "", 10)},
	{name: "catan-offer", game: "catan", seats: []int{0, 1, 2}, until: trades(1)},
}

// set makes the tables of the stage. A stand-in plays their games, each seat for itself.
func (s *stage) set(far func(done, total int, what string)) {
	ctx := context.Background()
	for _, f := range friends {
		a, err := people.ParseAddress(f.address)
		require.NoError(s.t, err)
		p, err := s.People.Ensure(ctx, a, "en")
		require.NoError(s.t, err)
		require.NoError(s.t, s.People.SetName(ctx, p.ID, f.name))
		s.who = append(s.who, p.ID)
	}
	for i, one := range sampleTables {
		far(i, len(sampleTables), one.name)
		s.tables[one.name] = s.gather(one)
		switch {
		case one.whole:
			require.False(s.t, s.play(s.tables[one.name], func(*stage, desk.Look) bool { return false }), one.name)
		case one.until != nil:
			for tries := 1; !s.play(s.tables[one.name], one.until); tries++ {
				// chance ended it too early, as in one in twenty solo games
				require.Less(s.t, tries, 20, one.name)
				s.tables[one.name] = s.gather(one)
			}
		}
	}
	look, err := s.Desk.Look(ctx, s.tables["consent"])
	require.NoError(s.t, err)
	s.do(s.who[1], s.tables["consent"], desk.ProposeRewind{To: look.Line.Version - 2})
	s.twoLines(s.tables["lines"])
	s.discussed()
	s.tables["study"] = s.study("catan-over")
	far(len(sampleTables), len(sampleTables), "the tables stand")
}

// twoLines rewinds a table's game with fresh luck, and plays on.
func (s *stage) twoLines(table events.Name) {
	s.t.Helper()
	ctx := context.Background()
	look, err := s.Desk.Look(ctx, table)
	require.NoError(s.t, err)
	last := look.Line.Version
	s.do(s.who[1], table, desk.ProposeRewind{To: last - 4, Fresh: true})
	look, err = s.Desk.Look(ctx, table)
	require.NoError(s.t, err)
	s.do(s.who[0], table, desk.Agree{Since: look.Table.Proposal.Since})
	_, err = s.Desk.Advance(ctx, table)
	require.NoError(s.t, err)
	require.True(s.t, s.play(table, func(_ *stage, look desk.Look) bool { return look.Line.Version >= last+2 }))
}

func (s *stage) do(who domain.PersonID, table events.Name, c desk.Command) {
	s.t.Helper()
	_, err := s.Desk.Do(context.Background(), events.Actor{Person: who, Door: "page"}, table, events.NewCommandID(), c)
	require.NoError(s.t, err)
}

// gather opens a table and seats its people.
func (s *stage) gather(one setting) events.Name {
	s.t.Helper()
	wish := desk.NewTable{Rulebook: one.game, Pace: "weekly", Choices: one.choices,
		Clock: domain.ClockOf("weekly", domain.TimeOutRemind), Listed: one.name == "carcassonne" ||
			one.name == "gathering" || one.name == "catan-over"}
	if one.given != "" {
		wish.Given = []byte(one.given)
	}
	opener := s.who[0]
	for i, n := range one.seats {
		switch {
		case n >= 0 && i == 0:
			opener = s.who[n]
			fallthrough
		case n >= 0:
			wish.Places = append(wish.Places,
				domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{s.who[n]}})
		case n == -1:
			wish.Places = append(wish.Places, domain.TablePlace{Kind: domain.SeatOpen})
		default:
			wish.Places = append(wish.Places, domain.TablePlace{Kind: domain.SeatStandIn, StandIn: "steady"})
		}
	}
	ans, err := s.Desk.Open(context.Background(), events.Actor{Person: opener, Door: "page"}, events.NewCommandID(),
		wish)
	require.NoError(s.t, err)
	for i, n := range one.seats {
		if n >= 0 && (one.joined == 0 || i < one.joined) {
			s.do(s.who[n], ans.Table, desk.Join{
				Seat: domain.Seat(i), Chance: []byte("three dice: 4 1 6, and a rainy day")})
		}
	}
	_, err = s.Desk.Advance(context.Background(), ans.Table)
	require.NoError(s.t, err)
	return ans.Table
}

// play plays at a table until it is as wished or over, and reports whether it is as wished.
func (s *stage) play(table events.Name, until func(*stage, desk.Look) bool) bool {
	s.t.Helper()
	ctx := context.Background()
	for {
		look, err := s.Desk.Look(ctx, table)
		require.NoError(s.t, err)
		if look.Table.Status == domain.TableEnded {
			return false
		}
		if until(s, look) {
			return true
		}
		require.NotEmpty(s.t, look.Line.Awaited())
		require.Less(s.t, look.Line.Version, uint64(3000), "the game does not end")
		o := look.Line.Awaited()[0]
		move, ok := standin.Steady{}.Choose(standin.Look(look.Rulebook, look.Line.State, o.Seat, look.Line.Version))
		require.True(s.t, ok)
		_, err = s.Desk.Play(ctx, events.Actor{Person: look.Table.Places[o.Seat].Holders[0], Door: "page"},
			desk.Move{ID: events.NewCommandID(), Table: table, Line: look.LineName, Seat: o.Seat, Decision: o,
				Move: move})
		require.NoError(s.t, err)
		_, err = s.Desk.Advance(ctx, table)
		require.NoError(s.t, err)
	}
}

// copied copies a closed house; the people of the copy speak another language.
func (s *stage) copied(from, to, lang string) *stage {
	s.t.Helper()
	require.NoError(s.t, os.CopyFS(to, os.DirFS(from)))
	require.NoError(s.t, os.RemoveAll(filepath.Join(to, "nats")))
	again := openStage(s.t, to)
	again.who, again.tables = s.who, s.tables
	for _, id := range s.who {
		require.NoError(s.t, again.People.SetLanguage(context.Background(), id, lang))
	}
	return again
}
