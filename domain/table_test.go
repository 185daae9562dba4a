package domain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooktest/tiny"
)

const (
	ana = domain.PersonID("ana")
	bo  = domain.PersonID("bo")
	cid = domain.PersonID("cid")
	eva = domain.PersonID("eva")
)

var (
	chance   = []byte("sixteen bytes, or more")
	seed     = domain.Key{7}
	free     = domain.TablePlace{Kind: domain.SeatOpen}
	computer = domain.TablePlace{Kind: domain.SeatStandIn, StandIn: "steady"}
)

func player(id domain.PersonID) domain.TablePlace {
	return domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{id}}
}

func team(ids ...domain.PersonID) domain.TablePlace {
	return domain.TablePlace{Kind: domain.SeatTeam, Invited: ids}
}

// given is a table that Ana opened, with what has happened there.
type given struct {
	*domain.Table
	t testing.TB
}

func openTable(places ...domain.TablePlace) (*domain.Opened, error) {
	return domain.OpenTable(tiny.Rulebook, ana, nil, places, "weekly", nil, nil, seed)
}

func opened(t testing.TB, places ...domain.TablePlace) given {
	t.Helper()
	e, err := openTable(places...)
	require.NoError(t, err)
	g := given{&domain.Table{}, t}
	g.Apply(e)
	return g
}

// then applies a decided event.
func (g given) then(e domain.TableEvent, err error) given {
	g.t.Helper()
	require.NoError(g.t, err)
	g.Apply(e)
	return g
}

// refuses requires a refusal, and that it changes nothing.
func (g given) refuses(code string) func(domain.TableEvent, error) {
	before := g.Clone()
	return func(e domain.TableEvent, err error) {
		g.t.Helper()
		require.Nil(g.t, e)
		require.Equal(g.t, code, codeOf(g.t, err))
		require.Equal(g.t, before, g.Table)
	}
}

func codeOf(t testing.TB, err error) string {
	t.Helper()
	r, ok := domain.AsRefusal(err)
	require.True(t, ok, "a refusal, not %v", err)
	return r.Code
}

// started returns a table whose people have all sat down and which has started, with line "L0".
func started(t testing.TB, places ...domain.TablePlace) given {
	t.Helper()
	g := opened(t, places...)
	for i, p := range places {
		for _, id := range p.Invited {
			g.then(g.Join(id, domain.Seat(i), chance))
		}
	}
	return g.then(g.Start("L0"))
}

func TestATableIsOpenedWithinTheGamesLimits(t *testing.T) {
	for name, c := range map[string]struct {
		places  []domain.TablePlace
		refused string
	}{
		"two players":             {[]domain.TablePlace{player(ana), player(bo)}, ""},
		"one person at two seats": {[]domain.TablePlace{player(ana), player(ana)}, ""},
		"a player and a stand-in": {[]domain.TablePlace{player(ana), computer}, ""},
		"teams":                   {[]domain.TablePlace{team(ana, bo), team(cid)}, ""},
		"open seats alone":        {[]domain.TablePlace{free, free}, ""},
		"too few seats":           {[]domain.TablePlace{player(ana)}, "seats"},
		"too many seats":          {[]domain.TablePlace{free, free, free, free, free}, "seats"},
		"nobody but stand-ins":    {[]domain.TablePlace{computer, computer}, "nobody-plays"},
		"a stand-in that does not exist": {
			[]domain.TablePlace{player(ana), {Kind: domain.SeatStandIn, StandIn: "genius"}}, "stand-in"},
		"a stand-in with a person": {
			[]domain.TablePlace{player(ana),
				{Kind: domain.SeatStandIn, StandIn: "steady", Invited: []domain.PersonID{bo}}}, "stand-in"},
		"a player's seat for nobody": {[]domain.TablePlace{player(ana), {Kind: domain.SeatPlayer}}, "one-player"},
		"a player's seat for two": {
			[]domain.TablePlace{player(ana), {Kind: domain.SeatPlayer, Invited: []domain.PersonID{bo, cid}}},
			"one-player"},
		"an empty team":            {[]domain.TablePlace{player(ana), team()}, "empty-team"},
		"somebody twice in a team": {[]domain.TablePlace{player(ana), team(bo, bo)}, "named-twice"},
		"somebody invited to an open seat": {
			[]domain.TablePlace{player(ana), {Kind: domain.SeatOpen, Invited: []domain.PersonID{bo}}}, "open-seat"},
		"a kind of seat nobody knows": {[]domain.TablePlace{player(ana), {Kind: "throne"}}, "seat-kind"},
		"somebody seated without chance": {
			[]domain.TablePlace{player(ana), {Kind: domain.SeatPlayer, Holders: []domain.PersonID{bo}}}, "seat-taken"},
		"a seat that was resigned already": {
			[]domain.TablePlace{player(ana), {Kind: domain.SeatPlayer, Invited: []domain.PersonID{bo}, Resigned: true}},
			"seat-taken"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := openTable(c.places...)
			if c.refused == "" {
				require.NoError(t, err)
				return
			}
			require.Equal(t, c.refused, codeOf(t, err))
		})
	}
}

