package rivals

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
)

// Positions set up by hand: their form, and what must fit together in a principality.

// givenSchema is the form of a position.
var givenSchema = func() *domain.Schema {
	said := func(key string, good func(string) bool) *domain.Schema {
		return domain.TextOf(func(w string) (domain.Say, bool) { return domain.S("given." + key), good(w) })
	}
	seat := domain.WordOf("", "A", "B")
	card := said("card", func(w string) bool { _, ok := cardWords[fold(w)]; return ok || w == "" })
	lying := said("card", func(w string) bool { _, ok := cardWords[fold(w)]; return ok || strings.HasPrefix(w, "?") })
	site := said("card", func(w string) bool { _, ok := cardWords[fold(w)]; return ok || w == "-" })
	place := said("place", func(w string) bool { _, ok := placeNamed(w); return ok })
	cards := func(of *domain.Schema) *domain.Schema { return domain.ListOf(of, maxDeck) }
	known := domain.ListOf(domain.WordOf("", "A", "B", "AB", "*"), maxDeck)
	amount, count, number := domain.NumberOf(0, capacity), domain.NumberOf(0, 1000), domain.NumberOf(0, 1<<15-1)
	town := domain.ObjectOf(map[string]*domain.Schema{
		"at": domain.NumberOf(-origin, columns-origin-1), "kind": domain.WordOf("settlement", "city"), "above": domain.ListOf(site, 2), "below": domain.ListOf(site, 2),
	}).OrText(said("town", goodTown))
	region := domain.ObjectOf(map[string]*domain.Schema{
		"at": place, "terrain": said("land", func(w string) bool { _, ok := terrainNamed(w); return ok }), "number": domain.NumberOf(1, 6), "stored": amount,
	}).OrText(said("region-short", goodRegion))
	tasks := slices.DeleteFunc(append([]string(nil), taskNames[:]...), func(w string) bool { return w == "" })
	options := []string{}
	for _, o := range optionRules {
		options = append(options, o.key+" "+o.value)
	}
	points := domain.ObjectOf(map[string]*domain.Schema{"victory": count, "commerce": count, "strength": count, "skill": count, "progress": count})
	return domain.ObjectOf(map[string]*domain.Schema{
		"play": domain.WordOf(playNames[:]...), "goal": domain.NumberOf(0, 100), "turn": number, "first": seat, "active": seat,
		"phase": domain.WordOf(phaseNames[:]...), "die": domain.NumberOf(0, 6), "face": domain.WordOf(faceNames[:]...), "event": card,
		"mints": domain.NumberOf(0, 100), "removed": domain.NumberOf(0, 100), "since": number, "high": domain.ListOf(domain.NumberOf(0, 100), 2),
		"seats": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"towns": domain.ListOf(town, columns), "roads": domain.ListOf(domain.NumberOf(-origin, columns-origin-2), columns),
			"regions": domain.ListOf(region, regionsN), "cache": domain.ObjectOf(map[string]*domain.Schema{"at": place, "gold": amount}),
			"stores": domain.CountsOf(capacity, func(w string) (domain.Say, bool) { _, ok := placeNamed(w); return domain.S("given.place"), ok }),
			"hand":   domain.ListOf(card, maxHand/2), "known": known, "points": points, "hero": domain.SwitchOf(), "trade": domain.SwitchOf(), "limit": count,
		}), 2),
		"centre": domain.ObjectOf(map[string]*domain.Schema{"roads": count, "settlements": count, "cities": count,
			"regions": domain.ListOf(said("land", func(w string) bool { _, ok := landNamed(fold(w)); return ok || w == "?" }), 12)}),
		"stacks": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{"back": domain.WordOf(append([]string{""}, setNames[:]...)...), "cards": cards(lying), "known": known}), decksN),
		"open":   cards(lying), "discard": domain.ListOf(lying, 2*maxDeck), "events": cards(lying), "passed": known, "spare": domain.ListOf(lying, 9),
		"tasks": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"kind": domain.WordOf(tasks...), "seat": seat, "n": domain.NumberOf(0, 60), "goods": domain.ListOf(domain.WordOf(resNames[:]...), len(resNames)),
			"need": domain.ListOf(domain.NumberOf(0, 60), len(Goods{})), "card": card, "site": domain.NumberOf(0, 255), "arg": domain.NumberOf(-1, 255),
			"mask": domain.NumberOf(0, 1<<63-1), "id": domain.NumberOf(0, 1<<16-1),
		}), maxTasks),
		"asks": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"seat": domain.WordOf("A", "B"), "kind": domain.WordOf(askNames[1:]...), "task": domain.NumberOf(0, 1<<16-1), "serial": domain.NumberOf(0, 1<<16-1),
		}), 2),
		"serial": domain.NumberOf(0, 1<<16-1), "next": domain.NumberOf(0, 1<<16-1), "winner": seat,
		"options": domain.ListOf(domain.WordOf(options...), len(options)), "viewer": domain.TextOf(nil),
	})
}()

