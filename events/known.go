package events

import (
	"fmt"
	"slices"
	"strings"

	"posthorn/domain"
)

// Sort is what an event is, as far as one can tell without reading it.
type Sort struct {
	Rulebook string // of its table; "" if it concerns none
	Type     string
}

// String returns what to call the sort in messages.
func (s Sort) String() string {
	if s.Rulebook == "" || strings.HasPrefix(s.Type, s.Rulebook+".") {
		return s.Type
	}
	return fmt.Sprintf("%s at a table of %s", s.Type, s.Rulebook)
}

// Known reports whether this program can read events of a sort. A newer program wrote those it does not know. A known
// sort may still hold a broken event.
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
