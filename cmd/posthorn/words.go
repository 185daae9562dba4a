package main

import (
	"fmt"
	"strings"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/projections/words"
)

type wordsCmd struct {
	Part string   `arg:"" optional:"" help:"Only texts whose key begins so: catan. · page.new · refuse."`
	In   []string `help:"Only these languages: en, pt-BR, pt-PT, pl."`
}

// Run prints the texts, so that somebody who knows a language well can read them in full.
func (c wordsCmd) Run(con console.Console) error {
	book, err := house.Words()
	if err != nil {
		return err
	}
	languages := c.In
	if len(languages) == 0 {
		languages = words.Languages
	}
	found := false
	for _, s := range book.Sentences() {
		if !strings.HasPrefix(s.Key, c.Part) {
			continue
		}
		found = true
		fmt.Fprintln(con.Out, s.Key)
		for _, lang := range languages {
			forms, ok := s.In[lang]
			if !ok {
				return &console.Exit{Status: 2,
					Err: fmt.Errorf("no language is called %q here: %s", lang, strings.Join(words.Languages, ", "))}
			}
			for _, f := range forms {
				fmt.Fprintf(con.Out, "  %-5s %-5s %s\n", lang, f.Count, f.Text)
			}
		}
	}
	if !found {
		return &console.Exit{Status: 2, Err: fmt.Errorf("no text's key begins with %q", c.Part)}
	}
	return nil
}
