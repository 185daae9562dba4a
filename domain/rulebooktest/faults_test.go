package rulebooktest_test

import (
	"encoding/json"
	"iter"
	"maps"
	"math"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooktest"
	"posthorn/domain/rulebooktest/tiny"
)

// faults are rulebooks with one fault each, and what the suite says about it.
var faults = map[string]struct {
	rb   domain.Rulebook
	says string
}{
	"a legal move is missing":         {forgetful{tiny.Rulebook}, "accepted that is not listed as legal"},
	"a legal move is refused":         {strict{tiny.Rulebook}, "a legal move was refused"},
	"moves are listed twice":          {twice{tiny.Rulebook}, "is listed twice"},
	"the view shows the stack":        {talkative{tiny.Rulebook}, "Blind keeps what viewer"},
	"who is awaited depends":          {hinting{tiny.Rulebook}, "Blind keeps what viewer"},
	"a description tells":             {describing{tiny.Rulebook}, "Blind keeps what viewer"},
	"nothing is dealt afresh":         {lazy{tiny.Rulebook}, "Blind never changed"},
	"Blind forgets what is known":     {careless{tiny.Rulebook}, "Blind keeps what viewer"},
	"a secret reaches the public":     {leaking{tiny.Rulebook}, "can tell two states apart"},
	"a refusal tells":                 {loose{tiny.Rulebook}, "shows in the answer to"},
	"copies share":                    {sharing{tiny.Rulebook}, "changed the original"},
	"folding needs what is unsaid":    {unwritten{tiny.Rulebook}, "folded from the log"},
	"a decision comes again":          {serial{tiny.Rulebook}, "a decision came again"},
	"ended, but awaiting":             {endless{tiny.Rulebook}, "a game ends when nothing is awaited"},
	"notation is not read back":       {mumbling{tiny.Rulebook}, "cannot be read"},
	"two moves by the same steps":     {blurred{tiny.Rulebook}, "leads to two moves"},
	"a half-finished step":            {halfway{tiny.Rulebook}, "the beginning of another"},
	"words are missing":               {speechless{tiny.Rulebook}, "lacks tell.keep"},
	"an argument is missing":          {wordless{tiny.Rulebook}, "is said without {n}"},
	"a position is lost":              {amnesiac{tiny.Rulebook}, "the position given is the one that is set up"},
	"a value that is none":            {dizzy{tiny.Rulebook}, "Value is NaN"},
	"letters nobody can read":         {tinier{tiny.Rulebook}, "too small to be read"},
	"a line that is too long":         {wide{tiny.Rulebook}, "too long for a mail"},
	"nothing said in a text mail":     {mute{tiny.Rulebook}, "a text mail says nothing"},
	"too much to be listed":           {crowded{tiny.Rulebook}, "split them by Steps"},
	"a drawing without its spots":     {blank{tiny.Rulebook}, "the drawing has no spot"},
	"the event before shines through": {stale{tiny.Rulebook}, "decided over another says what it says by itself"},
}

type (
	forgetful  struct{ domain.Rulebook }
	strict     struct{ domain.Rulebook }
	twice      struct{ domain.Rulebook }
	talkative  struct{ domain.Rulebook }
	hinting    struct{ domain.Rulebook }
	describing struct{ domain.Rulebook }
	lazy       struct{ domain.Rulebook }
	careless   struct{ domain.Rulebook }
	leaking    struct{ domain.Rulebook }
	loose      struct{ domain.Rulebook }
	sharing    struct{ domain.Rulebook }
	unwritten  struct{ domain.Rulebook }
	serial     struct{ domain.Rulebook }
	endless    struct{ domain.Rulebook }
	mumbling   struct{ domain.Rulebook }
	blurred    struct{ domain.Rulebook }
	halfway    struct{ domain.Rulebook }
	speechless struct{ domain.Rulebook }
	wordless   struct{ domain.Rulebook }
	amnesiac   struct{ domain.Rulebook }
	dizzy      struct{ domain.Rulebook }
	blank      struct{ domain.Rulebook }
	tinier     struct{ domain.Rulebook }
	wide       struct{ domain.Rulebook }
	mute       struct{ domain.Rulebook }
	crowded    struct{ domain.Rulebook }
	stale      struct{ domain.Rulebook }
)

