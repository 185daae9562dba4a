package kit_test

import (
	"encoding/json"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/kit"
	"posthorn/domain/languages"
)

func TestWordsMeanWhatTheTableSays(t *testing.T) {
	typed := func(text string) kit.Vocabulary {
		return kit.ReadTyped(fstest.MapFS{"words/typed.json": {Data: []byte(text)}}, "game").Words("verbs")
	}
	v := typed(`{"verbs": {"roll": ["lançar", "rzuć"], "keep": ["ficar"]}, "cards": {"keep": []}}`)
	require.Equal(t, kit.Vocabulary{"roll": "roll", "lancar": "roll", "rzuc": "roll", "keep": "keep", "ficar": "keep"},
		v)
	require.Panics(t, func() { typed(`{"verbs": {"a": ["x"], "b": ["X"]}}`) })
	require.Panics(t, func() { typed(`{"verbs": 1}`) })
	require.Panics(t, func() { kit.ReadTyped(fstest.MapFS{}, "game") })
	require.Equal(t, 4, kit.Meant(v, func(meaning string) int { return len(meaning) })["lancar"])
}

func TestACatalogueHasEveryLanguage(t *testing.T) {
	files := fstest.MapFS{}
	require.Panics(t, func() { kit.Catalogue(files, "game") })
	for _, lang := range languages.Complete() {
		files["words/"+lang+".json"] = &fstest.MapFile{Data: []byte(`{"name": "` + lang + `", "given.list": "a list"}`)}
	}
	var words map[string]any
	require.NoError(t, json.Unmarshal(kit.Catalogue(files, "game")["pt-PT"], &words))
	require.Equal(t, "pt-PT", words["name"])
	require.Equal(t, "a list", words["given.list"], "the game's word")
	for _, key := range []string{"json", "unknown", "twice", "number", "word", "text", "list", "object", "switch",
		"long", "length"} {
		require.NotEmpty(t, words["given."+key], key)
	}
	files["words/pl.json"].Data = []byte("{")
	require.Panics(t, func() { kit.Catalogue(files, "game") })
}

// german adds a language in part, as long as a test runs, with its files.
func german(t *testing.T, files fstest.MapFS) {
	t.Helper()
	files["gsw/language.json"] = &fstest.MapFile{Data: []byte(`{"fallback": "en"}`)}
	more, err := languages.Read(files)
	require.NoError(t, err)
	known := languages.Known
	t.Cleanup(func() { languages.Known = known })
	languages.Known = slices.Concat(known, more)
}

func TestALanguageHasAGamesTextsInItsOwnFolder(t *testing.T) {
	german(t, fstest.MapFS{"gsw/game.json": {Data: []byte(`{"name": "Spiel"}`)},
		"gsw/kit.json": {Data: []byte(`{"name": "Bausatz", "given.text": "ein Text"}`)}})
	files := fstest.MapFS{}
	for _, lang := range languages.Complete() {
		files["words/"+lang+".json"] = &fstest.MapFile{Data: []byte(`{"name": "` + lang + `", "about": "a game"}`)}
	}
	all := kit.Catalogue(files, "game")
	require.JSONEq(t, `{"name": "Spiel", "given.text": "ein Text"}`, string(all["gsw"]))
	require.Contains(t, string(all["pl"]), `"name":"pl"`)
	files["words/gsw.json"] = &fstest.MapFile{Data: []byte(`{"name": "hidden", "about": "ein Spiel"}`)}
	require.JSONEq(t, `{"name": "Spiel", "about": "ein Spiel", "given.text": "ein Text"}`,
		string(kit.Catalogue(files, "game")["gsw"]), "a game may have some too")
}

func TestALanguageHasWordsToTypeInItsOwnFolder(t *testing.T) {
	game := fstest.MapFS{"words/typed.json": {Data: []byte(`{"verbs": {"roll": ["rzuć"], "keep": []}}`)}}
	german(t, fstest.MapFS{"gsw/typed.json": {Data: []byte(`{"game": {"verbs": {"roll": ["Würfeln"]}}}`)}})
	require.Equal(t, kit.Vocabulary{"roll": "roll", "rzuc": "roll", "wurfeln": "roll", "keep": "keep"},
		kit.ReadTyped(game, "game").Words("verbs"))
	require.NotContains(t, kit.ReadTyped(game, "another").Words("verbs"), "wurfeln")
	means := kit.Typed{"verbs": {"roll": {"rola", "las"}}, "lands": {"wood": {"las"}}}.Means("verbs", "lands")
	require.Equal(t, []string{"roll", "roll", "", ""}, []string{means("rola"), means("roll"), means("las"), means("x")},
		"a word of two meanings has none")
	for _, wrong := range []string{`{"verbs": {"rol": ["x"]}}`, `{"verb": {"roll": ["x"]}}`, `{"verbs": 1}`} {
		german(t, fstest.MapFS{"gsw/typed.json": {Data: []byte(`{"game": ` + wrong + `}`)}})
		require.Panics(t, func() { kit.ReadTyped(game, "game") }, wrong)
	}
}

