package pages

import (
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template/parse"
	"time"

	"posthorn/domain"
	"posthorn/http/door"
)

// templates reads the templates into one set, so that shared parts exist only once. Each page's main part gets a name
// of its own, and stands between head and foot on that page's sheet. All sites of a process share the set.
var templates = sync.OnceValues(func() (*template.Template, error) {
	set := template.New("").Funcs(template.FuncMap{
		"dict":   dict,
		"stamp":  stamp,
		"mark":   seatMark,
		"signed": signed, "number": domain.Number,
		"small": pictureOf,
		"word":  door.WordOf,
		"add":   func(n any, more int) int { return whole(n) + more },
	})
	files, err := pageFiles.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	var last *parse.Tree
	for _, f := range files {
		text, err := pageFiles.ReadFile(f.Name())
		if err == nil {
			_, err = set.New(f.Name()).Parse(inItsLanguage(string(text)))
		}
		if err != nil {
			return nil, fmt.Errorf("page %s: %w", f.Name(), err)
		}
		main := set.Lookup("main")
		if main == nil || main.Tree == last {
			continue // only parts of pages
		}
		last = main.Tree
		page := strings.TrimSuffix(f.Name(), ".html")
		_, err = set.AddParseTree("main of "+page, last)
		if err == nil {
			_, err = set.New(sheetOf(page)).
				Parse(fmt.Sprintf(`{{template "head" .}}{{template "main of %s" .}}{{template "foot" .}}`, page))
		}
		if err != nil {
			return nil, fmt.Errorf("page %s: %w", f.Name(), err)
		}
	}
	return set, nil
})

// inItsLanguage lets a template's own texts say which language they are in where it is not the page's. In an attribute
// that does nothing: html/template leaves out the element around it.
func inItsLanguage(text string) string { return said.ReplaceAllString(text, `$1.Said "`) }

var said = regexp.MustCompile(`({{[$.\w]*)\.T "`)

// stamp formats a time for programs.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// sheetOf returns the name of a page's whole sheet in the set.
func sheetOf(page string) string { return "sheet of " + page }

// dict makes a map from alternating keys and values, to pass several values to a part.
func dict(pairs ...any) map[string]any {
	m := map[string]any{}
	for pair := range slices.Chunk(pairs, 2) {
		m[pair[0].(string)] = pair[1]
	}
	return m
}