func truth(s domain.State) *tiny.View { return tiny.Rulebook.View(s, domain.Referee).(*tiny.View) }

func (r forgetful) Legal(s domain.State, seat domain.Seat) iter.Seq[domain.Move] {
	return func(yield func(domain.Move) bool) {
		for m := range r.Rulebook.Legal(s, seat) {
			if strings.HasPrefix(r.FormatMove(m, nil), "peek") && truth(s).Round == 2 {
				continue
			}
			if !yield(m) {
				return
			}
		}
	}
}

func (r strict) Decide(s domain.State, seat domain.Seat, m domain.Move, luck *domain.Luck) (domain.Event, error) {
	if r.FormatMove(m, nil) == "swap" && truth(s).Round > 1 {
		return domain.Event{}, domain.Refuse("stack-empty")
	}
	return r.Rulebook.Decide(s, seat, m, luck)
}

func (r twice) Legal(s domain.State, seat domain.Seat) iter.Seq[domain.Move] {
	return func(yield func(domain.Move) bool) {
		for range 2 {
			for m := range r.Rulebook.Legal(s, seat) {
				if !yield(m) {
					return
				}
			}
		}
	}
}

func (r talkative) View(s domain.State, v domain.Viewer) domain.View {
	view := r.Rulebook.View(s, v).(*tiny.View)
	view.Stack = truth(s).Stack
	return view
}

func (r hinting) Awaited(s domain.State) []domain.Decision {
	open := slices.Clone(r.Rulebook.Awaited(s))
	if t := truth(s); len(open) > 1 && t.Hands[0] > t.Hands[1] {
		open[0], open[1] = open[1], open[0]
	}
	return open
}

func (r describing) View(s domain.State, v domain.Viewer) domain.View {
	return &nosy{View: *r.Rulebook.View(s, v).(*tiny.View), top: append(truth(s).Stack, 0)[0]}
}

// nosy is a view with a hidden field that its description reveals.
type nosy struct {
	tiny.View
	top int
}

func (r describing) Draw(v domain.View, sketch domain.Sketch) []domain.Panel {
	return r.Rulebook.Draw(&v.(*nosy).View, sketch)
}

func (r describing) Describe(v domain.View) domain.Description {
	d := r.Rulebook.Describe(&v.(*nosy).View)
	d.Lines = append(d.Lines, slices.Repeat([]domain.Say{domain.S("tell.dealt")}, v.(*nosy).top)...)
	return d
}

func (r lazy) Blind(s domain.State, _ domain.Viewer, luck *domain.Luck) domain.Event {
	return r.Rulebook.Blind(s, domain.Referee, luck)
}

func (r careless) Blind(s domain.State, v domain.Viewer, luck *domain.Luck) domain.Event {
	if v >= 0 {
		v = domain.Spectator
	}
	return r.Rulebook.Blind(s, v, luck)
}

// View shows a swapped card to everybody once it is in the hand: only the views of later states differ, not the events.
func (r leaking) View(s domain.State, v domain.Viewer) domain.View {
	view := r.Rulebook.View(s, v).(*tiny.View)
	if t := truth(s); view.Chosen[0] == "swap" && view.Chosen[1] != "" {
		view.Hands[0] = t.Hands[0]
	}
	return view
}

func (r leaking) Blind(s domain.State, v domain.Viewer, luck *domain.Luck) domain.Event {
	if t := truth(s); t.Chosen[0] == "swap" && t.Chosen[1] != "" {
		v = domain.Referee // so that only playing on reveals it
	}
	return r.Rulebook.Blind(s, v, luck)
}

func (r loose) Decide(s domain.State, seat domain.Seat, m domain.Move, luck *domain.Luck) (domain.Event, error) {
	e, err := r.Rulebook.Decide(s, seat, m, luck)
	if refusal, ok := domain.AsRefusal(err); ok && refusal.Code == "known" && truth(s).Hands[0] > truth(s).Hands[1] {
		return e, domain.Refuse("stack-empty")
	}
	return e, err
}

