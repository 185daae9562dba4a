package script

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooktest/tiny"
)

func find(name string) (domain.Rulebook, bool) { return tiny.Rulebook, name == "tiny" }

// text makes a script from lines.
func text(lines ...string) []byte { return []byte(strings.Join(lines, "\n")) }

// played returns all results of a script, and the fault that ended it, if any.
func played(t *testing.T, src []byte) ([]Result, error) {
	t.Helper()
	s, err := Parse(src, find)
	require.NoError(t, err)
	var all []Result
	for r, err := range s.Play(domain.NewThrowaway(99)) {
		if err != nil {
			return all, err
		}
		all = append(all, r)
	}
	return all, nil
}

func printed(t *testing.T, r Result) map[string]any {
	t.Helper()
	line, err := r.AppendJSON(nil, nil)
	require.NoError(t, err)
	var out map[string]any
	require.NoError(t, json.Unmarshal(line, &out))
	return out
}

func TestAScriptIsPlayedLineByLine(t *testing.T) {
	results, err := played(t, text(
		"# the whole form at work",
		"game tiny          # a comment at the end",
		"option rounds 1",
		"seat Ana",
		"seat Bo Lee",
		`given {"hands":[3,9]}`,
		"",
		"\tchance die 4\t# for the roll",
		"Ana: keep # she has the lower card",
		"bo lee: peek Ana",
		"Ana:roll",
	))
	require.NoError(t, err)
	require.Len(t, results, 3)

	first, err := results[0].AppendJSON(nil, nil)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(first),
		`{"line":9,"seat":"Ana","ok":true,"scores":[0,0],"final":[2,2],"ended":false,"awaited":["Bo Lee"],"state":{"round":1,`), string(first))

	last, err := results[2].AppendJSON(nil, nil)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(last),
		`{"line":11,"seat":"Ana","ok":true,"scores":[0,4],"final":[2,4],"ended":true,"awaited":[],"state":{`),
		string(last))
	require.Equal(t, "Bo Lee", results[1].Name, "as the seat was named")
	require.NotEmpty(t, results[2].Told())
}

func TestARefusedMoveChangesNothingAndPlayGoesOn(t *testing.T) {
	results, err := played(t, text("game tiny", "seat Ana", "seat Bo", "seed 7", "chance die 6",
		"Ana: roll", "Ana: fly to the moon", "Ana:", "Ana: #", "Ana: keep", "Ana: keep", "Bo: keep", "Bo: roll",
		"Ana: roll"))
	require.NoError(t, err)
	var ok []bool
	for _, r := range results {
		ok = append(ok, r.Err == nil)
	}
	require.Equal(t, []bool{false, false, false, false, true, false, true, false, true}, ok)

	refused := printed(t, results[0])
	require.Equal(t, false, refused["ok"])
	require.Equal(t, "not-all-chose", refused["error"])
	require.Equal(t, refused["state"], printed(t, results[3])["state"], "nothing changed")
	require.NotContains(t, printed(t, results[4]), "error")
	require.EqualValues(t, 6, printed(t, results[8])["state"].(map[string]any)["die"])
	require.Nil(t, results[0].Told())
	require.Equal(t, "said", results[0].Reason(func(domain.Say) string { return "said" }))
	line, err := results[0].AppendJSON(nil, nil)
	require.NoError(t, err)
	require.Contains(t, string(line), `"ok":false,"error":"not-all-chose","scores":`)
}

func TestAMoveOfASeatThatIsNotAwaitedIsRefused(t *testing.T) {
	results, err := played(t, text("game tiny", "seat Ana", "seat Bo", "Ana: keep", "Ana: swap"))
	require.NoError(t, err)
	refusal, ok := domain.AsRefusal(results[1].Err)
	require.True(t, ok)
	require.Equal(t, "not-awaited", refusal.Code)
}

func TestASeatMayBeNamedByItsLetter(t *testing.T) {
	results, err := played(t, text("game tiny", "seat Ana", "seat Bo", "A: keep", "b: keep"))
	require.NoError(t, err)
	require.Equal(t, []string{"Ana", "Bo"}, []string{results[0].Name, results[1].Name})
	require.NoError(t, results[0].Err)
	require.NoError(t, results[1].Err)
}

func TestAScriptOfSettingsAloneHasItsPosition(t *testing.T) {
	results, err := played(t, text("game tiny", "seat Ana", "seat Bo", `given {"hands":[3,9]}`, "", "# no move"))
	require.NoError(t, err)
	require.Len(t, results, 1)
	row := printed(t, results[0])
	require.EqualValues(t, 6, row["line"])
	require.Equal(t, true, row["ok"])
	require.Equal(t, "", row["seat"])
	require.Equal(t, []any{3.0, 9.0}, row["state"].(map[string]any)["hands"])
}

