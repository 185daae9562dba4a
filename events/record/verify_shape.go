package record

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/events"
)

// shapes checks what needs neither the luck nor the rules of the game, for lines of which no move can be judged: which
// kind of event stands where, and that an event of play says what its type has. rb is nil if the game, or its edition,
// is not known.
func (v *verifier) shapes(rb domain.Rulebook, lines ...namedLine) {
	for _, l := range lines {
		for version := l.Fork + 1; version <= v.last[l.name]; version++ {
			if i, ok := v.at[place{l.name, version}]; ok && !v.unknown[i] {
				v.now = i
				v.shape(rb, l.TableLine, i)
			}
		}
	}
}

func (v *verifier) shape(rb domain.Rulebook, l domain.TableLine, i int) {
	e, said := &v.f.Events[i], v.publicOf(i)
	first, forked := e.Version == l.Fork+1, e.Type == events.TypeForked
	rewound := first && l.Index > 0
	v.must(!forked || !rewound || !l.Deal, i, "fresh luck was agreed on, and nothing was shuffled anew")
	v.must(forked == (rewound && !l.Deal) && said.Anew == (rewound && l.Deal), i,
		"a line goes on after a rewind with an event that only opens it, and no other line does")
	if forked {
		v.must(len(e.Parts) == 0 && equalJSON(e.Data, []byte("{}")), i, "the opening of a forked line says nothing")
		return
	}
	v.must(first == (said.Move == ""), i, "the rules do not allow this: %v",
		"a line begins with what is no move, and all else is moves")
	if typ, of := strings.CutPrefix(e.Type, v.table.Rulebook+"."); rb != nil && of {
		v.saysItsType(rb, typ, i)
	}
}

// saysItsType checks that the public part of event number i has just the members that events of play have, and points
// for each seat where its type has them. What its body says follows from secrets, too.
func (v *verifier) saysItsType(rb domain.Rulebook, typ string, i int) {
	data, shut := v.f.Events[i].Data, []domain.SecretBytes(nil)
	for _, p := range v.f.Events[i].Parts {
		shut = append(shut, domain.SecretBytes{To: p.To})
	}
	own, _ := rb.Codec().AsWritten(typ)
	e, err := own.Decode(typ, data, shut)
	var members map[string]json.RawMessage
	fits := err == nil && own.Name(&e) == typ && json.Unmarshal(data, &members) == nil
	for name, value := range members {
		fits = fits && slices.Contains([]string{"seat", "move", "draws", "anew", "points", "body"}, name) &&
			string(value) != "null"
	}
	if fits { // what is read and written again says just what the type has, in what its body holds as well
		again, _, err := own.Encode(&e)
		fits = err == nil && equalJSON(data, again)
	}
	v.must(fits, i, "luck or rules give something else than what stands here")
	due := len(v.table.Places)
	if n, err := strconv.Atoi(v.table.Choices["colours"]); err == nil && v.table.Choices.On("solo") {
		due = n
	}
	v.must(e.Points == nil || len(e.Points) == due, i, "the points are others than those of the game: %v", e.Points)
}
