package turn_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

const ana, bo, cid = desktest.Ana, desktest.Bo, desktest.Cid

// house is a desk with a maker of models.
type house struct {
	*desktest.House
	maker *turn.Maker
}

// theBook holds what all houses say; nothing changes it.
var theBook = sync.OnceValues(func() (*words.Book, error) {
	return words.New(append([]domain.Rulebook{tiny.Rulebook}, rulebooks.All()...))
})

func over(t testing.TB, h *desktest.House) *house {
	t.Helper()
	book, err := theBook()
	require.NoError(t, err)
	return &house{h, turn.NewMaker(h.Desk, book, h)}
}

func newHouse(t testing.TB) *house { return over(t, desktest.New(t)) }

func asks(id domain.PersonID) turn.Asker {
	return turn.Asker{Person: id, Seat: domain.Nobody, Lang: "en"}
}

func (h *house) turn(table events.Name, who turn.Asker) *turn.Model {
	h.T.Helper()
	m, err := h.maker.Turn(h.Ctx, table, who)
	require.NoError(h.T, err)
	return m
}

func (h *house) at(table, line events.Name, version uint64, who turn.Asker) *turn.Model {
	h.T.Helper()
	m, err := h.maker.At(h.Ctx, table, line, version, who)
	require.NoError(h.T, err)
	return m
}

func TestATableIsToldFromItsOpeningToItsEnd(t *testing.T) {
	h := newHouse(t)
	table := h.Opens("tiny", nil, desktest.Player(ana), desktest.Free())
	m := h.turn(table, asks(ana))
	require.Equal(t, "Tiny: Ana, open seat", m.Title)
	require.Equal(t, "Tiny: Ana, 2 open seats",
		h.turn(h.Opens("tiny", nil, desktest.Player(ana), desktest.Free(), desktest.Free()), asks(ana)).Title)
	require.Equal(t, "The table is waiting for everybody to take a seat.", m.Sentence)
	require.False(t, m.HasBoard())
	require.Nil(t, m.Decision)
	require.Equal(t, "You are invited: take your seat.",
		h.turn(h.Opens("tiny", nil, desktest.Player(ana), desktest.Player(bo)), asks(bo)).Sentence)
	h.Joins(ana, table, 0)
	h.Joins(bo, table, 1)
	require.Equal(t, "Tiny: Ana, Bo", h.turn(table, asks(bo)).Title)
	h.Follows(table)
	m = h.turn(table, asks(bo))
	require.Equal(t, "Your turn: keep your card, swap it, or peek at another.", m.Sentence)
	require.Equal(t, domain.Seat(1), m.Decision.Seat)
	require.True(t, m.Players[1].You)
	require.True(t, m.Players[0].Awaited)
	h.Plays(table, 1, "keep")
	require.Equal(t, "Not your turn. Waiting for Ana.", h.turn(table, asks(bo)).Sentence)
	require.Equal(t, "Waiting for Ana.", h.turn(table, asks(cid)).Sentence)
	require.True(t, h.Random(table, rand.New(rand.NewPCG(1, 1)), 40))
	m = h.turn(table, asks(cid))
	require.Equal(t, "The game is over.", m.Sentence)
	require.Equal(t, domain.Referee, m.Viewer)
	require.NotEmpty(t, m.Result)
	require.Equal(t, []string{"Ana", "Bo"}, m.Labels)
	require.Positive(t, m.Players[0].Rank)
	require.Nil(t, m.Decision)
}

func TestWhoHasSeveralSeatsPlaysEachThatIsAwaited(t *testing.T) {
	h := newHouse(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo), desktest.Player(ana))
	first := asks(ana)
	first.Seat = 0
	third := asks(ana)
	third.Seat = 2
	require.Equal(t, domain.Seat(0), h.turn(table, first).Decision.Seat)
	m := h.turn(table, third)
	require.Equal(t, domain.Seat(2), m.Decision.Seat, "the seat they mean")
	require.Equal(t, domain.Viewer(2), m.Viewer)
	require.Positive(t, m.Legal())
	h.Plays(table, 0, "keep")
	for _, who := range []turn.Asker{asks(ana), first, third} {
		m = h.turn(table, who)
		require.Equal(t, domain.Seat(2), m.Decision.Seat, "of their seats the one that is awaited")
		require.Equal(t, domain.Viewer(2), m.Viewer, "with the hand of that seat")
		require.Len(t, m.Labels, 3, "each seat is told once")
		require.Len(t, m.Causes, 3)
	}
	h.Plays(table, 2, "swap")
	require.Nil(t, h.turn(table, asks(ana)).Decision)
	require.Nil(t, h.turn(table, third).Decision)
}