func TestAMoveIsReadAsOneOfAllThereAre(t *testing.T) {
	moves := []string{"keep", "peek A", "peek B", "peek C"}
	format := func(m string, _ []string) string { return m }
	read := func(text string) (string, error) {
		return kit.ReadMove(text, []string{"Ana", " bo ba"}, kit.Vocabulary{"espiar": "peek"}, moves, format)
	}
	for text, want := range map[string]string{"PEEK  Bó  Ba": "peek B", " peek b": "peek B", "espiar ana": "peek A",
		"peek C": "peek C", "Keep": "keep"} {
		got, err := read(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "peek", "peek bo", "Ana", "keep keep", "peek D"} {
		_, err := read(text)
		require.Equal(t, domain.Refuse("unreadable", "text", text), err, text)
	}
	require.Equal(t, "Bo", kit.SeatName(1, []string{"Ana", "Bo"}))
	require.Equal(t, "C", kit.SeatName(2, []string{"Ana", "Bo"}))
}

func TestScoresAreRankedOnceTheyAreFinal(t *testing.T) {
	require.Equal(t, []int{2, 1, 4, 2}, kit.Ranks([]int{5, 7, 1, 5}))
	require.Empty(t, kit.Standing([]int{1}, []int{2}, false).Ranks)
	st := kit.Standing([]int{1, 3, 3}, []int{4, 3, 4}, true)
	require.Equal(t, []int{1, 3, 1}, st.Ranks)
	require.Equal(t, []int{1, 3, 3}, st.Scores)
	require.Equal(t, 4, st.Result[0].Args["n"])
	require.Len(t, st.Result[0].Args["seats"], 2)
}

func TestAPathIsReadAsSVGWritesIt(t *testing.T) {
	want := domain.Path{}.M(0, -1).L(2, 3).L(4, 3).L(4, 5).Q(1, 2, 3, 4).C(1, 2, 3, 4, 5.5, 6).Z()
	require.Equal(t, want, kit.Path("M0,-1 2 3 H4V5 Q1 2 3 4C1 2 3 4 5.5 6Z"))
	require.Equal(t, domain.Path{}.M(0, 0).L(1, 0).L(1, 1).Z(), kit.Poly(0, 0, 1, 0, 1, 1))
	for _, bad := range []string{"1 2", "M1", "Mx y", "M0 0 Z 1 2", "M0 0 a1 2"} {
		require.Panics(t, func() { kit.Path(bad) }, bad)
	}
}

func TestAShapeIsASpotWhereOpenAndAGhostWhereTried(t *testing.T) {
	box := kit.Edged(kit.Filled(domain.Rect(0, 0, 1, 1), 2), 3, 4)
	require.Equal(t, box, kit.Pressable(box, domain.Sketch{}, "b", 9))
	open := kit.Pressable(box, domain.Sketch{Open: []domain.Spot{{Spot: "b"}}}, "b", 9)
	require.Equal(t, "b", open.Spot)
	tried := kit.Pressable(box, domain.Sketch{Chosen: []string{"b"}}, "b", 9)
	require.Equal(t, "ghost", tried.Class)
	require.Equal(t, domain.Color(9), tried.Fill)
}

func TestAGivenPositionIsReadOrRefused(t *testing.T) {
	schema := domain.ObjectOf(map[string]*domain.Schema{"round": domain.NumberOf(1, 3),
		"free": domain.ListOf(domain.NumberOf(0, 9), 9)})
	var v struct {
		Round int
		Free  [1]string
	}
	require.NoError(t, kit.Given(json.RawMessage(`{"round":2}`), schema, &v))
	require.Equal(t, 2, v.Round)
	for _, raw := range []string{`{"round":4}`, `{"free":[1]}`, `{`} {
		refusal, ok := domain.AsRefusal(kit.Given(json.RawMessage(raw), schema, &v))
		require.True(t, ok, raw)
		require.Equal(t, "given", refusal.Code)
	}
	refused, _ := domain.AsRefusal(kit.Given(json.RawMessage(`{"round":1,"free":[1,"x"]}`), schema, &v))
	require.Equal(t, "free[1]", refused.Args["path"], "as BadGiven has it")
	one := []int{0, 0}
	lists := struct{ Lists [][]int }{[][]int{one, one}}
	lol := domain.ObjectOf(map[string]*domain.Schema{
		"Lists": domain.ListOf(domain.ListOf(domain.NumberOf(0, 9), 9), 9)})
	require.NoError(t, kit.Given(json.RawMessage(`{"Lists":[[1,2],[3,4]]}`), lol, &lists))
	require.Equal(t, [][]int{{1, 2}, {3, 4}}, lists.Lists, "though they were one list before")
	refusal, _ := domain.AsRefusal(kit.BadGiven("round", 4, "late", "most", 3))
	require.Equal(t, domain.S("given.late", "most", 3), refusal.Args["why"])
}
