package rulebooks_test

import (
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
)

// described is what comments in the source of the domain say of its types and of their fields, and what values a type
// has, by their full names.
type described struct {
	says   map[string]string
	values map[string][]string
}

func describes(t testing.TB) described {
	t.Helper()
	d := described{map[string]string{}, map[string][]string{}}
	require.NoError(t, filepath.WalkDir("..", func(path string, f fs.DirEntry, err error) error {
		if err != nil || f.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		of := filepath.ToSlash(filepath.Join("posthorn/domain/rulebooks", filepath.Dir(path))) + "."
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.GenDecl); ok {
				d.read(of, decl)
			}
		}
		return nil
	}))
	return d
}

func (d described) read(of string, decl *ast.GenDecl) {
	for _, s := range decl.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			d.says[of+s.Name.Name] = plain(decl.Doc, s.Doc)
			if within, ok := s.Type.(*ast.StructType); ok {
				for _, f := range within.Fields.List {
					for _, n := range f.Names {
						d.says[of+s.Name.Name+"."+n.Name] = plain(f.Doc, f.Comment)
					}
				}
			}
		case *ast.ValueSpec:
			name, typed := s.Type.(*ast.Ident)
			for _, v := range s.Values {
				if v, ok := v.(*ast.BasicLit); ok && typed && v.Kind == token.STRING {
					d.values[of+name.Name] = append(d.values[of+name.Name], strings.Trim(v.Value, `"`))
				}
			}
		}
	}
}

// plain returns what comments say, in one line and without links.
func plain(groups ...*ast.CommentGroup) string {
	var out []string
	p := comment.Parser{LookupSym: func(string, string) bool { return true }}
	for _, g := range groups {
		out = append(out, strings.Fields(string((&comment.Printer{TextWidth: -1}).Text(p.Parse(g.Text()))))...)
	}
	return strings.Join(out, " ")
}

func nameOf(t reflect.Type) string { return t.PkgPath() + "." + t.Name() }

// as says how a value is written; "" if only its comment does.
func (d described) as(t reflect.Type) string {
	if words := d.values[nameOf(t)]; words != nil {
		return strings.Join(words, " | ")
	}
	switch t {
	case reflect.TypeFor[time.Time]():
		return "time"
	case reflect.TypeFor[domain.PersonID]():
		return "person"
	case reflect.TypeFor[domain.Seat]():
		return "seat"
	case reflect.TypeFor[domain.Key]():
		return "64 hex digits"
	case reflect.TypeFor[[]byte]():
		return "base64"
	}
	switch kind := t.Kind(); {
	case kind == reflect.Pointer:
		return d.as(t.Elem())
	case kind == reflect.Map:
		return "{name: " + d.as(t.Elem()) + "}"
	case kind == reflect.Slice && d.as(t.Elem()) != "":
		return "list of " + d.as(t.Elem())
	case kind == reflect.Struct && fieldsOf(t) != nil && t.PkgPath() == "posthorn/domain":
		return "*" + strings.ToLower(strings.TrimPrefix(t.Name(), "Table")) + "*"
	case t.PkgPath() != "":
		return ""
	case kind == reflect.Bool:
		return "true"
	case kind == reflect.String:
		return "text"
	case kind >= reflect.Int && kind <= reflect.Uint64:
		return "number"
	}
	return ""
}

// members writes the members of what is written as an object, with those that a game's own objects hold.
func (d described) members(b *strings.Builder, t reflect.Type, indent string) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if m, ok := reflect.PointerTo(t).MethodByName("Written"); ok {
		d.members(b, m.Type.Out(0), indent)
		return
	}
	for f := range t.Fields() {
		name, more, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			d.members(b, f.Type, indent)
			continue
		case name == "" || name == "-":
			continue
		case more != "":
			name += "?"
		case f.Type.Kind() == reflect.Bool:
			name += " false |"
		}
		line := strings.TrimRight(indent+name+" "+d.as(f.Type), " ")
		if says := d.says[nameOf(t)+"."+f.Name]; says != "" {
			line += ": " + strings.TrimSuffix(says, ".")
		}
		b.WriteString(line + "\n")
		if t.PkgPath() != "posthorn/domain" && fieldsOf(f.Type) != nil {
			d.members(b, f.Type, indent+"  ")
		}
	}
}

