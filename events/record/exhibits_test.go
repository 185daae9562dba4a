package record_test

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/record"
)

// An exhibit is a record with what an independent verifier may be asked about it: docs/format.md.
type exhibit struct {
	name     string
	file     []byte
	receipts []string // of it, as in a mail
	sealed   bool     // its seed is not open: luck cannot be checked
}

// exhibition makes records: 10 of each game, with rewinds both ways, steps taken back, branches and handovers.
type exhibition struct {
	*desktest.House
	there *desktest.House // another server
	rnd   *rand.Rand
	game  exhibited
}

// exhibited is a game with the options its exhibits are opened with.
type exhibited struct {
	name     string
	seats    int
	variants []variant
}

// variant is a choice of options with a number of seats, perhaps with a clock.
type variant struct {
	seats   int
	choices domain.Choices
	clock   *domain.Clock
}

var exhibitedGames = []exhibited{
	{"carcassonne", 2, []variant{
		{4, domain.Choices{"river": "on", "abbot": "on"}, nil},
		{3, domain.Choices{"river": "on", "river-start-tile": "bag", "two-tile-city": "2", "farmers": "off"}, nil},
		{1, domain.Choices{"solo": "on", "colours": "4"}, nil},
	}},
	{"catan", 3, []variant{
		{4, domain.Choices{"tokens": "random", "harbours": "shuffled", "friendly-robber": "on"}, nil},
		{2, nil, nil},
		{4, domain.Choices{"founding": "beginner"}, nil},
	}},
	{"rivals", 2, []variant{
		{2, domain.Choices{"play": "duel"}, nil},
		{2, domain.Choices{"play": "gold"}, nil},
		{2, domain.Choices{"play": "turmoil"}, nil},
	}},
}

func (x *exhibition) people(n int) (places []domain.TablePlace) {
	for i := range n {
		places = append(places, desktest.Player([]domain.PersonID{desktest.Ana, desktest.Bo, desktest.Cid, "Dawa"}[i]))
	}
	return places
}

// starts opens a table with options, seats everybody and deals.
func (x *exhibition) starts(v variant, branch *domain.Branch) events.Name {
	x.T.Helper()
	places := x.people(v.seats)
	ans, err := x.Open(x.Ctx, desktest.By(desktest.Ana), events.NewCommandID(),
		desk.NewTable{Rulebook: x.game.name, Choices: v.choices, Places: places, Pace: "weekly", Clock: v.clock,
			Branch: branch})
	require.NoError(x.T, err)
	for i, p := range places {
		x.Does(p.Invited[0], ans.Table,
			desk.Join{Seat: domain.Seat(i), Chance: fmt.Appendf(nil, "what %s has thrown herself", p.Invited[0])})
	}
	x.Follows(ans.Table)
	return ans.Table
}

// goesBack goes back by that many versions, with the same luck or fresh.
func (x *exhibition) goesBack(table events.Name, by uint64, fresh bool) {
	x.T.Helper()
	if look := x.Sees(table); look.Table.Status == domain.TableStarted {
		x.goesTo(table, look.LineHead.Version-by, fresh)
	}
}

func (x *exhibition) goesTo(table events.Name, to uint64, fresh bool) {
	x.T.Helper()
	people := x.Sees(table).Table.People()
	x.Does(people[0], table, desk.ProposeRewind{
		To: to, Fresh: fresh, Written: desk.Written{Text: []byte("sealed")}})
	for _, id := range people[1:] {
		x.Agrees(id, table)
	}
	x.Follows(table)
}

// undoes plays until somebody may take their step back, and takes it back. With behind it first plays one move and
// takes that back by a rewind.
func (x *exhibition) undoes(table events.Name, behind bool) {
	x.T.Helper()
	for range 20 {
		look := x.Sees(table)
		for _, id := range look.Table.People() {
			to, ok, err := x.MayUndo(x.Ctx, look, id)
			if err != nil || !ok || behind && x.Random(table, x.rnd, 1) {
				continue
			}
			if behind {
				x.goesTo(table, look.LineHead.Version, false)
			}
			x.Does(id, table, desk.Undo{To: to})
			x.Follows(table)
			return
		}
		if x.Random(table, x.rnd, 1) {
			return
		}
	}
}

// ends plays a table on, and ends it by agreement if it has not ended on its own.
func (x *exhibition) ends(h *desktest.House, table events.Name, moves int) {
	x.T.Helper()
	h.Follows(table)
	if h.Random(table, x.rnd, moves) {
		return
	}
	if h.Sees(table).Table.Due == "" {
		h.Ends(table)
	}
	h.Follows(table)
}

