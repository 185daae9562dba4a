package turn

import (
	"strings"

	"posthorn/domain"
)

// Count is a number that everybody may know, with a picture, and in words.
type Count struct {
	Name  string
	Scene domain.Scene
	N     int
	Most  int // where N is only the least: this at most; else 0
	Held  bool
	First bool
	Words string
}

// Tally is what everybody may count: by entry of the standing, and of the whole game. Nothing where the game
// has no such thing, or nothing has happened yet.
func (mod *Model) Tally() (each [][]Count, all []Count) {
	glance := mod.glance()
	if glance == nil {
		return nil, nil
	}
	t := glance.Tally(mod.view)
	said := func(c domain.Count) Count {
		return Count{Name: c.Name, Scene: c.Scene, N: c.N, Most: c.Most, Held: c.Held, First: c.First, Words: mod.printer.Say(c.Words)}
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
	Not   string // what keeps the viewer from it, "" if nothing does
}

// Deeds are what the viewer may do for a price, whether they can now or not.
func (mod *Model) Deeds() (list []Deed) {
	glance := mod.glance()
	if glance == nil {
		return nil
	}
	for _, d := range glance.Deeds(mod.view) {
		list = append(list, Deed{d.Key, mod.printer.Say(d.Label), d.Scene, d.N, d.Cost, mod.printer.Say(d.Price), strings.Join(mod.printer.Lines(d.Not), "; ")})
	}
	return list
}

// Pictured is the picture of a word that forms count; of no size where there is none.
func (mod *Model) Pictured(word string) domain.Scene {
	if glance := mod.glance(); glance != nil {
		return glance.Pictured(word)
	}
	return domain.Scene{}
}

func (mod *Model) glance() domain.Glance {
	if mod.view == nil {
		return nil
	}
	return mod.rulebook.Extras().Glance
}