func (r stale) Extras() domain.Extras {
	more := r.Rulebook.Extras()
	more.DecideOver = r.DecideOver
	return more
}

// DecideOver leaves the previous event's contents in place.
func (r stale) DecideOver(e *domain.Event, s domain.State, seat domain.Seat, m domain.Move,
	luck *domain.Luck) (err error) {
	old := e.Body
	if *e, err = r.Decide(s, seat, m, luck); old != nil {
		e.Body = old
	}
	return err
}

func (r sharing) Clone(s domain.State) domain.State { return s }

func (r unwritten) Decide(s domain.State, seat domain.Seat, m domain.Move, luck *domain.Luck) (domain.Event, error) {
	e, err := r.Rulebook.Decide(s, seat, m, luck)
	if e.Type == "rolled.v1" {
		e.Body = &unsaid{Inner: e.Body}
	}
	return e, err
}

// unsaid is a body that is written wrongly: every die is a one.
type unsaid struct{ Inner any }

var dieShown = regexp.MustCompile(`"die":[0-9]`)

func (u *unsaid) MarshalJSON() ([]byte, error) {
	b, err := json.Marshal(u.Inner)
	return dieShown.ReplaceAll(b, []byte(`"die":1`)), err
}

func said(e *domain.Event) *domain.Event {
	c := *e
	if u, ok := e.Body.(*unsaid); ok {
		c.Body = u.Inner
	}
	return &c
}

func (r unwritten) Evolve(s domain.State, e *domain.Event) { r.Rulebook.Evolve(s, said(e)) }
func (r unwritten) Tell(e *domain.Event, v domain.View) []domain.Say {
	return r.Rulebook.Tell(said(e), v)
}

func (r serial) Awaited(s domain.State) []domain.Decision {
	open := r.Rulebook.Awaited(s)
	for i := range open {
		open[i].Serial = 1
	}
	return open
}

func (r endless) Standing(s domain.State, v domain.Viewer) domain.Standing {
	st := r.Rulebook.Standing(s, v)
	st.Ended = false
	return st
}

func (r mumbling) ParseMove(text string, names []string) (domain.Move, error) {
	return r.Rulebook.ParseMove(strings.ReplaceAll(text, "PEEK", "peak"), names)
}

func (r blurred) Steps(s domain.State, m domain.Move) []domain.Step {
	return r.Rulebook.Steps(s, m)[:1]
}

func (r halfway) Steps(s domain.State, m domain.Move) []domain.Step {
	steps := r.Rulebook.Steps(s, m)
	if steps[0].Key == "swap" {
		return append([]domain.Step{{Key: "keep", Label: domain.S("step.keep")}}, steps...)
	}
	return steps
}

func (r speechless) Catalogue() map[string][]byte {
	all := maps.Clone(r.Rulebook.Catalogue())
	all["pl"] = []byte(strings.Replace(string(all["pl"]), "tell.keep", "tell.kept", 1))
	return all
}

func (r wordless) Describe(v domain.View) domain.Description {
	d := r.Rulebook.Describe(v)
	delete(d.Alt.Args, "n")
	return d
}

func (r amnesiac) Setup(g domain.Game, luck *domain.Luck) (domain.Event, error) {
	if g.Given != nil {
		var keys map[string]json.RawMessage
		if json.Unmarshal(g.Given, &keys) == nil {
			delete(keys, "die")
			g.Given, _ = json.Marshal(keys)
		}
	}
	return r.Rulebook.Setup(g, luck)
}

func (dizzy) Value(domain.State, domain.Seat) float64 { return math.NaN() }

func (r blank) Draw(v domain.View, _ domain.Sketch) []domain.Panel {
	return r.Rulebook.Draw(v, domain.Sketch{})
}

func (r tinier) Draw(v domain.View, sketch domain.Sketch) []domain.Panel {
	panels := r.Rulebook.Draw(v, sketch)
	panels[0].Scene.W *= 20
	return panels
}

func (r wide) Draw(v domain.View, sketch domain.Sketch) []domain.Panel {
	panels := r.Rulebook.Draw(v, sketch)
	panels[0].Text += strings.Repeat("=", 73)
	return panels
}

