package domain

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Schema says what is allowed at one place of a position set up by hand. A rulebook checks a position against its
// schema before reading it, so that its author learns which place is wrong, what is there and what is allowed, in their
// own language.
//
// The sentences are the rulebook's own, under "given.KEY": "unknown" (allowed), "twice", "number"
// (least, most), "word" (allowed), "text", "list", "object", "switch", "long" (most), "length" (n), "json".
type Schema struct {
	kind        string // "object", "list", "number", "text" or "switch"
	keys        map[string]*Schema
	of          *Schema // the parts of a list, the amounts of counts
	words       []string
	least, most int64
	short       *Schema // an object that may be written as a text instead
	takes       func(string) (Say, bool)
}

// ObjectOf is an object with any of these keys.
func ObjectOf(keys map[string]*Schema) *Schema { return &Schema{kind: "object", keys: keys} }

// OrText allows a text in place of the object.
func (s *Schema) OrText(text *Schema) *Schema {
	c := *s
	c.short = text
	return &c
}

// ListOf is a list of at most that many parts.
func ListOf(of *Schema, most int) *Schema { return &Schema{kind: "list", of: of, most: int64(most)} }

// EachOf is a list of exactly n parts, such as one for each seat.
func EachOf(of *Schema, n int) *Schema {
	return &Schema{kind: "list", of: of, least: int64(n), most: int64(n)}
}

// NumberOf is a whole number within limits.
func NumberOf(least, most int64) *Schema { return &Schema{kind: "number", least: least, most: most} }

// WordOf is one of some words.
func WordOf(words ...string) *Schema { return &Schema{kind: "text", words: words} }

// TextOf is a text that the function takes accepts; otherwise the function says why not.
func TextOf(takes func(string) (Say, bool)) *Schema { return &Schema{kind: "text", takes: takes} }

// SwitchOf is true or false.
func SwitchOf() *Schema { return &Schema{kind: "switch"} }

// CountsOf is an object of amounts, from 0 to most, keyed by words that the function takes accepts.
func CountsOf(most int, takes func(string) (Say, bool)) *Schema {
	return &Schema{kind: "object", of: NumberOf(0, int64(most)), takes: takes}
}

// Misfit is what is wrong with a position: where, what is there (as JSON, cut short), and a sentence that says what is
// allowed.
type Misfit struct {
	Path, Value string
	Why         Say
}

// Refusal turns the misfit into a refusal under one of the rulebook's codes, with path, value and why.
func (m *Misfit) Refusal(code string) *Refusal {
	return Refuse(code, "path", m.Path, "value", m.Value, "why", m.Why)
}

// MisfitAt makes a misfit for a value.
func MisfitAt(path string, value any, why Say) *Misfit {
	text, err := json.Marshal(value)
	switch {
	case value == json.Delim('{'):
		return &Misfit{path, "{…}", why}
	case value == json.Delim('['):
		return &Misfit{path, "[…]", why}
	case err != nil:
		return &Misfit{path, "?", why}
	}
	return &Misfit{path, cutShort(string(text)), why}
}

// Fits checks a position against its schema; nil if it fits. A null means nothing was given.
func (s *Schema) Fits(raw json.RawMessage) *Misfit {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	f := fitting{d: d}
	m := f.value(s, "given", true)
	if m == nil {
		if _, err := d.Token(); err != io.EOF {
			m = &Misfit{"given", cutShort(string(raw)), S("given.json")}
		}
	}
	return m
}

type fitting struct{ d *json.Decoder }

func (f *fitting) broken(path string) *Misfit {
	return &Misfit{cmp.Or(path, "given"), "…", S("given.json")}
}

func (f *fitting) value(s *Schema, path string, whole bool) *Misfit {
	token, err := f.d.Token()
	if err != nil {
		return f.broken(path)
	}
	var why Say
	switch t := token.(type) {
	case nil:
		if !whole {
			return nil
		}
	case json.Delim:
		switch {
		case t == '{' && s.kind == "object":
			if whole {
				path = ""
			}
			return f.object(s, path)
		case t == '[' && s.kind == "list":
			return f.list(s, path)
		}
	case json.Number:
		if n, err := strconv.ParseInt(t.String(), 10, 64); s.kind == "number" && err == nil && n >= s.least &&
			n <= s.most {
			return nil
		}
	case bool:
		if s.kind == "switch" {
			return nil
		}
	case string:
		if s.short != nil {
			s = s.short
		}
		ok := s.kind == "text" && (s.words == nil || slices.Contains(s.words, t))
		if ok && s.takes != nil {
			why, ok = s.takes(t)
		}
		if ok {
			return nil
		}
	}
	if why.Key == "" {
		why = s.wanted()
	}
	return MisfitAt(path, token, why)
}

// wanted says what is allowed there.
func (s *Schema) wanted() Say {
	switch {
	case s.kind == "number":
		return S("given.number", "least", int(s.least), "most", int(s.most))
	case s.words != nil:
		return S("given.word", "allowed", quoted(s.words))
	}
	return S("given." + s.kind)
}

// under returns what is allowed under a key, or why there is no such key.
func (s *Schema) under(key string) (*Schema, Say) {
	if s.keys == nil {
		if why, ok := s.takes(key); !ok {
			return nil, why
		}
		return s.of, Say{}
	}
	if of := s.keys[key]; of != nil {
		return of, Say{}
	}
	return nil, S("given.unknown", "allowed", quoted(slices.Sorted(maps.Keys(s.keys))))
}

func (f *fitting) object(s *Schema, path string) *Misfit {
	seen := map[string]bool{}
	for f.d.More() {
		token, err := f.d.Token()
		key, ok := token.(string)
		if err != nil || !ok {
			return f.broken(path)
		}
		at := inside(path, key)
		if seen[key] {
			return &Misfit{at, "…", S("given.twice")}
		}
		seen[key] = true
		of, why := s.under(key)
		if of == nil {
			return MisfitAt(at, key, why)
		}
		if m := f.value(of, at, false); m != nil {
			return m
		}
	}
	return f.end(path)
}

func (f *fitting) list(s *Schema, path string) *Misfit {
	i := 0
	for ; f.d.More(); i++ {
		at := fmt.Sprintf("%s[%d]", path, i)
		if int64(i) >= s.most {
			return &Misfit{at, "…", S("given.long", "most", int(s.most))}
		}
		if m := f.value(s.of, at, false); m != nil {
			return m
		}
	}
	if int64(i) < s.least {
		return &Misfit{path, "[…]", S("given.length", "n", int(s.least))}
	}
	return f.end(path)
}

func (f *fitting) end(path string) *Misfit {
	if _, err := f.d.Token(); err != nil {
		return f.broken(path)
	}
	return nil
}

func inside(path, key string) string {
	key = cutShort(strings.ToValidUTF8(key, "?"))
	if path == "" {
		return key
	}
	return path + "." + key
}

func quoted(words []string) string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = strconv.Quote(w)
	}
	return strings.Join(list, ", ")
}

// cutShort keeps what was written readable in a sentence.
func cutShort(text string) string {
	const most = 40
	if rs := []rune(text); len(rs) > most {
		return string(rs[:most]) + "…"
	}
	return text
}