// moves hands a table over to the other server.
func (x *exhibition) moves(table events.Name) []byte {
	x.T.Helper()
	key, err := record.PublicKey(x.there.Keys())
	require.NoError(x.T, err)
	var b bytes.Buffer
	require.NoError(x.T, record.Handover(x.Ctx, x.Desk, table, key, exported, &b))
	f, err := record.Read(bytes.NewReader(b.Bytes()))
	require.NoError(x.T, err)
	_, err = record.Import(x.Ctx, x.there.Log(), x.there.Keys(), f, desktest.Named)
	require.NoError(x.T, err)
	return b.Bytes()
}

// shows returns a table's record, with receipts of where each of its lines stands.
func (x *exhibition) shows(h *desktest.House, table events.Name, name string) exhibit {
	x.T.Helper()
	look := h.Sees(table)
	e := exhibit{name: x.game.name + "-" + name, file: exportOf(x.T, h, table)}
	if !look.Table.Open() {
		var b bytes.Buffer
		require.NoError(x.T, record.Export(h.Ctx, h.Desk, table, domain.Spectator, exported, &b))
		e.file, e.sealed = b.Bytes(), true
	}
	first, err := events.LoadOne(h.Ctx, h.Log(), table, 1)
	require.NoError(x.T, err)
	e.receipts = []string{h.Receipt(table, look.LineName, look.LineHead), h.Receipt(table, table, look.TableHead),
		h.Receipt(table, table, events.Head{Version: 1, Hash: first.Hash})}
	return e
}

// exhibits returns 10 records of each game.
func exhibits(t testing.TB) (out []exhibit) {
	t.Helper()
	other, err := events.NewKeys([32]byte{2})
	require.NoError(t, err)
	for n, game := range exhibitedGames {
		now := desktest.Clock()
		x := &exhibition{House: desktest.Over(t, memory.New(), now), there: desktest.With(t, other, memory.New(), now),
			rnd: rand.New(rand.NewPCG(13, uint64(n))), game: game}
		out = append(out, x.all()...)
	}
	return out
}

func (x *exhibition) all() (out []exhibit) {
	x.T.Helper()
	base := variant{seats: x.game.seats}
	show := func(h *desktest.House, table events.Name, name string) { out = append(out, x.shows(h, table, name)) }

	whole := x.starts(base, nil) // and three with other options
	x.ends(x.House, whole, 400)
	show(x.House, whole, "whole")
	for i, v := range x.game.variants {
		table := x.starts(v, nil)
		x.Random(table, x.rnd, 20)
		x.goesBack(table, 6, i == 0)
		x.ends(x.House, table, 120)
		show(x.House, table, fmt.Sprintf("variant-%d", i+1))
	}

	// rewinds of both kinds, one after another and one before another, and a step taken back
	back := x.starts(variant{x.game.seats, nil, domain.ClockOf("weekly", domain.TimeOutTurn)}, nil)
	x.Random(back, x.rnd, 25)
	x.goesBack(back, 9, false)
	x.Random(back, x.rnd, 4)
	x.goesBack(back, 7, false)
	x.Random(back, x.rnd, 12)
	x.goesBack(back, 5, true)
	x.Random(back, x.rnd, 6)
	x.goesBack(back, 3, false)
	x.undoes(back, true)
	x.ends(x.House, back, 40)
	show(x.House, back, "rewinds")

	fresh := x.starts(base, nil)
	x.Random(fresh, x.rnd, 12)
	x.goesBack(fresh, 8, true)
	x.undoes(fresh, false)
	x.Resigns(desktest.Bo, fresh, 1)
	x.ends(x.House, fresh, 20)
	show(x.House, fresh, "fresh")

	graced := x.graced()
	x.ends(x.House, graced, 30)
	show(x.House, graced, "grace")

	// a branch of a line that was taken back, one of that branch, and a study for one person
	source := x.starts(base, nil)
	x.Random(source, x.rnd, 16)
	closed := x.BranchOf(source, 9, "game")
	x.goesBack(source, 5, false)
	x.Random(source, x.rnd, 5)
	branch := x.starts(base, closed)
	x.Random(branch, x.rnd, 8)
	x.goesBack(branch, 4, true)
	x.ends(x.House, branch, 15)
	show(x.House, branch, "branch-sealed") // while the table that it goes on from is still running
	study := x.StartsBy(desktest.Bo, x.game.name, x.BranchOf(source, 11, "study"), x.study()...)
	x.Random(study, x.rnd, 9)
	x.ends(x.House, study, 1)

	handed := x.moves(source)
	out = append(out, exhibit{name: x.game.name + "-handed-over", file: handed, sealed: true})
	for i, id := range x.there.Sees(source).Table.People() {
		x.there.Does(id+" elsewhere", source, desk.Claim{Seat: domain.Seat(i), Was: id})
	}
	x.there.Random(source, x.rnd, 6)
	x.ends(x.there, source, 30)
	show(x.there, source, "arrived")
	f, err := record.Read(bytes.NewReader(out[len(out)-1].file))
	require.NoError(x.T, err)
	_, err = record.Conclude(x.Ctx, x.Desk, f, desktest.Named)
	require.NoError(x.T, err)
	x.Follows(branch)
	x.Follows(study)
	show(x.House, branch, "branch")
	show(x.House, study, "study")
	show(x.House, source, "handed-away")
	return append(out, x.branched(branch)...)
}

