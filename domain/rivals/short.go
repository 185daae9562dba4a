package rivals

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// A position set up by hand may write towns and regions in short: "0 city above abbey mint
// below harald" and "2a fields3 1" (the place, the region card, what it stores).

// UnmarshalJSON reads a town, in short or as it is written.
func (t *TownView) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) != nil {
		type plain TownView
		return json.Unmarshal(b, (*plain)(t))
	}
	fields := strings.Fields(text)
	if len(fields) < 2 {
		return fmt.Errorf("town %q", text)
	}
	at, err := strconv.Atoi(fields[0])
	if err != nil {
		return fmt.Errorf("town %q: %w", text, err)
	}
	*t = TownView{At: at, Kind: fields[1]}
	list := &t.Above
	for _, w := range fields[2:] {
		switch w {
		case "above":
			list = &t.Above
		case "below":
			list = &t.Below
		default:
			*list = append(*list, w)
		}
	}
	return nil
}

// UnmarshalJSON reads a region, in short or as it is written.
func (r *RegionView) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) != nil {
		type plain RegionView
		return json.Unmarshal(b, (*plain)(r))
	}
	fields := strings.Fields(text)
	if len(fields) < 2 || len(fields) > 3 {
		return fmt.Errorf("region %q", text)
	}
	land, ok := landNamed(fields[1])
	if !ok {
		return fmt.Errorf("region %q", text)
	}
	*r = RegionView{At: fields[0], Terrain: land.terrain().Terrain(), Number: int(land.number())}
	if len(fields) == 3 {
		n, err := strconv.Atoi(fields[2])
		if err != nil {
			return fmt.Errorf("region %q: %w", text, err)
		}
		r.Stored = n
	}
	return nil
}

// store sets the amounts of a position's "stores": {"0a":3}; it gives the place that is none.
func (s *Side) store() (wrong string) {
	s.Regions = append([]RegionView(nil), s.Regions...)
	for at, n := range s.Stores {
		found := false
		for i := range s.Regions {
			if s.Regions[i].At == at {
				s.Regions[i].Stored, found = n, true
			}
		}
		if at == "cache" && s.Cache != nil {
			s.Cache, found = &CacheView{At: s.Cache.At, Gold: n}, true
		}
		if !found && (wrong == "" || at < wrong) {
			wrong = at
		}
	}
	return wrong
}
