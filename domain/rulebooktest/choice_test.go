package rulebooktest_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/kit"
	"posthorn/domain/languages"
	"posthorn/domain/rulebooktest"
)

// picking is a game in which only a choice is hidden: two seats each pick a number in secret, from the same three.
type picking struct {
	kit.Defaults[*picks, *picksSeen]
	move func(n int) string // how the event writes the move
}

type picks struct {
	kit.Hidden[int]
	Over bool `json:"over"`
}

type picksSeen struct {
	Picks []int `json:"picks"` // 0: none yet, -1: hidden from the viewer
	Over  bool  `json:"over"`
}

var numbers = []int{1, 2, 3}

func (picking) Codec() domain.Codec {
	return domain.Codec{Types: []domain.EventType{kit.SecretType[picks, kit.Held[int]]("begun.v1"),
		kit.SecretType[kit.Nothing, kit.Held[int]]("picked.v1")}}
}

func (r picking) Evolve(s *picks, e *domain.Event) {
	if b, ok := e.Body.(*picks); ok {
		*s = *r.Clone(b)
	}
	s.Load(e)
	s.Over = len(s.Hands) > 0 && !slices.Contains(s.Hands, 0)
}

func (picking) View(s *picks, v domain.Viewer) *picksSeen {
	return &picksSeen{s.Seen(v, func(n int) int { return -min(n, 1) }), s.Over}
}

func (picking) Setup(g domain.Game, _ *domain.Luck) (domain.Event, error) {
	v := &picksSeen{Picks: make([]int, 2)}
	err := kit.Given(g.Given, domain.ObjectOf(map[string]*domain.Schema{
		"picks": domain.EachOf(domain.NumberOf(0, 3), 2), "over": domain.SwitchOf()}), v)
	s := &picks{Hidden: kit.Hidden[int]{Hands: v.Picks}}
	return domain.Event{Type: "begun.v1", Body: s, Secrets: s.Unload()}, err
}

func (r picking) Blind(s *picks, v domain.Viewer, luck *domain.Luck) domain.Event {
	s = r.Clone(s)
	for _, n := range s.Unknown(v) {
		if *n != 0 {
			*n = numbers[luck.DrawUnseen("blind", len(numbers))]
		}
	}
	return domain.Event{Type: "picked.v1", Body: new(kit.Nothing), Secrets: s.Unload()}
}

func (r picking) Decide(s *picks, seat domain.Seat, m int, _ *domain.Luck) (domain.Event, error) {
	if !slices.Contains(numbers, m) {
		return domain.Event{}, domain.Refuse("unreadable", "text", "")
	}
	return domain.Event{Type: "picked.v1", Move: r.move(m), Body: new(kit.Nothing),
		Secrets: []domain.Secret{kit.Hold(seat, m, domain.To(seat))}}, nil
}

func (picking) Awaited(s *picks) (open []domain.Decision) {
	for i, n := range s.Hands {
		if n == 0 {
			open = append(open, domain.Decision{Seat: domain.Seat(i), Kind: "pick"})
		}
	}
	return open
}

func (picking) Legal(*picks, domain.Seat) iter.Seq[int] { return slices.Values(numbers) }

func (picking) Standing(s *picks, _ domain.Viewer) domain.Standing {
	return kit.Standing([]int{0, 0}, []int{0, 0}, s.Over)
}
func (picking) Value(*picks, domain.Seat) float64 { return 0 }
func (r picking) ParseMove(text string, names []string) (int, error) {
	return kit.ReadMove(text, names, nil, numbers, r.FormatMove)
}
func (picking) FormatMove(m int, _ []string) string { return fmt.Sprintf("pick %d", m) }
func (picking) Steps(_ *picks, m int) []domain.Step {
	return []domain.Step{{Key: fmt.Sprint(m), Label: domain.S("step")}}
}

func (picking) Draw(v *picksSeen, sketch domain.Sketch) []domain.Panel {
	row := []kit.Card{{Face: fmt.Sprint(v.Picks[0])}, {Face: fmt.Sprint(v.Picks[1])}}
	return []domain.Panel{kit.Cards("table", domain.PanelMain, sketch, row)}
}
func (picking) Describe(*picksSeen) domain.Description {
	return domain.Description{Alt: domain.S("step")}
}
func (picking) Tell(*domain.Event, *picksSeen) []domain.Say { return []domain.Say{domain.S("step")} }

func picksOf(t *testing.T, move func(n int) string) domain.Rulebook {
	words, files := map[string]string{"result": "{seats} {n}", "refuse.unreadable": "{text}"}, fstest.MapFS{}
	for _, key := range []string{"name", "step", "await.pick", "panel.table"} {
		words[key] = key
	}
	text, err := json.Marshal(words)
	require.NoError(t, err)
	for _, lang := range languages.Complete() {
		files["words/"+lang+".json"] = &fstest.MapFile{Data: text}
	}
	r := picking{move: move}
	return kit.New[*picks, int, *picksSeen](
		kit.Basics{Word: "picks", Least: 2, Most: 2, Words: kit.Catalogue(files, "picks")}, r, r, r, r,
		kit.Extras[*picks, int, *picksSeen]{})
}

// Even if all moves are legal in every deal, an event must not reveal a choice that stays hidden.
func TestTheSuiteFindsAHiddenChoiceThatIsTold(t *testing.T) {
	faults := func(move func(n int) string) string {
		return strings.Join(rulebooktest.Faults(picksOf(t, move), rulebooktest.Config{}), "\n")
	}
	require.Empty(t, faults(func(int) string { return "pick ?" }))
	require.Contains(t, faults(func(n int) string { return fmt.Sprintf("pick %d", n) }),
		"a choice of what they are not shown")
	require.Contains(t, faults(func(n int) string { return []string{1: "pick 1", 2: "pick ?", 3: "pick ?"}[n] }),
		"a choice of what they are not shown", "where the other moves are told with a ?, too")
}

// Passing and exchanging a hidden card for a hidden one leave the same view, but that somebody passes is no secret.
func TestTheSuiteLetsAMoveSayWhatIsPublic(t *testing.T) {
	rb := picksOf(t, func(n int) string { return []string{1: "pass", 2: "swap ? 1", 3: "swap ? 1"}[n] })
	require.Empty(t, rulebooktest.Faults(rb, rulebooktest.Config{}))
}