func TestEveryMemberOfATeamMayMove(t *testing.T) {
	h := newHouse(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Team(bo, cid))
	for _, id := range []domain.PersonID{bo, cid} {
		m := h.turn(table, asks(id))
		require.Equal(t, domain.Seat(1), m.Decision.Seat)
		require.Equal(t, domain.Viewer(1), m.Viewer)
		require.Equal(t, "Bo and Cid", m.Players[1].Name)
	}
	h.Plays(table, 1, "keep")
	require.Nil(t, h.turn(table, asks(cid)).Decision, "one answer is the team's")
}

func TestWhoeverResignedIsAwaitedNoMore(t *testing.T) {
	h := newHouse(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo), desktest.Player(cid))
	h.Resigns(bo, table, 1)
	m := h.turn(table, asks(bo))
	require.Nil(t, m.Decision)
	require.Zero(t, m.Legal())
	require.True(t, m.Players[1].Resigned)
	require.Equal(t, "Tiny: Ana, Bo, Cid", m.Title, "the thread of mails keeps its name")
}

func TestSpectatorsAreOfferedNothing(t *testing.T) {
	h := newHouse(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	for _, id := range []domain.PersonID{cid, ""} {
		m := h.turn(table, asks(id))
		require.Equal(t, domain.Spectator, m.Viewer)
		require.Equal(t, domain.Nobody, m.Seat)
		require.Nil(t, m.Decision)
		require.Empty(t, m.Groups())
		require.Empty(t, m.Choose(nil).Options)
		require.Contains(t, m.Letters(), "[?]")
	}
}

func TestStepsLeadToAMove(t *testing.T) {
	h := newHouse(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo), desktest.Player(cid))
	m := h.turn(table, asks(ana))
	c := m.Choose(nil)
	require.Nil(t, c.Move)
	require.Equal(t, []string{"keep", "swap", "peek"}, keys(c.Options))
	require.Equal(t, 2, c.Options[2].Count)
	require.Equal(t, "c", c.Options[2].Name)
	c = m.Choose([]string{"peek"})
	require.Nil(t, c.Move)
	require.Equal(t, []string{"B", "C"}, keys(c.Options))
	require.Equal(t, "B", c.Options[0].Spot)
	c = m.Choose([]string{"peek", "C"})
	require.Equal(t, "peek C", c.Notation)
	require.Equal(t, "peek, Cid", c.Label)
	require.Empty(t, c.Options)
	c = m.Choose([]string{"keep"})
	require.Equal(t, "keep", c.Notation)
	for _, wrong := range [][]string{{"fly"}, {"fly", "B"}, {""}} {
		c = m.Choose(wrong)
		require.Empty(t, c.Chosen)
		require.Nil(t, c.Move)
		require.Len(t, c.Options, 3)
	}
	c = m.Choose([]string{"peek", "A", "B"})
	require.Equal(t, []string{"peek"}, c.Keys, "what leads nowhere is left out, with all after it")
	require.Nil(t, c.Move)
	require.Equal(t, "keep", m.Choose([]string{"keep", "and", "more"}).Notation,
		"what comes after a whole move is ignored")
}