func TestATableIsOpenedWithKnownOptionsAndAKnownPace(t *testing.T) {
	places := []domain.TablePlace{player(ana), player(bo)}
	try := func(choices domain.Choices, pace string) error {
		_, err := domain.OpenTable(tiny.Rulebook, ana, choices, places, pace, nil, nil, seed)
		return err
	}
	require.Equal(t, "pace", codeOf(t, try(nil, "hourly")))
	require.Equal(t, "option-unknown", codeOf(t, try(domain.Choices{"colour": "red"}, "weekly")))
	require.Equal(t, "option-value", codeOf(t, try(domain.Choices{"rounds": "9"}, "weekly")))
	for _, pace := range domain.Paces {
		require.NoError(t, try(domain.Choices{"rounds": "2"}, pace))
	}
	g := opened(t, places...)
	require.Equal(t, domain.Choices{"rounds": "3", "low": "off"}, g.Choices, "the defaults are written down")
	require.Equal(t, domain.TableOpen, g.Status)
	require.Equal(t, seed, g.Seed)
}

func TestWhoIsInvitedSitsDownWithChanceOfTheirOwn(t *testing.T) {
	g := opened(t, player(ana), player(bo))
	g.refuses("no-seat")(g.Join(ana, 2, chance))
	g.refuses("no-seat")(g.Join(ana, -1, chance))
	g.refuses("not-invited")(g.Join(ana, 1, chance))
	g.refuses("contribution")(g.Join(ana, 0, chance[:domain.MinContribution-1]))
	g.then(g.Join(ana, 0, chance[:domain.MinContribution]))
	g.refuses("seated-self")(g.Join(ana, 0, chance))
	require.False(t, g.Full())
	g.refuses("not-full")(g.Start("L0"))
	g.then(g.Join(bo, 1, chance))
	require.True(t, g.Full())
	require.Equal(t, []domain.PersonID{ana, bo}, g.People())
	require.Equal(t, []domain.Contribution{{Person: ana, Bytes: chance[:domain.MinContribution]},
		{Person: bo, Bytes: chance}}, g.Contributions)
}

func TestAnybodyTakesAnOpenSeatOnce(t *testing.T) {
	g := opened(t, player(ana), free)
	g.then(g.Join(ana, 0, chance))
	require.False(t, g.Full(), "nobody has taken the open seat")
	g.refuses("not-full")(g.Start("L0"))
	g.then(g.Join(cid, 1, chance))
	require.True(t, g.Full())
	require.Equal(t, domain.SeatPlayer, g.Places[1].Kind)
	g.refuses("not-invited")(g.Join(bo, 1, chance))
}

func TestSomebodyWithSeveralSeatsIsOnePerson(t *testing.T) {
	g := opened(t, player(ana), player(bo), player(ana))
	g.then(g.Join(ana, 0, chance))
	g.then(g.Join(ana, 2, []byte("other chance, at another seat")))
	require.Equal(t, []domain.Seat{0, 2}, g.SeatsOf(ana))
	require.Equal(t, []domain.PersonID{ana}, g.People())
	require.Len(t, g.Contributions, 1, "whoever has contributed need not do so again")
	require.Equal(t, domain.Viewer(0), g.ViewerOf(ana, domain.Nobody))
	require.Equal(t, domain.Viewer(2), g.ViewerOf(ana, 2))
	require.Equal(t, domain.Viewer(0), g.ViewerOf(ana, 1), "another's seat is not theirs to look from")
	require.Equal(t, domain.Spectator, g.ViewerOf(cid, 0))
	require.Equal(t, domain.Spectator, g.ViewerOf("", 0))
}