// branched hands over a branch of a finished one, which itself went on from a game that was handed over and back.
func (x *exhibition) branched(source events.Name) (out []exhibit) {
	x.T.Helper()
	branch := x.starts(variant{seats: x.game.seats}, x.BranchOf(source, x.Sees(source).LineHead.Version-2, "game"))
	x.Random(branch, x.rnd, 5)
	x.goesBack(branch, 3, false)
	out = append(out, exhibit{name: x.game.name + "-branch-handed-over", file: x.moves(branch), sealed: true})
	x.there.Random(branch, x.rnd, 4)
	x.ends(x.there, branch, 10)
	out = append(out, x.shows(x.there, branch, "branch-arrived"), x.shows(x.there, source, "came-along"))
	f, err := record.Read(bytes.NewReader(out[len(out)-2].file))
	require.NoError(x.T, err)
	_, err = record.Conclude(x.Ctx, x.Desk, f, desktest.Named)
	require.NoError(x.T, err)
	return append(out, x.shows(x.House, branch, "branch-handed-away"))
}

// study returns the seats of a study: one person's, and stand-ins for the rest.
func (x *exhibition) study() []domain.TablePlace {
	places := []domain.TablePlace{desktest.StandIn(), desktest.Player(desktest.Bo)}
	for len(places) < x.game.seats {
		places = append(places, desktest.StandIn())
	}
	return places
}

// mailed returns a text with receipts as mail programs leave them: quoted and wrapped, with soft breaks, in a base64
// body.
func mailed(receipts []string) []byte {
	var b bytes.Buffer
	for i, line := range receipts {
		switch i % 3 {
		case 0:
			fmt.Fprintf(&b, "On Monday Ana wrote:\n> > The receipt:\n> > %s\n> > %s\n> > %s\n\n", line[:60],
				line[60:130], line[130:])
		case 1:
			fmt.Fprintf(&b, "<p>%s=\r\n%s<br>\r\n</p>\r\n", line[:70], line[70:])
		default:
			text := base64.StdEncoding.EncodeToString([]byte("Your turn, Zoë.\n" + line + "\n"))
			for ; len(text) > 76; text = text[76:] {
				fmt.Fprintln(&b, text[:76])
			}
			fmt.Fprintln(&b, text)
		}
	}
	return b.Bytes()
}

// makeRecords writes the exhibits into a folder, each as NAME.jsonl, with its receipts in NAME.mail as a mail program
// saved them.
func makeRecords(t testing.TB, dir string) (out []exhibit) {
	t.Helper()
	out = exhibits(t)
	for _, e := range out {
		require.NoError(t, os.WriteFile(filepath.Join(dir, e.name+".jsonl"), e.file, 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, e.name+".mail"), mailed(e.receipts), 0o600))
	}
	return out
}

func TestTheExhibitsAreProved(t *testing.T) {
	all := makeRecords(t, cmp.Or(os.Getenv("POSTHORN_RECORDS"), t.TempDir())) // for anybody who wants to look at them
	require.GreaterOrEqual(t, len(all), 30)
	for _, e := range all {
		f, err := record.Read(bytes.NewReader(e.file))
		require.NoError(t, err, e.name)
		r, err := record.Verify(f, desktest.Named, e.receipts...)
		require.NoError(t, err, e.name)
		found, broken := events.FindReceipts(string(mailed(e.receipts)))
		require.Zero(t, broken, e.name)
		require.ElementsMatch(t, e.receipts, found, e.name)
		require.Equal(t, !e.sealed, r.Judged, "%s: %v", e.name, r.Skipped)
		require.NotRegexp(t, `versions (\d+) to 0 `, r.Skipped, e.name)
	}
}