func TestWhereThereIsNoChoiceNobodyIsAsked(t *testing.T) {
	h := newHouse(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	c := h.turn(table, asks(ana)).Choose([]string{"peek"})
	require.Equal(t, "peek B", c.Notation, "there is nobody else to peek at")
	require.Equal(t, []string{"peek", "B"}, c.Keys)
	h.Plays(table, 0, "keep")
	h.Plays(table, 1, "keep")
	roller := h.Sees(table).Line.Awaited()[0].Seat
	c = h.turn(table, asks([]domain.PersonID{ana, bo}[roller])).Choose(nil)
	require.Nil(t, c.Move, "yet nothing is chosen without a first click")
	require.Equal(t, []string{"roll"}, keys(c.Options))
}

func keys(options []turn.Option) (out []string) {
	for _, o := range options {
		out = append(out, o.Key)
	}
	return out
}

func TestTheNamesOfAMailAreRead(t *testing.T) {
	for _, game := range []string{"tiny", "carcassonne"} {
		t.Run(game, func(t *testing.T) {
			h := newHouse(t)
			table := h.Starts(game, nil, desktest.Player(ana), desktest.Player(bo))
			h.Random(table, rand.New(rand.NewPCG(3, 3)), 2)
			look := h.Sees(table)
			m := h.turn(table, asks(look.Table.Places[look.Line.Awaited()[0].Seat].Holders[0]))
			names := map[string]bool{}
			for _, g := range m.Groups() {
				require.NotEmpty(t, g.Moves)
				require.Equal(t, g.Count, len(g.Moves))
				for _, n := range g.Moves {
					require.False(t, names[n.Name], "%s twice", n.Name)
					names[n.Name] = true
					require.True(t, n.Name == g.Name || strings.HasPrefix(n.Name, g.Name+" "), n.Name)
					for _, text := range []string{n.Name, " " + strings.ToUpper(n.Name) + " ", n.Notation} {
						mv, err := m.Parse(text)
						require.NoError(t, err, text)
						require.Equal(t, n.Move, mv, text)
					}
					c := m.Choose(n.Keys())
					require.Equal(t, n.Move, c.Move, "its keys lead to it")
					require.Equal(t, n.Notation, c.Notation)
					require.Equal(t, n.Label(), c.Label)
				}
			}
			require.Len(t, names, m.Legal())
			_, err := m.Parse("no move at all")
			_, refused := domain.AsRefusal(err)
			require.True(t, refused, "%v", err)
		})
	}
}

func TestATurnTellsWhatHappenedSinceOnesOwnMove(t *testing.T) {
	h := newHouse(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo), desktest.Player(cid))
	h.Plays(table, 0, "keep")
	h.Plays(table, 1, "peek A")
	h.Plays(table, 2, "swap")
	tells := func(m *turn.Model) (out []string) {
		for _, s := range m.Since {
			out = append(out, s.Who+" "+s.Move)
		}
		return out
	}
	require.Equal(t, []string{"Bo peek A", "Cid swap"}, tells(h.turn(table, asks(ana))))
	require.Equal(t, []string{"Cid swap"}, tells(h.turn(table, asks(bo))))
	require.Equal(t, []string{"Cid swap"}, tells(h.turn(table, asks("")))[:1])
	look := h.Sees(table)
	require.Equal(t, []string{"Bo peek A"}, tells(h.at(table, look.LineName, 3, asks(ana))),
		"in history, the move that led there")
}

