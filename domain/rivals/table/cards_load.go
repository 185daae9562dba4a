package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Must is for embedded data: any program fails at start if it is wrong.
func Must[T any](v T, err error) T {
	if err != nil {
		panic("rivals: cards.json: " + err.Error())
	}
	return v
}

// Load reads the table of cards. An unknown word is an error, which names the card and its row.
func Load(data []byte) (*Tables, error) {
	t := &struct {
		Tables
		Rows []json.RawMessage `json:"cards"`
	}{}
	if err := strictly(data, t); err != nil {
		return nil, err
	}
	for _, c := range t.Centre {
		c.Cost = goodsOf(c.CostOf)
	}
	for i, raw := range t.Rows {
		r := &Row{Number: i, Doubles: NoRes, Rate: NoRes}
		if err := strictly(raw, r); err != nil {
			return nil, r.wrong(err)
		}
		r.Cost = goodsOf(r.CostOf)
		t.Cards = append(t.Cards, r)
	}
	for _, r := range t.Cards {
		if err := t.check(r); err != nil {
			return nil, r.wrong(err)
		}
	}
	for _, r := range t.Cards {
		t.prepare(r)
	}
	return &t.Tables, t.checkSets()
}

// strictly reads JSON and accepts only known keys.
func strictly(data []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(to)
}

func (r *Row) wrong(err error) error { return fmt.Errorf("card %d, %q: %w", r.Number+1, r.ID, err) }

// Card returns the row with that name, or nil.
func (t *Tables) Card(id string) *Row {
	if i := slices.IndexFunc(t.Cards, func(r *Row) bool { return r.ID == id }); i >= 0 {
		return t.Cards[i]
	}
	return nil
}

// check finds what a card says that means nothing, and reads its conditions.
func (t *Tables) check(r *Row) error {
	switch {
	case r.ID == "" || t.Card(r.ID) != r:
		return fmt.Errorf("id: another card has it, or it is empty")
	case r.Number >= RowsMost-1:
		return fmt.Errorf("there are more than %d cards", RowsMost-1)
	case r.Kind == noKind:
		return fmt.Errorf("kind: there is none")
	case len(r.Copies) == 0:
		return fmt.Errorf("copies: there are none")
	case !slices.Contains([]string{"", "building", "unit"}, r.Class):
		return fmt.Errorf("class: no %q", r.Class)
	case !slices.Contains([]string{"", "hero", "trade-ship"}, r.Tag):
		return fmt.Errorf("tag: no %q", r.Tag)
	}
	for i := range r.Effects {
		if err := t.checkEffect(&r.Effects[i]); err != nil {
			return fmt.Errorf("effect %d: %w", i+1, err)
		}
	}
	for i, group := range r.Need {
		for _, text := range group {
			n, err := t.readNeed(text)
			if err != nil {
				return fmt.Errorf("need %d: %w", i+1, err)
			}
			if len(r.Needs) == i {
				r.Needs = append(r.Needs, nil)
			}
			r.Needs[i] = append(r.Needs[i], n)
		}
	}
	if r.Like != "" && !t.Card(r.Like).does(r) {
		return fmt.Errorf("like: it is not like %q", r.Like)
	}
	return nil
}

// does reports whether a card, if it is one, does what another does, possibly with other goods or numbers.
func (r *Row) does(q *Row) bool {
	return r != nil && r.Kind == q.Kind && r.Class == q.Class && r.Tag == q.Tag && r.Attack == q.Attack &&
		slices.EqualFunc(r.Effects, q.Effects, func(a, b Effect) bool { return a.On == b.On && a.Do == b.Do })
}

// readNeed reads a condition: a card, or a word of needWords, some with a number.
func (t *Tables) readNeed(text string) (Need, error) {
	if row := t.Card(text); row != nil {
		return Need{word: text, Row: row}, nil
	}
	word, number, counted := strings.Cut(text, " ")
	k := slices.Index(needWords[:], word)
	n, err := strconv.ParseInt(number, 10, 8)
	if k < 0 || counted != (err == nil) || counted != (NeedKind(k) == NeedCommerce || NeedKind(k) == NeedProgress) {
		return Need{}, fmt.Errorf("no condition %q", text)
	}
	return Need{word: word, Kind: NeedKind(k), N: int8(n)}, nil
}

