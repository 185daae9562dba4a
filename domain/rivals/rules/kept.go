package rules

import (
	"posthorn/domain"
	"posthorn/domain/rivals/state"
)

// kept is memory for what the events of many decisions say, side by side: hardly any needs its own.
type kept struct {
	ops    block[state.Op]
	tasks  block[state.Task]
	played block[state.Played]
	hidden block[state.Hidden]
	parts  block[domain.Secret]
	last   *state.Played // what the last event said, until the next is begun
}

// begin makes ready for an event. Is it written over the last one, which nobody needs any more, it has that one's memory.
func (k *kept) begin(over *domain.Event) {
	body, _ := over.Body.(*state.Played)
	again := body != nil && body == k.last
	k.last = nil
	k.ops.begin(again)
	k.tasks.begin(again)
	k.played.begin(again)
	k.hidden.begin(again)
	k.parts.begin(again)
}

// block is memory for lists of values, one behind the other.
type block[T any] struct {
	used []T
	from int // where what is kept for the last event begins
}

func (b *block[T]) begin(again bool) {
	if again {
		b.used = b.used[:b.from]
	} else {
		b.from = len(b.used)
	}
}

// keep copies values to where others lie.
func (b *block[T]) keep(list ...T) []T {
	if len(list) == 0 {
		return []T{}
	}
	if cap(b.used)-len(b.used) < len(list) {
		b.used, b.from = make([]T, 0, max(len(list), min(2*cap(b.used)+1, 64))), 0
	}
	from := len(b.used)
	b.used = append(b.used, list...)
	return b.used[from:len(b.used):len(b.used)]
}
