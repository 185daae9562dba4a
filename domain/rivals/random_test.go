package rivals

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// census counts every draw and event card wherever it is; it must never change.
func census(s *State) (n [128]int) {
	add := func(c Card) {
		if c != NoCard {
			n[c]++
		}
	}
	for i := range s.Realms {
		r := &s.Realms[i]
		for j := range int(r.HandN) {
			add(r.Hand[j].Card)
		}
		r.cards(func(_ Site, c Card) bool {
			add(c)
			if c == townHall {
				add(parishHall)
			}
			return true
		})
		if r.Cache != noPlace {
			add(goldCache)
		}
	}
	for i := range int(s.DecksN) {
		for j := range int(s.Decks[i].N) {
			add(s.Decks[i].Slots[j].Card)
		}
	}
	for j := range int(s.Events.N) {
		add(s.Events.Slots[j].Card)
	}
	add(s.Event)
	for j := range int(s.SpareN) {
		add(s.Spare[j])
	}
	for range s.OpenN {
		add(s.Open)
	}
	for j := range int(s.DiscardN) {
		add(s.Discard[j])
	}
	return n
}

func centreCount(s *State) int {
	n := int(s.Roads) + int(s.Settlements) + int(s.Cities) + int(s.LandsN)
	for i := range s.Realms {
		r := &s.Realms[i]
		n += onesIn(uint64(r.Roads))
		for _, t := range r.Towns {
			n += int(t.Level)
		}
		for _, q := range r.Regions {
			if q.Number != 0 {
				n++
			}
		}
	}
	return n
}

type tally struct {
	events, turns int
	unfinished    int
	played        map[string]int
}

func randomGame(t testing.TB, play string, seed uint64, all *tally) {
	rb := Rulebook{}
	luck := domain.NewThrowaway(seed)
	s := rb.New().(*State)
	fold := rb.New().(*State)
	choices, err := domain.Complete(rbOptions{}, domain.Choices{"play": play})
	require.NoError(t, err)
	l := luck.Begin()
	e, err := rb.Setup(domain.Game{Choices: choices, Seats: 2, First: domain.Seat(seed % 2)}, l)
	require.NoError(t, err)
	apply := func(e *domain.Event) {
		e.Draws = l.Used()
		luck.Count(e.Draws)
		rb.Evolve(s, e)
		public, secrets, err := rb.Codec().Encode(e)
		require.NoError(t, err)
		back, err := rb.Codec().Decode(e.Type, public, secrets)
		require.NoError(t, err, string(public))
		rb.Evolve(fold, &back)
		require.True(t, *s == *fold, "%s", public)
	}
	apply(&e)
	cards, centre := census(s), centreCount(s)
	require.Equal(t, 49, centre)
	pick := domain.NewThrowaway(seed + 1e9)
	choose := pick.Begin()
	for n := 0; ; n++ {
		if s.Phase == Over {
			all.turns += int(s.Turn)
			return
		}
		if n > 6000 {
			all.unfinished++
			return
		}
		seat := domain.Seat(0)
		if !s.awaits(0) || s.awaits(1) && choose.Draw("s", 2) == 1 {
			seat = 1
		}
		require.True(t, s.awaits(seat), "%v %+v %+v", s.Phase, s.Asks, s.Tasks[:s.TasksN])
		var moves []domain.Move
		for m := range rb.Legal(s, seat) {
			moves = append(moves, m)
		}
		require.NotEmpty(t, moves, "%v %+v", s.Phase, s.Tasks[:s.TasksN])
		m := moves[choose.Draw("m", len(moves))]
		l = luck.Begin()
		text := rb.FormatMove(m, nil)
		back, err := rb.ParseMove(text, nil)
		require.NoError(t, err, text)
		require.Equal(t, m, back, text)
		e, err := rb.Decide(s, seat, m, l)
		require.NoError(t, err, "%s: %s by %d", play, text, seat)
		all.events++
		mv := m.(Move)
		if mv.Card != NoCard {
			all.played[mv.Card.Row().ID]++
		}
		apply(&e)
		if s.Event != NoCard {
			all.played[s.Event.Row().ID]++
		}
		require.Equal(t, cards, census(s), text)
		require.Equal(t, centre, centreCount(s), text)
		for i := range s.Realms {
			for _, q := range s.Realms[i].Regions {
				require.LessOrEqual(t, q.Stored, uint8(3), text)
			}
		}
	}
}

type rbOptions struct{ domain.Rulebook }

func (rbOptions) Options() []domain.Option { return Rulebook{}.Options() }

func TestRandomGames(t *testing.T) {
	for _, play := range playNames {
		t.Run(play, func(t *testing.T) {
			all := &tally{played: map[string]int{}}
			for seed := range uint64(5) {
				randomGame(t, play, seed, all)
			}
			fmt.Println(play, all.events/5, all.turns/5, all.unfinished)
		})
	}
}
