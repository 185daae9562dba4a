package rulebooks_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/rulebooks"
)

// files says where a game has each method of its rooms: in the same file of the same room in every game.
var files = map[string]string{
	"New": "state/state.go", "Clone": "state/state.go", "CopyOver": "state/state.go", "Evolve": "state/evolve.go",
	"View": "state/view.go", "Stopped": "state/view.go", "Codec": "state/codec.go",

	"Setup": "rules/setup.go", "Blind": "rules/deal.go", "Reshuffle": "rules/deal.go",
	"Uncovered": "rules/uncovered.go",
	"Decide":    "rules/decide.go", "DecideOver": "rules/decide.go", "Awaited": "rules/legal.go",
	"Legal": "rules/legal.go", "PickLegal": "rules/legal.go", "Forms": "rules/legal.go",
	"Standing": "rules/standing.go", "Value": "rules/value.go", "Obey": "rules/orders.go",
	"OrderFor": "rules/orders.go", "OrderForms": "rules/order_form.go", "Chains": "rules/chains.go",
	"Forced": "rules/forced.go", "Chances": "rules/accounts.go", "Goods": "rules/accounts.go",
	"Sources":     "rules/accounts.go",
	"PointsAfter": "rules/standing.go", "Estimate": "rules/estimate.go", "Turn": "rules/estimate.go",
	"Thrown": "rules/thrown.go", "Answers": "rules/answers.go",

	"ParseMove": "notation/parse.go", "Recall": "notation/parse.go", "FormatMove": "notation/format.go",
	"Begins": "notation/parse.go", "Means": "notation/parse.go", "ReadOrder": "notation/orders.go",
	"ShowOrder": "notation/orders.go", "Reword": "notation/parse.go", "Described": "notation/described.go",

	"Facts": "show/facts.go",
	"Steps": "show/steps.go", "Draw": "show/draw.go", "Describe": "show/describe.go",
	"Cards":    "show/cards.go",
	"Outcomes": "show/outcomes.go", "Asked": "show/asked.go", "Tally": "show/tally.go", "Deeds": "show/tally.go",
	"Pictured": "show/tally.go",
	"Tell":     "show/tell.go", "TellOrder": "show/tell.go",
}

// knows says which rooms of its game a room may know.
var knows = map[string][]string{
	"table":    nil,
	"state":    {"table"},
	"notation": {"table", "state"},
	"rules":    {"table", "state", "notation"},
	"show":     {"table", "state", "notation"},
}

// Every method that a room may have has a file: those of the kit's rooms, and of what only some games have.
func TestEachMethodOfARoomHasItsFile(t *testing.T) {
	var methods []string
	for _, name := range []string{"rooms.go", "extras.go"} {
		kit, err := parser.ParseFile(token.NewFileSet(), "../kit/"+name, nil, 0)
		require.NoError(t, err)
		functions := func(list *ast.FieldList) {
			for _, m := range list.List {
				if _, ok := m.Type.(*ast.FuncType); ok {
					methods = append(methods, m.Names[0].Name)
				}
			}
		}
		ast.Inspect(kit, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.InterfaceType:
				functions(n.Methods)
			case *ast.StructType:
				functions(n.Fields)
			}
			return true
		})
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(files)), methods)
}

// The games have the same rooms, with the same method in the same file, and a room knows no other that it should not:
// state knows neither rules nor notation nor show.
func TestGamesHaveTheSameRooms(t *testing.T) {
	roomy := 0
	for _, rb := range rulebooks.All() {
		game := filepath.Join("..", rb.Name())
		if _, err := os.Stat(filepath.Join(game, "table")); err != nil {
			continue // a game in one package
		}
		roomy++
		t.Run(rb.Name(), func(t *testing.T) {
			entries, err := os.ReadDir(game)
			require.NoError(t, err)
			var rooms []string
			for _, e := range entries {
				if e.IsDir() && e.Name() != "testdata" {
					rooms = append(rooms, e.Name())
				}
			}
			require.ElementsMatch(t, slices.Collect(maps.Keys(knows)), rooms)
			for _, room := range rooms {
				sources, err := filepath.Glob(filepath.Join(game, room, "*.go"))
				require.NoError(t, err)
				for _, path := range sources {
					if !strings.HasSuffix(path, "_test.go") {
						inItsRoom(t, rb.Name(), room, path)
					}
				}
			}
		})
	}
	require.GreaterOrEqual(t, roomy, 2)
}

// inItsRoom checks what one file imports and which methods of its room it has.
func inItsRoom(t *testing.T, game, room, path string) {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	require.NoError(t, err)
	here := room + "/" + filepath.Base(path)
	for _, i := range f.Imports {
		to, err := strconv.Unquote(i.Path.Value)
		require.NoError(t, err)
		if of, ok := strings.CutPrefix(to, "posthorn/domain/"+game); ok {
			require.Contains(t, knows[room], strings.TrimPrefix(of, "/"), "%s of %s knows a room that it should not",
				here, game)
		}
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv == nil {
			continue
		}
		receiver := fn.Recv.List[0].Type
		if pointer, ok := receiver.(*ast.StarExpr); ok {
			receiver = pointer.X
		}
		of, ok := receiver.(*ast.Ident)
		if where := files[fn.Name.Name]; ok && of.Name == "Room" && where != "" {
			require.Equal(t, where, here, "%s of %s", fn.Name.Name, game)
		}
	}
}
