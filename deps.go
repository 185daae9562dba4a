package main

import (
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"
)

var _ = ast.Inspect

func main() {
	cfg := &packages.Config{Mode: packages.LoadAllSyntax, Tests: true, Dir: "/tmp/wt/rooms"}
	cfg.Mode = packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps
	if len(os.Args) > 1 {
		cfg.BuildFlags = []string{"-tags", os.Args[1]}
	}
	pkgs, err := packages.Load(cfg, "./cmd/posthorn")
	if err != nil {
		panic(err)
	}
	for _, p := range pkgs {
		if !strings.Contains(p.ID, "[") || strings.HasSuffix(p.PkgPath, ".test") {
			continue
		}
		deps := map[string]map[string]map[string]bool{}
		for id, obj := range p.TypesInfo.Uses {
			if obj.Pkg() != p.Types || obj.Parent() != nil && obj.Parent() != p.Types.Scope() {
				continue
			}
			name := obj.Name()
			if v, ok := obj.(*types.Var); ok && v.IsField() {
				name = "." + name
			} else if f, ok := obj.(*types.Func); ok && f.Signature().Recv() != nil {
				name = "()." + name
			} else if obj.Parent() == nil {
				continue
			}
			from := filepath.Base(p.Fset.Position(id.Pos()).Filename)
			to := filepath.Base(p.Fset.Position(obj.Pos()).Filename)
			if from == to {
				continue
			}
			if deps[from] == nil {
				deps[from] = map[string]map[string]bool{}
			}
			if deps[from][to] == nil {
				deps[from][to] = map[string]bool{}
			}
			deps[from][to][name] = true
		}
		var fs []string
		for _, f := range p.Syntax {
			fs = append(fs, filepath.Base(p.Fset.Position(f.Pos()).Filename))
		}
		sort.Strings(fs)
		for _, f := range fs {
			fmt.Println("##", f)
			var ts []string
			for t := range deps[f] {
				ts = append(ts, t)
			}
			sort.Strings(ts)
			for _, t := range ts {
				var ns []string
				for n := range deps[f][t] {
					ns = append(ns, n)
				}
				sort.Strings(ns)
				fmt.Printf("   %s: %s\n", t, strings.Join(ns, " "))
			}
		}
	}
}