func TestHistoryOffersNoMove(t *testing.T) {
	h := newHouse(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	h.Plays(table, 0, "keep")
	h.Plays(table, 1, "keep")
	line := h.Sees(table).LineName
	m := h.at(table, line, 1, asks(ana))
	require.EqualValues(t, 1, m.Version)
	require.EqualValues(t, 3, m.Last)
	require.Nil(t, m.Decision)
	require.Zero(t, m.Legal())
	h.Rewinds(table, 2)
	now := h.Sees(table)
	m = h.at(table, line, 3, asks(bo))
	require.False(t, m.Main)
	require.Nil(t, m.Decision, "a closed line is played no further")
	require.Len(t, m.Lineage, 2)
	require.True(t, m.Lineage[0].Closed)
	m = h.at(table, now.LineName, 0, asks(bo))
	require.True(t, m.Main)
	require.NotNil(t, m.Decision)
	_, err := h.maker.At(h.Ctx, table, events.NewName(), 1, asks(bo))
	require.ErrorIs(t, err, events.ErrNoStream)
}

func TestAProposalIsToldByPeopleNotBySeats(t *testing.T) {
	h := newHouse(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Team(bo, cid), desktest.Player(ana))
	h.Plays(table, 0, "keep")
	h.Proposes(bo, table, 1)
	m := h.turn(table, asks(bo))
	require.True(t, m.Proposal.Mine)
	require.False(t, m.Proposal.MayAgree)
	require.Equal(t, "Bo", m.Proposal.Who)
	require.Equal(t, []string{"Ana", "Cid"}, m.Proposal.Waiting)
	require.Equal(t, "Bo asks to take the game back to move 1.", m.Proposal.Sentence)
	h.Agrees(cid, table)
	m = h.turn(table, asks(ana))
	require.True(t, m.Proposal.MayAgree)
	require.Equal(t, []string{"Cid"}, m.Proposal.Agreed)
	require.Equal(t, []string{"Ana"}, m.Proposal.Waiting)
	require.Equal(t, "A proposal needs your answer.", m.Sentence)
	m = h.turn(table, asks("Eva"))
	require.False(t, m.Proposal.MayAgree)
	require.False(t, m.Proposal.Mine)
}

func TestABranchOpensNothingOfWhatItWasBranchedFrom(t *testing.T) {
	h := newHouse(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	h.Plays(table, 0, "keep")
	line := h.Sees(table).LineName
	first := h.Starts("tiny", h.BranchOf(table, 2, "game"), desktest.Player(cid), desktest.Player(cid))
	hidden := []int{0, 0}
	hands := func(m *turn.Model) []int { return m.View().(*tiny.View).Hands }
	branch := h.Sees(first).LineName
	require.Equal(t, hidden, hands(h.at(first, branch, 2, asks(cid))), "the seat is theirs, the hand was Ana's")
	require.NotZero(t, hands(h.turn(first, asks(cid)))[1], "what was dealt to them they see")
	second := h.Starts("tiny", h.BranchOf(first, 2, "study"), desktest.Player(cid), desktest.Player(cid))
	for _, b := range []events.Name{first, second} {
		require.True(t, h.Random(b, rand.New(rand.NewPCG(5, 5)), 40))
	}
	for _, b := range []events.Name{first, second} {
		m := h.at(b, h.Sees(b).LineName, 2, asks(cid))
		require.Equal(t, hidden, hands(m), "the branch has ended, the original has not")
		require.Equal(t, domain.Spectator, m.Viewer)
	}
	again := &domain.Branch{Table: first.String(), Line: branch.String(), Version: 2, Kind: "study"}
	stack := func(name events.Name) []int {
		look := h.Sees(name)
		return look.Rulebook.View(look.Line.State, domain.Referee).(*tiny.View).Stack
	}
	require.NotEqual(t, stack(table), stack(h.Starts("tiny", again, desktest.Player(cid), desktest.Player(cid))),
		"a branch of a branch that has ended deals afresh what the original still hides")
	bos := h.Starts("tiny", again, desktest.Player(bo), desktest.Player(bo))
	require.Equal(t, hands(h.at(table, line, 2, asks(bo)))[1], hands(h.turn(bos, asks(bo)))[1],
		"a maker keeps what they know themselves")
	require.True(t, h.Random(table, rand.New(rand.NewPCG(6, 6)), 40))
	require.NotEqual(t, hidden, hands(h.at(first, branch, 2, asks(cid))), "once the original has ended, it is open")
}

func TestABranchHasTheSeatsOfWhatItWasBranchedFrom(t *testing.T) {
	h := newHouse(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo), desktest.Player(cid))
	_, err := h.Desk.Open(h.Ctx, desktest.By(ana), events.NewCommandID(),
		desk.NewTable{Rulebook: "tiny", Pace: "weekly",
			Places: []domain.TablePlace{desktest.Player(ana), desktest.Player(bo)},
			Branch: h.BranchOf(table, 1, "game")})
	r, ok := domain.AsRefusal(err)
	require.True(t, ok, "%v", err)
	require.Equal(t, "seats", r.Code)
}

func TestTheTableTellsItsStoryInEveryLanguage(t *testing.T) {
	h := newHouse(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo), desktest.Player(cid))
	h.Plays(table, 0, "keep")
	h.Proposes(ana, table, 1)
	h.Plays(table, 1, "keep")
	h.Plays(table, 2, "keep")
	h.Rewinds(table, 2)
	h.Resigns(bo, table, 1)
	h.Does(ana, table, desk.Say{Written: desk.Written{Text: []byte("hello")}})
	text := func(_ domain.PersonID, b []byte) string { return string(b) }
	for _, lang := range words.Languages {
		told, err := h.maker.TableTimeline(h.Ctx, table, turn.Asker{Person: ana, Lang: lang}, 0, 1000, text)
		require.NoError(t, err)
		all := fmt.Sprint(told.Happenings)
		require.NotRegexp(t, `(table|status|house|tell)\.[a-z]|\{`, strings.Join(sentences(told.Happenings), "\n"))
		require.Contains(t, all, "hello")
		moves, err := h.maker.Timeline(h.Ctx, table, h.Sees(table).LineName, turn.Asker{Person: ana, Lang: lang}, 0, 0)
		require.NoError(t, err)
		require.Len(t, moves, 2, "the set-up, one move; the fork's own opening is no move")
	}
	told, err := h.maker.TableTimeline(h.Ctx, table, asks(ana), 0, 1000, func(domain.PersonID, []byte) string {
		return ""
	})
	require.NoError(t, err)
	require.NotContains(t, fmt.Sprint(sentences(told.Happenings)), "wrote", "what is no longer readable is not told")
	require.Contains(t, strings.Join(sentences(told.Happenings), "\n"),
		"The proposal lapsed, because somebody moved or resigned.")
}

func sentences(told []turn.Happening) (out []string) {
	for _, h := range told {
		out = append(out, h.Sentences...)
	}
	return out
}
