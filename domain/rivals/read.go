package rivals

import (
	"strconv"
	"strings"

	"posthorn/domain"
)

// read fills an empty state from a complete board, one that lay or deal wrote.
func (s *State) read(b *Board) {
	*s = State{Ready: true, Winner: domain.Nobody}
	s.Play = Play(index(playNames[:], b.Play))
	s.Rules = rulesOf(b.Options)
	s.readClock(b)
	for i := range 2 {
		s.Realms[i].read(&b.Seats[i])
		s.Realms[i].readHand(domain.Seat(i), &b.Seats[i])
	}
	s.countCentre()
	for i := len(b.Centre.Regions) - 1; i >= 0; i-- {
		s.Lands[s.LandsN], _ = landNamed(b.Centre.Regions[i])
		s.LandsN++
	}
	s.DecksN = uint8(len(b.Stacks))
	for i := range b.Stacks {
		s.Decks[i].read(&b.Stacks[i])
	}
	s.Open, s.OpenN = openCard(s.Play), uint8(len(b.Open))
	for i := len(b.Discard) - 1; i >= 0; i-- {
		s.discard(cardNamed[b.Discard[i]])
	}
	events := Pile{Back: setNames[Basic], Cards: b.Events, Known: b.Passed}
	s.Events.read(&events)
	for i, name := range b.Spare {
		s.Spare[i] = cardNamed[name]
		s.SpareN++
	}
	s.readStill(b)
	for i := range b.Tasks {
		s.Tasks[i] = readTask(&b.Tasks[i])
		s.TasksN++
	}
	for _, a := range b.Asks {
		s.Asks[seatOf(a.Seat)&1] = Ask{Kind: askKind(index(askNames[:], a.Kind)), Task: uint16(a.Task), Serial: uint16(a.Serial)}
	}
}

func (s *State) readClock(b *Board) {
	s.Goal, s.Turn, s.Die, s.Mints, s.Removals = int8(b.Goal), int16(b.Turn), uint8(b.Die), uint8(b.Mints), uint8(b.Removed)
	s.First, s.Active = seatOf(b.First), seatOf(b.Active)
	s.Phase = Phase(index(phaseNames[:], b.Phase))
	s.Face = Face(index(faceNames[:], b.Face))
	s.Event = cardNamed[b.Event]
	s.Serial, s.NextID = uint16(b.Serial), uint16(b.NextID)
	if b.Winner != "" {
		s.Winner = seatOf(b.Winner)
	}
}

// countCentre is what is left in the middle: all there is less what stands.
func (s *State) countCentre() {
	s.Roads, s.Settlements, s.Cities = int8(table.Centre["road"].N), int8(table.Centre["settlement"].N), int8(table.Centre["city"].N)
	for i := range s.Realms {
		r := &s.Realms[i]
		s.Roads -= int8(onesIn(uint64(r.Roads)))
		for _, t := range r.Towns {
			if t.Level != noTown {
				s.Settlements--
			}
			if t.Level == city {
				s.Cities--
			}
		}
	}
}

func (r *Realm) read(b *Side) {
	*r = Realm{Cache: noPlace, Left: columns, Right: -1}
	for _, t := range b.Towns {
		at := t.At + origin
		town := &r.Towns[at]
		town.Level = settlement
		if t.Kind == "city" {
			town.Level = city
		}
		for side, list := range [2][]string{t.Above, t.Below} {
			for slot, name := range list {
				town.Sites[side][slot] = cardNamed[name]
			}
		}
		r.Left, r.Right = min(r.Left, int8(at)), max(r.Right, int8(at))
	}
	for _, at := range b.Roads {
		r.Roads |= 1 << (at + origin)
	}
	for _, q := range b.Regions {
		p, _ := placeNamed(q.At)
		terrain, _ := terrainNamed(q.Terrain)
		r.Regions[p] = Region{Terrain: terrain, Number: uint8(q.Number), Stored: uint8(q.Stored)}
	}
	if b.Cache != nil {
		r.Cache, _ = placeNamed(b.Cache.At)
		r.CacheGold = uint8(b.Cache.Gold)
	}
	r.recount()
}

func (r *Realm) readHand(seat domain.Seat, b *Side) {
	for i, name := range b.Hand {
		slot := Slot{cardNamed[name], bit(seat)}
		if i < len(b.Known) {
			slot.Seen |= seenOf(b.Known[i])
		}
		r.handAdd(slot)
	}
}

func (d *Deck) read(b *Pile) {
	d.Set = setNamed(b.Back)
	for i := len(b.Cards) - 1; i >= 0; i-- {
		slot := Slot{Card: cardNamed[b.Cards[i]]}
		if i < len(b.Known) {
			slot.Seen = seenOf(b.Known[i])
		}
		d.push(slot)
	}
}

func readTask(v *TaskView) Task {
	t := Task{Kind: taskKind(index(taskNames[:], v.Kind)), Seat: seatOf(v.Seat), N: uint8(v.N), Site: Site(v.Site), Arg: int16(v.Arg),
		Mask: v.Mask, ID: uint16(v.ID), Card: cardNamed[v.Card]}
	for _, name := range v.Goods {
		if res, ok := resNamed(name); ok {
			t.Res |= only(res)
		}
	}
	for i, n := range v.Need {
		if i < len(t.Need) {
			t.Need[i] = uint8(n)
		}
	}
	return t
}

// index finds a word in a list; 0 if it is not there.
func index(list []string, word string) int {
	for i, w := range list {
		if w == word {
			return i
		}
	}
	return 0
}

func seatOf(letter string) domain.Seat {
	switch letter {
	case "A":
		return 0
	case "B":
		return 1
	}
	return domain.Nobody
}

// placeNamed reads "0a", "-1b", "cache".
func placeNamed(text string) (Place, bool) {
	if text == "cache" {
		return cachePlace, true
	}
	if len(text) < 2 {
		return noPlace, false
	}
	side := strings.IndexByte("ab", text[len(text)-1])
	gap, err := strconv.Atoi(text[:len(text)-1])
	if side < 0 || err != nil || gap+origin < 0 || gap+origin >= gaps {
		return noPlace, false
	}
	return placeAt(gap+origin, side), true
}

// landNamed reads "forest2".
func landNamed(text string) (Land, bool) {
	if len(text) < 2 {
		return 0, false
	}
	n := text[len(text)-1]
	t, ok := terrainNamed(text[:len(text)-1])
	if !ok || n < '1' || n > '6' {
		return 0, false
	}
	return landOf(t, n-'0'), true
}
