package domain

import (
	"slices"
	"strings"
)

// A table's secrets are its seed and the secret parts of its streams. This file alone decides when they open, and to
// whom: code that shows, exports, checks or mails anything asks Open, ViewerOf and SeenBy.

// EndedSealed is the last event of play of a branch while a table that it goes on from is still running: what the
// branch knows of that table must not open before the table has ended, so the secret parts stay sealed and the event
// leaves the seed out. An [Unsealed] follows.
type EndedSealed struct {
	Reason  EndReason `json:"reason"`
	Line    string    `json:"line,omitempty"`
	Version uint64    `json:"version,omitempty"`
	Ranks   []int     `json:"ranks,omitempty"`
	Points  []int     `json:"points,omitempty"` // as in [Ended], in the newer type alone, without what is hidden
}

// Unsealed opens the secrets of a branch that ended before the tables it goes on from, now that the last of those has
// ended. It holds the seed in plain.
type Unsealed struct {
	Seed Key `json:"seed"`
}

// EndedElsewhere notes the end of a table that was handed over from here, as its finished record gives it: its secrets
// are now open here too.
type EndedElsewhere Ended

func (e *EndedSealed) apply(t *Table) {
	t.Status, t.End, t.Ranks, t.Proposal, t.Due = TableEnded, e.Reason, e.Ranks, nil, ""
	t.Over = t.Version
}

func (e *Unsealed) apply(t *Table) { t.Revealed, t.Seed = true, e.Seed }

func (e *EndedElsewhere) apply(t *Table) { t.Revealed, t.Seed, t.Ranks = true, e.Seed, e.Ranks }

// IsOver reports whether this table's game has come to its end, here or, as far as this server has noted it, at the
// server that it was handed over to.
func (t *Table) IsOver() bool { return t.Status == TableEnded && (t.End != EndHanded || t.Revealed) }

// GoesOn reports whether the game is played at another server now, and at which address; "" if that is not known.
func (t *Table) GoesOn() (at string, ok bool) {
	_, at, _ = strings.Cut(t.HandedTo, "@")
	return at, t.Status == TableEnded && !t.IsOver()
}

// Closed refuses what needs a running table, and says where the game is: over, or at another server.
func (t *Table) Closed() error {
	if _, ok := t.GoesOn(); ok {
		return Refuse("table-moved")
	}
	return Refuse("table-ended")
}

// Open reports whether the table's secrets are open to everybody who may see the table: it has
// ended, and so has every table that it goes on from.
func (t *Table) Open() bool { return t.Revealed && !t.Waits }

// ViewerOf returns how a person sees this table's lines: from their seat, or everything once the table's secrets are
// open. Somebody with several seats sees from the given one if it is theirs, otherwise from the first.
func (t *Table) ViewerOf(id PersonID, seat Seat) Viewer {
	if t.Open() {
		return Referee
	}
	seats := t.SeatsOf(id)
	if len(seats) == 0 || id == "" {
		return Spectator
	}
	if slices.Contains(seats, seat) {
		return ViewOf(seat)
	}
	return ViewOf(seats[0])
}

// SeenBy reports whether a person may look at the table at all. Only its own people may see a study, as its public
// moves show what its maker knew in secret. While a study is gathering there is nothing to see yet, and anyone with the
// link to an open seat may take it.
func (t *Table) SeenBy(id PersonID) bool {
	if !t.Private || t.Knows(id) {
		return true
	}
	return t.Status == TableOpen && slices.ContainsFunc(t.Places, func(p TablePlace) bool { return p.Kind == SeatOpen })
}

// Sealed reports whether the table has ended here but its secrets have not been opened yet.
func (t *Table) Sealed() bool {
	return t.Status == TableEnded && t.End != EndHanded && !t.Revealed
}

// Unseal opens the secrets of a table that ended sealed. It is the runner's command.
func (t *Table) Unseal() (TableEvent, error) {
	if !t.Sealed() || t.Waits {
		return nil, Refuse("not-ended")
	}
	return &Unsealed{Seed: t.Seed}, nil
}

// Conclude notes how a handed-over table ended at another server. It is the host's command; the caller must check that
// it is true.
func (t *Table) Conclude(end Ended) (TableEvent, error) {
	if t.End != EndHanded {
		return nil, Refuse("not-handed-over")
	}
	if t.Revealed {
		return nil, Refuse("table-ended")
	}
	return (*EndedElsewhere)(&end), nil
}

// BranchStudy is the kind of branch that only its own people see.
const BranchStudy = "study"
