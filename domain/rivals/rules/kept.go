package rules

import (
	"posthorn/domain"
	"posthorn/domain/rivals/state"
)

// kept is shared memory for the contents of many decisions' events: hardly any needs its own.
type kept struct {
	ops    block[state.Op]
	tasks  block[state.Task]
	played block[state.Played]
	hidden block[state.Hidden]
	parts  block[domain.Secret]
	last   *state.Played // the contents of the last event, until the next begins
}

// begin prepares for an event. If it overwrites the last one, which is no longer needed, it reuses that one's memory.
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

// block is memory for lists of values, one after another.
type block[T any] struct {
	used []T
	from int // where the last event's values start
}

func (b *block[T]) begin(again bool) {
	if again {
		b.used = b.used[:b.from]
	} else {
		b.from = len(b.used)
	}
}

// keep copies values into the block.
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