func TestATeamIsFullOnceAllOfItHaveAnswered(t *testing.T) {
	g := opened(t, player(ana), team(bo, cid))
	g.then(g.Join(ana, 0, chance))
	g.then(g.Join(bo, 1, chance))
	require.False(t, g.Full(), "Cid has not answered")
	g.then(g.Decline(cid, 1, cid))
	require.True(t, g.Full())
	g.then(g.Invite(ana, 1, eva))
	require.False(t, g.Full())
	g.then(g.Join(eva, 1, chance))
	require.Equal(t, []domain.PersonID{bo, eva}, g.Places[1].Holders)
	require.Equal(t, []domain.PersonID{ana, bo, eva}, g.Everybody())
}

func TestASeatThatIsDeclinedIsOpenAgain(t *testing.T) {
	g := opened(t, player(ana), player(bo))
	g.refuses("opener-only")(g.Decline(cid, 1, bo))
	g.refuses("not-invited")(g.Decline(cid, 1, cid))
	g.refuses("no-seat")(g.Decline(bo, 9, bo))
	g.then(g.Decline(bo, 1, bo))
	require.Equal(t, domain.SeatOpen, g.Places[1].Kind)
	require.False(t, g.Knows(bo))
	g.then(g.Invite(ana, 1, bo))
	seat, ok := g.InvitedTo(bo)
	require.True(t, ok)
	require.Equal(t, domain.Seat(1), seat)
	g.then(g.Join(bo, 1, chance))
	g.then(g.Decline(bo, 1, bo))
	require.Equal(t, domain.SeatOpen, g.Places[1].Kind, "a seat may be given up until the game begins")
	g.then(g.Invite(ana, 1, cid))
	g.then(g.Decline(ana, 1, cid))
	require.Equal(t, domain.SeatOpen, g.Places[1].Kind, "the opener takes an invitation back")
}

func TestOnlyTheOpenerInvitesAndFills(t *testing.T) {
	g := opened(t, player(ana), free, team(bo), player(cid))
	g.refuses("opener-only")(g.Invite(bo, 1, cid))
	g.refuses("seat-taken")(g.Invite(ana, 3, eva))
	g.then(g.Invite(ana, 2, bo)) // asked again
	require.Equal(t, []domain.PersonID{bo}, g.Places[2].Invited)
	require.Equal(t, g.Version, g.AskedSince(2, bo))
	g.then(g.Join(bo, 2, chance))
	g.refuses("seated-already")(g.Invite(ana, 2, bo))
	g.refuses("no-seat")(g.Invite(ana, 4, eva))
	g.refuses("opener-only")(g.Fill(bo, 1, computer))
	g.refuses("no-seat")(g.Fill(ana, 4, computer))
	g.refuses("seat-kind")(g.Fill(ana, 1, player(bo)))
	g.refuses("stand-in")(g.Fill(ana, 1, domain.TablePlace{Kind: domain.SeatStandIn, StandIn: "genius"}))
	g.then(g.Fill(ana, 1, computer))
	g.then(g.Fill(ana, 3, computer))
	require.False(t, g.Knows(cid), "an invitation that was not answered falls with the seat")
	g.then(g.Fill(ana, 3, free))
	g.then(g.Join(cid, 3, chance))
	g.refuses("seat-taken")(g.Fill(ana, 3, computer))
}

func TestATableThatHasNotBegunIsGivenUpByItsOpener(t *testing.T) {
	g := opened(t, player(ana), player(bo))
	g.refuses("opener-only")(g.Abandon(bo))
	g.then(g.Abandon(ana))
	require.Equal(t, domain.EndAbandoned, g.End)
	require.Equal(t, seed, g.Seed, "the seed opens")
	for _, try := range []func() (domain.TableEvent, error){
		func() (domain.TableEvent, error) { return g.Join(bo, 1, chance) },
		func() (domain.TableEvent, error) { return g.Decline(bo, 1, bo) },
		func() (domain.TableEvent, error) { return g.Invite(ana, 1, cid) },
		func() (domain.TableEvent, error) { return g.Fill(ana, 1, computer) },
		func() (domain.TableEvent, error) { return g.Start("L0") },
		func() (domain.TableEvent, error) { return g.Abandon(ana) },
		func() (domain.TableEvent, error) { return g.Claim(cid, 1, bo) },
		func() (domain.TableEvent, error) { return g.HandOver("key") },
	} {
		g.refuses("table-ended")(try())
	}
	g.then(g.Chat(ana, []byte("another time")))
}

