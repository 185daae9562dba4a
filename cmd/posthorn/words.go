package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/domain/languages"
	"posthorn/domain/rulebooks"
	"posthorn/projections/words"
)

type wordsCmd struct {
	Part    string   `arg:"" optional:"" help:"Only texts whose key begins so: catan. · page.new · refuse.; with --missing, only this file: pages · mail · catan"`
	In      []string `help:"Only these languages."`
	Missing string   `placeholder:"LANG" help:"What a language lacks, file by file, as the file to be filled in."`
}

// Run prints the texts, so that somebody who knows a language well can read them in full.
func (c wordsCmd) Run(con console.Console) error {
	book, err := house.Words()
	if err != nil {
		return err
	}
	for _, tag := range append(slices.Clone(c.In), strings.Fields(c.Missing)...) {
		if _, known := languages.Of(tag); !known {
			var tags []string
			for _, l := range languages.Known {
				tags = append(tags, l.Tag)
			}
			return console.Fails(2, "no language is called %q here: %s", tag, strings.Join(tags, ", "))
		}
	}
	if c.Missing != "" {
		return c.missing(con)
	}
	if len(c.In) == 0 {
		c.In = words.Languages
	}
	found := false
	for _, s := range book.Sentences() {
		if !strings.HasPrefix(s.Key, c.Part) {
			continue
		}
		found = true
		fmt.Fprintln(con.Out, s.Key)
		for _, lang := range c.In {
			for _, f := range s.In[lang] {
				fmt.Fprintf(con.Out, "  %-5s %-5s %s\n", lang, f.Count, f.Text)
			}
		}
	}
	if !found {
		return console.Fails(2, "no text's key begins with %q", c.Part)
	}
	return nil
}

// missing prints the files of a language with what they lack, and beside them, where errors go, how much that is: what
// is printed for one can be kept as it.
func (c wordsCmd) missing(con console.Console) error {
	l, _ := languages.Of(c.Missing)
	found := words.Files(l, rulebooks.All())
	if c.Part != "" {
		found = slices.DeleteFunc(found, func(r words.File) bool { return r.Name != c.Part })
	}
	if len(found) == 0 {
		return console.Fails(2, "no file is called %q", c.Part)
	}
	for _, r := range found {
		fmt.Fprintf(con.Err, "domain/languages/%s/%s.json: %d of %d texts, %d%%\n", l.Tag, r.Name, r.Has, r.All,
			100*r.Has/r.All)
		if r.Has == r.All {
			continue
		}
		lines := make([]string, 0, len(r.Texts))
		for _, key := range slices.Sorted(maps.Keys(r.Texts)) {
			lines = append(lines, fmt.Sprintf(" %q: %s", key, r.Texts[key]))
		}
		fmt.Fprintf(con.Out, "{\n%s\n}\n", strings.Join(lines, ",\n"))
	}
	return nil
}
