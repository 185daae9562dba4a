package turn_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// called holds names that people have given themselves.
type called map[domain.PersonID]string

// DisplayName returns the name given.
func (c called) DisplayName(_ context.Context, id domain.PersonID) (string, error) {
	return c[id], nil
}

func TestNamesThatPretendAreToldApartAtTheirTable(t *testing.T) {
	h := newHouse(t)
	book, err := words.New([]domain.Rulebook{tiny.Rulebook})
	require.NoError(t, err)
	// given three people, two of whom look alike, the second in Cyrillic letters
	h.maker = turn.NewMaker(h.Desk, book, called{ana: "Copa", bo: "Сора", cid: "Cid"})
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo), desktest.Player(cid))
	h.Plays(table, 0, "keep")
	h.Does(bo, table, desk.Say{Written: desk.Written{Text: []byte("I am Copa")}})
	// then both are marked, but not the third
	m := h.turn(table, asks(cid))
	require.Equal(t, []string{"Copa (A)", "Сора (B)", "Cid"},
		[]string{m.Players[0].Name, m.Players[1].Name, m.Players[2].Name})
	require.Equal(t, "Tiny: Copa (A), Сора (B), Cid", m.Title)
	told, err := h.maker.TableTimeline(h.Ctx, table, asks(cid), 0, 1000, func(_ domain.PersonID, b []byte) string {
		return string(b)
	})
	require.NoError(t, err)
	require.Contains(t, strings.Join(sentences(told.Happenings), "\n"), "Сора (B)")
	// and also in what one of them proposes
	h.Proposes(bo, table, 1)
	require.Equal(t, "Сора (B)", h.turn(table, asks(cid)).Proposal.Who)
}

// Who shares a seat with somebody of the same name is told from them by more than the seat's letter.
func TestNamesakesOfOneTeamAreToldApart(t *testing.T) {
	h := newHouse(t)
	book, err := words.New([]domain.Rulebook{tiny.Rulebook})
	require.NoError(t, err)
	h.maker = turn.NewMaker(h.Desk, book, called{ana: "Ana", bo: "Ana", cid: "Ana"})
	table := h.Starts("tiny", nil, domain.TablePlace{Kind: domain.SeatTeam, Invited: []domain.PersonID{ana, bo}},
		desktest.Player(cid))
	for _, who := range []domain.PersonID{ana, bo, cid} {
		h.Does(who, table, desk.Say{Written: desk.Written{Text: []byte("It was me")}})
	}
	told, err := h.maker.TableTimeline(h.Ctx, table, asks(cid), 0, 1000, func(_ domain.PersonID, b []byte) string {
		return string(b)
	})
	require.NoError(t, err)
	said := map[string]bool{}
	for _, h := range told.Happenings {
		if h.Spoken {
			said[strings.Join(h.Sentences, " ")] = true
		}
	}
	require.Len(t, said, 3, "three people: %v", said)
	m := h.turn(table, asks(cid))
	require.Equal(t, "Ana (B)", m.Players[1].Name, "whoever is alone at a seat needs no more than its letter")
}

func TestANameFromRightToLeftIsIsolatedInSentences(t *testing.T) {
	h := newHouse(t)
	book, err := words.New([]domain.Rulebook{tiny.Rulebook})
	require.NoError(t, err)
	h.maker = turn.NewMaker(h.Desk, book, called{ana: "שרה", bo: "Bo", cid: "Cid"})
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	m := h.turn(table, asks(bo))
	require.Equal(t, "Tiny: \u2068שרה\u2069, Bo", m.Title)
	h.Does(bo, table, desk.Say{Written: desk.Written{Text: []byte("\u202eyltnegilletni")}})
	told, err := h.maker.TableTimeline(h.Ctx, table, asks(ana), 0, 1000, func(_ domain.PersonID, b []byte) string {
		return string(b)
	})
	require.NoError(t, err)
	all := strings.Join(sentences(told.Happenings), "\n")
	require.Contains(t, all, "\u2068שרה\u2069")
	require.NotContains(t, all, "\u202e")
}
