package turn

import (
	"strings"

	"posthorn/domain"
)

// Count is a number that everybody may know, with a picture and in words.
type Count struct {
	Name  string
	Scene domain.Scene
	N     int
	Most  int // if N is only a minimum, the maximum; otherwise 0
	Held  bool
	First bool
	Words string
}

// Tally returns what everybody may count: by entry of the standing, and for the whole game. It returns nothing if the
// game counts nothing, or nothing has happened yet.
func (mod *Model) Tally() (each [][]Count, all []Count) {
	tally := mod.rulebook.Extras().Tally
	if tally == nil || mod.view == nil {
		return nil, nil
	}
	t := tally(mod.view)
	said := func(c domain.Count) Count {
		return Count{Name: c.Name, Scene: c.Scene, N: c.N, Most: c.Most, Held: c.Held, First: c.First,
			Words: mod.printer.Say(c.Words)}
	}
	for _, list := range t.Each {
		out := make([]Count, len(list))
		for i, c := range list {
			out[i] = said(c)
		}
		each = append(each, out)
	}
	for _, c := range t.All {
		all = append(all, said(c))
	}
	return each, all
}

// Deed is something that the viewer may do for a price.
type Deed struct {
	Key   string
	Label string
	Scene domain.Scene
	N     int
	Cost  []domain.Scene
	Price string
	Not   string // what prevents it; "" if nothing does
}

// Deeds returns what the viewer may do for a price, whether or not they can right now.
func (mod *Model) Deeds() (list []Deed) {
	deeds := mod.rulebook.Extras().Deeds
	if deeds == nil || mod.view == nil {
		return nil
	}
	for _, d := range deeds(mod.view) {
		list = append(list, Deed{d.Key, mod.printer.Say(d.Label), d.Scene, d.N, d.Cost, mod.printer.Say(d.Price),
			strings.Join(mod.printer.Lines(d.Not), "; ")})
	}
	return list
}

// Pictured returns the picture for a word that forms count; its size is zero if there is none.
func (mod *Model) Pictured(word string) domain.Scene {
	if pictured := mod.rulebook.Extras().Pictured; pictured != nil && mod.view != nil {
		return pictured(word)
	}
	return domain.Scene{}
}