func TestTheLegalMovesAfterAResultAreListed(t *testing.T) {
	s, err := Parse(text("game tiny", "seat Ana", "seat Bo", "Ana: keep"), find)
	require.NoError(t, err)
	for r, err := range s.Play(domain.NewThrowaway(1)) {
		require.NoError(t, err)
		legal := r.LegalMoves()
		require.Len(t, legal, 1)
		require.Equal(t, "Bo", legal[0].Name)
		require.Contains(t, legal[0].Moves, "keep")
		row, err := r.AppendJSON(nil, nil, legal...)
		require.NoError(t, err)
		require.Contains(t, string(row), `"legal":["`)
	}
}

func TestASeatsViewTellsNoMoreThanTheSeatMayKnow(t *testing.T) {
	s, err := Parse(text("game tiny", "seat Ana", "seat Bo", `given {"hands":[3,9]}`, "Ana: peek Bo", "Bo: keep"), find)
	require.NoError(t, err)
	n := 0
	for r, err := range s.Play(domain.NewThrowaway(1)) {
		require.NoError(t, err)
		require.NoError(t, r.Err)
		all := len(r.Told())
		r.As(domain.ViewOf(1))
		line, err := r.AppendJSON(nil, nil)
		require.NoError(t, err)
		require.NotContains(t, string(line), `[3,`, "Bo does not know Ana's card")
		if n == 0 {
			require.Less(t, len(r.Told()), all, "what Ana saw is hers")
			require.Len(t, r.LegalMoves(), 1)
		}
		n++
	}
	seat, ok := s.Seat("b")
	require.True(t, ok)
	require.Equal(t, domain.Seat(1), seat)
	_, ok = s.Seat("Cy")
	require.False(t, ok)
}

func TestTheSameSeedGivesTheSameChance(t *testing.T) {
	state := func(seed string) any {
		results, err := played(t, text("game tiny", "seat Ana", "seat Bo", seed, "Ana: swap"))
		require.NoError(t, err)
		return printed(t, results[0])["state"]
	}
	require.Equal(t, state("seed 5"), state("seed 5"))
	require.NotEqual(t, state("seed 5"), state("seed 6"))
}

func TestOutcomesOfEachKindAreUsedInTheirOwnOrder(t *testing.T) {
	// Given outcomes of two kinds, all after the moves that need them,
	results, err := played(t, text("game tiny", "option rounds 2", "seat Ana", "seat Bo",
		"Ana: keep", "Bo: keep", "Ana: roll", "Ana: swap", "Bo: keep", "Bo: roll",
		"chance die 2", "chance die 5", "chance stack 1 2 3 4 5"))
	require.NoError(t, err)
	state := func(i int) map[string]any { return printed(t, results[i])["state"].(map[string]any) }
	// then each kind is used in its own order: the stack at the deal, one die per roll.
	require.Equal(t, []any{1.0, 2.0}, state(0)["hands"])
	require.EqualValues(t, 2, state(2)["die"])
	require.Equal(t, []any{3.0, 4.0}, state(2)["hands"])
	require.Equal(t, []any{5.0, 4.0}, state(3)["hands"])
	require.EqualValues(t, 5, state(5)["die"])
}

func TestAnImpossibleOutcomeEndsTheRunAtItsOwnLine(t *testing.T) {
	results, err := played(t, text("game tiny", "seat Ana", "seat Bo", "Ana: keep", "Bo: keep", "Ana: roll",
		"chance die 7"))
	require.Len(t, results, 2, "what was played before stands")
	var fault *Error
	require.True(t, errors.As(err, &fault))
	require.Equal(t, 7, fault.Line)
	require.Equal(t, 1, strings.Count(err.Error(), "line 7"), err.Error())

	results, err = played(t, text("game tiny", "seat Ana", "seat Bo", "chance stack 1 1", "Ana: keep"))
	require.Empty(t, results)
	require.True(t, errors.As(err, &fault))
	require.Equal(t, 4, fault.Line)
}

func TestAPositionThatCannotBeEndsTheRunAtItsLine(t *testing.T) {
	for _, given := range []string{`{"hands":[3,3]}`, `{"nonsense":1}`, `{"hands":[3]}`, `{"round":"x"}`,
		`{"stack":[1]}`} {
		_, err := played(t, text("game tiny", "seat Ana", "seat Bo", "given "+given, "Ana: keep"))
		var fault *Error
		require.True(t, errors.As(err, &fault), given)
		require.Equal(t, 4, fault.Line)
	}
}

func TestAHashInsideThePositionIsPartOfIt(t *testing.T) {
	s, err := Parse(text("game tiny", "seat Ana", "seat Bo", `given {"roller": "B #"}   # a comment`), find)
	require.NoError(t, err)
	require.JSONEq(t, `{"roller":"B #"}`, string(s.Given))
}