func (r mute) Draw(v domain.View, sketch domain.Sketch) []domain.Panel {
	panels := r.Rulebook.Draw(v, sketch)
	panels[0].Text = ""
	return panels
}

func (r mute) Describe(v domain.View) domain.Description {
	return domain.Description{Alt: r.Rulebook.Describe(v).Alt}
}

func (r crowded) Legal(s domain.State, seat domain.Seat) iter.Seq[domain.Move] {
	return func(yield func(domain.Move) bool) {
		for m := range r.Rulebook.Legal(s, seat) {
			for i := range domain.MostFlat {
				if r.FormatMove(m, nil) == "roll" && !yield(many{m, i}) {
					return
				}
			}
			if !yield(m) {
				return
			}
		}
	}
}

// many is a move that exists many times over.
type many struct {
	domain.Move
	n int
}

func (r crowded) Steps(s domain.State, m domain.Move) []domain.Step {
	if x, ok := m.(many); ok {
		return []domain.Step{{Key: "n" + strings.Repeat("x", x.n), Label: domain.S("step.roll")}}
	}
	return r.Rulebook.Steps(s, m)
}

func (r crowded) FormatMove(m domain.Move, names []string) string {
	if x, ok := m.(many); ok {
		return "roll" + strings.Repeat("x", x.n+1)
	}
	return r.Rulebook.FormatMove(m, names)
}

func (r crowded) ParseMove(text string, names []string) (domain.Move, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	if n := len(text) - len("roll"); n > 0 && text == "roll"+strings.Repeat("x", n) {
		return many{r.mustRoll(), n - 1}, nil
	}
	return r.Rulebook.ParseMove(text, names)
}

func (r crowded) mustRoll() domain.Move {
	m, _ := r.Rulebook.ParseMove("roll", nil)
	return m
}

func (r crowded) Decide(s domain.State, seat domain.Seat, m domain.Move, luck *domain.Luck) (domain.Event, error) {
	if x, ok := m.(many); ok {
		m = x.Move
	}
	return r.Rulebook.Decide(s, seat, m, luck)
}

// found runs a small suite on a rulebook, as its own test would.
func found(rb domain.Rulebook) string {
	return strings.Join(rulebooktest.Faults(rb,
		rulebooktest.Config{Variants: []domain.Choices{nil, {"low": "on"}}, Seats: []int{2, 3}, Games: 4}), "\n")
}

func TestTheSuiteFindsEveryFault(t *testing.T) {
	require.Empty(t, found(tiny.Rulebook), "the rulebook without a fault")
	for name, f := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, found(f.rb), f.says)
		})
	}
}

// A refusal that is not so, and one that nothing says the truth of, are faults.
func TestTheSuiteFindsARefusalThatIsUntrue(t *testing.T) {
	cfg := rulebooktest.Config{Seats: []int{2}, Games: 4, Truths: rulebooktest.Believed(tiny.Rulebook)}
	cfg.Truths["all-chose"] = func(r *rulebooktest.Refused) bool { return len(r.Legal()) > 1 }
	require.Contains(t, strings.Join(rulebooktest.Faults(tiny.Rulebook, cfg), "\n"),
		"is refused, but it is not so: all-chose")
	delete(cfg.Truths, "all-chose")
	require.Contains(t, strings.Join(rulebooktest.Faults(tiny.Rulebook, cfg), "\n"), "a row for every code")
}

// The suite reports what it finds, and a test that runs it fails with that.
func TestAFaultFailsTheTestThatRunsTheSuite(t *testing.T) {
	const variable = "POSTHORN_FAULT"
	if os.Getenv(variable) != "" {
		rulebooktest.Run(t, lazy{tiny.Rulebook},
			rulebooktest.Config{Seats: []int{2}, Truths: rulebooktest.Believed(tiny.Rulebook)})
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestAFaultFailsTheTestThatRunsTheSuite$")
	cmd.Env = append(os.Environ(), variable+"=1")
	out, err := cmd.CombinedOutput()
	require.Error(t, err, "the suite passes")
	require.Contains(t, string(out), "Blind never changed")
}
