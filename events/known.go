package events

import (
	"fmt"
	"slices"
	"strings"

	"posthorn/domain"
)

// Sort is what an event is, as far as one can tell without reading it.
type Sort struct {
	Rulebook string // of its table; "" for what concerns none
	Type     string
}

// String is what it is called where somebody is told.
func (s Sort) String() string {
	if s.Rulebook == "" || strings.HasPrefix(s.Type, s.Rulebook+".") {
		return s.Type
	}
	return fmt.Sprintf("%s at a table of %s", s.Type, s.Rulebook)
}

// Known reports whether this program can read events of a sort. Those that it does not know a newer one has written. That it knows one does
// not say that nothing is wrong with an event.
func Known(s Sort, named func(string) (domain.Rulebook, bool)) bool {
	if s.Rulebook == "" {
		return slices.Contains(HouseTypes, s.Type)
	}
	rb, ok := named(s.Rulebook)
	if !ok {
		return false
	}
	if typ, play := strings.CutPrefix(s.Type, s.Rulebook+"."); play {
		return rb.Codec().Has(typ)
	}
	_, ofTable := domain.NewTableEvent(s.Type)
	return ofTable || slices.Contains([]string{TypeForked, TypeOrdered, TypeObeyed}, s.Type)
}