func TestMalformedLinesAreNamed(t *testing.T) {
	head := []string{"game tiny", "seat Ana", "seat Bo"}
	for name, c := range map[string]struct {
		line  int
		lines []string
	}{
		"no game":                    {2, []string{"seat Ana", "seat Bo"}},
		"a game nobody knows":        {1, []string{"game chess"}},
		"two games":                  {4, append(head[:3:3], "game tiny")},
		"an option of one word":      {4, append(head[:3:3], "option rounds")},
		"an unknown option":          {4, append(head[:3:3], "option colour red")},
		"an option's wrong value":    {5, append(head[:3:3], "", "option rounds 9")},
		"an option twice":            {5, append(head[:3:3], "option rounds 1", "option rounds 2")},
		"a seat without a name":      {4, append(head[:3:3], "seat")},
		"a seat with a colon":        {4, append(head[:3:3], "seat C:D")},
		"a seat like a setting":      {4, append(head[:3:3], "seat given name")},
		"another's letter":           {3, []string{"game tiny", "seat Ana", "seat A"}},
		"a letter of no seat":        {4, append(head[:3:3], "C: keep")},
		"a name twice":               {4, append(head[:3:3], "seat ANA")},
		"no seats":                   {1, []string{"game tiny"}},
		"too few seats":              {2, []string{"game tiny", "seat Ana", "# no more"}},
		"too many seats":             {6, append(head[:3:3], "seat C", "seat D", "seat E")},
		"a seed that is no number":   {4, append(head[:3:3], "seed x")},
		"a negative seed":            {4, append(head[:3:3], "seed -1")},
		"two seeds":                  {5, append(head[:3:3], "seed 1", "seed 1")},
		"a position that is no JSON": {4, append(head[:3:3], "given {")},
		"a position of two values":   {4, append(head[:3:3], "given {} {}")},
		"a list for a position":      {4, append(head[:3:3], "given []")},
		"no position":                {4, append(head[:3:3], "given")},
		"two positions":              {5, append(head[:3:3], "given {}", "given {}")},
		"chance of nothing":          {4, append(head[:3:3], "chance")},
		"chance of no kind":          {4, append(head[:3:3], "chance 4")},
		"a kind without outcome":     {4, append(head[:3:3], "chance die")},
		"an unknown name":            {4, append(head[:3:3], "Cy: keep")},
		"neither setting nor move":   {4, append(head[:3:3], "keep")},
		"a setting after a move":     {5, append(head[:3:3], "Ana: keep", "option rounds 1")},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse(text(c.lines...), find)
			var fault *Error
			require.True(t, errors.As(err, &fault), "%v", err)
			require.Equal(t, c.line, fault.Line, err.Error())
		})
	}
}

func TestOtherSystemsLineEndsAndByteOrderMarksAreRead(t *testing.T) {
	results, err := played(t, []byte("\xef\xbb\xbfgame tiny\r\nseat Ana\r\nseat Bo\r\nAna: keep\r\n"))
	require.NoError(t, err)
	require.Equal(t, 4, results[0].Line)
	require.NoError(t, results[0].Err)
}

// oneKind is a rulebook with one kind of chance, and noKinds one with none.
type oneKind struct{ domain.Rulebook }

func (oneKind) ChanceKinds() []string { return []string{"die"} }

type noKinds struct{ domain.Rulebook }

func (noKinds) ChanceKinds() []string { return nil }

func TestTheKindMayBeLeftOutWhereThereIsOnlyOne(t *testing.T) {
	for words, want := range map[string][2]string{"4": {"die", "4"}, "die 4": {"die", "4"}, "DIE 4": {"die", "4"},
		"2 or 3": {"die", "2 or 3"}} {
		kind, rest, err := Chance(oneKind{tiny.Rulebook}, words)
		require.NoError(t, err)
		require.Equal(t, want, [2]string{kind, rest})
	}
	_, _, err := Chance(noKinds{tiny.Rulebook}, "die 4")
	require.ErrorContains(t, err, "has no chance")
}

func FuzzScript(f *testing.F) {
	f.Add([]byte("game tiny\nseat A\nseat B\ngiven {\"hands\":[1,2]}\nchance die 3\nA: keep # x\nB: peek A\nA: roll"))
	f.Add([]byte("game tiny\nseat A\nseat B\nseed 3\noption low on\nA: peek B\nB: swap\nA: roll\nA: keep\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		s, err := Parse(src, find)
		var fault *Error
		if err != nil {
			require.True(t, errors.As(err, &fault))
			require.Positive(t, fault.Line)
			return
		}
		for r, err := range s.Play(domain.NewThrowaway(1)) {
			if err != nil {
				require.True(t, errors.As(err, &fault))
				return
			}
			_, err = r.AppendJSON(nil, nil)
			require.NoError(t, err)
		}
	})
}