// checkEffect finds what an effect says that the vocabulary does not know, or leaves out.
func (t *Tables) checkEffect(e *Effect) error {
	takes, known := t.Vocabulary[e.On+" "+e.Do]
	if !known {
		return fmt.Errorf("no %q on %q", e.Do, e.On)
	}
	if slices.ContainsFunc(e.Faces, func(f int) bool { return f < 1 || f > 6 }) {
		return fmt.Errorf("faces: a die has six: %v", e.Faces)
	}
	var says map[string]any
	if text, err := json.Marshal(e); err != nil || json.Unmarshal(text, &says) != nil {
		return fmt.Errorf("it cannot be written: %w", err)
	}
	delete(says, "on")
	delete(says, "do")
	for _, name := range slices.Sorted(maps.Keys(says)) {
		words, ok := takes[name]
		if !ok {
			words, ok = takes[name+"?"]
		}
		if !ok {
			return fmt.Errorf("%s: %q on %q takes none", name, e.Do, e.On)
		}
		list, many := says[name].([]any)
		if !many {
			list = []any{says[name]}
		}
		for _, it := range list {
			if word, is := it.(string); is && !t.takes(words, word) {
				return fmt.Errorf("%s: no %q", name, word)
			}
		}
	}
	for name := range takes {
		if !strings.HasSuffix(name, "?") && says[name] == nil {
			return fmt.Errorf("%s: there is none", name)
		}
	}
	return nil
}

// takes reports whether a field accepts a word.
func (t *Tables) takes(words, word string) bool {
	for _, w := range strings.Split(words, "|") {
		_, isRes := resNamed(word)
		if w == word || w == "resource" && isRes || w == "card" && t.Card(word) != nil {
			return true
		}
	}
	return false
}

// checkSets checks the number of cards in each set, and of the events that a duel leaves out.
func (t *Tables) checkSets() error {
	moons := 0
	for set := range Sets {
		i := slices.IndexFunc(t.Sets, func(s SetSize) bool { return s.Set == set })
		if i < 0 {
			return fmt.Errorf("set %q: it has no size", set)
		}
		got := SetSize{Set: set, Cards: map[Kind]int{}}
		for _, r := range t.Cards {
			for _, c := range r.Copies {
				if c.Set != set {
					continue
				}
				got.Cards[r.Kind] += c.N
				if r.Kind == EventCard {
					got.MoonEvents += c.Moon
				} else {
					got.Moons += c.Moon
				}
			}
		}
		moons += got.MoonEvents
		if want := t.Sets[i]; fmt.Sprint(got) != fmt.Sprint(want) {
			return fmt.Errorf("set %q has %v, and its size is %v", set, got, want)
		}
	}
	if moons > MaxSpare {
		return fmt.Errorf("there are more than %d events with the half-moon", MaxSpare)
	}
	return nil
}

// prepare reads a card's effects into the fields that the rules often look at, and marks the cards that they name.
func (t *Tables) prepare(r *Row) {
	r.Building, r.Unit = r.Class == "building", r.Class == "unit"
	r.Hero, r.Ship = r.Tag == "hero", r.Tag == "trade-ship"
	for i := range r.Effects {
		e := &r.Effects[i]
		if res, named := resNamed(e.What); named {
			e.Goods = Only(res)
		} else {
			e.Goods = map[string]ResMask{"any": AnyRes, "grain-or-wool": Only(Grain) | Only(Wool)}[e.What]
		}
		switch e.On + " " + e.Do {
		case "produce double":
			r.Doubles = e.Goods.First()
		case "bank rate":
			if e.Goods != 0 && e.Times == 0 {
				r.Rate = e.Goods.First()
			}
		case "harvest gain":
			r.Harvest = e.N
		case "attack guard":
			r.Guard = faceMask(e.Faces)
		case "riots excuse":
			r.Excuse = faceMask(e.Faces)
		case "react negate":
			for _, id := range e.Of {
				r.Negates.Put(t.Card(id))
			}
		case "points score":
			r.Scores = e.N
		case "points raise":
			for _, what := range e.Of {
				if what == "trade-ship" {
					r.Raises[1] = e.N
				} else {
					r.Raises[0] = e.N
					t.Card(what).Based = 1
				}
			}
		}
		r.Marks |= effectMarks[e.On+" "+e.Do]
		switch e.On {
		case "before":
			r.Fixes = true
		case "play":
			r.Play = append(r.Play, *e)
		case "build":
			r.Build = append(r.Build, *e)
		case "cost":
			r.Less = append(r.Less, *e)
		case "bank":
			r.Bank = e
		}
	}
}

// effectMarks are the marks of effects.
var effectMarks = map[string]Marks{
	"produce share": MarksShare, "cost less": MarksLess, "search price": MarksSearch,
	"loss gain": MarksLoss, "plague gain": MarksPlague, "brigand shelter": MarksShelter, "attack guard": MarksGuard,
}

func faceMask(faces []int) (m uint8) {
	for _, f := range faces {
		m |= 1 << f
	}
	return m
}
