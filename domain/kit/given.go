package kit

import (
	"encoding/json"
	"maps"
	"reflect"

	"posthorn/domain"
)

// Given reads a position that was set up by hand into a value, once it has the form that its schema
// says; where nothing was, nothing is read. What does not fit is refused: "given" with path, value and why.
func Given(raw json.RawMessage, schema *domain.Schema, into any) error {
	if len(raw) == 0 {
		return nil
	}
	if m := schema.Fits(raw); m != nil {
		return m.Refusal("given")
	}
	var keys map[string]json.RawMessage
	err := json.Unmarshal(raw, &keys)
	maps.DeleteFunc(keys, func(_ string, value json.RawMessage) bool { return string(value) == "null" }) // it stands for nothing, and would empty a list
	if err == nil {
		raw, err = json.Marshal(keys)
	}
	unshare(reflect.ValueOf(into).Elem()) // or what is read into one list would be in all that it is
	if err == nil {
		err = json.Unmarshal(raw, into)
	}
	if err != nil { // what a schema cannot say
		return BadGiven("given", "…", "json")
	}
	return nil
}

// BadGiven refuses what stands at a place of a position, with the sentence "given.WHY".
func BadGiven(path string, value any, why string, pairs ...any) *domain.Refusal {
	return domain.MisfitAt(path, value, domain.S("given."+why, pairs...)).Refusal("given")
}
