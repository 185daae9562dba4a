package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
)

// place is a node of the source that can be made wrong in one or several ways.
type place struct {
	pkg, file string
	line      int
	faults    []fault
}

// fault replaces the bytes from..end of a file.
type fault struct {
	from, end int
	to, what  string
}

// other is what an operator is mistaken for.
var other = map[token.Token][]token.Token{
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL}, token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR}, token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
	token.AND: {token.OR}, token.OR: {token.AND}, token.SHL: {token.SHR}, token.SHR: {token.SHL}, token.INC: {token.DEC}, token.DEC: {token.INC},
}

// placesIn adds the places of a file.
func placesIn(places []place, pkg, file string) ([]place, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(tree) {
		return places, err
	}
	at := func(p token.Pos) int { return set.Position(p).Offset }
	text := func(n ast.Node) string { return string(source[at(n.Pos()):at(n.End())]) }
	swap := func(from, end token.Pos, to string) fault {
		was, _, _ := strings.Cut(string(source[at(from):at(end)]), "\n")
		return fault{at(from), at(end), to, fmt.Sprintf("%q for %q", to, was)}
	}
	add := func(p token.Pos, faults ...fault) {
		places = append(places, place{pkg, file, set.Position(p).Line, faults})
	}
	operator := func(p token.Pos, op token.Token) {
		for _, to := range other[op] {
			add(p, swap(p, p+token.Pos(len(op.String())), to.String()))
		}
	}
	leave := func(list []ast.Stmt) { // each statement out that does something
		for _, s := range list {
			switch s := s.(type) {
			case *ast.AssignStmt:
				if s.Tok != token.DEFINE {
					add(s.Pos(), swap(s.Pos(), s.End(), ""))
				}
			case *ast.ExprStmt, *ast.IncDecStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt, *ast.BranchStmt:
				add(s.Pos(), swap(s.Pos(), s.End(), ""))
			}
		}
	}
	succeed := func(t *ast.FuncType, body *ast.BlockStmt) { // where an error is returned
		if body == nil || t.Results == nil || text(t.Results.List[len(t.Results.List)-1].Type) != "error" {
			return
		}
		ast.Inspect(body, func(n ast.Node) bool {
			if r, ok := n.(*ast.ReturnStmt); ok && len(r.Results) == t.Results.NumFields() {
				if e := r.Results[len(r.Results)-1]; text(e) != "nil" {
					add(r.Pos(), swap(e.Pos(), e.End(), "nil"))
				}
			}
			_, inner := n.(*ast.FuncLit)
			return !inner
		})
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			operator(n.OpPos, n.Op)
		case *ast.IncDecStmt:
			operator(n.TokPos, n.Tok)
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				add(n.OpPos, swap(n.OpPos, n.OpPos+1, ""))
			}
		case *ast.BasicLit:
			if v, err := strconv.ParseInt(n.Value, 0, 64); n.Kind == token.INT && err == nil {
				add(n.Pos(), swap(n.Pos(), n.End(), strconv.FormatInt(v+1, 10)), swap(n.Pos(), n.End(), strconv.FormatInt(v-1, 10)))
			}
		case *ast.Ident:
			if not := map[string]string{"true": "false", "false": "true"}[n.Name]; not != "" {
				add(n.Pos(), swap(n.Pos(), n.End(), not))
			}
		case *ast.IfStmt:
			c := n.Cond
			add(c.Pos(), swap(c.Pos(), c.End(), "!("+text(c)+")"), swap(c.Pos(), c.End(), "true || ("+text(c)+")"), swap(c.Pos(), c.End(), "false && ("+text(c)+")"))
		case *ast.FuncDecl:
			succeed(n.Type, n.Body)
		case *ast.FuncLit:
			succeed(n.Type, n.Body)
		case *ast.BlockStmt:
			leave(n.List)
		case *ast.CaseClause:
			leave(n.Body)
			add(n.Pos(), swap(n.Pos(), n.End(), ""))
		case *ast.CommClause:
			leave(n.Body)
			add(n.Pos(), swap(n.Pos(), n.End(), ""))
		}
		return true
	})
	return places, nil
}
