package state

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/domain/kit"
	"posthorn/domain/rivals/table"
)

// givenSchema is the form of a position.
var givenSchema = func() *domain.Schema {
	said := func(key string, good func(string) bool) *domain.Schema {
		return domain.TextOf(func(w string) (domain.Say, bool) { return domain.S("given." + key), good(w) })
	}
	seat := domain.WordOf("", "A", "B")
	card := said("card", func(w string) bool { _, ok := table.CardWords[table.Fold(w)]; return ok || w == "" })
	lying := said("card", func(w string) bool { _, ok := table.CardWords[table.Fold(w)]; return ok || strings.HasPrefix(w, "?") })
	site := said("card", func(w string) bool { _, ok := table.CardWords[table.Fold(w)]; return ok || w == "-" })
	place := said("place", func(w string) bool { _, ok := table.PlaceNamed(w); return ok })
	cards := func(of *domain.Schema) *domain.Schema { return domain.ListOf(of, table.MaxDeck) }
	known := domain.ListOf(domain.WordOf("", "A", "B", "AB", "*"), table.MaxDeck)
	amount, count, number := domain.NumberOf(0, table.Capacity), domain.NumberOf(0, 1000), domain.NumberOf(0, 1<<15-1)
	town := domain.ObjectOf(map[string]*domain.Schema{
		"at": domain.NumberOf(-table.Origin, table.Columns-table.Origin-1), "kind": domain.WordOf("settlement", "city"), "above": domain.ListOf(site, 2), "below": domain.ListOf(site, 2),
	}).OrText(said("town", func(w string) bool { return new(WrittenTown).Short(w) == nil }))
	region := domain.ObjectOf(map[string]*domain.Schema{
		"at": place, "terrain": said("land", func(w string) bool { _, ok := table.TerrainNamed(w); return ok }), "number": domain.NumberOf(1, 6), "stored": amount,
	}).OrText(said("region-short", func(w string) bool { return new(WrittenRegion).Short(w) == nil }))
	tasks := slices.DeleteFunc(append([]string(nil), TaskNames[:]...), func(w string) bool { return w == "" })
	options := []string{}
	for _, o := range table.OptionRules {
		options = append(options, o.Key+" "+o.Value)
	}
	point := domain.NumberOf(0, math.MaxInt8)
	points := domain.ObjectOf(map[string]*domain.Schema{"victory": point, "commerce": point, "strength": point, "skill": point, "progress": point})
	return domain.ObjectOf(map[string]*domain.Schema{
		"play": domain.WordOf(table.PlayNames[:]...), "goal": domain.NumberOf(0, 100), "turn": number, "first": seat, "active": seat,
		"phase": domain.WordOf(PhaseNames[:]...), "die": domain.NumberOf(0, 6), "face": domain.WordOf(table.FaceNames[:]...), "event": card,
		"mints": domain.NumberOf(0, 100), "removed": domain.NumberOf(0, 100), "since": number, "high": domain.ListOf(domain.NumberOf(0, 100), 2),
		"seats": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"towns": domain.ListOf(town, table.Columns), "roads": domain.ListOf(domain.NumberOf(-table.Origin, table.Columns-table.Origin-2), table.Columns),
			"regions": domain.ListOf(region, table.RegionsN), "cache": domain.ObjectOf(map[string]*domain.Schema{"at": place, "gold": amount}),
			"stores": domain.CountsOf(table.Capacity, func(w string) (domain.Say, bool) { _, ok := table.PlaceNamed(w); return domain.S("given.place"), ok }),
			"hand":   domain.ListOf(card, table.MaxHand/2), "known": known, "points": points, "hero": domain.SwitchOf(), "trade": domain.SwitchOf(), "limit": count,
		}), 2),
		"centre": domain.ObjectOf(map[string]*domain.Schema{"roads": count, "settlements": count, "cities": count,
			"regions": domain.ListOf(said("land", func(w string) bool { _, ok := table.LandNamed(table.Fold(w)); return ok || w == "?" }), 12)}),
		"stacks": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{"back": domain.WordOf(append([]string{""}, table.SetNames[:]...)...), "cards": cards(lying), "known": known}), table.DecksN),
		"open":   cards(lying), "discard": domain.ListOf(lying, 2*table.MaxDeck), "events": cards(lying), "passed": known, "spare": domain.ListOf(lying, len(State{}.Spare)),
		"tasks": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"kind": domain.WordOf(tasks...), "seat": seat, "n": domain.NumberOf(0, 60), "goods": domain.ListOf(domain.WordOf(table.ResNames[:]...), len(table.ResNames)),
			"need": domain.ListOf(domain.NumberOf(0, 60), len(table.Goods{})), "card": card, "site": domain.NumberOf(0, 255), "arg": domain.NumberOf(-1, 255),
			"mask": domain.NumberOf(0, 1<<63-1), "id": domain.NumberOf(0, 1<<16-1),
		}), MaxTasks),
		"asks": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"seat": domain.WordOf("A", "B"), "kind": domain.WordOf(AskNames[1:]...), "task": domain.NumberOf(0, 1<<16-1), "serial": domain.NumberOf(0, 1<<16-1),
		}), 2),
		"serial": domain.NumberOf(0, 1<<16-1), "next": domain.NumberOf(0, 1<<16-1), "winner": seat,
		"options": domain.ListOf(domain.WordOf(options...), len(options)), "viewer": seat,
	})
}()

// ReadGiven reads a position set up by hand, or none.
func ReadGiven(text json.RawMessage) (*Written, error) {
	w := &Written{Phase: Rolling}
	return w, kit.Given(text, givenSchema, w)
}