func TestAfterTheStartNobodySitsDownOrLeaves(t *testing.T) {
	g := started(t, player(ana), player(bo))
	main, ok := g.Main()
	require.True(t, ok)
	require.Equal(t, domain.TableLine{Name: "L0", Since: g.Version}, main)
	g.refuses("table-started")(g.Join(cid, 0, chance))
	g.refuses("table-started")(g.Decline(bo, 1, bo))
	g.refuses("table-started")(g.Invite(ana, 1, cid))
	g.refuses("table-started")(g.Fill(ana, 1, computer))
	g.refuses("table-started")(g.Abandon(ana))
	g.refuses("table-started")(g.Start("L1"))
}

func TestBeforeTheStartThereIsNothingToTakeBack(t *testing.T) {
	g := opened(t, player(ana), player(bo))
	_, ok := g.Main()
	require.False(t, ok)
	g.refuses("not-started")(g.ProposeRewind(ana, 1, false, nil, domain.Played{Version: 3, First: 1}, "L1"))
	g.refuses("not-started")(g.ProposeEnd(ana, nil, domain.Played{}))
	g.refuses("not-started")(g.Resign(ana, 0))
	g.refuses("not-started")(g.Agree(ana, 1, domain.Played{}, "L1"))
	g.refuses("not-started")(g.Dismiss(ana, 1))
	g.refuses("not-started")(g.Finish(domain.Played{Ended: true}, domain.Standing{}))
}

func TestAResignedSeatIsPlayedOnAndRankedLast(t *testing.T) {
	g := started(t, player(ana), player(bo), player(cid))
	g.refuses("not-your-seat")(g.Resign(bo, 0))
	g.refuses("no-seat")(g.Resign(bo, 3))
	g.then(g.Resign(bo, 1))
	require.Empty(t, g.Due, "two seats are left")
	require.False(t, g.Places[1].Humans())
	require.Equal(t, []domain.PersonID{ana, cid}, g.People())
	require.Equal(t, []domain.PersonID{ana, bo, cid}, g.Everybody())
	require.Equal(t, domain.Viewer(1), g.ViewerOf(bo, 1), "whoever resigned still sees their own hand")
	g.refuses("not-your-seat")(g.Resign(bo, 1))
	g.refuses("not-a-player")(g.ProposeEnd(bo, nil, domain.Played{Version: 4}))
	g.then(g.Finish(domain.Played{Version: 9, Ended: true}, domain.Standing{Ended: true, Ranks: []int{2, 1, 3}}))
	require.Equal(t, []int{1, 3, 2}, g.Ranks)
	require.Equal(t, domain.EndFinished, g.End)
}

func TestTheTableEndsWhenFewerThanTwoSeatsAreLeft(t *testing.T) {
	for name, c := range map[string]struct {
		places []domain.TablePlace
		seat   domain.Seat
		ranks  []int
	}{
		"two players":         {[]domain.TablePlace{player(ana), player(bo)}, 1, []int{1, 2}},
		"a stand-in beside":   {[]domain.TablePlace{player(ana), computer, player(bo)}, 2, []int{1, 1, 3}},
		"alone with stand-in": {[]domain.TablePlace{player(bo), computer}, 0, []int{2, 1}},
		"a team's seat":       {[]domain.TablePlace{player(ana), team(bo, cid)}, 1, []int{1, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			g := started(t, c.places...)
			g.then(g.Resign(bo, c.seat))
			require.Equal(t, domain.EndResigned, g.Due)
			g.refuses("table-ended")(g.Resign(ana, 0))
			g.refuses("table-ended")(g.ProposeEnd(ana, nil, domain.Played{Version: 4}))
			g.then(g.Finish(domain.Played{Version: 4}, domain.Standing{Ranks: nil}))
			require.Equal(t, c.ranks, g.Ranks)
			require.Equal(t, domain.EndResigned, g.End)
			require.Empty(t, g.Due)
		})
	}
}