// goodTown reads a town written in short, to tell whether it is one.
func goodTown(text string) bool {
	f := strings.Fields(text)
	if len(f) < 2 || f[1] != "settlement" && f[1] != "city" {
		return false
	}
	if at, err := strconv.Atoi(f[0]); err != nil || at < -origin || at >= columns-origin {
		return false
	}
	for i, w := range f[2:] {
		if _, card := cardWords[fold(w)]; w != "above" && w != "below" && (i == 0 || !card && w != "-") {
			return false
		}
	}
	return true
}

func goodRegion(text string) bool {
	f := strings.Fields(text)
	if len(f) < 2 || len(f) > 3 {
		return false
	}
	_, place := placeNamed(f[0])
	_, land := landNamed(f[1])
	return place && f[0] != "cache" && land && (len(f) == 2 || len(f[2]) == 1 && f[2][0] >= '0' && f[2][0] <= '0'+capacity)
}

// misfit notes the first thing that cannot be.
func (l *layer) misfit(path string, value any, why string, pairs ...any) {
	if l.err == nil {
		l.err = domain.MisfitAt(path, value, domain.S("given."+why, pairs...)).Refusal("given")
	}
}

// checkSide refuses a principality that cannot be: towns side by side with a road between, regions
// beside them and each place once.
func (l *layer) checkSide(seat int, b *Side) {
	path := fmt.Sprintf("seats[%d].", seat)
	if len(b.Towns) == 0 {
		l.misfit(path+"towns", b.Towns, "no-town")
		return
	}
	at := map[int]bool{}
	for i, t := range b.Towns {
		where := fmt.Sprintf("%stowns[%d]", path, i)
		switch {
		case t.Kind != "city" && t.Kind != "settlement":
			l.misfit(where+".kind", t.Kind, "town")
		case at[t.At]:
			l.misfit(where, t.At, "apart")
		case t.At < -origin || t.At >= columns-origin:
			l.misfit(where+".at", t.At, "number", "least", -origin, "most", columns-origin-1)
		case len(t.Above) > 2 || len(t.Below) > 2 || t.Kind == "settlement" && (len(t.Above) > 1 || len(t.Below) > 1):
			l.misfit(where, append(append([]string(nil), t.Above...), t.Below...), "room")
		}
		at[t.At] = true
	}
	slices.SortStableFunc(b.Towns, func(t, u TownView) int { return t.At - u.At })
	left, right := b.Towns[0].At, b.Towns[len(b.Towns)-1].At
	roads := map[int]bool{}
	for i, r := range b.Roads {
		if r < left-1 || r > right || roads[r] || r == left-1 && left == -origin || r == right && right == columns-origin-1 {
			l.misfit(fmt.Sprintf("%sroads[%d]", path, i), r, "road")
		}
		roads[r] = true
	}
	for t := left; t < right; t++ {
		if !at[t] || !roads[t] {
			l.misfit(path+"towns", b.townsAt(), "apart")
		}
	}
	l.checkRegions(path, b, left, right)
}

// keepBeside leaves of the regions of the beginning those that lie beside the towns.
func (b *Side) keepBeside() {
	b.Regions = slices.DeleteFunc(b.Regions, func(q RegionView) bool {
		p, _ := placeNamed(q.At)
		for _, t := range b.Towns {
			if gap := p.gap() - origin; gap == t.At || gap == t.At+1 {
				return false
			}
		}
		return true
	})
}

func (b *Side) townsAt() (list []int) {
	for _, t := range b.Towns {
		list = append(list, t.At)
	}
	return list
}

func (l *layer) checkRegions(path string, b *Side, left, right int) {
	lies := map[Place]bool{}
	for i, q := range b.Regions {
		where := fmt.Sprintf("%sregions[%d]", path, i)
		p, place := placeNamed(q.At)
		_, terrain := terrainNamed(q.Terrain)
		switch {
		case !place || p == cachePlace:
			l.misfit(where+".at", q.At, "place")
		case !terrain || q.Number < 1 || q.Number > 6:
			l.misfit(where, q.Terrain, "land")
		case q.Stored < 0 || q.Stored > capacity:
			l.misfit(where+".stored", q.Stored, "number", "least", 0, "most", capacity)
		case lies[p]:
			l.misfit(where+".at", q.At, "place-twice")
		case p.gap()-origin < left || p.gap()-origin > right+1:
			l.misfit(where+".at", q.At, "beside")
		}
		lies[p] = true
	}
	if b.Cache != nil {
		if p, ok := placeNamed(b.Cache.At); !ok || p == cachePlace || !lies[p] {
			l.misfit(path+"cache.at", b.Cache.At, "no-region")
		}
	}
}

// checkEnd refuses a winner where nobody can have won, and a standstill that begins after the next turn.
func (l *layer) checkEnd(b *Board) {
	s := l.s
	if b.Winner != "" && (s.Phase != Over || s.Winner != seatOf(b.Winner) || s.victory(s.Winner) < int(s.Goal) && s.Winner != s.ahead()) {
		l.misfit("winner", b.Winner, "winner")
	}
	if b.Since > int(s.Turn)+1 {
		l.misfit("since", b.Since, "number", "least", 0, "most", int(s.Turn)+1)
	}
}