// head writes the names of a type and what it is.
func (d described) head(b *strings.Builder, t reflect.Type, names ...string) {
	fmt.Fprintf(b, "\n%s\n  %s\n", strings.Join(names, ", "), d.says[nameOf(t)])
}

const describedHead = `Every type of event, with the members of its data (of its body in a game's) and of its secret parts. A test writes this
list from the comments in the program's source.

A member with ? is left out if it is empty, nothing, 0 or false. Where no form is given, the comment says it. A time is
RFC 3339 text in UTC, a person an id, a seat its number, a number a whole one. *words* are objects, which come after the
events of the table. "nil" is null, or a member that is left out.
`

// What stands in no record, or says nothing.
const describedMore = `
line.forked.v1
  The first event of a line after a rewind: {}. It changes nothing of the game.

seat.ordered.v1, seat.obeyed.v1
  Standing orders: {}, with one part for the seat; in no record.

person.forgotten.v1, person.withdrawn.v1, person.banned.v1, person.unbanned.v1
  In the house's stream; in no record. Each has person; withdrawn has epoch, banned perhaps a reason (base64, encrypted).

house.took-over.v2 (before 0.9: .v1)
  In the house's stream; in no record: another server of the house writes the log from here on. It has term.
`

// docs/tables/events.txt describes every type of event. POSTHORN_GOLDEN=write writes it anew.
func TestEveryTypeOfEventIsDescribed(t *testing.T) {
	const file = "../../docs/tables/events.txt"
	d, objects := describes(t), map[string]reflect.Type{}
	var b strings.Builder
	b.WriteString(describedHead)
	named := map[string][]string{}
	types := domain.TableEventTypes()
	for name, typ := range types {
		named[typ.Name()] = append(named[typ.Name()], name)
	}
	for _, names := range slices.SortedFunc(maps.Values(named), func(a, b []string) int {
		return strings.Compare(slices.Min(a), slices.Min(b))
	}) {
		slices.Sort(names)
		d.head(&b, types[names[0]], names...)
		d.members(&b, types[names[0]], "  ")
		within(types[names[0]], objects)
	}
	for _, name := range slices.Sorted(maps.Keys(objects)) {
		d.head(&b, objects[name], name)
		d.members(&b, objects[name], "  ")
	}
	for _, rb := range rulebooks.All() {
		for _, typ := range rb.Codec().Types {
			body := reflect.TypeOf(typ.Body()).Elem()
			d.head(&b, body, rb.Name()+"."+typ.Name, rb.Name()+"."+typ.CountedAs+" (with points)")
			d.members(&b, body, "  ")
			if typ.Secret != nil {
				part := reflect.TypeOf(typ.Secret()).Elem()
				fmt.Fprintf(&b, "  Secret parts: %s\n", d.says[nameOf(part)])
				d.members(&b, part, "    ")
			}
		}
	}
	b.WriteString(describedMore)
	if os.Getenv("POSTHORN_GOLDEN") == "write" {
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o600))
	}
	stands, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(stands), b.String())
}

// within adds the objects of the domain that a type holds, by their names.
func within(t reflect.Type, objects map[string]reflect.Type) {
	for _, f := range fieldsOf(t) {
		of := f.typ
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		if of.Kind() == reflect.Struct && fieldsOf(of) != nil {
			objects["*"+strings.ToLower(strings.TrimPrefix(of.Name(), "Table"))+"*"] = of
			within(of, objects)
		}
	}
}