func TestTheEndIsNotedOnceTheGameHasComeToIt(t *testing.T) {
	g := started(t, player(ana), player(bo))
	g.refuses("not-ended")(g.Finish(domain.Played{Version: 5}, domain.Standing{}))
	e, err := g.Finish(domain.Played{Version: 8, Ended: true}, domain.Standing{Ended: true, Ranks: []int{1, 1}})
	require.Equal(t, &domain.Ended{Reason: domain.EndFinished, Line: "L0", Version: 8, Ranks: []int{1, 1}, Seed: seed},
		e)
	g.then(e, err)
	require.Equal(t, domain.Referee, g.ViewerOf("", domain.Nobody), "everybody sees everything")
	g.refuses("not-started")(g.Finish(domain.Played{Version: 8, Ended: true}, domain.Standing{}))
	g.refuses("table-ended")(g.Resign(ana, 0))
	g.refuses("table-ended")(g.ProposeRewind(ana, 2, false, nil, domain.Played{Version: 8, First: 1}, "L1"))
}

func TestAResignationAfterTheLastMoveDoesNotUndoTheEnd(t *testing.T) {
	g := started(t, player(ana), player(bo), computer)
	g.then(g.Resign(ana, 0))
	g.then(g.Finish(domain.Played{Version: 8, Ended: true}, domain.Standing{Ended: true, Ranks: []int{1, 3, 2}}))
	require.Equal(t, domain.EndFinished, g.End)
	require.Equal(t, []int{3, 2, 1}, g.Ranks, "the others as they finished, who resigned behind them")
}

func TestASoloGamesRanksAreItsOwn(t *testing.T) {
	g := started(t, player(ana), player(ana))
	g.then(g.Finish(domain.Played{Version: 8, Ended: true}, domain.Standing{Ended: true, Ranks: []int{1, 2, 3}}))
	require.Equal(t, []int{1, 2, 3}, g.Ranks, "they rank what the rulebook scores, not seats")
}

func TestOnlyPeopleOfTheTableChat(t *testing.T) {
	g := opened(t, player(ana), player(bo))
	g.refuses("not-a-player")(g.Chat(cid, []byte("hello")))
	g.refuses("not-a-player")(g.Chat("", []byte("hello")))
	g.refuses("empty-text")(g.Chat(bo, nil))
	before := g.Clone()
	g.then(g.Chat(bo, []byte("hello")))
	before.Version++
	require.Equal(t, before, g.Table)
}

func TestATableHandedOverIsClosedHereAndStaysSecret(t *testing.T) {
	g := started(t, player(ana), player(bo))
	g.then(g.HandOver("key"))
	require.Equal(t, domain.EndHanded, g.End)
	require.Equal(t, domain.Spectator, g.ViewerOf(cid, domain.Nobody))
	require.Equal(t, domain.Viewer(0), g.ViewerOf(ana, domain.Nobody))
	g.refuses("table-moved")(g.HandOver("key"))
	g.refuses("table-moved")(g.Chat(ana, []byte("hello")))
	g.refuses("table-moved")(g.ProposeEnd(ana, nil, domain.Played{Version: 3}))
	g.refuses("not-started")(g.Finish(domain.Played{Version: 8, Ended: true}, domain.Standing{}))
}

func TestASeatThatCameFromElsewhereIsClaimed(t *testing.T) {
	g := started(t, player(ana), team(bo, cid))
	g.refuses("no-seat")(g.Claim(eva, 2, bo))
	g.refuses("not-invited")(g.Claim(eva, 0, bo))
	g.then(g.Claim(eva, 1, bo))
	require.ElementsMatch(t, []domain.PersonID{cid, eva}, g.Places[1].Holders)
	require.Equal(t, domain.Spectator, g.ViewerOf(bo, 1))
}

func TestCopiesOfATableShareNothingThatChanges(t *testing.T) {
	g := started(t, player(ana), player(bo), player(cid))
	g.then(g.ProposeEnd(ana, nil, domain.Played{Version: 4}))
	before, again := g.Clone(), g.Clone()
	g.then(g.Agree(bo, g.Proposal.Since, domain.Played{Version: 4}, "L1"))
	g.then(g.Resign(cid, 2))
	require.Equal(t, again, before)
}
